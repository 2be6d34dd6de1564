package sheet

import (
	"cmp"
	"math"
	"slices"
	"time"

	"cachecliff/app/format"
	"cachecliff/bench"
)

// Points are a run over time, for a chart: Seconds since its first step began, rates in bytes per
// second, temperatures in degrees Celsius. NaN is a gap: between steps, and where a step does not read
// or does not write.
type Points struct {
	Seconds, Read, Write []float64
	TempSeconds, TempC   []float64
}

// Rates makes the points of all steps, one per sample, and of the temperatures that were read in and between
// them. Rest is the pause between workloads: a step that
// goes on has not told yet when it began.
func Rates(ms []bench.Measurement, between []bench.DriveReading, rest time.Duration) Points {
	var p Points
	var end time.Duration // of the step before
	var temps []reading
	for i, m := range ms {
		began := m.Began - ms[0].Began
		if m.Began == 0 && i > 0 {
			began = end
			if ms[i-1].Step.Workload != m.Step.Workload {
				began += rest
			}
		}
		for _, s := range m.Series {
			p.add(began+s.At, m.Step.Spec, s)
			for _, d := range s.Drive {
				at := began + s.At
				if d.Since > 0 {
					at = d.Since - ms[0].Began
				}
				temps = append(temps, reading{at, d})
			}
			end = began + s.At
		}
		if len(m.Series) > 0 {
			p.Seconds, p.Read, p.Write = append(p.Seconds, end.Seconds()), append(p.Read, math.NaN()), append(p.Write, math.NaN())
		}
	}
	if len(ms) > 0 {
		for _, d := range between {
			temps = append(temps, reading{d.Since - ms[0].Began, d})
		}
	}
	p.warm(temps)
	return p
}

// reading is a drive's reading and when it was made, since the first step began.
type reading struct {
	at time.Duration
	bench.DriveReading
}

// warm makes the points of the temperatures, each once and when it was read. The first drive that has one
// stands for the others.
func (p *Points) warm(all []reading) {
	slices.SortStableFunc(all, func(a, b reading) int { return cmp.Compare(a.at, b.at) })
	drive, last := "", time.Duration(-1)
	for _, d := range all {
		at := d.at - d.TempAge
		if len(d.Temperatures) == 0 || drive != "" && d.Drive != drive || at <= last { // before 0 the file was written
			continue
		}
		drive, last = d.Drive, at
		p.TempSeconds = append(p.TempSeconds, at.Seconds())
		p.TempC = append(p.TempC, float64(d.Temperatures[0].MilliC)/1000)
	}
}

func (p *Points) add(at time.Duration, spec bench.Spec, s bench.Sample) {
	read, write := math.NaN(), math.NaN()
	if spec.ReadPct > 0 {
		read = format.PerSecond(s.Read.Bytes, s.Took)
	}
	if spec.ReadPct < 100 {
		write = format.PerSecond(s.Write.Bytes, s.Took)
	}
	p.Seconds, p.Read, p.Write = append(p.Seconds, at.Seconds()), append(p.Read, read), append(p.Write, write)
}
