package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"cachecliff/app"
	"cachecliff/ui/run"
)

// The pauses between two frames: four a second, and one while one I/O at a time is measured, where the
// window's share of the processor could be seen in the numbers.
const (
	framePause = 250 * time.Millisecond
	calmPause  = time.Second
)

// idlePause is the time between two looks at the drive's temperature while no run goes on.
const idlePause = 5 * time.Second

// pump is the one goroutine that hands views to the window, until ctx ends. show is called on the UI
// goroutine with the newest view: frames may be left out, the last one never is. idle is called on this
// goroutine every now and then while nothing runs.
func pump(ctx context.Context, runs Runs, show func(app.View), idle func(context.Context)) {
	look := time.NewTimer(0)
	defer look.Stop()
	running := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-runs.Changed():
		case <-look.C:
			if !running {
				idle(ctx)
			}
		}
		v := runs.View()
		running = v.Running()
		shown := make(chan struct{})
		fyne.Do(func() {
			defer close(shown)
			show(v)
		})
		select { // a busy window gets no queue of frames
		case <-shown:
		case <-ctx.Done():
			return
		}
		if !running {
			look.Reset(idlePause)
			continue
		}
		look.Reset(calmPause) // remaining time goes on where no events come, as in a pause
		select {
		case <-time.After(pauseAfter(&v)):
		case <-ctx.Done():
			return
		}
	}
}

func pauseAfter(v *app.View) time.Duration {
	if run.Calm(v) {
		return calmPause
	}
	return framePause
}
