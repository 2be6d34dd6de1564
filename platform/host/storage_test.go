package host

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// reply is what a replayed drive answers to one question: bytes, an error, or nothing for ever.
type reply struct {
	bytes []byte
	err   error
	hang  chan struct{}
}

// replayed is a drive of Windows made of answers. What it has none for it does not support, as Wine and many
// drivers.
type replayed struct {
	answers map[string]reply // by question, see question
	denied  access           // opening with this or more is denied; 0 is none
	missing bool
	sleeps  bool

	mu     sync.Mutex
	asked  []string
	opened int // that were not closed
}

// questionOf names what is asked: the control code, for a property its number, for a page and for an ATA
// command what is asked of the drive.
func questionOf(code uint32, request []byte) string {
	u32 := func(off int) uint32 { return binary.LittleEndian.Uint32(request[off:]) }
	switch {
	case code == winapi.CodeQueryProperty && len(request) > 48:
		return fmt.Sprintf("property %d: protocol %d, type %d, value %d, sub-value %d", u32(0), u32(8), u32(12), u32(16), u32(20))
	case code == winapi.CodeQueryProperty:
		return fmt.Sprintf("property %d", u32(0))
	case code == winapi.CodeAtaPassThrough:
		return fmt.Sprintf("pass through %#x %#x, log %d, page %d", request[46], request[40], request[42], request[43])
	case code == winapi.CodeSmartReceive:
		return fmt.Sprintf("smart %#x %#x", request[10], request[4])
	}
	return fmt.Sprintf("code %#x", code)
}

func (d *replayed) open(name string, a access) (device, error) {
	fail := func(reason error) (device, error) {
		return nil, &platform.OpError{Op: "open", Object: name, Reason: reason}
	}
	switch {
	case d == nil || d.missing:
		return fail(platform.ErrNotExist)
	case d.denied != 0 && a >= d.denied:
		return fail(platform.ErrPermission)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opened++
	return &replayedHandle{d, a}, nil
}

type replayedHandle struct {
	*replayed
	rights access
}

// needs are the rights that are part of a control code.
func needs(code uint32) access {
	switch code >> 14 & 3 {
	case 0:
		return accessNone
	case 1:
		return accessRead
	}
	return accessWrite
}

func (h *replayedHandle) control(code uint32, request, answer []byte) (int, error) {
	question := questionOf(code, request)
	h.mu.Lock()
	h.asked = append(h.asked, question)
	r, known := h.answers[question]
	h.mu.Unlock()
	fail := func(reason error) (int, error) {
		return 0, &platform.OpError{Op: "ask", Object: question, Reason: reason}
	}
	switch {
	case h.rights < needs(code):
		return fail(platform.ErrPermission)
	case !known:
		return fail(platform.ErrUnsupported)
	case r.hang != nil:
		<-r.hang
		return fail(platform.ErrGone)
	case r.err != nil:
		return fail(r.err)
	case len(r.bytes) > len(answer):
		return 0, &platform.OpError{Op: "ask", Object: question, Err: errors.New("the buffer is too small")}
	}
	return copy(answer, r.bytes), nil
}

func (h *replayedHandle) asleep() bool { return h.sleeps }

func (h *replayedHandle) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.opened--
	return nil
}

// replay is a storage of such drives.
func replay(drives map[string]*replayed) storage {
	names := slices.Collect(maps.Keys(drives))
	var clock time.Duration
	return storage{
		names:  func() ([]string, error) { return append(names, "C:", "NUL", "CdRom0", "PhysicalDriveX"), nil },
		open:   func(name string, a access) (device, error) { return drives[name].open(name, a) },
		attach: func(string) (winapi.Attachment, error) { return winapi.Attachment{}, platform.ErrUnsupported },
		now:    func() time.Duration { clock++; return clock },
		asked:  newQuestions(),
	}
}

// balanced checks that what was opened was closed again.
func (d *replayed) balanced(t *testing.T) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened != 0 {
		t.Errorf("%d handles are still open", d.opened)
	}
}

// The answers, put together byte by byte from the tables of the Windows SDK.

func le(n int, values ...any) []byte { // offset, value, offset, value
	b := make([]byte, n)
	for i := 0; i < len(values); i += 2 {
		off := values[i].(int)
		switch v := values[i+1].(type) {
		case uint8:
			b[off] = v
		case uint16:
			binary.LittleEndian.PutUint16(b[off:], v)
		case uint32:
			binary.LittleEndian.PutUint32(b[off:], v)
		case uint64:
			binary.LittleEndian.PutUint64(b[off:], v)
		case string:
			copy(b[off:], v)
		default:
			panic(fmt.Sprintf("%T", v))
		}
	}
	return b
}

func deviceAnswer(bus uint32, vendor, product, revision, serial string) []byte {
	b := le(40, 0, uint32(40), 28, bus)
	for i, s := range []string{vendor, product, revision, serial} {
		if s != "" {
			binary.LittleEndian.PutUint32(b[12+4*i:], uint32(len(b)))
			b = append(append(b, s...), 0)
		}
	}
	return b
}

func geometryAnswer(size uint64) []byte {
	return le(40, 8, uint32(12), 20, uint32(512), 24, size)
}

func nameAnswer(kind uint32, value string) []byte {
	return le(12+16+len(value), 8, uint32(1), 12, uint32(1), 16, kind, 20, uint16(len(value)), 28, value)
}

func pageAnswer(protocol uint32, page []byte) []byte {
	return append(le(48, 0, uint32(48), 4, uint32(48), 8, protocol, 24, uint32(40), 28, uint32(len(page))), page...)
}

func temperatureAnswer(critical, warning int16, sensors ...int16) []byte {
	const none = 0x8000
	b := le(24+16*len(sensors), 8, uint16(critical), 10, uint16(warning), 12, uint16(len(sensors)))
	for i, c := range sensors {
		copy(b[24+16*i:], le(8, 0, uint16(i), 2, uint16(c), 4, uint16(none), 6, uint16(none)))
	}
	return b
}

// performanceAnswer is of a drive that was busy for so many milliseconds.
func performanceAnswer(reads uint32, busy uint64) []byte {
	const since1601 = 133_500_000_000_000_000
	return le(88, 0, uint64(reads)*4096, 16, uint64(reads)*10_000, 40, reads, 48, uint32(1), 32, uint64(since1601/2), 56, since1601/2+uint64(since1601/2)+busy*10_000)
}

func healthPageAnswer() []byte {
	page := le(512, 1, uint16(323), 3, uint8(99), 4, uint8(10), 5, uint8(2), 32, uint64(1000), 48, uint64(2000), 112, uint64(7), 128, uint64(100),
		200, uint16(320), 202, uint16(330))
	return pageAnswer(3, page)
}

func controllerAnswer() []byte {
	return pageAnswer(3, le(4096, 4, "S5GXNX0R123456      ", 24, "Samsung SSD 980 PRO 1TB                 ", 64, "5B2QGXA7", 266, uint16(355), 268, uint16(358)))
}

const (
	askDevice     = "property 0"
	askAdapter    = "property 1"
	askID         = "property 2"
	askCache      = "property 4"
	askAlignment  = "property 6"
	askSeek       = "property 7"
	askTrim       = "property 8"
	askWarmth     = "property 52"
	askNVMeLog    = "property 50: protocol 3, type 2, value 2, sub-value 0"
	askNVMeLog2   = "property 49: protocol 3, type 2, value 2, sub-value 0"
	askController = "property 49: protocol 3, type 1, value 1, sub-value 0"
	askIdentify   = "property 50: protocol 2, type 1, value 0, sub-value 0"
	askGeometry   = "code 0x700a0"
	askLength     = "code 0x7405c"
	askOldCache   = "code 0x740d4"
	askCounters   = "code 0x70020"
	askPredict    = "code 0x2d1100"
)

// nvmeDrive answers as an NVMe drive does under Windows 11 with the system's own driver.
func nvmeDrive() *replayed {
	return &replayed{denied: accessRead, answers: map[string]reply{
		askDevice:     {bytes: deviceAnswer(17, "NVMe    ", "Samsung SSD 980 PRO 1TB", "5B2QGXA7", "0025_385B_71B0_C8E1.")},
		askID:         {bytes: nameAnswer(2, "\x00\x25\x38\x5b\x71\xb0\xc8\xe1")},
		askGeometry:   {bytes: geometryAnswer(1000204886016)},
		askAlignment:  {bytes: le(28, 16, uint32(512), 20, uint32(4096))},
		askSeek:       {bytes: le(12)},
		askTrim:       {bytes: le(12, 8, uint8(1))},
		askCache:      {bytes: le(28, 8, uint32(2), 12, uint32(2))},
		askController: {bytes: controllerAnswer()},
		askNVMeLog:    {bytes: healthPageAnswer()},
		askWarmth:     {bytes: temperatureAnswer(85, 82, 50, 47, 57)},
		askCounters:   {bytes: performanceAnswer(10, 1000)},
	}}
}

// wineDrive answers as Wine 8.0 does.
func wineDrive() *replayed {
	return &replayed{answers: map[string]reply{
		askDevice:   {bytes: le(40, 0, uint32(40), 4, uint32(40), 8, uint8(7), 28, uint32(1))},
		askGeometry: {bytes: geometryAnswer(0x1326a62000)},
	}}
}

func TestDriveNumber(t *testing.T) {
	for name, want := range map[string]int64{"PhysicalDrive0": 0, "PhysicalDrive12": 12, "PhysicalDrive": -1, "PhysicalDriveX": -1, "physicaldrive1": -1,
		"PhysicalDrive1234567890": -1, `PhysicalDrive1\x`: -1, "": -1, "C:": -1} {
		n, ok := driveNumber(name)
		if ok != (want >= 0) || ok && int64(n) != want {
			t.Errorf("%q: %d, %t", name, n, ok)
		}
		if ok && driveName(n) != name {
			t.Errorf("%q became %q", name, driveName(n))
		}
	}
}

func TestReplayedDrives(t *testing.T) {
	nvme, wine := nvmeDrive(), wineDrive()
	drives := map[string]*replayed{
		"PhysicalDrive10": wine, "PhysicalDrive2": nvme,
		"PhysicalDrive0": {answers: map[string]reply{askDevice: {bytes: deviceAnswer(7, "Generic ", "SD/MMC", "1", "")}, askGeometry: {err: platform.ErrNoMedium}}},
		"PhysicalDrive1": {answers: map[string]reply{askGeometry: {bytes: geometryAnswer(0)}}},
		"PhysicalDrive3": {missing: true},
		"PhysicalDrive4": {answers: map[string]reply{askDevice: {err: platform.ErrGone}}},
	}
	got, err := replay(drives).drives(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []platform.Drive{
		{Key: "eui.0025385b71b0c8e1", Name: "PhysicalDrive2", Model: "Samsung SSD 980 PRO 1TB", Serial: "S5GXNX0R123456", Firmware: "5B2QGXA7",
			Bus: platform.BusNVMe, Capacity: 1000204886016, LogicalSector: 512, PhysicalSector: 4096, Rotational: platform.No, Removable: platform.No,
			Trim: platform.Yes, WriteCache: "write back"},
		{Key: "PhysicalDrive10", Name: "PhysicalDrive10", Capacity: 0x1326a62000, LogicalSector: 512, Removable: platform.No},
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	for _, d := range drives {
		d.balanced(t)
	}
	if err := replayError(drives, func(s storage) error { _, err := s.drives(cancelled(t)); return err }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s := replay(nil)
	s.names = func() ([]string, error) { return nil, platform.ErrResources }
	if _, err := s.drives(t.Context()); !errors.Is(err, platform.ErrResources) {
		t.Errorf("no list: %v", err)
	}
}

func replayError(drives map[string]*replayed, f func(storage) error) error { return f(replay(drives)) }

func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// A drive that does not answer hides no other, and keeps its place in the list.
func TestDriveThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		stuck, slow := nvmeDrive(), nvmeDrive()
		stuck.answers[askDevice] = reply{hang: hang}
		slow.answers[askCache] = reply{hang: hang}
		s := replay(map[string]*replayed{"PhysicalDrive0": stuck, "PhysicalDrive1": slow, "PhysicalDrive2": wineDrive()})
		start := time.Now()
		got, err := s.drives(t.Context())
		if took := time.Since(start); err != nil || took != patience || len(got) != 3 {
			t.Fatalf("%+v, %v after %v", got, err, took)
		}
		if got[0] != (platform.Drive{Key: "PhysicalDrive0", Name: "PhysicalDrive0"}) || got[1].Key != "eui.0025385b71b0c8e1" || got[1].Trim != platform.Unknown ||
			got[1].Capacity != 1000204886016 || got[2].Name != "PhysicalDrive2" {
			t.Errorf("%+v", got)
		}
		if _, err := s.drive(t.Context(), "PhysicalDrive0"); !errors.Is(err, platform.ErrStalled) {
			t.Errorf("asked for it alone: %v", err)
		}
		close(hang)
		synctest.Wait()
		stuck.balanced(t)
		slow.balanced(t)
	})
}

func TestReplayedFacts(t *testing.T) {
	change := func(d *replayed, answers map[string]reply) *replayed {
		maps.Copy(d.answers, answers)
		return d
	}
	identify := func() []byte {
		b := le(512, 0, uint16(0x40), 20, "1SMDENDA214365 B    ", 46, "XE0TBDQ6", 54, "aSsmnu gSS D48 0VE O57G0 B              ",
			152, uint16(0x850E), 154, uint16(0x46), 164, uint16(0x746B), 166, uint16(0x7D01), 170, uint16(0x7469), 172, uint16(0xBC01), 174, uint16(0x4163),
			200, uint64(0x575466F0), 212, uint16(0x6003), 434, uint16(1))
		return pageAnswer(2, b)
	}
	sata := map[string]reply{
		askDevice:   {bytes: deviceAnswer(11, "ATA     ", "Samsung SSD 840 EVO 750GB", "EXT0", "S1DMNEAD123456B")},
		askGeometry: {bytes: geometryAnswer(750156374016)},
	}
	for _, c := range []struct {
		name  string
		drive *replayed
		want  platform.Drive
	}{
		{"SATA, the drive itself is asked", &replayed{answers: maps.Collect(func(yield func(string, reply) bool) {
			for k, v := range sata {
				yield(k, v)
			}
			yield(askIdentify, reply{bytes: identify()})
		})}, platform.Drive{Key: "Samsung SSD 840 EVO 750GB:S1DMNEAD123456B", Model: "Samsung SSD 840 EVO 750GB", Serial: "S1DMNEAD123456B", Firmware: "EXT0DB6Q",
			Bus: platform.BusSATA, Capacity: 750156374016, LogicalSector: 512, PhysicalSector: 4096, Rotational: platform.No, Removable: platform.No,
			Trim: platform.No, WriteCache: "write back", Link: platform.Link{BitRate: 6e9}, LinkMax: platform.Link{BitRate: 6e9}}},
		{"SATA that sleeps is not", &replayed{sleeps: true, answers: maps.Collect(func(yield func(string, reply) bool) {
			for k, v := range sata {
				yield(k, v)
			}
			yield(askIdentify, reply{bytes: identify()})
		})}, platform.Drive{Key: "Samsung SSD 840 EVO 750GB:S1DMNEAD123456B", Model: "Samsung SSD 840 EVO 750GB", Serial: "S1DMNEAD123456B", Firmware: "EXT0",
			Bus: platform.BusSATA, Capacity: 750156374016, LogicalSector: 512, Removable: platform.No}},
		{"NVMe without a name in the world, and garbage for a controller", change(nvmeDrive(), map[string]reply{
			askID: {err: platform.ErrIO}, askController: {bytes: pageAnswer(3, make([]byte, 4096))}, askSeek: {bytes: le(11)}, askTrim: {err: platform.ErrIO},
			askCache: {bytes: le(28)}, askAlignment: {bytes: le(28)},
		}), platform.Drive{Key: "eui.0025385b71b0c8e1", Model: "Samsung SSD 980 PRO 1TB", Firmware: "5B2QGXA7", Bus: platform.BusNVMe,
			Capacity: 1000204886016, LogicalSector: 512, Removable: platform.No}},
		{"a virtual disk, whose bus only the adapter knows", &replayed{answers: map[string]reply{
			askDevice: {err: platform.ErrUnsupported}, askAdapter: {bytes: le(32, 24, uint8(14))}, askGeometry: {bytes: geometryAnswer(1 << 30)},
			askSeek: {bytes: le(12, 8, uint8(1))}, askOldCache: {bytes: le(24, 2, uint8(1))},
		}}, platform.Drive{Bus: platform.BusVirtual, Capacity: 1 << 30, LogicalSector: 512, WriteCache: "write back"}},
		{"the size only administrators are told", &replayed{answers: map[string]reply{
			askDevice: {bytes: deviceAnswer(7, "", "Stick", "1", "X1")}, askLength: {bytes: le(8, 0, uint64(4096))},
		}}, platform.Drive{Key: "Stick:X1", Model: "Stick", Serial: "X1", Firmware: "1", Bus: platform.BusUSB, Capacity: 4096, Removable: platform.No}},
		{"and not told", &replayed{denied: accessRead, answers: map[string]reply{
			askDevice: {bytes: deviceAnswer(7, "", "Stick", "1", "X1")}, askLength: {bytes: le(8, 0, uint64(4096))}, askOldCache: {bytes: le(24, 2, uint8(1))},
		}}, platform.Drive{Key: "Stick:X1", Model: "Stick", Serial: "X1", Firmware: "1", Bus: platform.BusUSB, Removable: platform.No}},
	} {
		c.want.Name = "PhysicalDrive5"
		if c.want.Key == "" {
			c.want.Key = c.want.Name
		}
		got, err := replay(map[string]*replayed{"PhysicalDrive5": c.drive}).drive(t.Context(), "PhysicalDrive5")
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n got %+v\nwant %+v", c.name, err, got, c.want)
		}
		c.drive.balanced(t)
	}
}

func TestReplayedAttachment(t *testing.T) {
	s := replay(map[string]*replayed{"PhysicalDrive0": nvmeDrive(), "PhysicalDrive1": wineDrive()})
	s.attach = func(string) (winapi.Attachment, error) {
		return winapi.Attachment{Driver: "stornvme", Speed: 3, Lanes: 4, MaxSpeed: 4, MaxLanes: 4}, nil
	}
	got, err := s.drive(t.Context(), "PhysicalDrive0")
	if err != nil || got.Driver != "stornvme" || got.Link != (platform.Link{PCIeGen: 3, Lanes: 4}) || got.LinkMax != (platform.Link{PCIeGen: 4, Lanes: 4}) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = s.drive(t.Context(), "PhysicalDrive1")
	if err != nil || got.Driver != "stornvme" || got.Link != (platform.Link{}) {
		t.Errorf("only an NVMe drive is on PCI Express itself: %+v, %v", got, err)
	}
}

func TestInstanceOf(t *testing.T) {
	number := func(kind, n uint32) *replayed {
		return &replayed{answers: map[string]reply{"code 0x2d1080": {bytes: le(12, 0, kind, 4, n)}}}
	}
	paths := map[string]*replayed{
		`\\?\scsi#disk&ven_a#5&1&0&000000#{53f56307-b6bf-11d0-94f2-00a0c91efb8b}`: number(7, 0),
		`\\?\scsi#disk&ven_b#5&1&0&000100#{53f56307-b6bf-11d0-94f2-00a0c91efb8b}`: number(7, 1),
		`\\?\scsi#cdrom#1#{53f56307-b6bf-11d0-94f2-00a0c91efb8b}`:                 number(2, 2),
		`\\?\scsi#gone#1#{53f56307-b6bf-11d0-94f2-00a0c91efb8b}`:                  {missing: true},
		`\\?\scsi#silent#1#{53f56307-b6bf-11d0-94f2-00a0c91efb8b}`:                {},
	}
	open := func(path string) (device, error) { return paths[path].open(path, accessNone) }
	all := slices.Sorted(maps.Keys(paths))
	for name, want := range map[string]string{
		"PhysicalDrive0": `scsi\disk&ven_a\5&1&0&000000`, "PhysicalDrive1": `scsi\disk&ven_b\5&1&0&000100`, "PhysicalDrive2": "",
	} {
		got, err := instanceOf(name, all, open)
		if got != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, platform.ErrUnsupported) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	for _, d := range paths {
		d.balanced(t)
	}
}
