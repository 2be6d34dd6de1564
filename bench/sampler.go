package bench

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"cachecliff/platform"
)

// The bounds of Plan.Sample, how often the drives' counters and temperatures are taken down.
const (
	MinSample     = 100 * time.Millisecond // counts move when I/Os complete and in whole milliseconds: less shows noise
	MaxSample     = 10 * time.Second
	DefaultSample = time.Second
)

const (
	// tempPeriod is how often a temperature is read at most. Each is a command to the drive: once a second
	// warms one that has nothing to do by 20 °C (lm-sensors issue 511), more would do so while it works.
	tempPeriod = time.Second
	// tempSlack is how much a tick may come early.
	tempSlack = 50 * time.Millisecond
	// tempWait is how long a reading waits for a temperature that was just asked for. A drive answers within
	// a millisecond; one that does not is read without.
	tempWait = 20 * time.Millisecond
	// tempStale is the age from which a temperature is not repeated any more.
	tempStale = 15 * time.Second
)

// sampler reads every drive of a target as long as a run goes on, pauses and preparation included.
type sampler struct {
	now      func() time.Duration
	period   time.Duration
	cancel   context.CancelFunc
	watchers []*watcher

	mu      sync.Mutex
	news    []DriveReading
	failure error
}

// watcher reads one drive: counters from a goroutine at each tick, temperatures from another, since a
// command can hang behind a busy drive.
type watcher struct {
	s     *sampler
	drive platform.Drive
	began time.Duration          // of the run, on the host's clock
	ask   chan chan DriveReading // for a reading out of turn
	first chan struct{}          // closed when the first temperature is in or will not come
	done  chan struct{}          // closed when both goroutines have ended
	beat  atomic.Int64           // when the counters were read last, on the host's clock

	kick     chan struct{} // asks for temperatures
	answered chan struct{}
	asking   bool          // and the answer is not in; this and what follows belongs to the goroutine of the counters
	asked    time.Duration // when they were asked for last
	next     time.Duration // when they may be asked for again

	mu     sync.Mutex
	temps  []platform.Reading
	at     time.Duration // when they were read
	asleep bool
	never  bool // the drive has no sensor
}

// watch starts reading, each drive right away and then once a period.
func watch(ctx context.Context, host platform.Host, drives []platform.Drive, period, began time.Duration) *sampler {
	ctx, cancel := context.WithCancel(ctx)
	s := &sampler{now: host.Now, period: period, cancel: cancel}
	for _, d := range drives {
		w := &watcher{
			s: s, drive: d, began: began, ask: make(chan chan DriveReading), first: make(chan struct{}), done: make(chan struct{}),
			kick: make(chan struct{}, 1), answered: make(chan struct{}, 1),
		}
		w.beat.Store(int64(host.Now()))
		s.watchers = append(s.watchers, w)
		go w.run(ctx, host)
	}
	return s
}

// run opens the drive's meter and reads counters until ctx ends. The goroutine of the temperatures ends
// last and closes.
func (w *watcher) run(ctx context.Context, host platform.Host) {
	meter, err := host.Watch(w.drive)
	if err != nil {
		w.s.fail(err)
		close(w.first)
		close(w.done)
		return
	}
	go w.temperatures(meter)
	defer close(w.kick)
	ticker := time.NewTicker(w.s.period)
	defer ticker.Stop()
	for ctx.Err() == nil { // a drive that hangs is not asked once more because a tick is due as well
		w.warmth()
		if r, ok := w.take(meter); ok {
			w.s.add(r)
		}
		for tick := false; !tick; {
			select {
			case <-ctx.Done():
				return
			case reply := <-w.ask:
				r, _ := w.take(meter)
				reply <- r
			case <-ticker.C:
				tick = true
			}
		}
	}
}

// take reads the counters and puts the newest temperatures beside them; false if the drive shows nothing.
func (w *watcher) take(meter platform.Meter) (DriveReading, bool) {
	count, at, err := meter.Counters()
	w.beat.Store(int64(w.s.now()))
	r := DriveReading{Drive: w.drive.Key, Since: max(at-w.began, 0), Sensors: platform.Sensors{At: at}}
	switch {
	case err == nil:
		r.Counters = &count
	case !errors.Is(err, platform.ErrUnsupported):
		w.s.fail(err)
		return DriveReading{}, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r.Asleep = w.asleep
	if age := max(at-w.at, 0); len(w.temps) > 0 && age < tempStale {
		r.Temperatures, r.TempAge, r.Source = w.temps, age, meter.Source()
	}
	return r, r.Counters != nil || r.Asleep || r.Temperatures != nil
}

// warmth asks for temperatures if it is time, and waits a moment for the answer.
func (w *watcher) warmth() {
	now := w.s.now()
	if w.asking {
		select {
		case <-w.answered:
			w.asking = false
		default:
			if now-w.asked > probeTimeout {
				w.s.fail(&platform.OpError{Op: "read the temperature of", Object: w.drive.Name, Reason: platform.ErrStalled})
			}
			return
		}
	}
	w.mu.Lock()
	never := w.never
	w.mu.Unlock()
	if never || now < w.next {
		return
	}
	w.asked, w.next, w.asking = now, now+tempPeriod-tempSlack, true
	w.kick <- struct{}{}
	timer := time.NewTimer(tempWait)
	defer timer.Stop()
	select {
	case <-w.answered:
		w.asking = false
	case <-timer.C:
	}
}

// temperatures answers until nobody asks any more.
func (w *watcher) temperatures(meter platform.Meter) {
	var once sync.Once
	told := func() { close(w.first) }
	for range w.kick {
		temps, err := meter.Temperatures()
		w.mu.Lock()
		w.asleep = errors.Is(err, platform.ErrAsleep)
		w.never = errors.Is(err, platform.ErrUnsupported)
		if err == nil {
			w.temps, w.at = temps, w.s.now()
		}
		gone := err != nil && !w.asleep && !w.never
		w.mu.Unlock()
		if gone {
			w.s.fail(err)
		}
		once.Do(told)
		w.answered <- struct{}{}
	}
	once.Do(told)
	if err := meter.Close(); err != nil {
		w.s.fail(err)
	}
	close(w.done)
}

// read reads a drive out of turn; false if it does not answer before ctx ends, or shows nothing.
func (w *watcher) read(ctx context.Context) (DriveReading, bool) {
	reply := make(chan DriveReading, 1)
	select {
	case w.ask <- reply:
	case <-w.done:
		return DriveReading{}, false
	case <-ctx.Done():
		return DriveReading{}, false
	}
	select {
	case r := <-reply:
		return r, r.Drive != ""
	case <-ctx.Done():
		return DriveReading{}, false
	}
}

// look is read once the drive has told its temperature.
func (w *watcher) look(ctx context.Context) (DriveReading, bool) {
	select {
	case <-w.first:
	case <-ctx.Done():
		return DriveReading{}, false
	}
	return w.read(ctx)
}

func (s *sampler) add(r DriveReading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.news = append(s.news, r)
}

// fail keeps the first error that tells of a loss.
func (s *sampler) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure == nil && !errors.Is(err, platform.ErrUnsupported) {
		s.failure = err
	}
}

// fresh is what came in since the last call.
func (s *sampler) fresh() []DriveReading {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.news
	s.news = nil
	return out
}

// lost is why a drive stopped answering, or nil.
func (s *sampler) lost() error {
	for _, w := range s.watchers {
		select {
		case <-w.done:
			continue
		default:
		}
		if silent := s.now() - time.Duration(w.beat.Load()); silent > s.period+probeTimeout {
			s.fail(&platform.OpError{Op: "read the counters of", Object: w.drive.Name, Reason: platform.ErrStalled})
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}

// close ends the goroutines. A read that hangs is given a moment, then left to end by itself.
func (s *sampler) close() {
	s.cancel()
	timer := time.NewTimer(300 * time.Millisecond)
	defer timer.Stop()
	for _, w := range s.watchers {
		select {
		case <-w.done:
		case <-timer.C:
			return
		}
	}
}
