package bench

import (
	"fmt"
	"slices"
	"time"

	"cachecliff/platform"
)

// Filling is a test that fills a volume with numbered files, deletes a part of them and fills it again: where the
// write cache of the drive ends, empty and half full (ComputerBase's test, method.md §1.1 C4 to C6).
type Filling struct {
	Write Spec  `json:"write"`           // how a file is written; the file's size ends it
	Again []int `json:"again,omitempty"` // before each further pass so much of all files is deleted, percent
	// After ends a pass so many bytes after the end of the write cache was seen; 0 fills to the reserve.
	After int64 `json:"after,omitempty"`
	// Most is how much of the capacity a pass writes at most, percent; 0 fills to the reserve.
	Most  int  `json:"most,omitempty"`
	Empty bool `json:"empty,omitempty"` // only on a volume without files of others
}

// The bounds of a Filling.
const (
	maxPasses  = 10
	emptyShare = 0.02 // of a volume may be used by the file system itself, so that it is empty
)

// with is the filling with a user's changes applied.
func (f Filling) with(o FillOverrides) Filling {
	if o.Write != nil {
		f.Write = *o.Write
		f.Write.ReadPct, f.Write.Measure = 0, 0
	}
	if o.Again != nil {
		f.Again = slices.Clone(o.Again)
	}
	if o.After != nil {
		f.After = *o.After
	}
	if o.Most != nil {
		f.Most = *o.Most
	}
	f.Empty = f.Empty || o.Empty
	return f
}

// validate reports all that is wrong.
func (f Filling) validate(bad func(string, ...any)) {
	if err := f.Write.Validate(); err != nil {
		bad("writing: %w", err)
	}
	if f.Write.ReadPct != 0 || f.Write.Access != Sequential || f.Write.Measure != 0 || f.Write.Threads != 1 {
		bad("writing: %w", &SpecError{"access", "SEQ, R0, one thread, ended by the size of the file"})
	}
	if len(f.Again) >= maxPasses {
		bad("%w", &SpecError{"passes", fmt.Sprintf("1 to %d", maxPasses)})
	}
	for _, share := range f.Again {
		if share < 1 || share > 100 {
			bad("%w", &SpecError{"share that is deleted", "1 to 100 percent"})
		}
	}
	if f.After < 0 || f.Most < 0 || f.Most > 100 {
		bad("%w", &SpecError{"end of a pass", "0 bytes or more, 0 to 100 percent"})
	}
}

// fillTotal is how many bytes a pass on what is free now writes at most: whole blocks, above the reserve.
func (p Plan) fillTotal() int64 {
	f, v := p.Profile.Filling, p.Target.Volume
	total := v.Free - Reserve(v)
	if f.Most > 0 {
		total = min(total, capacity(p.Target)*int64(f.Most)/100)
	}
	return max(total-total%int64(f.Write.Block), 0)
}

// capacity is that of a target's drives, or of its volume if none is known, bytes.
func capacity(t platform.Target) int64 {
	var sum int64
	for _, d := range t.Drives {
		sum += d.Capacity
	}
	if sum == 0 {
		return t.Volume.Size
	}
	return sum
}

// fillFiles are the sizes of the numbered files that make up so many bytes. The last one may be smaller.
func fillFiles(total, size int64) []int64 {
	var out []int64
	for total > 0 {
		out = append(out, min(size, total))
		total -= size
	}
	return out
}

// deleted is how many of n files a share is: at least one.
func deleted(n, share int) int { return max(n*share/100, min(n, 1)) }

// fillSteps flattens a Filling: the passes, and before each but the first what is deleted and a rest; all of it
// Loops times, with all files deleted between.
func (p Plan) fillSteps() []Step {
	f, rest := p.Profile.Filling, p.Profile.Rest
	var out []Step
	add := func(s Step) {
		s.Index = len(out)
		out = append(out, s)
	}
	again := func(share int, bytes int64, loop, pass int) {
		add(Step{Kind: StepDelete, Share: share, Bytes: bytes, Loop: loop, Pass: pass})
		if rest > 0 {
			add(Step{Kind: StepRest, Rest: rest, Loop: loop, Pass: pass})
		}
	}
	total := p.fillTotal()
	sizes := fillFiles(total, p.Profile.FileSize)
	for loop := 1; loop <= p.Profile.Loops; loop++ {
		if loop > 1 {
			again(100, total, loop, 1)
		}
		add(Step{Kind: StepFill, Spec: f.Write, Bytes: total, Loop: loop, Pass: 1})
		for i, share := range f.Again {
			var bytes int64
			for _, size := range sizes[:deleted(len(sizes), share)] {
				bytes += size
			}
			again(share, bytes, loop, i+2)
			add(Step{Kind: StepFill, Spec: f.Write, Bytes: bytes, Loop: loop, Pass: i + 2})
		}
	}
	return out
}

// checkFilling says whether a target can be filled.
func checkFilling(p Plan) error {
	f, t := p.Profile.Filling, p.Target
	if f.Empty && float64(t.Volume.Used) > emptyShare*float64(t.Volume.Size) {
		return &PlanError{Code: PlanNotEmpty, Target: t}
	}
	if need := int64(MinFileSize); p.fillTotal() < need {
		return &PlanError{Code: PlanNoSpace, Target: t, Need: need, Reserve: Reserve(t.Volume)}
	}
	return nil
}

// fillFile is the size of the files of the fill test: 10 GB in whole MiB.
const fillFile = int64(10e9) / mib * mib

// fillings are the fill tests that are shipped.
func fillings() []Profile {
	write := Spec{Access: Sequential, Block: mib, Depth: 8, Threads: 1, Limit: fillFile}
	const note = "ComputerBase's analysis of the SLC cache"
	return []Profile{
		{ID: "fill-quick", Title: "Write cache, quick", Note: note + ", ended 40 GB after the cache", FileSize: fillFile, Loops: 1,
			Filling: &Filling{Write: write, After: 40e9, Most: 40}},
		{ID: "fill", Title: "Write cache", Note: note, FileSize: fillFile, Loops: 1, Rest: 30 * time.Minute,
			Filling: &Filling{Write: write, Again: []int{50, 20}}},
	}
}
