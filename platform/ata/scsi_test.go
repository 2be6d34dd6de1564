package ata

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unsafe"

	"cachecliff/platform"
)

// The bytes are those of the SCSI / ATA Translation standard's table for ATA PASS-THROUGH (16).
func TestCDB(t *testing.T) {
	for _, c := range []struct {
		c    Command
		want [16]byte
		size int
	}{
		{CommandPower, [16]byte{0x85, 3 << 1, 0x20, 14: 0xE5}, 0},
		{CommandIdentify, [16]byte{0x85, 4 << 1, 0x0E, 6: 1, 14: 0xEC}, 512},
		{CommandAttributes, [16]byte{0x85, 4 << 1, 0x0E, 4: 0xD0, 6: 1, 10: 0x4F, 12: 0xC2, 14: 0xB0}, 512},
		{CommandThresholds, [16]byte{0x85, 4 << 1, 0x0E, 4: 0xD1, 6: 1, 10: 0x4F, 12: 0xC2, 14: 0xB0}, 512},
		{CommandErrors, [16]byte{0x85, 4 << 1, 0x0E, 4: 0xD5, 6: 1, 8: 0x01, 10: 0x4F, 12: 0xC2, 14: 0xB0}, 512},
		{CommandSCT, [16]byte{0x85, 4 << 1, 0x0E, 4: 0xD5, 6: 1, 8: 0xE0, 10: 0x4F, 12: 0xC2, 14: 0xB0}, 512},
		{CommandStatus, [16]byte{0x85, 3 << 1, 0x20, 4: 0xDA, 10: 0x4F, 12: 0xC2, 14: 0xB0}, 0},
		{CommandLog(4, 7), [16]byte{0x85, 4<<1 | 1, 0x0E, 6: 1, 8: 4, 10: 7, 13: 0x40, 14: 0x2F}, 512},
	} {
		if got := c.c.CDB(); got != c.want || c.c.Size() != c.size || c.c.String() == "" {
			t.Errorf("%s: % x, want % x; %d bytes", c.c, got, c.want, c.c.Size())
		}
	}
}

// returnedSense is sense data with the descriptor of the registers, as libata makes it.
func returnedSense(key uint8, r Registers) []byte {
	b := make([]byte, 22)
	b[0], b[1], b[3], b[7] = 0x72, key, 0x1D, 14
	b[8], b[9] = 0x09, 12
	b[11], b[13], b[15], b[17], b[19], b[21] = r.Error, r.Count, r.Low, r.Mid, r.High, r.Status
	return b
}

func fixedSense(key, code, qualifier uint8, r Registers) []byte {
	b := make([]byte, 18)
	b[0], b[2], b[7], b[12], b[13] = 0x70, key, 10, code, qualifier
	b[3], b[4], b[6], b[9], b[10], b[11] = r.Error, r.Status, r.Count, r.Low, r.Mid, r.High
	return b
}

func TestJudge(t *testing.T) {
	awake := Registers{Status: 0x50, Count: 0xFF}
	other := append([]byte{0x72, 1, 0, 0x1D, 0, 0, 0, 18, 0x00, 2, 0, 0}, returnedSense(1, awake)[8:]...)
	for _, c := range []struct {
		name    string
		command Command
		r       Result
		want    Registers
		err     error
		says    string
	}{
		{"a sector", CommandAttributes, Result{}, Registers{}, nil, ""},
		{"registers", CommandPower, Result{Status: 2, Driver: 8, Sense: returnedSense(1, awake)}, awake, nil, ""},
		{"registers, no check", CommandPower, Result{Sense: returnedSense(1, awake)}, awake, nil, ""},
		{"registers behind another descriptor", CommandPower, Result{Status: 2, Sense: other}, awake, nil, ""},
		{"registers in the fixed format", CommandPower, Result{Status: 2, Sense: fixedSense(1, 0, 0x1D, awake)}, awake, nil, ""},
		{"deferred, fixed", CommandPower, Result{Status: 2, Sense: append([]byte{0x71}, fixedSense(1, 0, 0x1D, awake)[1:]...)}, awake, nil, ""},
		{"other information, fixed", CommandPower, Result{Status: 2, Sense: fixedSense(1, 0, 0, awake)}, Registers{}, nil, ""},
		{"no registers", CommandStatus, Result{Status: 2, Sense: returnedSense(1, awake)[:8]}, Registers{}, nil, ""},
		{"no device", CommandStatus, Result{Host: 1}, Registers{}, platform.ErrGone, "no device"},
		{"target gone", CommandStatus, Result{Host: 4}, Registers{}, platform.ErrGone, ""},
		{"time is up", CommandStatus, Result{Host: 3}, Registers{}, platform.ErrStalled, ""},
		{"the driver's time is up", CommandStatus, Result{Driver: 0x36}, Registers{}, platform.ErrStalled, ""},
		{"adapter fails", CommandStatus, Result{Host: 7}, Registers{}, platform.ErrIO, "0x7"},
		{"busy", CommandStatus, Result{Status: 8}, Registers{}, platform.ErrBusy, ""},
		{"reserved", CommandStatus, Result{Status: 0x18}, Registers{}, platform.ErrBusy, ""},
		{"task set full", CommandStatus, Result{Status: 0x28}, Registers{}, platform.ErrIO, ""},
		{"check without sense", CommandStatus, Result{Status: 2}, Registers{}, platform.ErrIO, "no sense"},
		{"sense of neither format", CommandStatus, Result{Status: 2, Sense: make([]byte, 18)}, Registers{}, platform.ErrIO, "no sense"},
		{"short, fixed", CommandStatus, Result{Status: 2, Sense: fixedSense(1, 0, 0x1D, awake)[:13]}, Registers{}, platform.ErrIO, "no sense"},
		{"the drive refuses", CommandThresholds, Result{Status: 2, Sense: returnedSense(0xB, Registers{Status: 0x51, Error: 4})}, Registers{}, platform.ErrUnsupported, "refuses"},
		{"the drive fails", CommandThresholds, Result{Status: 2, Sense: returnedSense(0xB, Registers{Status: 0x51, Error: 0x40})}, Registers{}, platform.ErrIO, "0x40"},
		{"not passed on", CommandIdentify, Result{Status: 2, Sense: fixedSense(5, 0x20, 0, Registers{})}, Registers{}, platform.ErrUnsupported, "does not pass"},
		{"no medium", CommandIdentify, Result{Status: 2, Sense: fixedSense(2, 0x3A, 0, Registers{})}, Registers{}, platform.ErrNoMedium, ""},
		{"not ready", CommandIdentify, Result{Status: 2, Sense: fixedSense(2, 4, 1, Registers{})}, Registers{}, platform.ErrIO, "sense key 0x2, code 0x4/0x1"},
		{"a sector cut short", CommandIdentify, Result{Residual: 512}, Registers{}, platform.ErrIO, "512 of 512 bytes did not come"},
	} {
		got, err := c.command.Judge(c.r)
		if got != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		if err != nil && (!strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.command.String())) {
			t.Errorf("%s says %q", c.name, err)
		}
	}
}

func TestSleeps(t *testing.T) {
	for count, want := range map[uint8]bool{0x00: true, 0x01: true, 0x80: false, 0x81: false, 0x40: false, 0xFF: false} {
		if (Registers{Status: 0x50, Count: count}).Sleeps() != want {
			t.Errorf("count %#x: %t", count, !want)
		}
	}
	if (Registers{}).Sleeps() {
		t.Error("zeros are no answer")
	}
}

func TestPassed(t *testing.T) {
	for _, c := range []struct {
		r    Registers
		want platform.Tri
	}{
		{Registers{Status: 0x50, Mid: 0x4F, High: 0xC2}, platform.Yes}, {Registers{Status: 0x50, Mid: 0xF4, High: 0x2C}, platform.No},
		{Registers{Mid: 0x4F, High: 0xC2}, platform.Unknown}, {Registers{Status: 0x50}, platform.Unknown}, {Registers{}, platform.Unknown},
	} {
		if got := c.r.Passed(); got != c.want {
			t.Errorf("%+v: %v", c.r, got)
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, sense := range [][]byte{nil, returnedSense(1, Registers{Status: 0x50}), fixedSense(1, 0, 0x1D, Registers{Status: 0x50, Count: 0xFF}), {0x72, 1, 0, 0x1D, 0, 0, 0, 255, 9, 255}} {
		f.Add(uint8(2), uint16(0), uint16(8), 0, sense)
	}
	f.Fuzz(func(t *testing.T, status uint8, host, driver uint16, residual int, sense []byte) {
		r, err := CommandPower.Judge(Result{Status: status, Host: host, Driver: driver, Residual: residual, Sense: sense})
		if err != nil && r != (Registers{}) {
			t.Errorf("%+v beside %v", r, err)
		}
		if r.Sleeps() && r.Status&0x40 == 0 {
			t.Errorf("%+v sleeps", r)
		}
	})
}

// The kernel's struct sg_io_hdr, where addresses have 8 bytes.
func TestSGHeaderLayout(t *testing.T) {
	var h SGHeader
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("addresses have fewer bytes here")
	}
	for name, v := range map[string][2]uintptr{
		"size": {unsafe.Sizeof(h), 88}, "direction": {unsafe.Offsetof(h.Direction), 4}, "cmd_len": {unsafe.Offsetof(h.CommandLen), 8},
		"mx_sb_len": {unsafe.Offsetof(h.SenseRoom), 9}, "dxfer_len": {unsafe.Offsetof(h.DataLen), 12}, "dxferp": {unsafe.Offsetof(h.Data), 16},
		"cmdp": {unsafe.Offsetof(h.Command), 24}, "sbp": {unsafe.Offsetof(h.Sense), 32}, "timeout": {unsafe.Offsetof(h.TimeoutMS), 40},
		"usr_ptr": {unsafe.Offsetof(h.User), 56}, "status": {unsafe.Offsetof(h.Status), 64}, "sb_len_wr": {unsafe.Offsetof(h.SenseLen), 67},
		"host_status": {unsafe.Offsetof(h.HostStatus), 68}, "driver_status": {unsafe.Offsetof(h.DriverStatus), 70},
		"resid": {unsafe.Offsetof(h.Residual), 72}, "info": {unsafe.Offsetof(h.Info), 80},
	} {
		if v[0] != v[1] {
			t.Errorf("%s is %d, want %d", name, v[0], v[1])
		}
	}
}

func TestHeader(t *testing.T) {
	reads := SGHeader{InterfaceID: 'S', Direction: -3, CommandLen: 16, SenseRoom: 64, DataLen: 512, Data: 3, Command: 1, Sense: 2, TimeoutMS: 30_000}
	if got := CommandIdentify.Header(1, 2, 3); got != reads {
		t.Errorf("%+v", got)
	}
	tells := SGHeader{InterfaceID: 'S', Direction: -1, CommandLen: 16, SenseRoom: 64, Command: 1, Sense: 2, TimeoutMS: 30_000}
	if got := CommandStatus.Header(1, 2, 0); got != tells {
		t.Errorf("%+v", got)
	}
	h := SGHeader{Status: 2, HostStatus: 3, DriverStatus: 8, Residual: 5, SenseLen: 3}
	if got := h.Result([]byte{1, 2, 3, 4}); got.Status != 2 || got.Host != 3 || got.Driver != 8 || got.Residual != 5 || !bytes.Equal(got.Sense, []byte{1, 2, 3}) {
		t.Errorf("%+v", got)
	}
	h.SenseLen = 200
	if got := h.Result(make([]byte, 64)); len(got.Sense) != 64 {
		t.Errorf("%d bytes of sense", len(got.Sense))
	}
}
