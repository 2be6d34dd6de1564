package platformtest

import (
	"math"
	"time"

	"cachecliff/platform"
)

// meter is a platform.Meter of the fake drive.
type meter struct{ host *Host }

// Watch implements platform.Host.
func (h *Host) Watch(d platform.Drive) (platform.Meter, error) {
	if d.Key != h.Drive().Key {
		return nil, &platform.OpError{Op: "watch the sensors of", Object: d.Name, Reason: platform.ErrGone}
	}
	return meter{h}, nil
}

func (m meter) ask(temperature bool) error {
	if m.host.gone() {
		return &platform.OpError{Op: "read the sensors of", Object: m.host.Drive().Name, Reason: platform.ErrGone}
	}
	if m.host.opt.Sensor == nil {
		return nil
	}
	return m.host.opt.Sensor(temperature, m.host.Now())
}

// Counters implements platform.Meter.
func (m meter) Counters() (platform.Counters, time.Duration, error) {
	err := m.ask(false)
	s := m.host.sensors()
	if err != nil {
		return platform.Counters{}, s.At, err
	}
	return *s.Counters, s.At, nil
}

// Temperatures implements platform.Meter.
func (m meter) Temperatures() ([]platform.Reading, error) {
	if err := m.ask(true); err != nil {
		return nil, err
	}
	return m.host.sensors().Temperatures, nil
}

// Source implements platform.Meter.
func (m meter) Source() string { return "fake" }

// Close implements platform.Meter.
func (m meter) Close() error { return nil }

// narrow is what a 32-bit system shows of counts: 32 bits of I/Os and of sectors.
func narrow(c platform.Counters) platform.Counters {
	const bytes = math.MaxUint32<<9 | 511
	for _, n := range []*uint64{&c.ReadOps, &c.ReadMerges, &c.WriteOps, &c.WriteMerges, &c.DiscardOps, &c.FlushOps} {
		*n &= math.MaxUint32
	}
	for _, n := range []*uint64{&c.ReadBytes, &c.WriteBytes, &c.DiscardBytes} {
		*n &= bytes
	}
	return c
}
