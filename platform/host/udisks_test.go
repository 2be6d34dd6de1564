package host

import (
	"errors"
	"testing"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/udisks"
)

const (
	servedPath = udisks.Root + "/drives/LAB_1"
	servedNVMe = udisks.Service + ".NVMe.Controller"
	servedSATA = udisks.Service + ".Drive.Ata"
)

// fakeService is UDisks2 with one drive, called sda.
type fakeService struct {
	kind      string
	props     udisks.Properties
	answer    any
	updateErr error
	fails     error // all of it

	found, updated int // how often
}

func (s *fakeService) objects() (udisks.Objects, error) {
	s.found++
	return udisks.Objects{
		udisks.Root + "/block_devices/sda": {udisks.Service + ".Block": {"Device": []byte("/dev/sda\x00"), "Drive": servedPath}},
		servedPath:                         {s.kind: s.props},
	}, s.fails
}

func (s *fakeService) properties(udisks.Device) (udisks.Properties, error) { return s.props, s.fails }
func (s *fakeService) attributes(udisks.Device) (any, error)               { return s.answer, s.fails }

func (s *fakeService) update(udisks.Device) error {
	s.updated++
	if s.updateErr == nil {
		s.props["SmartUpdated"] = uint64(time.Now().Unix())
	}
	return s.updateErr
}

// servedDisk is a hard disk that was asked ago.
func servedDisk(ago time.Duration) *fakeService {
	line := func(id uint8, mark int32, value int64, unit int32) []any {
		return []any{id, "name", uint16(0x33), mark, mark, int32(10), value, unit, map[string]any{}}
	}
	return &fakeService{kind: servedSATA,
		props: udisks.Properties{"SmartSupported": true, "SmartEnabled": true, "SmartFailing": false, "SmartTemperature": 308.15,
			"SmartPowerOnSeconds": uint64(7200), "SmartUpdated": uint64(time.Now().Add(-ago).Unix())},
		answer: [][]any{line(5, 100, 8, 3), line(9, 90, 7_200_000, 2), line(12, 99, 77, 1), line(187, 100, 2, 3), line(194, 65, 308_150, 4)}}
}

func servedSSD() *fakeService {
	return &fakeService{kind: servedNVMe,
		props:  udisks.Properties{"SmartTemperature": uint16(320), "SmartUpdated": uint64(time.Now().Unix()), "SmartCriticalWarning": []string{}},
		answer: map[string]any{"percent_used": uint8(3), "wctemp": uint16(355), "total_data_written": uint64(5_000_000), "temp_sensors": []uint16{330, 0}}}
}

var servedDrive = platform.Drive{Name: "sda", Key: "1", Bus: platform.BusSATA}

func TestServedHealth(t *testing.T) {
	s := servedDisk(time.Hour)
	h, _, err := servedHealth(s, servedDrive, udisks.Device{}, 0)
	if err != nil || s.updated != 1 {
		t.Fatalf("asked %d times, %v", s.updated, err)
	}
	if h.Source != "udisks2" || h.Passed != platform.Yes || h.TempMilliC == nil || *h.TempMilliC != 35_000 || len(h.Temperatures) != 1 ||
		h.PowerOnHours == nil || *h.PowerOnHours != 2 || h.PowerCycles == nil || *h.PowerCycles != 77 || h.MediaErrors == nil || *h.MediaErrors != 2 {
		t.Errorf("%+v", h)
	}
	if len(h.Attributes) != 3 || h.Attributes[0].Raw != 8 || h.Attributes[0].Name != "Reallocated_Sector_Ct" { // those whose raw values are told
		t.Errorf("%+v", h.Attributes)
	}
	for part, why := range map[platform.Part]platform.Why{platform.PartHostWrites: platform.WhyRights,
		platform.PartErrorLogEntries: platform.WhyRights, platform.PartSpare: platform.WhyBus, platform.PartUnsafeShutdowns: platform.WhyNotReported} {
		if h.Why(part) != why {
			t.Errorf("%s: %q", part, h.Why(part))
		}
	}
	h, _, err = servedHealth(servedSSD(), servedDrive, udisks.Device{}, time.Minute)
	if err != nil || h.HostWrites == nil || *h.HostWrites != 5_000_000 || len(h.Temperatures) != 2 || h.Limits.WarnMilliC == nil {
		t.Errorf("%+v, %v", h, err)
	}
}

// What a model is known to be wrong about is not believed of the service either.
func TestServedTemperatureOfAWrongModel(t *testing.T) {
	s := servedDisk(0)
	for _, c := range []struct {
		model string
		want  bool
	}{{"LAB-SATA", true}, {"SAMSUNG SV0412H", false}} {
		d := servedDrive
		d.Model = c.model
		if h, _, err := servedHealth(s, d, udisks.Device{}, time.Minute); err != nil || (h.TempMilliC != nil) != c.want {
			t.Errorf("%s: %v, %v", c.model, h.TempMilliC, err)
		}
	}
}

// A user who may not have the drive asked gets what has not moved since, and a drive that sleeps is left alone.
func TestServedHealthIsNotAskedAnew(t *testing.T) {
	s := servedDisk(10 * time.Minute)
	s.updateErr = &platform.OpError{Op: "ask", Reason: platform.ErrPermission}
	h, _, err := servedHealth(s, servedDrive, udisks.Device{}, 0)
	if err != nil || h.Passed != platform.Yes || h.PowerOnHours == nil || h.TempMilliC != nil || h.Temperatures != nil ||
		h.MediaErrors != nil || h.Attributes != nil || h.Why(platform.PartTemperature) != platform.WhyRights {
		t.Errorf("%+v, %v", h, err)
	}
	if _, _, err := servedReadings(s, servedDrive, udisks.Device{}); !errors.Is(err, platform.ErrPermission) {
		t.Errorf("an old temperature: %v", err)
	}
	s.props["SmartUpdated"] = uint64(0)
	if _, _, err := servedHealth(s, servedDrive, udisks.Device{}, 0); !errors.Is(err, platform.ErrPermission) {
		t.Errorf("never asked: %v", err)
	}
	s = servedDisk(10 * time.Minute)
	s.updateErr = &platform.OpError{Op: "ask", Reason: platform.ErrAsleep}
	if _, _, err := servedHealth(s, servedDrive, udisks.Device{}, 0); !errors.Is(err, platform.ErrAsleep) {
		t.Errorf("asleep: %v", err)
	}
}

// Adapters that the service has not asked by itself are not asked for us.
func TestServedBehindAnAdapter(t *testing.T) {
	s, d := servedDisk(0), servedDrive
	d.Bus = platform.BusUSB
	s.props["SmartUpdated"] = uint64(0)
	if _, _, err := servedHealth(s, d, udisks.Device{}, 0); !errors.Is(err, platform.ErrBridge) || s.updated != 0 {
		t.Errorf("asked %d times, %v", s.updated, err)
	}
	s = servedDisk(time.Minute)
	if _, _, err := servedHealth(s, d, udisks.Device{}, 0); err != nil || s.updated != 1 {
		t.Errorf("asked %d times, %v", s.updated, err)
	}
}

func TestServedReadings(t *testing.T) {
	s := servedDisk(2 * time.Second)
	got, drive, err := servedReadings(s, servedDrive, udisks.Device{})
	if err != nil || len(got) != 1 || got[0] != (platform.Reading{Label: "Drive", MilliC: 35_000}) || s.updated != 0 || drive.since < 2*time.Second {
		t.Errorf("%v, %+v, %d, %v", got, drive, s.updated, err)
	}
	s.props["SmartUpdated"] = uint64(time.Now().Unix() - 60)
	if _, _, err = servedReadings(s, servedDrive, drive.Device); err != nil || s.updated != 1 || s.found != 1 {
		t.Errorf("asked %d times, looked for %d times, %v", s.updated, s.found, err)
	}
	s.props["SmartTemperature"], s.answer = 0.0, [][]any{}
	if _, _, err = servedReadings(s, servedDrive, drive.Device); !errors.Is(err, platform.ErrUnsupported) {
		t.Errorf("without a temperature: %v", err)
	}
}

func TestServedLimits(t *testing.T) {
	if l, err := servedLimits(servedSSD(), servedDrive); err != nil || l.WarnMilliC == nil || *l.WarnMilliC != 81_850 {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err := servedLimits(servedDisk(0), servedDrive); err != nil || l.Known() {
		t.Errorf("a hard disk: %+v, %v", l, err)
	}
	s := servedSSD()
	s.fails = errors.New("broken")
	if _, err := servedLimits(s, servedDrive); !errors.Is(err, s.fails) {
		t.Error(err)
	}
	s = servedSSD()
	s.answer = 7
	if _, _, err := servedHealth(s, servedDrive, udisks.Device{}, time.Minute); !errors.Is(err, platform.ErrIO) {
		t.Errorf("a strange answer: %v", err)
	}
}

func TestMayHelp(t *testing.T) {
	for _, c := range []struct {
		bus  platform.Bus
		err  error
		want bool
	}{
		{platform.BusSATA, nil, false},
		{platform.BusSATA, platform.ErrPermission, true},
		{platform.BusUSB, errors.Join(platform.ErrUnsupported, platform.ErrBridge), true},
		{platform.BusVirtual, platform.ErrUnsupported, false},
		{platform.BusSATA, errors.Join(platform.ErrUnsupported, platform.ErrSwitchedOff), false},
		{platform.BusNVMe, platform.ErrGone, false},
		{platform.BusNVMe, platform.ErrAsleep, false},
	} {
		if got := mayHelp(platform.Drive{Bus: c.bus}, c.err); got != c.want {
			t.Errorf("%s, %v: %t", c.bus, c.err, got)
		}
	}
}

// The reason of the direct way stands, and both ways are named.
func TestNeither(t *testing.T) {
	direct := &platform.OpError{Op: opSMART, Object: "sda", Reason: platform.ErrPermission, Err: errors.New("no rights")}
	err := neither(opSMART, servedDrive, direct, &platform.OpError{Op: "connect to", Object: "the system bus", Reason: platform.ErrStalled})
	const want = "read SMART data of sda: no rights; udisks2: connect to the system bus: the device did not answer in time"
	if platform.WhyOf(err) != platform.WhyRights || errors.Is(err, platform.ErrStalled) || err.Error() != want {
		t.Error(err)
	}
	err = neither(opSMART, platform.Drive{Name: "sdb", Bus: platform.BusUSB}, mute(opSMART, platform.Drive{Name: "sdb", Bus: platform.BusUSB}), errors.New("unknown"))
	if platform.WhyOf(err) != platform.WhyBridge || !errors.Is(err, platform.ErrUnsupported) {
		t.Error(err)
	}
	if err = neither(opSMART, servedDrive, direct, platform.ErrAsleep); platform.WhyOf(err) != platform.WhyAsleep {
		t.Error(err)
	}
}
