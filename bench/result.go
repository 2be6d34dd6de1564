package bench

import (
	"cmp"
	"slices"
	"time"

	"cachecliff/platform"
)

// Schema is the version of the stored form of a Result.
const Schema = 1

// Result is everything that is known of a run. It is the fold of the run's events.
type Result struct {
	Schema       int             `json:"schema"`
	ID           string          `json:"id"`
	At           time.Time       `json:"at"`
	Took         time.Duration   `json:"took"`
	App          App             `json:"app"`
	Machine      platform.System `json:"machine"`
	Plan         Plan            `json:"plan"`
	Comment      string          `json:"comment,omitempty"`
	Tags         []string        `json:"tags,omitempty"` // what the user files it under; no two are the same but for capitals
	File         *FileFacts      `json:"file,omitempty"`
	Ceiling      *EngineCeiling  `json:"ceiling,omitempty"`
	Unfinished   int64           `json:"unfinished,omitempty"` // bytes written of a test file that was not finished
	Before       *Probe          `json:"before,omitempty"`
	After        *Probe          `json:"after,omitempty"`
	Measurements []Measurement   `json:"measurements"`
	Between      []DriveReading  `json:"between,omitempty"` // what the drives showed while no step measured
	Warnings     []Warning       `json:"warnings,omitempty"`
	Reason       Reason          `json:"reason"`
	Failure      *Failure        `json:"failure,omitempty"`
	Imported     *Imported       `json:"imported,omitempty"` // of another program's report: figures instead of measurements
}

// Apply folds one event into the result. Until Finished arrives the Reason is ReasonInterrupted, so
// that a fold of a broken-off stream tells the truth.
func (r *Result) Apply(e Event) {
	switch e := e.(type) {
	case Started:
		*r = Result{
			Schema: Schema, ID: e.ID, At: e.At, App: e.App, Machine: e.Machine, Plan: e.Plan,
			Comment: e.Comment, Reason: ReasonInterrupted,
		}
	case Probed:
		probe := e.Probe
		if r.Before == nil && len(r.Measurements) == 0 {
			r.Before = &probe
		} else {
			r.After = &probe
		}
	case Preparing:
		r.Unfinished = e.Done
	case Prepared:
		file := e.File
		r.File, r.Ceiling, r.Unfinished = &file, e.Ceiling, 0
	case StepStarted:
		if e.Step.Kind != StepRest {
			r.Measurements = append(r.Measurements, Measurement{Step: e.Step, Began: e.Began, Stopped: true})
		}
	case Sampled:
		if m := r.step(e.Step); m != nil {
			m.Series = append(m.Series, e.Sample)
		} else { // a pause
			r.Between = append(r.Between, e.Sample.Drive...)
		}
	case Sensed:
		r.Between = append(r.Between, e.Drive...)
	case StepDone:
		if m := r.step(e.Measurement.Step.Index); m != nil {
			series := m.Series
			*m = e.Measurement
			m.Series = series
		}
	case Warned:
		r.Warnings = append(r.Warnings, e.Warning)
	case Finished:
		r.Reason, r.Took, r.Failure = e.Reason, e.Took, e.Failure
	}
}

// step is the measurement of a step, looked for from the end.
func (r *Result) step(index int) *Measurement {
	for i := len(r.Measurements) - 1; i >= 0; i-- {
		if r.Measurements[i].Step.Index == index {
			return &r.Measurements[i]
		}
	}
	return nil
}

// Readings are all that the drives showed in the run, in the order of time. Since is known of each: where it
// was not taken down it is the end of the sample, to which the reading belongs.
func (r *Result) Readings() []DriveReading {
	out := slices.Clone(r.Between)
	for _, m := range r.Measurements {
		for _, s := range m.Series {
			for _, d := range s.Drive {
				if d.Since == 0 {
					d.Since = m.Began + s.At
				}
				out = append(out, d)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b DriveReading) int { return cmp.Compare(a.Since, b.Since) })
	return out
}

// Moved is all that the run asked the test file for, preparation and discarded passes counted.
func (r *Result) Moved() Moved {
	sum := Moved{WriteBytes: r.Unfinished}
	if r.File != nil {
		sum = r.File.Moved
	}
	for _, m := range r.Measurements {
		sum = sum.Add(m.Moved)
	}
	return sum
}
