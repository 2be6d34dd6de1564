package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"cachecliff/bench/tree"
	"cachecliff/platform"
)

// treeSeed draws the sizes and names of a made-up tree: the same in every run, so that runs can be compared.
const treeSeed = 1

// sourceName is the folder of a made-up source in the area of a run.
const sourceName = "source"

// CopyFacts are what a step of a Copying did.
type CopyFacts struct {
	Files   int                   `json:"files"`
	Bytes   int64                 `json:"bytes"`
	Folders int                   `json:"folders,omitempty"`
	Handed  time.Duration         `json:"handed"`            // until all was handed to the system: where a progress bar ends
	Engines []platform.CopyEngine `json:"engines,omitempty"` // what copied
	// Shared is how many bytes of the copies have their place in common with other files; nil if the file system does
	// not tell.
	Shared   *int64       `json:"shared,omitempty"`
	Served   bool         `json:"served,omitempty"` // a server may have copied, and nothing passed through this computer
	Skipped  tree.Skipped `json:"skipped,omitzero"` // files of a user's that could not be copied
	Verified *Verified    `json:"verified,omitempty"`
	Ring     int64        `json:"ring,omitempty"` // memory that reading went through again and again, bytes
}

// Verified is what comparing copies with their sources showed.
type Verified struct {
	Files  int           `json:"files"`
	Bytes  int64         `json:"bytes"`
	Took   time.Duration `json:"took"`
	Differ tree.Skipped  `json:"differ,omitzero"` // copies with other bytes than their source
}

// copier is a run of a Copying.
type copier struct {
	*run
	host   platform.Copier
	area   platform.Area
	root   string    // of the source; empty if there is none
	tree   tree.Tree // what lies in it
	hashes map[string]tree.Hash
}

func walk(ctx context.Context, host platform.Copier, root string, target platform.Target) (tree.Found, error) {
	join := func(root, name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	var not platform.FileID
	entries, err := host.List(filepath.Dir(target.Path))
	if err == nil {
		for _, e := range entries {
			if e.Name == filepath.Base(target.Path) {
				not = e.ID
			}
		}
	}
	found, err := tree.Walk(ctx, host.List, join, root, not)
	if errors.Is(err, tree.ErrInside) || err == nil && root == target.Path {
		return found, &PlanError{Code: PlanInside, Target: target, Source: root}
	}
	return found, err
}

// onTree is all that needs the run's own folder. It is gone when it ends, however it ends.
func (r *run) onTree(ctx context.Context) (err error) {
	host, ok := r.Host.(platform.Copier)
	if !ok {
		return &platform.OpError{Op: "copy in", Object: r.plan.Target.Path, Reason: platform.ErrUnsupported}
	}
	c := &copier{run: r, host: host, hashes: map[string]tree.Hash{}}
	if err := c.find(ctx); err != nil {
		return err
	}
	if c.area, err = host.Area(r.plan.Target); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.area.Close()) }()
	if c.root == "" {
		c.root = filepath.Join(c.area.Path(), sourceName)
	}
	for _, step := range r.plan.Steps() {
		if err := r.step(ctx, step, func(m *Measurement) error {
			switch step.Kind {
			case StepMake:
				return c.make(ctx, step, m)
			case StepCopy:
				return c.copy(ctx, step, m)
			}
			return r.rest(ctx, step, m)
		}); err != nil {
			return err
		}
	}
	return nil
}

// find looks what is to be copied: the user's folder may have grown since the plan was made.
func (c *copier) find(ctx context.Context) error {
	p := c.plan.Profile
	switch {
	case p.Copying.Source != "":
		found, err := walk(ctx, c.host, c.plan.Source.Path, c.plan.Target)
		if err != nil {
			return err
		}
		c.root, c.tree = c.plan.Source.Path, found.Tree
		now := c.plan
		now.Source = &CopySource{Path: c.root, Files: len(found.Files), Bytes: found.Bytes()}
		return checkCopying(now)
	case p.Copying.Tree:
		c.tree = tree.Generate(p.FileSize, treeSeed)
	default:
		c.tree = tree.Tree{Files: []tree.File{{Path: "large file.bin", Size: p.FileSize}}}
	}
	return nil
}

// progress is what a goroutine that copies tells the one that runs.
type progress struct{ files, bytes atomic.Int64 }

func (p *progress) moved(n int64) { p.bytes.Add(n) }

// stopWait is how long a copy may take to end after a stop.
const stopWait = 2 * time.Second

// during has work done in a goroutine of its own and takes samples meanwhile, as reads or as writes. After a stop
// it removes what was copied, so that the system need not write it any more, and waits no longer than stopWait for
// a drive that does not answer.
func (c *copier) during(ctx context.Context, step Step, reads bool, copies string, work func(*progress) error) error {
	p := new(progress)
	done := make(chan error, 1)
	began := c.Host.Now()
	go func() { done <- work(p) }()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	last, stop := Sample{}, ctx.Done()
	var files, bytes int64
	var patience <-chan time.Time
	sample := func() {
		at := c.Host.Now() - began
		t := Tally{Ops: p.files.Load() - files, Bytes: p.bytes.Load() - bytes}
		files, bytes = files+t.Ops, bytes+t.Bytes
		s := Sample{At: at, Took: at - last.At, Write: t}
		if reads {
			s.Read, s.Write = t, Tally{}
		}
		last = c.sampled(step, s)
	}
	for {
		select {
		case err := <-done:
			if c.Host.Now()-began > last.At {
				sample()
			}
			if ctx.Err() != nil {
				return ctx.Err() // what fails since the copy was removed says nothing
			}
			return err
		case <-ticker.C:
			if at := c.Host.Now() - began; at-last.At >= sampleLength(at)-tick/10 {
				sample()
			}
		case <-stop:
			stop = nil
			patience = time.After(stopWait)
			if copies != "" {
				_ = c.area.Remove(copies) // Close tells of what cannot be removed
			}
		case <-patience:
			return ctx.Err()
		}
	}
}

// make makes the source.
func (c *copier) make(ctx context.Context, step Step, m *Measurement) error {
	began := c.Host.Now()
	before := c.counters(ctx)
	facts := &CopyFacts{}
	err := c.during(ctx, step, false, sourceName, func(p *progress) error {
		if err := c.folders(sourceName, nil); err != nil {
			return err
		}
		content := tree.NewContent(tree.Piece, c.plan.Seed)
		for _, f := range c.tree.Files {
			if err := c.write(ctx, sourceName+"/"+f.Path, f.Size, content, p); err != nil {
				return err
			}
		}
		facts.Handed = c.Host.Now() - began
		return c.area.Flush(c.names(sourceName))
	})
	m.Elapsed = c.Host.Now() - began
	m.FlushTook = m.Elapsed - facts.Handed
	facts.Files, facts.Bytes, facts.Folders = len(c.tree.Files), c.tree.Bytes(), len(c.tree.Folders)
	if err == nil {
		m.Write = Tally{Bytes: facts.Bytes}
		m.Copy, m.Moved = facts, Moved{WriteOps: int64(facts.Files), WriteBytes: facts.Bytes}
		m.Devices = pair(before, c.counters(ctx))
	}
	return err
}

// folders makes the folders of the tree below one that it makes, too. What the target cannot have of a user's is left
// out, and with it what lies in it.
func (c *copier) folders(top string, left *tree.Skipped) error {
	if err := c.area.Folder(top); err != nil {
		return err
	}
	for _, f := range c.tree.Folders {
		err := c.area.Folder(top + "/" + f)
		if err != nil && (left == nil || c.plan.Source == nil || targetFails(err)) {
			return err
		}
		if err != nil {
			left.Add(f, err)
		}
	}
	return nil
}

// targetFails says whether an error is that of the target, whatever is copied to it.
func targetFails(err error) bool {
	for _, why := range []error{platform.ErrReadOnly, platform.ErrStalled, platform.ErrNoDirectIO, platform.ErrResources, platform.ErrGone, platform.ErrIO} {
		if errors.Is(err, why) {
			return true
		}
	}
	return isFull(err)
}

func (c *copier) names(top string) []string {
	out := make([]string, 0, len(c.tree.Files))
	for _, f := range c.tree.Files {
		out = append(out, top+"/"+f.Path)
	}
	return out
}

// write writes a file from memory.
func (c *copier) write(ctx context.Context, name string, size int64, content *tree.Content, p *progress) error {
	w, err := c.area.Create(name)
	if err != nil {
		return err
	}
	for off := int64(0); off < size && err == nil; {
		var n int
		n, err = w.Write(content.Next(off, size-off))
		off += int64(n)
		p.moved(int64(n))
		if err == nil {
			err = ctx.Err()
		}
	}
	p.files.Add(1)
	return errors.Join(err, w.Close())
}

// read reads a file into memory.
func (c *copier) read(ctx context.Context, path string, ring *tree.Ring, p *progress) error {
	r, err := c.host.Read(path)
	if err != nil {
		return err
	}
	err = ring.Fill(ctx, r, p.moved)
	p.files.Add(1)
	return errors.Join(err, r.Close())
}

// source is where a file of the source lies.
func (c *copier) source(f tree.File) string { return filepath.Join(c.root, filepath.FromSlash(f.Path)) }

// drop takes the source out of the page cache, as far as the system does so.
func (c *copier) drop(ctx context.Context) error {
	for _, f := range c.tree.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := c.host.Drop(c.source(f))
		if errors.Is(err, platform.ErrUnsupported) {
			return nil
		}
		if err != nil && c.plan.Source == nil {
			return err
		}
	}
	return nil
}

// numbered is the folder of a loop's copy.
func numbered(loop int) string { return fmt.Sprintf("copy-%02d", loop) }

// copy is one loop: copy all, until all is safe; then look at what the copies are, and remove them.
func (c *copier) copy(ctx context.Context, step Step, m *Measurement) error {
	kind, top := c.plan.Profile.Copying.Kind, numbered(step.Loop)
	if kind != CopyWrite {
		if err := c.drop(ctx); err != nil {
			return err
		}
	}
	m.Copy = &CopyFacts{}
	before := c.counters(ctx)
	began := c.Host.Now()
	loop := copyLoop{copier: c, ctx: ctx, facts: m.Copy, top: top, began: began}
	err := c.during(ctx, step, kind == CopyRead, top, func(p *progress) error {
		loop.p = p
		return loop.all(kind)
	})
	m.Elapsed = c.Host.Now() - began
	if err != nil {
		m.Copy = nil
		return err
	}
	m.Elapsed = loop.took
	m.FlushTook = m.Elapsed - m.Copy.Handed
	m.Devices = pair(before, c.counters(ctx))
	n, bytes := int64(m.Copy.Files), m.Copy.Bytes
	if kind != CopyWrite {
		m.Read, m.Moved.ReadOps, m.Moved.ReadBytes = Tally{Bytes: bytes}, n, bytes
	}
	if kind != CopyRead {
		m.Write, m.Moved.WriteOps, m.Moved.WriteBytes = Tally{Bytes: bytes}, n, bytes
	}
	if n == 0 {
		return &platform.OpError{Op: "copy from", Object: c.root, Reason: platform.ErrNotExist}
	}
	if kind == CopyDuplicate {
		if err := c.examine(ctx, m.Copy, loop.done, top); err != nil {
			return err
		}
	}
	if kind == CopyRead {
		return nil
	}
	return c.area.Remove(top)
}
