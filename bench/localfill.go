package bench

import (
	"context"
	"errors"
	"time"

	"cachecliff/platform"
)

// filler writes the numbered files of a job one after the other. While one is written the next is opened, its queue
// made and its buffers filled, so that between two files there is no pause but the last I/Os of the one.
type filler struct {
	local  Local
	job    Job
	m      *Measurement
	sample func(Sample)
	began  time.Duration // on the host's clock
	ended  time.Duration // of the last sample, on the same
	open   Sample        // the sample being made
	parts  int           // samples in it
}

// prepared is a file that can be written at once, or why not.
type prepared struct {
	crew *crew
	file platform.File
	err  error
}

// fill is Measure for a job of several files.
func (l Local) fill(ctx context.Context, job Job, m *Measurement, sample func(Sample)) error {
	if err := job.Step.Spec.Validate(); err != nil {
		return err
	}
	f := &filler{local: l, job: job, m: m, sample: sample}
	next := make(chan prepared, 1)
	next <- f.prepare(0)
	f.began = l.Host.Now()
	f.ended = f.began
	var err error
	for i := 0; i < len(job.Files) && err == nil && ctx.Err() == nil; i++ {
		p := <-next
		f.hold(ctx)
		if i+1 < len(job.Files) {
			go func() { next <- f.prepare(i + 1) }()
		} else {
			next <- prepared{}
		}
		if err = p.err; err == nil {
			err = errors.Join(f.write(ctx, p), p.file.Close())
		}
	}
	if p := <-next; p.crew != nil {
		p.crew.dismiss()
		err = errors.Join(err, p.file.Close())
	}
	f.hand()
	m.Elapsed = f.ended - f.began
	m.Stopped = ctx.Err() != nil
	return err
}

// hold waits while the user holds the filling. The time is no part of a sample.
func (f *filler) hold(ctx context.Context) {
	if held, _ := f.job.Gate.State(); !held {
		return
	}
	f.hand()
	begin := f.local.Host.Now()
	f.job.Gate.pass(ctx)
	took := f.local.Host.Now() - begin
	f.m.Held = append(f.m.Held, Hold{After: f.m.Write.Bytes, Took: took})
	f.began, f.ended = f.began+took, f.ended+took
}

// prepare opens a file and readies its workers.
func (f *filler) prepare(i int) prepared {
	job := f.job
	job.File, job.Size, job.Files = f.job.Files[i].Name, f.job.Files[i].Size, nil
	job.Step.Spec.Limit = job.Size
	job.Seed ^= uint64(i+1) * 0x9E3779B97F4A7C15 // 2^64 by the golden ratio: no two files have the same bytes
	file, err := f.local.open(job)
	if err != nil {
		return prepared{err: err}
	}
	c := &crew{host: f.local.Host, job: job, file: file}
	if err := c.assemble(); err != nil {
		return prepared{err: errors.Join(err, file.Close())}
	}
	return prepared{crew: c, file: file}
}

// write writes a file and adds what it took.
func (f *filler) write(ctx context.Context, p prepared) error {
	m := Measurement{Step: p.crew.job.Step}
	var start time.Duration
	err := p.crew.run(ctx, &m, func(s Sample) {
		start = p.crew.t0
		f.add(start, s)
	})
	f.m.add(m)
	f.m.Files = append(f.m.Files, FileMean{Bytes: m.Write.Bytes, Took: m.Elapsed})
	return err
}

// add takes a sample of a file that began at start. What lies between two files is part of the next sample.
func (f *filler) add(start time.Duration, s Sample) {
	end := start + s.At
	f.open.Took += end - f.ended
	f.ended = end
	f.open.At = end - f.began
	if f.parts++; f.parts == 1 {
		f.open.Read, f.open.Write = s.Read, s.Write
	} else { // percentiles do not add up
		f.open.Read, f.open.Write = f.open.Read.plus(s.Read), f.open.Write.plus(s.Write)
	}
	if f.open.Took >= fillSample(f.open.At) {
		f.hand()
	}
}

// fillSample is how long the samples of a filling are at least: at least two a second are kept, ten in the first
// ten minutes, when the fastest caches end.
func fillSample(ran time.Duration) time.Duration { return min(sampleLength(ran), 5*tick) - tick/10 }

// hand hands the sample being made on.
func (f *filler) hand() {
	if f.parts > 0 {
		f.sample(f.open)
	}
	f.open, f.parts = Sample{}, 0
}

// plus adds tallies up; percentiles are not known of a sum.
func (t Tally) plus(o Tally) Tally {
	return Tally{Ops: t.Ops + o.Ops, Bytes: t.Bytes + o.Bytes, SumLat: t.SumLat + o.SumLat, Max: max(t.Max, o.Max)}
}

// add counts one file's measurement to that of all.
func (m *Measurement) add(o Measurement) {
	m.Engine, m.Registered = o.Engine, o.Registered
	m.ReadHist, m.WriteHist = mergeHists(m.ReadHist, o.ReadHist), mergeHists(m.WriteHist, o.WriteHist)
	bytes := m.Write.Bytes + o.Write.Bytes
	if m.WriteHist != nil {
		m.Write = tallyOf(m.WriteHist, bytes)
	}
	m.Moved = m.Moved.Add(o.Moved)
	m.HeldUp += o.HeldUp
	m.Drain = max(m.Drain, o.Drain)
	m.FlushTook += o.FlushTook
	if c := o.CPU; c != nil {
		if m.CPU == nil {
			m.CPU = &CPU{}
		}
		m.CPU.User += c.User
		m.CPU.System += c.System
		m.CPU.Busiest += c.Busiest
		m.CPU.Waited += c.Waited
	}
}
