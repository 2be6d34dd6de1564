package thermalchart

import (
	"math"
	"slices"
	"time"

	"cachecliff/app/fillchart"
	"cachecliff/app/words"
	"cachecliff/bench"
)

// Source is the loads of some runs, from which charts are drawn.
type Source struct {
	loads []load
	waits bool // there is no load yet: the temperatures are those of the wait before, since the run's start
	live  time.Duration
}

// load is a load with what it is called.
type load struct {
	comment string
	at      time.Time
	loop    int // 0 if it is the only one of its run
	rate    line
	sensors []sensor
	known   bool // there is a sensor
	pass    bench.ThermalPass
}

type sensor struct {
	label string
	first bool // that of the whole drive
	line
}

// line is seconds under load, and MB/s or degrees Celsius.
type line struct{ x, y []float64 }

func (l *line) add(at time.Duration, y float64) {
	l.x, l.y = append(l.x, at.Seconds()), append(l.y, y)
}

// From takes the loads of runs. That takes some milliseconds for each of them: do it off the UI goroutine.
func From(runs ...*bench.Result) *Source {
	s := &Source{}
	for _, r := range runs {
		s.take(r)
	}
	if len(s.loads) == 0 && len(runs) == 1 {
		s.waiting(runs[0])
	}
	if len(runs) == 1 && runs[0].Plan.Profile.Thermal != nil && !runs[0].Plan.Profile.Thermal.Steady {
		s.live = runs[0].Plan.Profile.Workloads[0].Spec.Measure
	}
	return s
}

func (s *Source) take(r *bench.Result) {
	readings := r.Readings()
	passes := r.ThermalPasses()
	for i, p := range passes {
		l := load{comment: r.Comment, at: r.At, known: len(p.Sensors) > 0, pass: p}
		if len(passes) > 1 {
			l.loop = p.Loop
		}
		if m := loaded(r, i); m != nil {
			for _, x := range m.Series {
				if x.Took > 0 {
					l.rate.add(x.At-x.Took/2, float64(x.Read.Bytes+x.Write.Bytes)/x.Took.Seconds()/1e6)
				}
			}
		}
		l.sensors = lines(readings, p.Sensors, p.Began, p.Took)
		s.loads = append(s.loads, l)
	}
}

// loaded is the i-th load of a run.
func loaded(r *bench.Result, i int) *bench.Measurement {
	for k := range r.Measurements {
		if r.Measurements[k].Step.Kind == bench.StepLoad {
			if i == 0 {
				return &r.Measurements[k]
			}
			i--
		}
	}
	return nil
}

// lines are what sensors showed from a time on, each reading once and when it was read; the first is what they showed
// before.
func lines(readings []bench.DriveReading, all []bench.ThermalSensor, from, took time.Duration) []sensor {
	var out []sensor
	drives := map[string]bool{}
	for _, s := range all {
		one := sensor{label: s.Label, first: !drives[s.Drive]}
		drives[s.Drive] = true
		one.add(0, float64(s.Idle)/1000)
		last := time.Duration(0)
		for _, d := range readings {
			at := d.Since - d.TempAge - from
			if d.Drive != s.Drive || at <= last || at > took {
				continue
			}
			for _, t := range d.Temperatures {
				if t.Label == s.Label {
					one.add(at, float64(t.MilliC)/1000)
					last = at
				}
			}
		}
		out = append(out, one)
	}
	return out
}

// waiting takes what the sensors show before the first load.
func (s *Source) waiting(r *bench.Result) {
	var all []bench.ThermalSensor
	took := time.Duration(0)
	readings := r.Readings()
	for _, d := range readings {
		took = max(took, d.Since)
		for _, t := range d.Temperatures {
			if !slices.ContainsFunc(all, func(s bench.ThermalSensor) bool { return s.Drive == d.Drive && s.Label == t.Label }) {
				all = append(all, bench.ThermalSensor{Drive: d.Drive, Label: t.Label, Idle: t.MilliC})
			}
		}
	}
	s.waits = true
	s.loads = []load{{comment: r.Comment, at: r.At, known: len(all) > 0, sensors: lines(readings, all, 0, took), pass: bench.ThermalPass{Took: took}}}
}

// name is what a load is called among others: by the comment on its run, or else when it was.
func (l load) name(w *words.Words) string {
	name := l.comment
	if name == "" {
		name = l.at.Local().Format(w.T("fact.date"))
	}
	if l.loop > 0 {
		name += " · " + fillchart.Roman(l.loop)
	}
	return name
}

// top is the highest temperature of the warmest drive, thousandths of a degree.
func (l load) top() (int32, bool) {
	s, ok := l.pass.Warmest()
	return s.Top, ok
}

// highest is the highest of some numbers; 0 of none.
func highest(all []float64) float64 {
	top := 0.0
	for _, v := range all {
		top = math.Max(top, v)
	}
	return top
}
