package host

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// wineVersion is the version of Wine that stands for Windows here, or empty.
func wineVersion() string {
	version := windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version")
	if version.Find() != nil {
		return ""
	}
	p, _, _ := version.Call()
	return windows.BytePtrToString(*(**byte)(unsafe.Pointer(&p)))
}

// realDrives are the drives of this computer.
func realDrives(t *testing.T) (*Host, []platform.Drive) {
	t.Helper()
	h, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	drives, err := h.Drives(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(drives) == 0 {
		t.Skip("no drives on this computer")
	}
	return h, drives
}

func TestDrivesHere(t *testing.T) {
	h, drives := realDrives(t)
	names, err := deviceNames()
	if err != nil || !slices.Contains(names, "NUL") {
		t.Errorf("devices %q, %v", names, err)
	}
	for _, d := range drives {
		t.Logf("%+v", d)
		if _, ok := driveNumber(d.Name); !ok || !slices.Contains(names, d.Name) || d.Key == "" || d.Capacity <= 0 || d.LogicalSector <= 0 {
			t.Errorf("%+v", d)
		}
	}
	again, err := h.Drives(t.Context())
	if err != nil || !slices.Equal(again, drives) {
		t.Errorf("the second time %+v, %v", again, err)
	}
	if d, err := h.storage().drive(t.Context(), "PhysicalDrive987654"); !errors.Is(err, platform.ErrGone) || d.Key != "PhysicalDrive987654" {
		t.Errorf("a drive that is not there: %+v, %v", d, err)
	}
}

// Every question either is answered with what can be decoded, or refused with a reason.
func TestControlCodesHere(t *testing.T) {
	_, drives := realDrives(t)
	dev, err := openDevice(drives[0].Name, accessNone)
	if err != nil {
		t.Fatal(err)
	}
	number, err := fetch(dev, winapi.CodeDeviceNumber, nil, 12, winapi.DecodeDeviceNumber)
	if err != nil || driveName(number.Number) != drives[0].Name || number.Type != winapi.DeviceDisk {
		t.Errorf("%s says it is %+v, %v", drives[0].Name, number, err)
	}
	if _, err := property(dev, winapi.PropertyDevice, winapi.DecodeDevice); err != nil {
		t.Errorf("device descriptor: %v", err)
	}
	refused := func(name string, err error, want ...error) {
		t.Helper()
		if err == nil {
			t.Logf("%s: answered", name)
			return
		}
		t.Logf("%s: %v", name, err)
		if !slices.ContainsFunc(want, func(w error) bool { return errors.Is(err, w) }) {
			t.Errorf("%s: %v, want one of %v", name, err, want)
		}
	}
	ask := func(p winapi.Property) error {
		_, err := property(dev, p, func(b []byte) (int, error) { return len(b), nil })
		return err
	}
	for _, p := range []winapi.Property{winapi.PropertyAdapter, winapi.PropertyDeviceID, winapi.PropertyWriteCache, winapi.PropertyAlignment,
		winapi.PropertySeekPenalty, winapi.PropertyTrim, winapi.PropertyTemperature} {
		refused(fmt.Sprint("property ", p), ask(p), platform.ErrUnsupported, platform.ErrIO)
	}
	_, err = page(dev, winapi.NVMeHealth)
	refused("NVMe health log", err, platform.ErrUnsupported, platform.ErrIO)
	_, err = predict(dev, "")
	refused("predict failure", err, platform.ErrUnsupported, platform.ErrIO)
	_, err = fetch(dev, winapi.CodePerformance, nil, winapi.PerformanceSize, winapi.DecodePerformance)
	refused("counters", err, platform.ErrUnsupported)
	_, err = fetch(dev, winapi.CodeLength, nil, 8, winapi.DecodeLength)
	if !errors.Is(err, platform.ErrPermission) {
		t.Errorf("the length without rights: %v", err)
	}
	_, err = sector(dev, winapi.CommandIdentify)
	if !errors.Is(err, platform.ErrPermission) {
		t.Errorf("an ATA command without rights: %v", err)
	}
	if err := dev.close(); err != nil {
		t.Error(err)
	}
	if err := dev.close(); err == nil {
		t.Error("closed twice without an error")
	}
	if _, err := dev.control(winapi.CodeDeviceNumber, nil, make([]byte, 12)); err == nil {
		t.Error("a closed device answered")
	}
}

func TestSensorsHere(t *testing.T) {
	h, drives := realDrives(t)
	for _, d := range drives {
		before := h.Now()
		s, err := h.Sensors(t.Context(), d)
		if err != nil || s.At < before || s.At > h.Now() || (len(s.Temperatures) > 0) != (s.Source != "") {
			t.Errorf("%s: %+v, %v", d.Name, s, err)
		}
		if wineVersion() != "" && (s.Counters != nil || s.Temperatures != nil) {
			t.Errorf("Wine has learnt to count or to feel: %+v; look at what is only replayed so far", s)
		}
		if l, err := h.TempLimits(t.Context(), d); err != nil && !errors.Is(err, platform.ErrUnsupported) && !errors.Is(err, platform.ErrAsleep) {
			t.Errorf("%s: %+v, %v", d.Name, l, err)
		}
		health, err := h.Health(t.Context(), d)
		known := errors.Is(err, platform.ErrUnsupported) || errors.Is(err, platform.ErrPermission) || errors.Is(err, platform.ErrAsleep)
		if err == nil && health.Source == "" || err != nil && !known {
			t.Errorf("%s: %+v, %v", d.Name, health, err)
		}
		m, err := h.Watch(d)
		if err != nil {
			t.Fatal(err)
		}
		first, at, err := m.Counters()
		second, later, err2 := m.Counters()
		switch {
		case err == nil && err2 == nil:
			if _, forward := second.Since(first); !forward || later < at {
				t.Errorf("%s: %+v at %v, then %+v at %v", d.Name, first, at, second, later)
			}
		case !errors.Is(err, platform.ErrUnsupported) || !errors.Is(err2, platform.ErrUnsupported):
			t.Errorf("%s: %v, %v", d.Name, err, err2)
		}
		if temps, err := m.Temperatures(); err == nil && (len(temps) == 0 || m.Source() == "") {
			t.Errorf("%s: %v from %q", d.Name, temps, m.Source())
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	if m, err := h.Watch(platform.Drive{Name: "PhysicalDrive987654"}); !errors.Is(err, platform.ErrGone) || m != nil {
		t.Errorf("a drive that is not there: %v, %v", m, err)
	}
}

func TestAttachmentHere(t *testing.T) {
	_, drives := realDrives(t)
	a, err := attachment(drives[0].Name)
	t.Logf("%+v, %v", a, err)
	if err == nil && (a.Driver == "" || strings.ContainsRune(a.Driver, 0)) {
		t.Errorf("%+v", a)
	}
	if version := wineVersion(); err != nil && version != "" {
		t.Skipf("not under Wine: %s has no disks in its tree of devices (%v)", version, err)
	}
	if err != nil && !errors.Is(err, platform.ErrUnsupported) {
		t.Error(err)
	}
}
