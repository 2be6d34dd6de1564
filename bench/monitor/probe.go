package monitor

import (
	"errors"
	"sync"
	"time"

	"cachecliff/platform"
)

// tempPeriod is how often a temperature is read at most: it is a command to the drive, which warms one that
// has nothing to do (lm-sensors issue 511).
const tempPeriod = time.Second

// probe reads one drive: its counters on one goroutine, its temperatures on another, since a command can
// hang behind a busy drive.
type probe struct {
	meter platform.Meter
	host  platform.Host
	began time.Duration

	asked    chan struct{}
	answers  chan Reading
	busy     bool // asked, and no answer yet
	warm     chan struct{}
	nextWarm time.Duration
	done     chan struct{} // closed when both goroutines have ended and the meter is closed

	mu     sync.Mutex
	temps  []platform.Reading
	tempAt time.Duration // since the start
	noTemp platform.Why
	never  bool // it has no sensor
}

func newProbe(host platform.Host, d platform.Drive, began time.Duration) (*probe, error) {
	meter, err := host.Watch(d)
	if err != nil {
		return nil, err
	}
	p := &probe{
		meter: meter, host: host, began: began, asked: make(chan struct{}, 1), answers: make(chan Reading, 1),
		warm: make(chan struct{}, 1), done: make(chan struct{}),
	}
	var both sync.WaitGroup
	both.Go(p.count)
	both.Go(p.warmth)
	go func() {
		both.Wait()
		meter.Close() // nothing was written, so nothing is lost
		close(p.done)
	}()
	return p, nil
}

// ask asks for the counters, unless the last answer is still to come, and for temperatures if they are due.
func (p *probe) ask(at time.Duration) {
	if !p.busy {
		p.busy = true
		p.asked <- struct{}{}
	}
	p.mu.Lock()
	never := p.never
	p.mu.Unlock()
	if never || at < p.nextWarm {
		return
	}
	select {
	case p.warm <- struct{}{}:
		p.nextWarm = at + tempPeriod
	default: // it hangs
	}
}

// answer waits for the counters until limit and puts the newest temperatures beside them.
func (p *probe) answer(limit *time.Timer, at time.Duration) Reading {
	r := Reading{At: at, NoCounters: platform.WhyFailed}
	select {
	case r = <-p.answers:
		p.busy = false
	default:
		select {
		case r = <-p.answers:
			p.busy = false
		case <-limit.C:
			limit.Reset(0) // for the drives that come after
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.NoTemp = p.noTemp; p.temps != nil {
		r.Temperatures, r.TempAge = p.temps, max(r.At-p.tempAt, 0)
	}
	return r
}

// count answers until nobody asks any more.
func (p *probe) count() {
	for range p.asked {
		c, at, err := p.meter.Counters()
		r := Reading{At: at - p.began, NoCounters: platform.WhyOf(err), Gone: errors.Is(err, platform.ErrGone)}
		if err != nil {
			r.At = p.host.Now() - p.began
		} else {
			r.Counters = &c
		}
		p.answers <- r
	}
}

// warmth reads temperatures until nobody asks any more. What failed is not repeated as if it were new.
func (p *probe) warmth() {
	for range p.warm {
		temps, err := p.meter.Temperatures()
		now := p.host.Now() - p.began
		p.mu.Lock()
		p.temps, p.tempAt, p.noTemp = temps, now, platform.WhyOf(err)
		p.never = errors.Is(err, platform.ErrUnsupported)
		p.mu.Unlock()
	}
}
