package bench

import (
	"slices"
	"time"

	"cachecliff/platform"
)

// Thermal is a test of how warm a drive gets: one load after the drive has come to rest (the 2018 method of
// ComputerBase, method.md §2.10).
type Thermal struct {
	// Idle is how long the test waits at most for a temperature that does not change any more.
	Idle time.Duration `json:"idle"`
	// Steady ends the load once the temperature does not change any more; its measuring time is then the most.
	Steady bool `json:"steady,omitempty"`
	// Most is how much of the capacity is written at most, percent, since the write cache may end on the way; 0 is no limit.
	Most int `json:"most,omitempty"`
}

// A temperature is steady if all that was read of each sensor in this time lies within this range, thousandths of a
// degree. Sensors step by one degree, so that one step is no change.
const (
	steadyTime  = 2 * time.Minute
	steadyRange = 1000
)

func (t Thermal) validate(p Profile, bad func(string, ...any)) {
	if len(p.Workloads) != 1 || p.Filling != nil {
		bad("%w", &SpecError{"test", "one load for a test of the temperature"})
	}
	if t.Idle < 0 || t.Idle > MaxRest {
		bad("%w", &SpecError{"pause", "0 s to 1 h"})
	}
	if t.Most < 0 || t.Most > 100 {
		bad("%w", &SpecError{"end of a pass", "0 to 100 percent"})
	}
}

// limited is the profile with what it may write at most on a target.
func (t Thermal) limited(p Profile, target platform.Target) Profile {
	if t.Most == 0 {
		return p
	}
	p.Workloads, p.Rows = slices.Clone(p.Workloads), slices.Clone(p.Rows)
	s := &p.Workloads[0].Spec
	if most := capacity(target) * int64(t.Most) / 100; most >= int64(s.Block) {
		s.Limit = most - most%int64(s.Block)
	}
	for i := range p.Rows {
		p.Rows[i].Shape = s.Shape()
	}
	return p
}

// thermalSteps flattens a test of the temperature: the load in each loop, after a wait. None is discarded: it would
// warm the drive.
func (p Plan) thermalSteps() []Step {
	var out []Step
	w := p.Profile.Workloads[0]
	for loop := 1; loop <= p.Profile.Loops; loop++ {
		out = append(out,
			Step{Index: len(out), Kind: StepRest, Workload: w.ID, Rest: p.Profile.Thermal.Idle, Settle: true},
			Step{Index: len(out) + 1, Kind: StepLoad, Workload: w.ID, Spec: w.Spec, Loop: loop})
	}
	return out
}

// thermals are the tests of the temperature that are shipped. What is read is as large as the memory of no drive.
func thermals() []Profile {
	const note = "ComputerBase's measurement of the temperature"
	test := func(id, title string, readPct int, measure time.Duration, most int) Profile {
		s := Spec{Access: Sequential, ReadPct: readPct, Block: 128 * kib, Depth: 32, Threads: 1, Measure: measure}
		return Profile{
			ID: id, Title: title, Note: note, FileSize: 16 * gib, Loops: 1,
			Workloads: []Workload{{workloadID(s), s}}, Rows: []Row{{Shape: s.Shape()}},
			Thermal: &Thermal{Idle: 15 * time.Minute, Most: most},
		}
	}
	return []Profile{
		test("thermal-read", "Temperature, reading", 100, 10*time.Minute, 0),
		test("thermal-write", "Temperature, writing", 0, 5*time.Minute, 25),
	}
}

// steady watches whether temperatures still change.
type steady struct {
	began time.Duration // since the run's start
	known map[string][]reading
}

// reading is a temperature and when it was read, since the run's start.
type reading struct {
	at     time.Duration
	milliC int32
}

// see takes what drives showed, and says whether every sensor has been steady for its time.
func (s *steady) see(drives []DriveReading, now time.Duration) bool {
	if s.known == nil {
		s.known = map[string][]reading{}
	}
	for _, d := range drives {
		for _, t := range d.Temperatures {
			key := d.Drive + "\x00" + t.Label
			s.known[key] = append(s.known[key], reading{d.Since - d.TempAge, t.MilliC})
		}
	}
	from := now - steadyTime
	if len(s.known) == 0 || from < s.began {
		return false
	}
	for key, all := range s.known {
		all = slices.DeleteFunc(all, func(r reading) bool { return r.at < from })
		s.known[key] = all
		if len(all) == 0 || spreadOf(all) > steadyRange {
			return false
		}
	}
	return true
}

// spreadOf is the range of some temperatures.
func spreadOf(all []reading) int32 {
	lo, hi := all[0].milliC, all[0].milliC
	for _, r := range all {
		lo, hi = min(lo, r.milliC), max(hi, r.milliC)
	}
	return hi - lo
}

// warmEnough gives a function that is told of each sample of a load, and ends it once the temperature does not change any
// more, if that is asked for.
func (r *run) warmEnough(end func()) func(Sample) {
	t := r.plan.Profile.Thermal
	if t == nil || !t.Steady {
		return func(Sample) {}
	}
	s := steady{began: r.Host.Now() - r.began}
	return func(got Sample) {
		if s.see(got.Drive, r.Host.Now()-r.began) {
			end()
		}
	}
}

// ThermalPass is what one load of a test of the temperature showed. Temperatures are thousandths of a degree Celsius.
type ThermalPass struct {
	Loop    int
	Sensors []ThermalSensor // none if no drive told a temperature
	Settled bool            // all of them were steady before the load; false also without a sensor
	First   float64         // mean rate of the first minute, bytes per second
	Last    float64         // and of the last one
	Hot     time.Duration   // since the load began, when a drive first was at its limit; -1 if none was
	Steady  bool            // all sensors were steady at the end
	Began   time.Duration   // since the run's start
	Took    time.Duration   // how long the load has taken
	Limit   *int32          // the lowest temperature that a drive names as too warm; nil if none does
	Slowed  []Stretch       // in which it was slower than before while a drive was at its limit
	Counted bool            // the drives themselves counted throttling, or too much heat, in the run
}

// ThermalSensor is a sensor in a load.
type ThermalSensor struct {
	Drive, Label string
	Idle         int32         // before the load
	Top          int32         // the highest in it
	Rise         int32         // Top - Idle
	End          int32         // at its end
	TopAt        time.Duration // since the load began, when it first was at Top
	Still        bool          // it never changed, so that it may not be one
}

// Warmest is the first sensor, which is that of the whole drive, of the drive that got warmest; ok is false without one.
func (p ThermalPass) Warmest() (s ThermalSensor, ok bool) {
	seen := map[string]bool{}
	for _, x := range p.Sensors {
		if !seen[x.Drive] && (!ok || x.Top > s.Top) {
			s, ok = x, true
		}
		seen[x.Drive] = true
	}
	return s, ok
}

// Fell says whether the rate was lower at the end than at the start, by more than it varies.
func (p ThermalPass) Fell() bool { return p.Last < slowShare*p.First }

// ThermalPasses are the loads of a test of the temperature.
func (r *Result) ThermalPasses() []ThermalPass {
	if r.Plan.Profile.Thermal == nil {
		return nil
	}
	var out []ThermalPass
	readings := r.Readings()
	for i := range r.Measurements {
		if m := &r.Measurements[i]; m.Step.Kind == StepLoad {
			out = append(out, r.thermalPass(m, readings))
		}
	}
	return out
}

func (r *Result) thermalPass(m *Measurement, readings []DriveReading) ThermalPass {
	took := m.Elapsed
	if n := len(m.Series); took == 0 && n > 0 { // it goes on, or was broken off
		took = m.Series[n-1].At
	}
	p := ThermalPass{Loop: m.Step.Loop, Hot: -1, First: m.mean(0, time.Minute), Last: m.mean(took-time.Minute, took), Began: m.Began, Took: took}
	end := m.Began + took
	// The run looked between two readings: what it saw as steady ends up to a reading later.
	before, during := steady{}, steady{began: m.Began}
	for _, d := range readings {
		switch {
		case d.Since <= m.Began:
			p.Settled = before.see([]DriveReading{d}, d.Since+DefaultSample)
			p.look(d, func(s *ThermalSensor, t int32) { s.Idle, s.Top, s.End = t, t, t })
		case d.Since <= end:
			p.Steady = during.see([]DriveReading{d}, d.Since+DefaultSample)
			p.look(d, func(s *ThermalSensor, t int32) {
				s.Still = s.Still && t == s.End
				if t > s.Top {
					s.TopAt = d.Since - d.TempAge - m.Began
				}
				s.Top, s.End = max(s.Top, t), t
				s.Rise = s.Top - s.Idle
			})
		}
	}
	heats := r.heats(m)
	if i := slices.IndexFunc(heats, nearLimit.hot); i >= 0 {
		p.Hot = heats[i].at
	}
	p.Slowed, p.Counted = throttled(heats), throttleCounters(r).hit
	for i, s := range p.Slowed {
		p.Slowed[i].Rate = m.mean(s.From, s.To)
	}
	for _, limit := range r.tempLimits() {
		if p.Limit == nil || limit < *p.Limit {
			p.Limit = &limit
		}
	}
	return p
}

// look gives each sensor of a reading to a function; a new one begins with what it shows.
func (p *ThermalPass) look(d DriveReading, see func(*ThermalSensor, int32)) {
	for _, t := range d.Temperatures {
		i := slices.IndexFunc(p.Sensors, func(s ThermalSensor) bool { return s.Drive == d.Drive && s.Label == t.Label })
		if i < 0 {
			i = len(p.Sensors)
			p.Sensors = append(p.Sensors, ThermalSensor{Drive: d.Drive, Label: t.Label, Idle: t.MilliC, Top: t.MilliC, End: t.MilliC, Still: true})
		}
		see(&p.Sensors[i], t.MilliC)
	}
}

// mean is the rate between two times of the counted part of a step, bytes per second; 0 if nothing is known of them.
func (m *Measurement) mean(from, to time.Duration) float64 {
	var bytes int64
	var took time.Duration
	for _, s := range m.Series {
		if at := s.At - m.Step.Spec.Warmup; !s.Warm && at > from && at <= to {
			bytes, took = bytes+s.Read.Bytes+s.Write.Bytes, took+s.Took
		}
	}
	if took <= 0 {
		return 0
	}
	return float64(bytes) / took.Seconds()
}
