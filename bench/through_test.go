package bench

import (
	"sync"
	"testing"
	"testing/synctest"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// queueSpy keeps what queues were asked to be.
type queueSpy struct {
	*platformtest.Host
	mu    sync.Mutex // workers ask at the same time
	asked []platform.QueueOptions
}

type fileSpy struct {
	platform.File
	spy *queueSpy
}

func (s *queueSpy) Open(name string, o platform.OpenOptions) (platform.File, error) {
	f, err := s.Host.Open(name, o)
	return fileSpy{f, s}, err
}

func (f fileSpy) Queue(o platform.QueueOptions) (platform.Queue, error) {
	f.spy.mu.Lock()
	defer f.spy.mu.Unlock()
	f.spy.asked = append(f.spy.asked, o)
	return f.File.Queue(o)
}

// What a plan says of the queues reaches those that measure.
func TestQueuesAreAsPlanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, want := range []Options{{}, {Huge: true}, {Through: true}, {Huge: true, Through: true}} {
			s := &queueSpy{Host: platformtest.New(platformtest.Options{Model: slow()})}
			target, err := s.Resolve(t.Context(), "/fake")
			if err != nil {
				t.Fatal(err)
			}
			p := short(t, "cdm-default")
			plan, err := NewPlan(p, target, want)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := (Runner{Host: s, Measurer: Local{Host: s}}).Run(t.Context(), plan, func(Event) {}); err != nil {
				t.Fatal(err)
			}
			if len(s.asked) == 0 {
				t.Error("no queue was asked for")
			}
			for _, o := range s.asked {
				if o.Huge != want.Huge || o.WriteThrough != want.Through {
					t.Errorf("%+v, planned %+v", o, want)
				}
			}
		}
	})
}
