package host

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/ata"
	"cachecliff/platform/nvme"
	"cachecliff/platform/winapi"
)

// A thermometer is one way to the temperatures of a drive. None needs rights.
type thermometer struct {
	source string
	read   func(device, platform.Drive) ([]platform.Reading, error)
}

// thermometers are tried in this order. All are commands to the drive.
func thermometers() []thermometer {
	return []thermometer{
		{"storage driver", driverTemperatures},
		{sourceNVMe, nvmeTemperatures},
		{sourceSMART, ataTemperature},
	}
}

// Where Windows has temperatures and health from.
const (
	sourceNVMe  = "NVMe health log"
	sourceSMART = "SMART attributes"
)

// errOtherBus is a question that is not put to a drive, since it could not understand it: commands of a
// protocol that is not theirs make some USB adapters hang.
var errOtherBus = &platform.OpError{Op: "ask", Object: "a drive on another bus", Reason: platform.ErrUnsupported}

// speaksNVMe and speaksATA say whether a drive may be asked in a protocol. Behind a driver of RAID, which
// shows neither bus, it may; the driver refuses what it cannot pass on.
func speaksNVMe(d platform.Drive) bool {
	return d.Bus == platform.BusNVMe || d.Bus == platform.BusUnknown
}

func speaksATA(d platform.Drive) bool {
	return d.Bus == platform.BusSATA || d.Bus == platform.BusUnknown
}

func driverTemperatures(dev device, d platform.Drive) ([]platform.Reading, error) {
	first := "Drive"
	if d.Bus == platform.BusNVMe {
		first = "Composite"
	}
	return fetch(dev, winapi.CodeQueryProperty, winapi.Query(winapi.PropertyTemperature), winapi.TemperatureSize,
		func(b []byte) ([]platform.Reading, error) {
			readings, _, err := winapi.DecodeTemperatures(b, first)
			return readings, err
		})
}

func nvmeTemperatures(dev device, d platform.Drive) ([]platform.Reading, error) {
	if !speaksNVMe(d) {
		return nil, errOtherBus
	}
	b, err := page(dev, winapi.NVMeHealth)
	if err != nil {
		return nil, err
	}
	return nvme.DecodeTemperatures(b)
}

func ataTemperature(dev device, d platform.Drive) ([]platform.Reading, error) {
	if !speaksATA(d) {
		return nil, errOtherBus
	}
	p, err := predict(dev, d.Model)
	if err != nil {
		return nil, err
	}
	if c := ata.Health(d.Model, p.attributes, ata.Statistics{}).TempMilliC; c != nil {
		return []platform.Reading{{Label: "Drive", MilliC: *c}}, nil
	}
	return nil, nil
}

// temperatures asks by one thermometer after the other until one gives readings. It fails with
// platform.ErrUnsupported where none does: what goes wrong with one that was never seen to work, as on many USB
// adapters, is no fault. What goes wrong with the only one is.
func temperatures(dev device, d platform.Drive, ways []thermometer) ([]platform.Reading, thermometer, error) {
	failure := &platform.OpError{Op: "read the temperature of", Object: d.Name, Reason: platform.ErrUnsupported}
	if dev.asleep() {
		failure.Reason = platform.ErrAsleep
		return nil, thermometer{}, failure
	}
	for _, way := range ways {
		readings, err := way.read(dev, d)
		if err == nil && len(readings) > 0 {
			return readings, way, nil
		}
		if err != nil && !errors.Is(err, platform.ErrUnsupported) && failure.Err == nil {
			failure.Err = err
		}
	}
	switch {
	case lost(failure.Err):
		failure.Reason = platform.ErrGone
	case failure.Err != nil && len(ways) == 1:
		failure.Reason = nil // that of Err counts
	}
	return nil, thermometer{}, failure
}

// counters asks for the counts of a drive. Windows answers from its memory.
func counters(dev device, name string, room []byte) (platform.Counters, error) {
	const op = "read the counters of"
	n, err := dev.control(winapi.CodePerformance, nil, room)
	switch {
	case lost(err):
		return platform.Counters{}, &platform.OpError{Op: op, Object: name, Reason: platform.ErrGone, Err: err}
	case err != nil:
		return platform.Counters{}, err
	}
	c, err := winapi.DecodePerformance(room[:min(max(n, 0), len(room))])
	if err != nil {
		return platform.Counters{}, &platform.OpError{Op: op, Object: name, Reason: platform.ErrIO, Err: err}
	}
	return c, nil
}

// sensors reads temperatures and counters once.
func (s storage) sensors(ctx context.Context, d platform.Drive) (platform.Sensors, error) {
	return ask(ctx, s.asked, "sensors of "+d.Name, func() (platform.Sensors, error) {
		return with(s, d.Name, accessNone, func(dev device) (platform.Sensors, error) {
			var out platform.Sensors
			readings, way, err := temperatures(dev, d, thermometers())
			switch {
			case errors.Is(err, platform.ErrAsleep):
				out.Asleep = true
			case errors.Is(err, platform.ErrGone):
				return out, err
			}
			out.Temperatures, out.Source, out.NoTemp = readings, way.source, noTemp(d, err)
			c, err := counters(dev, d.Name, make([]byte, winapi.PerformanceSize))
			out.At = s.now()
			switch {
			case errors.Is(err, platform.ErrUnsupported): // the system does not count
				return out, nil
			case err != nil:
				return out, err
			}
			out.Counters = &c
			return out, nil
		})
	})
}

// tempLimits asks for the limits of the temperature, the driver first and then the controller.
func (s storage) tempLimits(ctx context.Context, d platform.Drive) (platform.TempLimits, error) {
	const op = "read the temperature limits of"
	return ask(ctx, s.asked, "temperature limits of "+d.Name, func() (platform.TempLimits, error) {
		return with(s, d.Name, accessNone, func(dev device) (platform.TempLimits, error) {
			if dev.asleep() {
				return platform.TempLimits{}, &platform.OpError{Op: op, Object: d.Name, Reason: platform.ErrAsleep}
			}
			limits, err := fetch(dev, winapi.CodeQueryProperty, winapi.Query(winapi.PropertyTemperature), winapi.TemperatureSize,
				func(b []byte) (platform.TempLimits, error) {
					_, l, err := winapi.DecodeTemperatures(b, "")
					return l, err
				})
			if (err != nil || !limits.Known()) && speaksNVMe(d) {
				var c *nvme.Controller
				if c, err = controllerOf(dev); err == nil {
					limits = c.Limits
				}
			}
			if err != nil || !limits.Known() {
				return platform.TempLimits{}, &platform.OpError{Op: op, Object: d.Name, Reason: platform.ErrUnsupported, Err: err}
			}
			return limits, nil
		})
	})
}

// controllerOf asks an NVMe controller for what it says of itself; nil beside an error.
func controllerOf(dev device) (*nvme.Controller, error) {
	b, err := page(dev, winapi.NVMeController)
	if err != nil {
		return nil, err
	}
	c, err := nvme.DecodeController(b)
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// driveMeter reads the counters and the temperatures of an open drive.
type driveMeter struct {
	drive platform.Drive
	dev   device
	now   func() time.Duration
	room  [winapi.PerformanceSize]byte

	known bool   // whether busy was read before
	busy  uint32 // BusyTicks of the last reading

	way atomic.Pointer[thermometer] // the one that works; read by Source from elsewhere
}

// watch opens a drive. It asks it nothing.
func (s storage) watch(d platform.Drive) (*driveMeter, error) {
	dev, err := s.openDrive(d.Name, accessNone)
	if err != nil {
		return nil, err
	}
	return &driveMeter{drive: d, dev: dev, now: s.now}, nil
}

// Counters implements platform.Meter.
func (m *driveMeter) Counters() (platform.Counters, time.Duration, error) {
	c, err := counters(m.dev, m.drive.Name, m.room[:])
	at := m.now()
	if err != nil {
		return platform.Counters{}, at, err
	}
	c.BusyTicks = uint64(m.steady(uint32(c.BusyTicks)))
	return c, at, nil
}

// steady keeps the busy time from going back. It is the difference of a clock that moves in steps of up to
// 16 ms and of one that may not, so on an idle drive it trembles by a step; a busy time that went back would
// make the whole reading unknown. What goes back further was set anew and is passed on as it is.
func (m *driveMeter) steady(busy uint32) uint32 {
	const step = 100 // milliseconds, more than any step
	if back := m.busy - busy; m.known && back > 0 && back <= step {
		return m.busy
	}
	m.known, m.busy = true, busy
	return busy
}

// Temperatures implements platform.Meter. The first call finds out which way to the temperature works.
func (m *driveMeter) Temperatures() ([]platform.Reading, error) {
	ways := thermometers()
	if way := m.way.Load(); way != nil {
		ways = []thermometer{*way}
	}
	readings, way, err := temperatures(m.dev, m.drive, ways)
	if err == nil {
		m.way.CompareAndSwap(nil, &way)
	}
	return readings, err
}

// Source implements platform.Meter. Before the first temperature it is empty.
func (m *driveMeter) Source() string {
	if way := m.way.Load(); way != nil {
		return way.source
	}
	return ""
}

// Close implements platform.Meter.
func (m *driveMeter) Close() error { return m.dev.close() }

var _ platform.Meter = (*driveMeter)(nil)
