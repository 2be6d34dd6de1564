package bench

import (
	"context"
	"errors"
	"time"

	"cachecliff/platform"
)

// probeTimeout is how long one look at a drive may take before the run goes on without it.
const probeTimeout = 3 * time.Second

// sense tells what the sensors showed while no step measured.
func (r *run) sense() {
	if news := r.sensors.fresh(); len(news) > 0 {
		r.emit(Sensed{news})
	}
	r.warnLost()
}

func (r *run) warnLost() {
	if lost := r.sensors.lost(); lost != nil {
		r.warn(Warning{Code: WarnSensorsLost, Text: lost.Error()})
	}
}

// probe looks at every drive of the target and at the free space. What is missing is named, and never
// stops the run.
func (r *run) probe(ctx context.Context) Probe {
	p := Probe{At: time.Now().UTC(), Free: r.plan.Target.Volume.Free}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	for i, d := range r.plan.Target.Drives {
		dp := DriveProbe{Drive: d.Key}
		if s, ok := r.sensors.watchers[i].look(ctx); ok {
			dp.Sensors = &s.Sensors
		}
		if h, err := r.Host.Health(ctx, d); err == nil {
			dp.Health = &h
		} else {
			dp.Missing = NewFailure(err).Reason
		}
		p.Drives = append(p.Drives, dp)
	}
	if t, err := r.Host.Resolve(ctx, r.plan.Target.Path); err == nil {
		p.Free = t.Volume.Free
	}
	r.warnLost()
	return p
}

// firstProbe also asks what does not change: the limits of the temperature, and what was written before.
func (r *run) firstProbe(ctx context.Context) Probe {
	p := r.probe(ctx)
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	if limiter, ok := r.Host.(platform.TempLimiter); ok {
		for i, d := range r.plan.Target.Drives {
			if l, err := limiter.TempLimits(ctx, d); err == nil { // else they stay unknown
				p.Drives[i].Limits = &l
			}
		}
	}
	if r.Recent != nil {
		p.Recent = r.Recent(r.plan.Target.Drives)
	}
	return p
}

// countersTimeout is how long reading the counters around a step may take.
const countersTimeout = time.Second

// counters reads the counters of all drives of the target; nil if one of them does not tell.
func (r *run) counters(ctx context.Context) []DeviceCount {
	ctx, cancel := context.WithTimeout(ctx, countersTimeout)
	defer cancel()
	var out []DeviceCount
	for _, w := range r.sensors.watchers {
		s, ok := w.read(ctx)
		if !ok || s.Counters == nil {
			return nil // the sampler tells of errors
		}
		out = append(out, DeviceCount{Drive: s.Drive, Before: *s.Counters})
	}
	return out
}

// pair joins two readings of the same drives.
func pair(before, after []DeviceCount) []DeviceCount {
	if len(before) != len(after) {
		return nil
	}
	for i := range before {
		before[i].After = after[i].Before
	}
	return before
}

// cause looks again at why the target failed: what still is in flight to a drive that is pulled out fails
// like that to a broken one, and its file system may turn read-only first.
func (r *run) cause(ctx context.Context, reason error) error {
	if reason != platform.ErrIO && reason != platform.ErrReadOnly && reason != platform.ErrStalled {
		return reason
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	for _, d := range r.plan.Target.Drives {
		if _, err := r.Host.Sensors(ctx, d); errors.Is(err, platform.ErrGone) {
			return platform.ErrGone
		}
	}
	return reason
}
