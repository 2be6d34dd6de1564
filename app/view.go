package app

import (
	"slices"
	"time"

	"cachecliff/bench"
)

// Phase is what a run is doing.
type Phase string

// The phases, in the order in which they come; measuring and resting alternate.
const (
	PhaseIdle      Phase = "" // no run yet
	PhasePreparing Phase = "preparing"
	PhaseResting   Phase = "resting"
	PhaseMeasuring Phase = "measuring"
	PhaseFinishing Phase = "finishing"
	PhaseDone      Phase = "done" // Result.Reason says how it ended
)

// View is what a screen shows of a run. Its state is the fold of the run's events (Apply), so that a
// recorded stream shows the same screen again. The fields behind "Set by Session" are not in the events.
type View struct {
	Result       bench.Result
	Phase        Phase
	Step         *bench.Step   // the running step; nil if none runs
	Last         *bench.Sample // the newest sample of the running step
	Prepared     int64         // bytes of the test file that are written
	PrepareTotal int64         // bytes of the test file; 0 until that is known
	Written      int64         // bytes written to the test file until now, preparation included
	Temperatures []Temperature // the newest of each drive
	Failure      *bench.Failure

	// Set by Session.
	PhaseAge time.Duration // since Phase or Step changed
	Held     bool          // Hold was called: a filling stops before its next file
	Stopping bool          // Cancel was called and the run has not ended yet
	Err      error         // what Run returned
	Save     SaveState
	SaveErr  error // why the result is not saved, if Save is SaveFailed
	JournErr error // why a power cut before the result is saved would lose more than a second, or why the journal stays

	steps       []bench.Step // of the plan
	stepWritten int64        // bytes that the samples of the running step have shown
}

// SaveState says whether the result is in the store.
type SaveState string

// The states of saving.
const (
	SaveNothing SaveState = "" // there is no finished result
	SaveDone    SaveState = "saved"
	SaveFailed  SaveState = "failed" // SaveErr says why; Session.Save tries again
)

// Temperature is the newest reading of a drive's first sensor.
type Temperature struct {
	Drive  string        // platform.Drive.Key
	Label  string        // the sensor's name
	MilliC int32         // thousandths of a degree Celsius
	At     time.Duration // on the host's clock
}

// Apply folds one event into the view.
func (v *View) Apply(e bench.Event) {
	v.Result.Apply(e)
	switch e := e.(type) {
	case bench.Started:
		r := v.Result
		*v = View{Result: r, Phase: PhasePreparing, steps: r.Plan.Steps()}
	case bench.Preparing:
		v.Phase = PhasePreparing
		v.Written += max(e.Done-v.Prepared, 0)
		v.Prepared, v.PrepareTotal = e.Done, e.Total
	case bench.Prepared:
		v.Written += e.File.Moved.WriteBytes - v.Prepared
		v.Prepared, v.PrepareTotal = e.File.Size, e.File.Size
	case bench.Probed:
		v.probed(e.Probe)
	case bench.StepStarted:
		v.startStep(e.Step)
	case bench.Sampled:
		v.sampled(e.Sample)
	case bench.Sensed:
		v.sensed(e.Drive)
	case bench.StepDone:
		v.endStep(e.Measurement)
	case bench.Finished:
		v.Phase, v.Step, v.Last, v.Failure = PhaseDone, nil, nil, e.Failure
	}
}

func (v *View) startStep(s bench.Step) {
	v.Phase, v.Step, v.Last, v.stepWritten = PhaseMeasuring, &s, nil, 0
	if s.Kind == bench.StepRest || s.Kind == bench.StepDelete { // after deleting it waits until the drive was told
		v.Phase = PhaseResting
	}
}

func (v *View) sampled(s bench.Sample) {
	v.Last = &s
	v.stepWritten += s.Write.Bytes
	v.Written += s.Write.Bytes
	v.sensed(s.Drive)
}

func (v *View) sensed(drives []bench.DriveReading) {
	for _, r := range drives {
		if len(r.Temperatures) > 0 {
			t := r.Temperatures[0]
			v.warm(Temperature{Drive: r.Drive, Label: t.Label, MilliC: t.MilliC, At: r.At - r.TempAge})
		}
	}
}

// endStep counts what was written exactly: the samples leave out what was in flight at the end.
func (v *View) endStep(m bench.Measurement) {
	if m.Step.Kind == bench.StepLoad || m.Step.Kind == bench.StepFill {
		v.Written += m.Moved.WriteBytes - v.stepWritten
	}
	v.stepWritten = 0
	if n := len(v.steps); n > 0 && m.Step.Index >= n-1 {
		v.Phase, v.Step, v.Last = PhaseFinishing, nil, nil
	}
}

func (v *View) probed(p bench.Probe) {
	for _, d := range p.Drives {
		if d.Sensors != nil && len(d.Sensors.Temperatures) > 0 {
			t := d.Sensors.Temperatures[0]
			v.warm(Temperature{Drive: d.Drive, Label: t.Label, MilliC: t.MilliC, At: d.Sensors.At})
		}
	}
}

// warm replaces a drive's temperature in a new slice, since copies of the view share the old one.
func (v *View) warm(t Temperature) {
	v.Temperatures = slices.Clone(v.Temperatures)
	i := slices.IndexFunc(v.Temperatures, func(o Temperature) bool { return o.Drive == t.Drive })
	if i < 0 {
		v.Temperatures = append(v.Temperatures, t)
		return
	}
	v.Temperatures[i] = t
}

// StepWritten is how many bytes the samples of the running step have shown to be written.
func (v *View) StepWritten() int64 { return v.stepWritten }

// Running says whether a run is on its way.
func (v *View) Running() bool { return v.Phase != PhaseIdle && v.Phase != PhaseDone }

// Measurement is the running step's measurement so far, or nil.
func (v *View) Measurement() *bench.Measurement {
	n := len(v.Result.Measurements)
	if v.Step == nil || n == 0 || v.Result.Measurements[n-1].Step.Index != v.Step.Index {
		return nil
	}
	return &v.Result.Measurements[n-1]
}

// Live is what the running step moved in the newest second of its samples. Took is 0 if there is none.
type Live struct {
	Read, Write bench.Tally   // Ops, Bytes and SumLat only: percentiles cannot be added up
	Took        time.Duration // the time it took
}

// Live sums up the newest second of the running step.
func (v *View) Live() Live {
	var l Live
	m := v.Measurement()
	if m == nil {
		return l
	}
	for _, s := range slices.Backward(m.Series) {
		if l.Took >= time.Second {
			break
		}
		l.Took += s.Took
		l.Read, l.Write = add(l.Read, s.Read), add(l.Write, s.Write)
	}
	return l
}

func add(a, b bench.Tally) bench.Tally {
	return bench.Tally{Ops: a.Ops + b.Ops, Bytes: a.Bytes + b.Bytes, SumLat: a.SumLat + b.SumLat}
}

// Remaining estimates the time until the run is done; 0 if none goes on.
func (v *View) Remaining() time.Duration {
	var left time.Duration
	next := 0
	switch v.Phase {
	case PhasePreparing:
		left = v.prepareTime()
	case PhaseMeasuring, PhaseResting:
		if v.Step == nil {
			return 0
		}
		next = v.Step.Index + 1
		spent := v.PhaseAge
		if v.Last != nil {
			spent = v.Last.At
		}
		switch left = max(v.stepTime(*v.Step)-spent, 0); v.Step.Kind {
		case bench.StepFill, bench.StepMake, bench.StepClone:
			left = v.bytesTime(v.Step.Kind, v.Step.Bytes-v.stepWritten)
		}
	default:
		return 0
	}
	for _, s := range v.steps[min(next, len(v.steps)):] {
		left += v.stepTime(s)
	}
	return left
}

// prepareTime is how long the rest of the test file takes at the speed seen so far, or at half of what
// the connection carries before there is one.
func (v *View) prepareTime() time.Duration {
	if p := v.Result.Plan.Profile; p.Filling != nil || p.Copying != nil || p.Cloning != nil {
		return 0 // it has no test file
	}
	total := v.PrepareTotal
	if total == 0 {
		total = v.Result.Plan.Profile.FileSize
	}
	rate := bench.Ceiling(v.Result.Plan.Target) / 2
	if v.Prepared > 0 && v.PhaseAge > 0 {
		rate = float64(v.Prepared) / v.PhaseAge.Seconds()
	}
	return time.Duration(float64(total-v.Prepared) / rate * float64(time.Second))
}

// stepTime is how long a step takes: by its plan or, if that ends by bytes alone, at the speed of the
// newest step of the same workload.
func (v *View) stepTime(s bench.Step) time.Duration {
	ceiling := bench.Ceiling(v.Result.Plan.Target)
	switch {
	case s.Kind == bench.StepFill, s.Kind == bench.StepMake, s.Kind == bench.StepClone:
		return v.bytesTime(s.Kind, s.Bytes)
	case s.Kind == bench.StepCopy:
		return v.copyTime(s)
	case s.Kind == bench.StepRest, s.Kind == bench.StepDelete, s.Spec.Measure > 0:
		return s.Estimate(ceiling)
	}
	for _, m := range slices.Backward(v.Result.Measurements) {
		if m.Step.Workload != s.Workload {
			continue
		}
		var bytes int64
		var took time.Duration
		for _, x := range m.Series {
			if !x.Warm {
				bytes, took = bytes+x.Read.Bytes+x.Write.Bytes, took+x.Took
			}
		}
		if bytes > 0 {
			return s.Spec.Warmup + time.Duration(float64(took)/float64(bytes)*float64(s.Spec.Limit))
		}
	}
	return s.Estimate(ceiling)
}

// recentFill is how much of the newest samples of a filling tell its rate now: enough for no flicker, and little
// enough to follow the end of the write cache at once.
const recentFill = 10 * time.Second

// copyTime is how long a copy takes: as the newest one that is done, or by its plan before there is one.
func (v *View) copyTime(s bench.Step) time.Duration {
	for _, p := range slices.Backward(v.Result.CopyPasses()) {
		if p.Whole && p.Loop != s.Loop {
			return p.Took
		}
	}
	return s.Estimate(bench.Ceiling(v.Result.Plan.Target))
}

// bytesTime is how long steps of a kind take to write so many more bytes at the rate of their newest samples, or at
// that of the connection before there are any.
func (v *View) bytesTime(kind bench.StepKind, bytes int64) time.Duration {
	var written int64
	var took time.Duration
	for _, m := range slices.Backward(v.Result.Measurements) {
		if m.Step.Kind != kind {
			continue
		}
		for _, s := range slices.Backward(m.Series) {
			if took >= recentFill {
				break
			}
			written, took = written+s.Write.Bytes, took+s.Took
		}
		if written > 0 {
			break
		}
	}
	rate := bench.Ceiling(v.Result.Plan.Target)
	if written > 0 && took > 0 {
		rate = float64(written) / took.Seconds()
	}
	return time.Duration(float64(max(bytes, 0)) / rate * float64(time.Second))
}

// clone is a copy that later events do not change. Series, warnings and the like are only ever
// appended to, so that copies may share them up to their present length; measurements are replaced in
// place and are copied.
func (v *View) clone() View {
	c := *v
	c.Result.Measurements = slices.Clone(v.Result.Measurements)
	for i := range c.Result.Measurements {
		m := &c.Result.Measurements[i]
		m.Series = slices.Clip(m.Series)
	}
	c.Result.Warnings = slices.Clip(v.Result.Warnings)
	c.Result.Between = slices.Clip(v.Result.Between)
	return c
}
