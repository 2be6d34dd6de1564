package tree

import (
	"context"
	"errors"
	"fmt"

	"cachecliff/platform"
)

// maxNesting is how deep a folder is looked through. No file system lets a program open a path that deep, so
// what lies deeper is part of a loop.
const maxNesting = 1000

// MaxNamed is how many of the entries that were left out are named.
const MaxNamed = 20

// Skipped are entries that were left out.
type Skipped struct {
	Count int    `json:"count"`
	Named []Skip `json:"named,omitempty"` // the first MaxNamed
}

// Skip is one of them.
type Skip struct {
	Path   string `json:"path"`   // below the root; bytes that are not UTF-8 as %q writes them
	Reason string `json:"reason"` // of a platform error, or the system's own words
}

// Add counts an entry that is left out because of err.
func (s *Skipped) Add(path string, err error) {
	s.Count++
	if len(s.Named) >= MaxNamed {
		return
	}
	reason := err.Error()
	var op *platform.OpError
	switch {
	case errors.As(err, &op) && op.Reason != nil:
		reason = op.Reason.Error()
	case op != nil && op.Err != nil:
		reason = op.Err.Error()
	}
	s.Named = append(s.Named, Skip{printable(path), reason})
}

// First is the first of them, or empty.
func (s Skipped) First() string {
	if len(s.Named) == 0 {
		return ""
	}
	return s.Named[0].Path
}

// printable is a path in which what is not UTF-8 or cannot be printed is escaped.
func printable(path string) string {
	q := fmt.Sprintf("%q", path)
	return q[1 : len(q)-1]
}

// Found is a folder of the user's as it was found.
type Found struct {
	Tree
	Skipped Skipped // unreadable, or neither a file nor a folder; links are not counted here
	Links   int     // symbolic links, which are not followed and not copied
	Shared  int     // files that have more than one name: each name is copied as a file of its own
	Sparse  int     // files that take less room than they have bytes: what is not there is not read from the drive
	Missing int64   // bytes that those take less
}

// ErrInside is that a folder lies in the one that is looked through.
var ErrInside = errors.New("the target lies inside the source")

// Walk looks through a folder. It only reads. What cannot be read is left out and counted; only a root that
// cannot be, and the end of ctx, are errors. A folder with the ID of not, if that is set, is ErrInside.
func Walk(ctx context.Context, list func(folder string) ([]platform.Entry, error), join func(root, name string) string, root string,
	not platform.FileID) (Found, error) {
	var out Found
	w := walker{ctx: ctx, list: list, join: join, root: root, not: not, found: &out, seen: map[platform.FileID]bool{}}
	entries, err := list(root)
	if err != nil {
		return out, err
	}
	err = w.folder("", entries, 0)
	return out, err
}

type walker struct {
	ctx   context.Context
	list  func(string) ([]platform.Entry, error)
	join  func(root, name string) string
	root  string
	not   platform.FileID
	found *Found
	seen  map[platform.FileID]bool // folders on the way here and before: one that is met again is a loop
}

// folder takes a folder's files, then looks through the folders in it.
func (w *walker) folder(path string, entries []platform.Entry, depth int) error {
	var inside []platform.Entry
	for _, e := range entries {
		name := join(path, e.Name)
		switch {
		case e.Err != nil:
			w.found.Skipped.Add(name, e.Err)
		case e.Kind == platform.EntryFile:
			w.file(name, e)
		case e.Kind == platform.EntryFolder:
			inside = append(inside, e)
		case e.Kind == platform.EntryLink:
			w.found.Links++
		default:
			w.found.Skipped.Add(name, platform.ErrUnsupported)
		}
	}
	for _, e := range inside {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.enter(join(path, e.Name), e, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) file(name string, e platform.Entry) {
	w.found.Files = append(w.found.Files, File{name, e.Size})
	if e.Links > 1 {
		w.found.Shared++
	}
	if e.Stored >= 0 && e.Stored < e.Size {
		w.found.Sparse++
		w.found.Missing += e.Size - e.Stored
	}
}

func (w *walker) enter(name string, e platform.Entry, depth int) error {
	if e.ID != (platform.FileID{}) {
		if e.ID == w.not {
			return ErrInside
		}
		if w.seen[e.ID] {
			w.found.Skipped.Add(name, errors.New("a loop of folders"))
			return nil
		}
		w.seen[e.ID] = true
	}
	if depth > maxNesting {
		w.found.Skipped.Add(name, errors.New("too many folders in each other"))
		return nil
	}
	entries, err := w.list(w.join(w.root, name))
	if err != nil {
		w.found.Skipped.Add(name, err)
		return nil
	}
	w.found.Folders = append(w.found.Folders, name)
	return w.folder(name, entries, depth)
}
