package bench

import (
	"context"
	"errors"
	"sync"
	"time"

	"cachecliff/platform"
)

// sensorPeriod is how often temperature and counters are read while a run goes on: once a second.
// More often warms an idle drive by itself.
const sensorPeriod = time.Second

// probeTimeout is how long one look at a drive may take before the run goes on without it.
const probeTimeout = 3 * time.Second

// sensors reads the drives of a target once a second, on a goroutine of its own, since a read can hang
// behind a busy drive.
type sensors struct {
	host   platform.Host
	drives []platform.Drive
	cancel context.CancelFunc
	done   chan struct{}

	mu      sync.Mutex
	news    []DriveReading
	failure error
}

func watch(ctx context.Context, host platform.Host, drives []platform.Drive) *sensors {
	ctx, cancel := context.WithCancel(ctx)
	s := &sensors{host: host, drives: drives, cancel: cancel, done: make(chan struct{})}
	go s.loop(ctx)
	return s
}

func (s *sensors) loop(ctx context.Context) {
	defer close(s.done)
	ticker := time.NewTicker(sensorPeriod)
	defer ticker.Stop()
	for {
		s.read(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// read asks every drive once.
func (s *sensors) read(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	for _, d := range s.drives {
		got, err := s.host.Sensors(ctx, d)
		s.mu.Lock()
		switch {
		case err == nil:
			s.news = append(s.news, DriveReading{Drive: d.Key, Sensors: got})
		case !errors.Is(err, platform.ErrUnsupported) && ctx.Err() == nil && s.failure == nil:
			s.failure = err
		}
		s.mu.Unlock()
	}
}

// fresh is what came in since the last call, the newest of each drive.
func (s *sensors) fresh() []DriveReading {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.news
	s.news = nil
	return out
}

// lost is why a drive stopped answering, or nil.
func (s *sensors) lost() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}

// close ends the goroutine. A read that hangs is given a moment, then left to end by itself.
func (s *sensors) close() {
	s.cancel()
	timer := time.NewTimer(300 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-s.done:
	case <-timer.C:
	}
}

// probe looks at every drive of the target and at the free space. What is missing is named, and never
// stops the run.
func (r *run) probe(ctx context.Context) Probe {
	p := Probe{At: time.Now().UTC(), Free: r.plan.Target.Volume.Free}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	for _, d := range r.plan.Target.Drives {
		dp := DriveProbe{Drive: d.Key}
		if s, err := r.Host.Sensors(ctx, d); err == nil {
			dp.Sensors = &s
		} else if !errors.Is(err, platform.ErrUnsupported) {
			r.warn(Warning{Code: WarnSensorsLost, Text: err.Error()})
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
	for _, d := range r.plan.Target.Drives {
		s, err := r.Host.Sensors(ctx, d)
		if err != nil || s.Counters == nil {
			return nil // the sensors' own goroutine tells of errors
		}
		out = append(out, DeviceCount{Drive: d.Key, Before: *s.Counters})
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
