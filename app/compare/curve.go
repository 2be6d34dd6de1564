package compare

import (
	"cachecliff/app/reference"
)

// Line is one curve of a drive, to be laid over others. MB/s over GB, or what the kind of the curve says.
type Line struct {
	ID    string
	Name  string
	Class reference.Class
	Own   bool
	Loop  int
	Pass  int
	Start float64 // of a fill: share of the volume that was used before
	X, Y  []float64
	// Steps says that it was made of the values of stages: it is no recorded curve, and is drawn dashed.
	Steps bool
	// Open says that where the last step ends is not known: it is drawn to the end of the drive.
	Open bool
	// Unplaced are rates of stages of which nobody said where they begin.
	Unplaced []reference.Value
}

// Lines are the curves of a kind of all drives. A drive without a recorded curve of a fill has the steps of its
// stages, if they are known.
func Lines(all []reference.Drive, own string, kind reference.CurveKind) []Line {
	var out []Line
	for _, d := range all {
		line := Line{ID: d.ID, Name: d.Title(), Class: d.Class, Own: d.ID == own}
		recorded := false
		for _, c := range d.Curves {
			if c.Kind != kind {
				continue
			}
			recorded = true
			l := line
			l.Loop, l.Pass, l.Start, l.X, l.Y = c.Loop, c.Pass, c.Start, c.X, c.Y
			out = append(out, l)
		}
		if recorded || kind != reference.CurveFill {
			continue
		}
		if l, ok := steps(d, line); ok {
			out = append(out, l)
		}
	}
	return out
}

// steps makes the first pass of a fill of the values of its stages, on a drive that was empty.
func steps(d reference.Drive, l Line) (Line, bool) {
	value := func(metric string) (float64, bool) {
		v, ok := d.Find(metric, reference.Measured)
		return v.Value, ok && !v.Invalid
	}
	cache, ended := value("slc_cache_gb_fill0")
	fast, known := value("write_stage1")
	if !ended || !known || cache <= 0 {
		return l, false
	}
	l.Steps, l.Pass, l.Loop = true, 1, 1
	step := func(from, to, rate float64) { l.X, l.Y = append(l.X, from, to), append(l.Y, rate, rate) }
	step(0, cache, fast)
	second, hasSecond := value("write_stage2")
	third, hasThird := value("write_stage3")
	border, hasBorder := value("write_stage2_ends_gb")
	hasBorder = hasBorder && border > cache
	capacity := d.CapacityGB
	switch {
	case hasSecond && hasThird && hasBorder:
		step(cache, border, second)
		if capacity > border {
			step(border, capacity, third)
		}
	case hasSecond && hasBorder:
		step(cache, border, second)
	case hasSecond && capacity > cache:
		step(cache, capacity, second)
		l.Open = true
	}
	if hasThird && !hasBorder {
		v, _ := d.Find("write_stage3", reference.Measured)
		l.Unplaced = append(l.Unplaced, v)
	}
	return l, true
}
