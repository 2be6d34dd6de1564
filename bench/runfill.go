package bench

import (
	"context"
	"errors"
	"time"

	"cachecliff/bench/stages"
	"cachecliff/platform"
)

// filled is a numbered file of a filling.
type filled struct {
	file platform.File
	size int64
}

// onFiles is all that needs the numbered files of a filling. They are gone when it ends, however it ends.
func (r *run) onFiles(ctx context.Context) (err error) {
	var files []filled
	defer func() { err = errors.Join(err, closeAll(files)) }()
	for _, step := range r.plan.Steps() {
		if err := r.step(ctx, step, func(m *Measurement) error {
			switch step.Kind {
			case StepFill:
				return r.fill(ctx, step, &files, m)
			case StepDelete:
				return r.delete(ctx, step, &files, m)
			}
			return r.rest(ctx, step, m)
		}); err != nil {
			return err
		}
	}
	return nil
}

func closeAll(files []filled) error {
	var errs []error
	for _, f := range files {
		errs = append(errs, f.file.Close())
	}
	return errors.Join(errs...)
}

// fill writes as many files as the step says, or as the volume takes.
func (r *run) fill(ctx context.Context, step Step, files *[]filled, m *Measurement) error {
	job := Job{
		Buffered: r.plan.Buffered, Step: step, Engine: r.plan.Engine, Huge: r.plan.Huge, Through: r.plan.Through,
		Seed: r.plan.Seed ^ uint64(step.Index+1)<<40, Gate: r.Gate,
	}
	job.Step.Spec.Limit = 0
	created, err := r.create(step.Bytes)
	*files = append(*files, created...)
	if err != nil {
		return err
	}
	for _, f := range created {
		job.Files = append(job.Files, JobFile{Name: f.file.Name(), Size: f.size})
	}
	job.Step.Spec.Limit = job.Files[0].Size
	sub, cancel := context.WithCancel(ctx)
	defer cancel()
	see, seen := r.pastBorder(cancel)
	before := r.counters(ctx)
	*m, err = r.Measurer.Measure(sub, job, func(s Sample) { see(r.sampled(step, s)) })
	m.Step, m.Full = step, len(created) > 0 && sizeOf(created) < step.Bytes
	m.Devices = pair(before, r.counters(ctx))
	if ctx.Err() == nil && *seen {
		m.Stopped = false // as planned
	}
	if err != nil && m.Moved.WriteBytes > 0 && isFull(err) {
		m.Full, m.Failure = true, nil
		return nil
	}
	if err == nil && m.Moved == (Moved{}) && ctx.Err() == nil {
		return &platform.OpError{Op: "fill", Object: r.plan.Target.Path, Reason: platform.ErrStalled}
	}
	return err
}

func sizeOf(files []filled) int64 {
	var sum int64
	for _, f := range files {
		sum += f.size
	}
	return sum
}

// isFull says whether an error means that the volume, or what this user may have of it, is full.
func isFull(err error) bool {
	return errors.Is(err, platform.ErrNoSpace) || errors.Is(err, platform.ErrQuota)
}

// create makes numbered files of so many bytes in all: fewer where less is free by now, more where the file system
// takes only smaller ones.
func (r *run) create(total int64) ([]filled, error) {
	var out []filled
	size := r.plan.Profile.FileSize
	for left := total; left > 0; {
		n := min(size, left)
		f, err := r.Host.Create(r.plan.Target, platform.CreateOptions{Size: n, Buffered: r.plan.Buffered})
		switch {
		case err == nil:
			out, left = append(out, filled{f, n}), left-n
			r.files[f.Name()] = true
		case errors.Is(err, platform.ErrTooLarge) && size > splitSize:
			size = splitSize
			continue
		case len(out) > 0 && isFull(err):
			return out, nil
		default:
			return out, err
		}
		if !f.Direct() && !r.plan.Buffered {
			return out, &platform.OpError{Op: "write past the page cache in", Object: r.plan.Target.Path, Reason: platform.ErrNoDirectIO}
		}
	}
	return out, nil
}

// splitSize is that of the files where ten gigabytes are too many for one: the largest of FAT32 (2^32 - 1 bytes) in
// whole MiB.
const splitSize = 4*gib - mib

// discardWait is how long the file system may take to tell the drive what was deleted: ext4 does so when it writes
// its journal, each five seconds.
const discardWait = 12 * time.Second

// delete removes the oldest files and looks whether the drives were told.
func (r *run) delete(ctx context.Context, step Step, files *[]filled, m *Measurement) error {
	began := r.Host.Now()
	defer func() { m.Elapsed = r.Host.Now() - began }()
	n := deleted(len(*files), step.Share)
	m.Freed = &Freed{Files: n}
	before := r.counters(ctx)
	for _, f := range (*files)[:n] {
		m.Freed.Bytes += f.size
	}
	gone := (*files)[:n]
	*files = (*files)[n:]
	if err := closeAll(gone); err != nil {
		return err
	}
	if err := r.rest(ctx, Step{Index: step.Index, Kind: StepRest, Rest: discardWait}, &Measurement{}); err != nil {
		return err
	}
	m.Freed.Discarded = discarded(pair(before, r.counters(ctx)))
	if m.Freed.told() {
		return nil
	}
	r.trim(ctx, m.Freed)
	return nil
}

// trim asks the system to tell the drives what is free.
func (r *run) trim(ctx context.Context, freed *Freed) {
	t, ok := r.Host.(platform.Trimmer)
	if !ok {
		freed.NotTrimmed = platform.ErrUnsupported.Error()
		return
	}
	n, err := t.TrimFree(ctx, r.plan.Target)
	if err != nil {
		freed.NotTrimmed = reasonText(err)
		return
	}
	freed.Trimmed = &n
}

// reasonText is the reason of a platform error, or the whole text.
func reasonText(err error) string {
	var op *platform.OpError
	if errors.As(err, &op) && op.Reason != nil {
		return op.Reason.Error()
	}
	return err.Error()
}

// discarded is what drives were told that they need not keep, bytes; nil if none counts it.
func discarded(devices []DeviceCount) *int64 {
	if len(devices) == 0 {
		return nil
	}
	var sum int64
	for _, d := range devices {
		sum += int64(d.After.DiscardBytes - d.Before.DiscardBytes)
	}
	return &sum
}

// looks is how often a pass is looked at while it is written: each twentieth of what it may go on past the border.
const looks = 20

// pastBorder gives a function that is told of each sample of a pass, and ends the pass once it is far enough past the
// end of the write cache.
func (r *run) pastBorder(end func()) (see func(Sample), seen *bool) {
	after := r.plan.Profile.Filling.After
	seen = new(bool)
	var written, next int64
	return func(s Sample) {
		written += s.Write.Bytes
		if after <= 0 || *seen || written < next {
			return
		}
		next = written + max(after/looks, 1)
		last := &r.result.Measurements[len(r.result.Measurements)-1]
		if border, ok := stages.Find(r.result.points(last)).Cache(); ok && written >= border.At+after {
			*seen = true
			end()
		}
	}, seen
}
