package host

import (
	"bufio"
	"context"
	"errors"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"cachecliff/platform"
	"cachecliff/platform/udisks"
)

const busVariable = "DBUS_SYSTEM_BUS_ADDRESS"

// privateBus is a bus that stands for the system's until the test ends.
func privateBus(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Skip("no dbus-daemon")
	}
	cmd := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address", "--address=unix:dir="+t.TempDir())
	dieWithParent(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // says that it was killed
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("dbus-daemon says no address: %v", err)
	}
	t.Setenv(busVariable, strings.TrimSpace(address))
}

// busDrive is a drive of UDisks2 on a bus, as godbus calls it.
type busDrive struct {
	mu      sync.Mutex
	name    string // of the block device
	props   map[string]dbus.Variant
	fail    *dbus.Error // of SmartUpdate
	options map[string]dbus.Variant
	updates int
	hangs   chan struct{} // SmartGetAttributes waits for its end
}

// with looks at a drive, or changes it, while nobody asks.
func (b *busDrive) with(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
}

func (b *busDrive) GetManagedObjects() (map[dbus.ObjectPath]map[string]map[string]dbus.Variant, *dbus.Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return map[dbus.ObjectPath]map[string]map[string]dbus.Variant{
		udisks.Root + "/block_devices/" + dbus.ObjectPath(b.name): {udisks.Service + ".Block": {
			"Device": dbus.MakeVariant([]byte("/dev/" + b.name + "\x00")), "Drive": dbus.MakeVariant(dbus.ObjectPath(servedPath)),
			"Symlinks": dbus.MakeVariant([][]byte{[]byte("/dev/disk/by-id/x\x00")})}},
		servedPath: {servedSATA: maps.Clone(b.props)},
	}, nil
}

func (b *busDrive) GetAll(string) (map[string]dbus.Variant, *dbus.Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.props), nil
}

func (b *busDrive) SmartUpdate(options map[string]dbus.Variant) *dbus.Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.options, b.updates = options, b.updates+1
	if b.fail == nil {
		b.props["SmartUpdated"] = dbus.MakeVariant(uint64(time.Now().Unix()))
	}
	return b.fail
}

// busLine is (ysqiiixia{sv}).
type busLine struct {
	ID                 uint8
	Name               string
	Flags              uint16
	Mark, Worst, Limit int32
	Value              int64
	Unit               int32
	More               map[string]dbus.Variant
}

func (b *busDrive) SmartGetAttributes(map[string]dbus.Variant) ([]busLine, *dbus.Error) {
	var hangs chan struct{}
	if b.with(func() { hangs = b.hangs }); hangs != nil {
		<-hangs
	}
	return []busLine{{ID: 5, Name: "reallocated-sector-count", Flags: 0x33, Mark: 100, Worst: 100, Limit: 10, Value: 8, Unit: 3},
		{ID: 194, Name: "temperature-celsius-2", Mark: 65, Worst: 45, Value: 308_150, Unit: 4}}, nil
}

// serving puts a drive on a private bus: a hard disk of the name orphan, that was asked ten minutes ago.
func serving(t *testing.T) *busDrive {
	t.Helper()
	privateBus(t)
	b := &busDrive{name: orphan.Name, props: map[string]dbus.Variant{
		"SmartSupported": dbus.MakeVariant(true), "SmartEnabled": dbus.MakeVariant(true), "SmartFailing": dbus.MakeVariant(false),
		"SmartTemperature": dbus.MakeVariant(308.15), "SmartUpdated": dbus.MakeVariant(uint64(time.Now().Unix() - 600))}}
	conn, err := dbus.ConnectSystemBus()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	for path, name := range map[dbus.ObjectPath]string{udisks.Root: "org.freedesktop.DBus.ObjectManager",
		servedPath: servedSATA} {
		if err := conn.Export(b, path, name); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.Export(b, servedPath, "org.freedesktop.DBus.Properties"); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(udisks.Service, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	return b
}

// adapted is the orphan behind a USB adapter that passes no commands on.
var adapted = platform.Drive{Name: orphan.Name, Key: "usb", Bus: platform.BusUSB}

func TestHealthThroughUDisks(t *testing.T) {
	b, h := serving(t), withoutSensors(t)
	got, err := h.Health(t.Context(), adapted)
	if err != nil || got.Source != "udisks2" || got.TempMilliC == nil || *got.TempMilliC != 35_000 || got.Passed != platform.Yes ||
		len(got.Attributes) != 1 || got.Attributes[0].Raw != 8 {
		t.Errorf("%+v, %v", got, err)
	}
	b.with(func() {
		for _, option := range []string{"nowakeup", "auth.no_user_interaction"} {
			if b.options[option].Value() != true {
				t.Errorf("%s: %v", option, b.options[option])
			}
		}
	})
	for name, want := range map[string]error{
		"org.freedesktop.UDisks2.Error.WouldWakeup": platform.ErrAsleep,
		"org.freedesktop.UDisks2.Error.Failed":      platform.ErrBridge,
	} {
		b.with(func() { b.fail = dbus.NewError(name, []any{"no"}) })
		if _, err := h.Health(t.Context(), adapted); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b.with(func() {
		b.fail = dbus.NewError("org.freedesktop.UDisks2.Error.NotAuthorizedCanObtain", []any{"no"})
		b.props["SmartUpdated"] = dbus.MakeVariant(uint64(time.Now().Unix() - 600))
	})
	if got, err := h.Health(t.Context(), adapted); err != nil || got.TempMilliC != nil || got.Passed != platform.Yes {
		t.Errorf("what the service knew before: %+v, %v", got, err)
	}
}

func TestTemperatureThroughUDisks(t *testing.T) {
	b, h := serving(t), withoutSensors(t)
	for range 3 {
		s, err := h.Sensors(t.Context(), adapted)
		if err != nil || s.Source != "udisks2" || len(s.Temperatures) != 1 || s.Temperatures[0].MilliC != 35_000 || s.Counters == nil {
			t.Errorf("%+v, %v", s, err)
		}
	}
	m, err := h.Watch(adapted)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if got, err := m.Temperatures(); err != nil || len(got) != 1 || got[0].MilliC != 35_000 || m.Source() != "udisks2" {
			t.Errorf("%v, %v, %q", got, err, m.Source())
		}
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	b.with(func() {
		if b.updates != 1 {
			t.Errorf("the drive was asked %d times", b.updates)
		}
	})
}

// Where UDisks2 is not, or does not know the drive, the first reason stands and the second is named.
func TestWithoutUDisks(t *testing.T) {
	h := withoutSensors(t)
	ask := func(name, want string) {
		t.Helper()
		for what, err := range map[string]error{
			"health": func() error { _, err := h.Health(t.Context(), adapted); return err }(),
			"limits": func() error { _, err := h.TempLimits(t.Context(), adapted); return err }(),
		} {
			if !errors.Is(err, platform.ErrUnsupported) || platform.WhyOf(err) != platform.WhyBridge || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
	}
	t.Setenv(busVariable, "unix:path="+filepath.Join(t.TempDir(), "none"))
	ask("no bus", "the system bus")
	b := serving(t)
	b.with(func() { b.name = "sdz" })
	ask("another drive", "UDisks2 does not know this drive")
	privateBus(t)
	ask("no service", "UDisks2 does not run here")
}

// A service that does not answer holds nobody up.
func TestUDisksHangs(t *testing.T) {
	b, hangs := serving(t), make(chan struct{})
	b.with(func() { b.hangs = hangs })
	t.Cleanup(func() { close(hangs) })
	const limit = 50 * time.Millisecond
	_, err := throughUDisks(context.Background(), limit, func(s diskService) (any, error) {
		return s.attributes(udisks.Device{Path: servedPath, Interface: servedSATA})
	})
	if !errors.Is(err, platform.ErrStalled) {
		t.Error(err)
	}
	// Neither does a bus that accepts and says nothing.
	path := filepath.Join(t.TempDir(), "bus")
	silent, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	t.Setenv(busVariable, "unix:path="+path)
	if _, err := throughUDisks(context.Background(), limit, func(diskService) (any, error) { return nil, os.ErrInvalid }); !errors.Is(err, platform.ErrStalled) {
		t.Error(err)
	}
}
