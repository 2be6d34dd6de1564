package monitor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cachecliff/platform"
)

// cpuPeriod is how often the processors' times are read at most: systems count them in ticks of 10 to 15.6 ms.
const cpuPeriod = 100 * time.Millisecond

// ErrPeriod says that a period is out of bounds.
var ErrPeriod = fmt.Errorf("the period of a monitor is from %v to %v", MinPeriod, MaxPeriod)

// Run watches until ctx ends, and then returns nil. It calls sink with one sample after the other, from this
// goroutine; sink should return soon, for the next sample is late else. The first sample comes at once. A
// drive that does not answer within half a period is left out of a sample, and it is asked again in the next.
// Run fails with ErrPeriod, when no drive can be watched, and, after the sample that says so, with platform.ErrGone
// when none is there any more.
func Run(ctx context.Context, host platform.Host, cfg Config, sink func(Sample)) error {
	if cfg.Period < MinPeriod || cfg.Period > MaxPeriod {
		return ErrPeriod
	}
	w := &watch{host: host, period: cfg.Period, began: host.Now()}
	defer w.close()
	for _, d := range cfg.Drives {
		p, err := newProbe(host, d, w.began)
		if err != nil {
			return err
		}
		w.probes = append(w.probes, p)
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for due := 0; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		at := host.Now() - w.began
		s := w.take(at)
		s.Late, s.Missed = lateness(at, due, cfg.Period)
		sink(s)
		if len(s.Drives) > 0 && allGone(s.Drives) {
			return &platform.OpError{Op: "watch", Object: cfg.Drives[0].Name, Reason: platform.ErrGone}
		}
		due += s.Missed + 1
		timer.Reset(time.Duration(due)*cfg.Period - (host.Now() - w.began))
	}
}

// lateness is how late a sample is that was the n-th to be due, 0 within half a period, and how many more
// were due meanwhile.
func lateness(at time.Duration, n int, period time.Duration) (late time.Duration, missed int) {
	late = at - time.Duration(n)*period
	if late <= period/2 {
		return 0, 0
	}
	return late, int(late / period)
}

func allGone(drives []Reading) bool {
	for _, d := range drives {
		if !d.Gone {
			return false
		}
	}
	return true
}

// watch is one Run.
type watch struct {
	host    platform.Host
	period  time.Duration
	began   time.Duration
	probes  []*probe
	cpuNext time.Duration
	noCPU   bool
}

// take asks all drives at once and waits for their answers half a period at most.
func (w *watch) take(at time.Duration) Sample {
	s := Sample{At: at, CPU: w.cpu(at), Drives: make([]Reading, len(w.probes))}
	for _, p := range w.probes {
		p.ask(at)
	}
	limit := time.NewTimer(w.period / 2)
	defer limit.Stop()
	for i, p := range w.probes {
		s.Drives[i] = p.answer(limit, at)
	}
	return s
}

// cpu reads the processors' times if they are due; nil between, and where the system does not tell.
func (w *watch) cpu(at time.Duration) *platform.CPUTimes {
	timer, ok := w.host.(platform.CPUTimer)
	if !ok || w.noCPU || at < w.cpuNext {
		return nil
	}
	w.cpuNext = at + cpuPeriod - min(w.period, cpuPeriod)/2
	t, err := timer.CPUTimes()
	if err != nil {
		w.noCPU = errors.Is(err, platform.ErrUnsupported)
		return nil
	}
	return &t
}

// close ends the goroutines. One that hangs behind its drive is given a moment, then left to end by itself.
func (w *watch) close() {
	for _, p := range w.probes {
		close(p.asked)
		close(p.warm)
	}
	moment := time.NewTimer(300 * time.Millisecond)
	defer moment.Stop()
	for _, p := range w.probes {
		select {
		case <-p.done:
		case <-moment.C:
			return
		}
	}
}
