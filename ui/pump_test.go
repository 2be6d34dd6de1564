package ui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2/test"

	"cachecliff/app"
	"cachecliff/bench"
)

// storm is a run whose view changes a hundred times a second.
type storm struct {
	fakeRuns
	spec bench.Spec
	end  time.Time
}

func (s *storm) View() app.View {
	v := app.View{Phase: app.PhaseMeasuring, Step: &bench.Step{Kind: bench.StepLoad, Spec: s.spec}}
	if !time.Now().Before(s.end) {
		v.Phase, v.Step = app.PhaseDone, nil
	}
	return v
}

func TestPumpShowsFewFramesAndNeverMissesTheLast(t *testing.T) {
	test.NewTempApp(t)
	for name, c := range map[string]struct {
		spec bench.Spec
		most int // frames in ten seconds
	}{
		"deep queue":        {bench.Spec{Depth: 32, Threads: 1}, 41},
		"one I/O at a time": {bench.Spec{Depth: 1, Threads: 1}, 11},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &storm{fakeRuns: fakeRuns{changed: make(chan struct{}, 1)}, spec: c.spec, end: time.Now().Add(10 * time.Second)}
				ctx, cancel := context.WithCancel(t.Context())
				frames, idle, last := 0, 0, app.View{}
				go pump(ctx, s, func(v app.View) {
					last = v
					if v.Running() {
						frames++
					}
				}, func(context.Context) { idle++ })
				go func() {
					for time.Now().Before(s.end.Add(10 * time.Millisecond)) {
						select {
						case s.changed <- struct{}{}:
						default:
						}
						<-time.After(10 * time.Millisecond)
					}
				}()
				<-time.After(30 * time.Second)
				cancel()
				synctest.Wait()
				if frames < 9 || frames > c.most {
					t.Errorf("%d frames", frames)
				}
				if last.Phase != app.PhaseDone {
					t.Error("the end was not shown")
				}
				if idle == 0 {
					t.Error("the drive was not looked at while nothing ran")
				}
			})
		})
	}
}
