package bench

import (
	"context"
	"errors"
	"slices"
	"time"

	"cachecliff/bench/tree"
	"cachecliff/platform"
)

// copyLoop copies everything once.
type copyLoop struct {
	*copier
	ctx   context.Context
	p     *progress
	facts *CopyFacts
	top   string
	began time.Duration
	took  time.Duration // until all was safe
	done  []tree.File   // what was copied, with the bytes that were
}

// all is everything that the time is taken of.
func (l *copyLoop) all(kind CopyKind) error {
	err := l.files(kind)
	l.facts.Handed = l.Host.Now() - l.began
	l.took = l.facts.Handed
	if kind == CopyRead {
		return err
	}
	if err == nil {
		names := make([]string, 0, len(l.done))
		for _, f := range l.done {
			names = append(names, l.top+"/"+f.Path)
		}
		err = l.area.Flush(names)
	}
	l.took = l.Host.Now() - l.began
	return err
}

// files copies all of them.
func (l *copyLoop) files(kind CopyKind) error {
	var one func(tree.File) error
	switch kind {
	case CopyRead:
		ring := tree.NewRing(RingSize)
		l.facts.Ring = RingSize
		one = func(f tree.File) error { return l.read(l.ctx, l.source(f), ring, l.p) }
	case CopyWrite:
		content := tree.NewContent(tree.Piece, l.plan.Seed^uint64(l.began))
		one = func(f tree.File) error { return l.write(l.ctx, l.top+"/"+f.Path, f.Size, content, l.p) }
	default:
		one = l.duplicate
	}
	if kind != CopyRead {
		if err := l.folders(l.top, &l.facts.Skipped); err != nil {
			return err
		}
		l.facts.Folders = len(l.tree.Folders) - l.facts.Skipped.Count
	}
	for _, f := range l.tree.Files {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		before := l.p.bytes.Load()
		if err := one(f); err != nil {
			if l.ctx.Err() != nil || !l.mayLeave(f, err) {
				return err
			}
			l.facts.Skipped.Add(f.Path, err)
			continue
		}
		f.Size = l.p.bytes.Load() - before
		l.done = append(l.done, f)
		l.facts.Files, l.facts.Bytes = l.facts.Files+1, l.facts.Bytes+f.Size
	}
	return nil
}

// duplicate copies one file. What was written of one that fails is removed again.
func (l *copyLoop) duplicate(f tree.File) error {
	name := l.top + "/" + f.Path
	engine, err := l.area.Copy(l.ctx, l.source(f), name, l.plan.Profile.Copying.Way, l.p.moved)
	if engine != "" && err != nil {
		return errors.Join(err, l.area.Remove(name))
	}
	if err == nil && !slices.Contains(l.facts.Engines, engine) {
		l.facts.Engines = append(l.facts.Engines, engine)
	}
	l.p.files.Add(1)
	return err
}

// mayLeave says whether a file is left out because of an error: one of the user's, unless it is the target that
// fails. A fault of a drive is the source's if the file cannot be read either.
func (l *copyLoop) mayLeave(f tree.File, err error) bool {
	switch {
	case l.plan.Source == nil:
		return false
	case errors.Is(err, platform.ErrIO), errors.Is(err, platform.ErrGone):
		return l.read(l.ctx, l.source(f), tree.NewRing(tree.Piece), new(progress)) != nil
	}
	return !targetFails(err)
}
