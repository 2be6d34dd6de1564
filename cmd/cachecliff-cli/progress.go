package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"cachecliff/app"
	"cachecliff/app/format"
	"cachecliff/bench"
)

// redraw is how often the line of progress is drawn.
const redraw = 250 * time.Millisecond

// lineWidth is how many characters the line of progress may take: a terminal of 80 columns must not
// break it, or it could not be drawn over.
const lineWidth = 79

// follow waits until the run of a session is over and saved. It shows progress on w, unless w is nil,
// and asks the run to end when ctx is over or nobody reads its events any more.
func follow(ctx context.Context, session *app.Session, gone <-chan struct{}, w io.Writer) {
	over := make(chan struct{})
	go func() {
		session.Wait()
		close(over)
	}()
	var tick <-chan time.Time
	line := eraser{w: w}
	if w != nil {
		ticker := time.NewTicker(redraw)
		defer ticker.Stop()
		defer line.draw("")
		tick = ticker.C
	}
	stop := ctx.Done()
	for {
		select {
		case <-over:
			return
		case <-stop:
			stop = nil
			session.Cancel()
		case <-gone:
			gone = nil
			session.Cancel()
		case <-tick:
			v := session.View()
			line.draw(cut(progressLine(&v)))
		}
	}
}

// eraser draws a line over the one before it, with blanks where that was longer: not every console of
// Windows knows the sequence that erases a line.
type eraser struct {
	w    io.Writer
	last int // width of the line before
}

func (e *eraser) draw(s string) {
	width := utf8.RuneCountInString(s)
	fmt.Fprintf(e.w, "\r%s%s\r%s", s, strings.Repeat(" ", max(e.last-width, 0)), s)
	e.last = width
}

// cut shortens a line to what a terminal shows.
func cut(s string) string {
	if utf8.RuneCountInString(s) <= lineWidth {
		return s
	}
	return string([]rune(s)[:lineWidth-1]) + "…"
}

// progressLine says in one line what a run does.
func progressLine(v *app.View) string {
	parts := []string{phaseWords(v)}
	filling := v.Result.Plan.Profile.Filling
	if l := v.Live(); l.Took > 0 && v.Phase == app.PhaseMeasuring {
		parts = append(parts, format.Rate(l.Read.Bytes+l.Write.Bytes, l.Took, format.EN))
		if filling == nil {
			parts = append(parts, format.Operations(l.Read.Ops+l.Write.Ops, l.Took, format.EN))
		}
	}
	if left := v.Remaining(); left > 0 && !v.Stopping {
		words := format.Remaining(left, format.EN) + " left"
		if t := v.Result.Plan.Profile.Thermal; filling != nil && filling.After > 0 || t != nil && (t.Steady || v.Phase == app.PhaseResting) {
			words = "at most " + words
		}
		parts = append(parts, words)
	}
	if v.Written > 0 && filling == nil {
		parts = append(parts, format.About(v.Written, format.EN)+" written")
	}
	for _, t := range v.Temperatures {
		parts = append(parts, format.Temperature(t.MilliC))
	}
	return strings.Join(parts, ", ")
}

func phaseWords(v *app.View) string {
	switch {
	case v.Stopping:
		return "stopping"
	case v.Phase == app.PhasePreparing && v.PrepareTotal > 0:
		return "writing the test file: " + format.Percent(float64(v.Prepared)/float64(v.PrepareTotal), format.EN)
	case v.Phase == app.PhasePreparing:
		return "preparing"
	case v.Phase == app.PhaseFinishing, v.Step == nil:
		return "finishing"
	case v.Result.Plan.Profile.Filling != nil:
		return fillProgress(v)
	case v.Result.Plan.Profile.Copying != nil:
		return copyProgress(v)
	case v.Result.Plan.Profile.Thermal != nil:
		return thermalProgress(v)
	case v.Phase == app.PhaseResting:
		return "pause"
	case v.Step.Discarded():
		return stepWords(*v.Step) + " warm-up"
	}
	return fmt.Sprintf("%s %d/%d", stepWords(*v.Step), v.Step.Loop, v.Result.Plan.Profile.Loops)
}

func stepWords(s bench.Step) string { return s.Spec.Label() + " " + string(s.Spec.Direction()) }
