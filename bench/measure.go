package bench

import (
	"context"
	"time"

	"cachecliff/bench/hist"
	"cachecliff/platform"
)

// Job is one load step as a Measurer needs it. It holds plain values only, so that it can be sent to
// another process.
type Job struct {
	File     string          `json:"file"`             // platform.File.Name of the test file
	Memory   bool            `json:"memory,omitempty"` // instead of File: a file in memory, see EngineCeiling
	Size     int64           `json:"size"`             // its length in bytes
	Files    []JobFile       `json:"files,omitempty"`  // instead of File: written one after the other, each once in full
	Buffered bool            `json:"buffered,omitempty"`
	Step     Step            `json:"step"`
	Engine   platform.Engine `json:"engine,omitempty"`
	Huge     bool            `json:"huge_pages,omitempty"`
	Through  bool            `json:"write_through,omitempty"`
	Seed     uint64          `json:"seed"`
	Gate     *Gate           `json:"-"` // may hold a job of several files between two of them
}

// JobFile is one of several files.
type JobFile struct {
	Name string `json:"name"` // platform.File.Name
	Size int64  `json:"size"` // bytes to write
}

// Measurer measures one load step. It calls sample about ten times a second, in long steps less
// often, on the calling goroutine, and returns when the step is over and nothing of it is left in
// flight. When ctx ends it returns within half a second what it has, with Stopped set and no error. An error means that the
// step could not be measured to its end; the Measurement still holds what was.
type Measurer interface {
	Measure(ctx context.Context, job Job, sample func(Sample)) (Measurement, error)
}

// Tally is what happened in one direction over one span of time.
type Tally struct {
	Ops    int64         `json:"ops"`
	Bytes  int64         `json:"bytes"`
	SumLat time.Duration `json:"sum_lat"` // sum of all latencies
	P50    time.Duration `json:"p50,omitempty"`
	P99    time.Duration `json:"p99,omitempty"`
	P999   time.Duration `json:"p999,omitempty"`
	Max    time.Duration `json:"max,omitempty"`
}

// tallyOf sums up a histogram of ops that moved bytes in all.
func tallyOf(h *hist.H, bytes int64) Tally {
	return Tally{
		Ops: h.N(), Bytes: bytes, SumLat: h.Sum(),
		P50: h.Quantile(0.5), P99: h.Quantile(0.99), P999: h.Quantile(0.999), Max: h.Max(),
	}
}

// Sample is one interval of a step. Samples of a step follow each other without a gap, so their sums
// are the step's.
type Sample struct {
	At    time.Duration  `json:"at"`             // end of the interval, since the step's start
	Took  time.Duration  `json:"took"`           // its measured length
	Warm  bool           `json:"warm,omitempty"` // lies in the warm-up and is not counted
	Read  Tally          `json:"read,omitzero"`
	Write Tally          `json:"write,omitzero"`
	Drive []DriveReading `json:"drive,omitempty"` // what came in since the sample before
}

// DriveReading is what one drive showed of itself: counters as they were read, and temperatures with their
// age, which are read less often. Rates are made of two readings, by Counters.Since.
type DriveReading struct {
	Drive string        `json:"drive"`           // platform.Drive.Key
	Since time.Duration `json:"since,omitempty"` // from the run's start to At; 0 where it is not known, in results of old
	platform.Sensors
}

// Moved is all that a step asked the file for, with warm-up and drain: what the drive's own counters
// should agree with.
type Moved struct {
	ReadOps    int64 `json:"read_ops"`
	ReadBytes  int64 `json:"read_bytes"`
	WriteOps   int64 `json:"write_ops"`
	WriteBytes int64 `json:"write_bytes"`
}

// Add sums up.
func (m Moved) Add(o Moved) Moved {
	return Moved{m.ReadOps + o.ReadOps, m.ReadBytes + o.ReadBytes, m.WriteOps + o.WriteOps, m.WriteBytes + o.WriteBytes}
}

// DeviceCount is a drive's own counters right before and after a step.
type DeviceCount struct {
	Drive  string            `json:"drive"` // platform.Drive.Key
	Before platform.Counters `json:"before"`
	After  platform.Counters `json:"after"`
}

// CPU is processor time that a step cost.
type CPU struct {
	User    time.Duration `json:"user"`    // of the measuring process
	System  time.Duration `json:"system"`  //
	Busiest time.Duration `json:"busiest"` // user and system time of its busiest thread
	// Waited is how long its threads that submit and collect were ready to work and had no processor, all
	// together; 0 where the system does not tell.
	Waited time.Duration `json:"waited,omitempty"`
}

// Measurement is one step's result: one loop of one workload. The counted time is exact: I/Os that
// complete after it are waited for but count only in Moved.
type Measurement struct {
	Step       Step            `json:"step"`
	Began      time.Duration   `json:"began"`   // since the run's start
	Elapsed    time.Duration   `json:"elapsed"` // counted time; bytes by this is the rate
	Engine     platform.Engine `json:"engine"`
	Registered bool            `json:"registered,omitempty"` // buffers known to the kernel
	Read       Tally           `json:"read"`
	Write      Tally           `json:"write"`
	ReadHist   *hist.H         `json:"read_hist,omitempty"`
	WriteHist  *hist.H         `json:"write_hist,omitempty"`
	Rated      *Rated          `json:"rated,omitempty"` // only of a step with a rate
	Moved      Moved           `json:"moved"`
	HeldUp     time.Duration   `json:"held_up,omitempty"` // how long the measuring process stood still between the end of the warm-up and that of the measurement
	Drain      time.Duration   `json:"drain,omitempty"`   // from the end of the counted time to the last completion
	FlushTook  time.Duration   `json:"flush_took,omitempty"`
	CPU        *CPU            `json:"cpu,omitempty"`     // nil if the system does not tell
	Devices    []DeviceCount   `json:"devices,omitempty"` // of all drives; empty if one does not count
	Series     []Sample        `json:"series"`
	Copy       *CopyFacts      `json:"copy,omitempty"`    // StepMake, StepCopy: what was made, copied; nil if it did not end
	Clone      *CloneFacts     `json:"clone,omitempty"`   // StepClone
	Files      []FileMean      `json:"files,omitempty"`   // StepFill: each numbered file
	Full       bool            `json:"full,omitempty"`    // StepFill: the volume was full before the reserve was reached
	Held       []Hold          `json:"held,omitempty"`    // StepFill: when the user held it
	Freed      *Freed          `json:"freed,omitempty"`   // StepDelete
	Stopped    bool            `json:"stopped,omitempty"` // ended before its time; left out of outcomes
	Failure    *Failure        `json:"failure,omitempty"`
}

// Rated is what else there is to know of a step with a rate. The latencies of such a step, also in its
// samples, count from the time when an I/O was due: with the wait for a free place in the queue, as who
// asked for it would feel it. Those here count from the issue and are what the drive itself took.
type Rated struct {
	Read      Tally   `json:"read"`
	Write     Tally   `json:"write"`
	ReadHist  *hist.H `json:"read_hist,omitempty"`
	WriteHist *hist.H `json:"write_hist,omitempty"`
	// Missed is how many I/Os were due in the counted time and not issued by its end; nil if the step was
	// stopped or failed, so that nobody knows.
	Missed *int64 `json:"missed,omitempty"`
}

// Hist is the latencies from the issue of both directions together.
func (r Rated) Hist() *hist.H { return mergeHists(r.ReadHist, r.WriteHist) }

// Total is both directions together.
func (m Measurement) Total() (ops, bytes int64, sumLat time.Duration) {
	return m.Read.Ops + m.Write.Ops, m.Read.Bytes + m.Write.Bytes, m.Read.SumLat + m.Write.SumLat
}

// Hist is the latencies of both directions together; nil if none were kept.
func (m Measurement) Hist() *hist.H {
	return mergeHists(m.ReadHist, m.WriteHist)
}

// mergeHists is all histograms together, nil if there is none.
func mergeHists(all ...*hist.H) *hist.H {
	var h *hist.H
	for _, p := range all {
		if p == nil {
			continue
		}
		if h == nil {
			h = new(hist.H)
		}
		h.Merge(p)
	}
	return h
}

// Hold is a time for which the user held a filling.
type Hold struct {
	After int64         `json:"after"` // bytes of the pass that were written before
	Took  time.Duration `json:"took"`
}

// FileMean is what a numbered file took.
type FileMean struct {
	Bytes int64         `json:"bytes"` // written
	Took  time.Duration `json:"took"`
}

// Freed is what deleting files did.
type Freed struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
	// Discarded is what the drives were told that they need not keep, by their own counters, bytes; nil if they do not count it.
	Discarded *int64 `json:"discarded,omitempty"`
	// Trimmed is what the system was asked for to tell the drives afterwards, bytes; nil if it was not asked.
	Trimmed *int64 `json:"trimmed,omitempty"`
	// NotTrimmed says why it was not asked or refused, though the drives had not been told; empty otherwise.
	NotTrimmed string `json:"not_trimmed,omitempty"`
}
