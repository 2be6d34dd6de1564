package bench

import (
	"slices"
	"time"
)

// CopyPass is what one copy of a Copying showed.
type CopyPass struct {
	Loop   int
	Files  int
	Bytes  int64
	Took   time.Duration // until all was safe on the drive, or in memory
	Handed time.Duration // until all was handed to the system: where a progress bar ends
	Cloned bool          // most of it has its place in common with other files: there is no rate
	Whole  bool          // it ended as planned; else it was stopped or failed, and nothing else is known
}

// Rate is bytes per second until all was safe; 0 if nothing was copied.
func (p CopyPass) Rate() float64 { return perSecond(float64(p.Bytes), p.Took) }

// Shown is bytes per second as a progress bar shows them.
func (p CopyPass) Shown() float64 { return perSecond(float64(p.Bytes), p.Handed) }

// FileRate is files per second until all was safe.
func (p CopyPass) FileRate() float64 { return perSecond(float64(p.Files), p.Took) }

func perSecond(n float64, took time.Duration) float64 {
	if took <= 0 {
		return 0
	}
	return n / took.Seconds()
}

// CopyPasses are the copies of a Copying, in the order in which they were made.
func (r *Result) CopyPasses() []CopyPass {
	var out []CopyPass
	for _, m := range r.Measurements {
		if m.Step.Kind != StepCopy {
			continue
		}
		p := CopyPass{Loop: m.Step.Loop}
		if c := m.Copy; c != nil && !m.Stopped && m.Failure == nil {
			p = CopyPass{Loop: m.Step.Loop, Files: c.Files, Bytes: c.Bytes, Took: m.Elapsed, Handed: c.Handed, Cloned: c.cloned(), Whole: true}
		}
		out = append(out, p)
	}
	return out
}

// cloned says whether most was not copied: it shares its place with other files, or a server did it.
func (c *CopyFacts) cloned() bool {
	return c.Served || c.Shared != nil && c.Bytes > 0 && *c.Shared > c.Bytes/2
}

// CopySummary is all complete copies of a run together.
type CopySummary struct {
	N          int // complete copies
	Cloned     bool
	Mean       float64 // of the rates, bytes per second: what ComputerBase shows
	Lo, Hi     float64 // the lowest and the highest
	Shown      float64 // mean of the rates that a progress bar shows
	Files      float64 // mean of files per second
	BytesEach  int64   // of the first copy
	FilesEach  int
	Unverified bool // no copy was compared with its source
}

// Copied sums up the complete copies of a run; N is 0 if there is none. Where one was cloned there is no rate.
func (r *Result) Copied() CopySummary {
	s := CopySummary{Unverified: true}
	for _, m := range r.Measurements {
		s.Unverified = s.Unverified && (m.Copy == nil || m.Copy.Verified == nil)
	}
	var rates []float64
	for _, p := range r.CopyPasses() {
		if !p.Whole {
			continue
		}
		if s.N++; s.N == 1 {
			s.BytesEach, s.FilesEach = p.Bytes, p.Files
		}
		s.Cloned = s.Cloned || p.Cloned
		rates = append(rates, p.Rate())
		s.Shown, s.Files = s.Shown+p.Shown(), s.Files+p.FileRate()
	}
	if s.N == 0 || s.Cloned {
		s.Shown, s.Files = 0, 0
		return s
	}
	for _, v := range rates {
		s.Mean += v / float64(s.N)
	}
	s.Lo, s.Hi = slices.Min(rates), slices.Max(rates)
	s.Shown, s.Files = s.Shown/float64(s.N), s.Files/float64(s.N)
	return s
}

// What follows are the doubts about copies.

// copyCloned adds up what the copies share with other files.
func copyCloned(r *Result) finding {
	f := finding{text: "copy"}
	for _, m := range r.Measurements {
		if c := m.Copy; c != nil && m.Step.Kind == StepCopy {
			if c.Shared != nil {
				f.value += float64(*c.Shared)
			}
			f.hit = f.hit || c.Served || f.value > 0
		}
	}
	return f
}

// copyCached looks for copies for which the drives moved less than was copied: what was read came out of memory, or
// what was written is not there yet. Of a folder of the user's it is known only if it lies on the same drives,
// and takes its whole size there. The value is the smallest share that they moved.
func copyCached(r *Result) finding {
	least := 1.0
	own := r.Plan.Source == nil
	for _, m := range r.Measurements {
		moved, known := m.deviceMoved()
		if m.Step.Kind != StepCopy || !known || m.Copy == nil || m.Copy.cloned() || m.Stopped {
			continue
		}
		if asked := m.Moved.ReadBytes; asked > 0 && (own || r.Plan.Source.Missing == 0 && r.sourceHere()) {
			least = min(least, float64(moved.ReadBytes)/float64(asked))
		}
		if asked := m.Moved.WriteBytes; asked > 0 && own {
			least = min(least, float64(moved.WriteBytes)/float64(asked))
		}
	}
	return finding{hit: least < cachedShare, value: max(least, 0), text: "copy"}
}

// sourceHere says whether the user's folder lies on the drives of the target.
func (r *Result) sourceHere() bool {
	var keys []string
	for _, d := range r.Plan.Target.Drives {
		keys = append(keys, d.Key)
	}
	return len(keys) > 0 && slices.Equal(slices.Sorted(slices.Values(keys)), slices.Sorted(slices.Values(r.Plan.Source.Drives)))
}

// copyNoisy looks for copies that differ. The value is their range as a share of their median.
func copyNoisy(r *Result) finding {
	var rates []float64
	for _, p := range r.CopyPasses() {
		if p.Whole && !p.Cloned {
			rates = append(rates, p.Rate())
		}
	}
	spread := estimate(rates, false).Spread()
	return finding{hit: spread > noisySpread, value: spread}
}

// copySkipped counts the files of the user's that were left out, in the loop that left out most and when the folder was looked through.
func copySkipped(r *Result) finding {
	var f finding
	take := func(count int, first string) {
		if n := float64(count); n > f.value {
			f = finding{hit: true, value: n, text: first}
		}
	}
	before := 0
	if s := r.Plan.Source; s != nil && s.Skipped.Count > 0 {
		before = s.Skipped.Count
		take(before, s.Skipped.First())
	}
	for _, m := range r.Measurements {
		if m.Copy != nil && m.Copy.Skipped.Count > 0 {
			take(before+m.Copy.Skipped.Count, m.Copy.Skipped.First())
		}
	}
	return f
}

// copyDiffers counts the copies with other bytes than their sources.
func copyDiffers(r *Result) finding {
	var f finding
	for _, m := range r.Measurements {
		if m.Copy == nil || m.Copy.Verified == nil {
			continue
		}
		if d := m.Copy.Verified.Differ; d.Count > 0 {
			if !f.hit {
				f.text = d.First()
			}
			f.hit, f.value = true, f.value+float64(d.Count)
		}
	}
	return f
}
