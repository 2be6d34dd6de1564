package bench

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"cachecliff/bench/tree"
	"cachecliff/platform"
)

// examine looks whose blocks the copies have, and compares them with their sources if that is wanted.
func (c *copier) examine(ctx context.Context, facts *CopyFacts, files []tree.File, top string) error {
	began := c.Host.Now()
	return c.meanwhile(ctx, func() error {
		if err := c.shares(ctx, facts, files, top); err != nil || !c.plan.Profile.Copying.Verify {
			return err
		}
		facts.Verified = &Verified{}
		err := c.compare(ctx, facts, files, top)
		facts.Verified.Took = c.Host.Now() - began
		return err
	})
}

// meanwhile has work done in a goroutine and goes on showing temperature and counters.
func (c *copier) meanwhile(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	ticker := time.NewTicker(restTick)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			if err == nil {
				err = ctx.Err()
			}
			return err
		case <-ticker.C:
			c.sense()
		}
	}
}

func (c *copier) copyOf(f tree.File, top string) string {
	return filepath.Join(c.area.Path(), filepath.FromSlash(top+"/"+f.Path))
}

// shares adds up what the copies share. A reflink says so itself; the file system's own word is asked for
// all the same, since it may share whatever was asked for.
func (c *copier) shares(ctx context.Context, facts *CopyFacts, files []tree.File, top string) error {
	facts.Served = slices.Contains(facts.Engines, platform.CopyByRange) && len(c.plan.Target.Drives) == 0
	var sum int64
	known := true
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		l, err := c.host.LayoutOf(c.copyOf(f, top))
		if errors.Is(err, platform.ErrUnsupported) {
			known = false
			break
		}
		if err != nil {
			return err
		}
		sum += min(l.Shared, f.Size)
		known = known && (l.Extents > 0 || f.Size == 0 || l.Shared > 0 || f.Size <= inlineFile)
	}
	if !known && slices.Contains(facts.Engines, platform.CopyByClone) {
		sum, known = facts.Bytes, true
	}
	if known {
		facts.Shared = &sum
	}
	return nil
}

// inlineFile is the size up to which a file may have no place of its own, since file systems keep it beside its name,
// bytes (a page of btrfs' metadata).
const inlineFile = 64 << 10

// compare reads the copies and their sources, past what lies in the page cache where the system lets it go.
func (c *copier) compare(ctx context.Context, facts *CopyFacts, files []tree.File, top string) error {
	v := facts.Verified
	for _, f := range files {
		name := c.copyOf(f, top)
		if err := c.host.Drop(name); err != nil && !errors.Is(err, platform.ErrUnsupported) {
			return err
		}
		got, err := c.hash(ctx, name)
		if err != nil {
			return err
		}
		want, known := c.hashes[f.Path]
		if !known {
			if want, err = c.hash(ctx, c.source(f)); err != nil && c.plan.Source != nil && ctx.Err() == nil {
				facts.Skipped.Add(f.Path, err) // it vanished after it was copied
				continue
			}
			if err != nil {
				return err
			}
			if c.plan.Source == nil {
				c.hashes[f.Path] = want
			}
		}
		switch {
		case got == want:
		case c.plan.Source != nil && got.Size != want.Size:
			facts.Skipped.Add(f.Path, errChanged)
		default:
			v.Differ.Add(f.Path, errDiffers)
		}
		v.Files, v.Bytes = v.Files+1, v.Bytes+got.Size
	}
	return nil
}

var (
	errChanged = errors.New("it was changed while it was copied")
	errDiffers = errors.New("the copy has other bytes")
)

func (c *copier) hash(ctx context.Context, path string) (tree.Hash, error) {
	r, err := c.host.Read(path)
	if err != nil {
		return tree.Hash{}, err
	}
	h, err := tree.HashOf(ctx, r)
	return h, errors.Join(err, r.Close())
}
