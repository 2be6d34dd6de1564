package reference

import (
	"fmt"
	"math"
	"slices"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/stages"
)

// levels are the fill levels from which reviews measure the write cache, and how far one may be off.
var levels = []struct {
	share  float64
	metric string
}{{0, "slc_cache_gb_fill0"}, {0.5, "slc_cache_gb_fill50"}, {0.8, "slc_cache_gb_fill80"}}

const levelOff = 0.05

// stageMetrics are those of the first three stages of a pass; there is no name for more.
var stageMetrics = []string{"write_stage1", "write_stage2", "write_stage3"}

// fill adds what a fill showed: the size of the cache from each level, and of the passes on the empty drive the
// stages. Repeats of a pass are its loops.
func (p projection) fill() {
	passes := p.r.FillPasses()
	if len(passes) == 0 {
		return
	}
	for _, c := range bench.Caches(passes) {
		p.cache(c, passes)
	}
	first := slices.DeleteFunc(slices.Clone(passes), func(f bench.FillPass) bool {
		return f.Pass != 1 || f.Found.Bytes == 0 || f.Dirty
	})
	if len(first) > 0 && first[0].Start <= levelOff {
		p.stages(first)
	}
	for _, f := range passes {
		p.fillCurve(f)
	}
}

// filled is what the values of a fill have in common.
func (p projection) filled(start float64, n int) Value {
	f := p.r.Plan.Profile.Filling
	v := Value{Spec: &f.Write, Start: &start}
	v.Doubts, v.Invalid = p.doubts("")
	v.Conditions = fmt.Sprintf("%s, from %.0f %% full, %s, files of %s; median of %d", p.r.Plan.Profile.ID, 100*start, f.Write.String(), p.where(), n)
	return v
}

// cache adds the size of the write cache from the level at which a pass began.
func (p projection) cache(c bench.PassCache, passes []bench.FillPass) {
	i := slices.IndexFunc(passes, func(f bench.FillPass) bool { return f.Pass == c.Pass })
	start := min(max(passes[i].Start, 0), 1)
	metric := "slc_cache_gb_present"
	for _, l := range levels {
		if math.Abs(start-l.share) <= levelOff {
			metric = l.metric
		}
	}
	if slices.ContainsFunc(p.drive.Values, func(v Value) bool { return v.Metric == metric }) {
		return // an earlier pass began at this level
	}
	v := p.filled(start, len(c.Sizes))
	switch {
	case len(c.Sizes) > 0:
		var sizes []float64
		for _, b := range c.Sizes {
			sizes = append(sizes, float64(b.At)/1e9)
		}
		v.Value, v.Loops = median(sizes)
	case len(c.Unseen) > 0: // at least so much
		v = p.filled(start, len(c.Unseen))
		v.Value, v.Qualifier = float64(c.UpTo())/1e9, MoreThan
	default:
		return
	}
	p.add(metric, v)
}

// stages adds the rates of the stages of the first pass, and what it was as a whole. Stages have the same meaning in
// all repeats only if there are as many of them, so others than the first one's are left out.
func (p projection) stages(first []bench.FillPass) {
	n := len(first[0].Found.Stages)
	same := slices.DeleteFunc(slices.Clone(first), func(f bench.FillPass) bool { return len(f.Found.Stages) != n })
	give := func(metric string, of func(stages.Stages) float64) {
		var all []float64
		for _, f := range same {
			all = append(all, of(f.Found))
		}
		v := p.filled(min(max(same[0].Start, 0), 1), len(all))
		v.Value, v.Loops = median(all)
		p.add(metric, v)
	}
	for i := range min(causedByCache(same), len(stageMetrics)) {
		give(stageMetrics[i], func(s stages.Stages) float64 { return s.Stages[i].Rate / 1e6 })
	}
	if causedByCache(same) > 2 {
		give("write_stage2_ends_gb", func(s stages.Stages) float64 { return float64(s.Stages[2].From) / 1e9 })
	}
	// Whatever ended before the reserve says nothing of a whole drive.
	f := p.r.Plan.Profile.Filling
	if f.After > 0 || f.Most > 0 || slices.ContainsFunc(same, func(f bench.FillPass) bool { return !f.Whole }) {
		return
	}
	give("write_last", func(s stages.Stages) float64 { return s.Last / 1e6 })
	give("fill_mean_write", func(s stages.Stages) float64 { return s.Mean() / 1e6 })
	give("fill_time_min", func(s stages.Stages) float64 { return s.Took.Minutes() })
}

// causedByCache is how many stages from the first on have nothing between them but a cache that was full, in all
// repeats: what heat makes is no stage of the cache, and neither is a pass in which no end was seen.
func causedByCache(same []bench.FillPass) int {
	least := len(same[0].Found.Stages)
	if least < 2 {
		return 0
	}
	for _, f := range same {
		for i, b := range f.Found.Borders {
			if b.Cause != stages.CauseCache {
				least = min(least, i+1)
				if i == 0 {
					least = 0 // not even the first stage ends where the cache does
				}
				break
			}
		}
	}
	return least
}

// curvePoints is how many points a curve is made short to: more than a chart of 900 pixels shows apart.
const curvePoints = 500

// fillCurve adds the rate over bytes written, each point the mean of a stretch.
func (p projection) fillCurve(f bench.FillPass) {
	c := Curve{Kind: CurveFill, Loop: f.Loop, Pass: f.Pass, Start: min(max(f.Start, 0), 1)}
	var at, bytes int64
	var took time.Duration
	for i, point := range f.Points {
		at, bytes, took = at+point.Bytes, bytes+point.Bytes, took+point.Took
		if took <= 0 || bytes == 0 || bytes < f.Found.Bytes/curvePoints && i < len(f.Points)-1 {
			continue
		}
		c.X, c.Y = append(c.X, float64(at)/1e9), append(c.Y, float64(bytes)/took.Seconds()/1e6)
		bytes, took = 0, 0
	}
	p.curve(c)
}

func (p projection) curve(c Curve) {
	if len(c.X) > 1 {
		p.drive.Curves = append(p.drive.Curves, c)
	}
}

// thermalCurves adds rate and temperature of the first sensor over time, seconds since the load began.
func (p projection) thermalCurves() {
	for i := range p.r.Measurements {
		m := &p.r.Measurements[i]
		if m.Step.Kind != bench.StepLoad || len(m.Series) == 0 {
			continue
		}
		rate, warm := Curve{Kind: CurveThermalRate, Loop: m.Step.Loop}, Curve{Kind: CurveTemperature, Loop: m.Step.Loop}
		every := m.Series[len(m.Series)-1].At / curvePoints
		var bytes int64
		var took time.Duration
		read, drive := time.Duration(-1), ""
		for _, s := range m.Series {
			bytes, took = bytes+s.Read.Bytes+s.Write.Bytes, took+s.Took
			if took > 0 && took >= every {
				rate.X, rate.Y = append(rate.X, s.At.Seconds()), append(rate.Y, float64(bytes)/took.Seconds()/1e6)
				bytes, took = 0, 0
			}
			for _, d := range s.Drive {
				if drive == "" && len(d.Temperatures) > 0 {
					drive = d.Drive // the first one that tells stands for all
				}
				if d.Drive == drive && len(d.Temperatures) > 0 && (read < 0 || s.At-read >= every) {
					read = s.At
					warm.X, warm.Y = append(warm.X, s.At.Seconds()), append(warm.Y, float64(d.Temperatures[0].MilliC)/1000)
				}
			}
		}
		p.curve(rate)
		p.curve(warm)
	}
}
