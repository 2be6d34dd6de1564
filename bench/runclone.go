package bench

import (
	"context"
	"errors"
	"fmt"
	stdio "io" // the tests of this package have an io of their own
	"strings"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"

	"cachecliff/platform"
)

// CloneFacts are what a step of a Cloning did.
type CloneFacts struct {
	Image    string        `json:"image"`           // below the target; it is there once the run was done
	Bytes    int64         `json:"bytes"`           // of the image
	Handed   time.Duration `json:"handed"`          // until all was handed to the system: where dd ends
	ReadHash string        `json:"read,omitempty"`  // of what was read, zeros in bad ranges: 16 hexadecimal digits, xxHash64
	Wrote    string        `json:"wrote,omitempty"` // of the image as it was read back; only of a verified clone
	Checked  time.Duration `json:"check,omitempty"` // how long reading back took
	Bad      []BadRange    `json:"bad,omitempty"`   // what could not be read, in the order of the source; mostBad at most
	BadBytes int64         `json:"bad_bytes,omitempty"`
	Direct   bool          `json:"direct,omitempty"` // past the page cache
}

// BadRange is what could not be read.
type BadRange struct {
	Start int64 `json:"start"` // bytes from the start of the source
	Size  int64 `json:"size"`
}

// mostBad is how many bad ranges are listed; all are counted.
const mostBad = 1000

// cloner is a run of a Cloning.
type cloner struct {
	*run
	host      platform.Imager
	source    platform.Source
	buf       []byte
	done      []named // images that wait for the others to be whole
	abandoned bool    // the source does not answer; who reads it closes what is open
}

type named struct {
	platform.Image
	name string
}

// onClone is all that needs the source. An image has its name only once all are whole.
func (r *run) onClone(ctx context.Context) (err error) {
	host, ok := r.Host.(platform.Imager)
	if !ok {
		return &platform.OpError{Op: "clone into", Object: r.plan.Target.Path, Reason: platform.ErrUnsupported}
	}
	now, err := FindClone(ctx, r.Host, *r.plan.Profile.Cloning, r.plan.Target)
	if err != nil {
		return err
	}
	if now.Device != r.plan.Clone.Device || now.Size < r.plan.Clone.Size {
		return &platform.OpError{Op: "read", Object: now.Path, Reason: platform.ErrShortIO}
	}
	c := &cloner{run: r, host: host, buf: host.Buffer(CloneBlock)}
	if c.source, err = host.OpenSource(r.plan.Clone.facts(), r.plan.Profile.Cloning.Direct); err != nil {
		return err
	}
	defer func() {
		if !c.abandoned {
			err = errors.Join(err, c.close())
		}
	}()
	for _, step := range r.plan.Steps() {
		if err := r.step(ctx, step, func(m *Measurement) error { return c.part(ctx, step, m) }); err != nil {
			return err
		}
	}
	return c.finish()
}

// finish gives the images their names.
func (c *cloner) finish() error {
	for len(c.done) > 0 {
		if err := c.done[0].Finish(c.done[0].name); err != nil {
			return err
		}
		c.done = c.done[1:]
	}
	return nil
}

func (c *cloner) close() error {
	err := c.source.Close()
	for _, m := range c.done {
		err = errors.Join(err, m.Close())
	}
	return err
}

// imageName is where the image of a part lies below the target: named after the source and the run.
func (c *cloner) imageName(part string) string {
	base := imageBase(c.plan.Clone.Name) + "-" + c.result.ID
	if part == "" {
		return base + ".img"
	}
	return base + "/" + part + ".img"
}

// imageBase makes a name of a source fit for a file, however long it is.
func imageBase(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, name)
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "")
	}
	return name
}

// part clones one part of the source.
func (c *cloner) part(ctx context.Context, step Step, m *Measurement) error {
	want := c.plan.Profile.Cloning
	facts := &CloneFacts{Image: c.imageName(step.Part), Bytes: step.Bytes, Direct: want.Direct}
	o := platform.ImageOptions{Size: step.Bytes, Direct: want.Direct}
	if want.Keep {
		o.Keep = strings.ReplaceAll(facts.Image, "/", "-") + ".part"
	}
	image, err := c.host.Image(c.plan.Target, o)
	if err != nil {
		return err
	}
	before := c.counters(ctx)
	w := &cloneWork{cloner: c, ctx: ctx, image: image, facts: facts, part: c.plan.Clone.Parts[step.Index], began: c.Host.Now()}
	err = c.during(step, w)
	if c.abandoned {
		return ctx.Err()
	}
	m.Clone = facts
	m.Elapsed = c.Host.Now() - w.began
	m.Moved = Moved{ReadOps: w.reads.Load(), ReadBytes: w.read.Load(), WriteOps: w.writes.Load(), WriteBytes: w.written.Load()}
	if err != nil {
		return errors.Join(err, image.Close())
	}
	m.Elapsed = w.took
	m.FlushTook = m.Elapsed - facts.Handed
	m.Read, m.Write = Tally{Bytes: m.Moved.ReadBytes}, Tally{Bytes: m.Moved.WriteBytes}
	m.Devices = pair(before, c.counters(ctx))
	c.done = append(c.done, named{image, facts.Image})
	if !want.Verify {
		return nil
	}
	return c.verify(ctx, image, facts)
}

// during has the work done in a goroutine of its own and takes samples meanwhile. After a stop it waits no longer than
// stopWait for a drive that does not answer.
func (c *cloner) during(step Step, w *cloneWork) error {
	done := make(chan error, 1)
	go func() { done <- w.all() }()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var last, sum Sample
	sample := func() {
		at := c.Host.Now() - w.began
		now := Sample{Read: Tally{Ops: w.reads.Load(), Bytes: w.read.Load()}, Write: Tally{Ops: w.writes.Load(), Bytes: w.written.Load()}}
		s := Sample{At: at, Took: at - last.At}
		s.Read = Tally{Ops: now.Read.Ops - sum.Read.Ops, Bytes: now.Read.Bytes - sum.Read.Bytes}
		s.Write = Tally{Ops: now.Write.Ops - sum.Write.Ops, Bytes: now.Write.Bytes - sum.Write.Bytes}
		sum, last = now, c.sampled(step, s)
	}
	stop := w.ctx.Done()
	var patience <-chan time.Time
	for {
		select {
		case err := <-done:
			if c.Host.Now()-w.began > last.At {
				sample()
			}
			return err
		case <-ticker.C:
			if at := c.Host.Now() - w.began; at-last.At >= sampleLength(at)-tick/10 {
				sample()
			}
		case <-stop:
			stop = nil
			patience = time.After(stopWait)
		case <-patience:
			c.abandoned = true
			return w.ctx.Err()
		}
	}
}

// verify reads the image back.
func (c *cloner) verify(ctx context.Context, image platform.Image, facts *CloneFacts) error {
	began := c.Host.Now()
	h := xxhash.New()
	for off := int64(0); off < facts.Bytes; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := image.ReadAt(c.buf, off)
		n = int(min(int64(n), facts.Bytes-off))
		h.Write(c.buf[:n]) // it never fails
		off += int64(n)
		if err != nil && (off < facts.Bytes || !errors.Is(err, stdio.EOF)) {
			return err
		}
		c.sense()
	}
	facts.Wrote, facts.Checked = sumText(h), c.Host.Now()-began
	return nil
}

func sumText(h *xxhash.Digest) string { return fmt.Sprintf("%016x", h.Sum64()) }

// cloneWork is the copying of one part, on a goroutine of its own.
type cloneWork struct {
	*cloner
	ctx   context.Context
	image platform.Image
	facts *CloneFacts
	part  ClonePart
	began time.Duration
	took  time.Duration // until all was durable

	read, written, reads, writes atomic.Int64
}
