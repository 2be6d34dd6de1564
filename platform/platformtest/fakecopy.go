package platformtest

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"cachecliff/platform"
)

var _ platform.Copier = (*Host)(nil)

// The page cache of the fake: how fast it takes bytes, in bytes per second, and how many it takes that the drive
// does not have yet.
const (
	memoryRate = 10e9
	dirtyMost  = 256 << 20
	fakePiece  = 1 << 20
	openTook   = 50 * time.Microsecond
)

// node is a file or folder in an area.
type node struct {
	folder bool
	size   int64
	bytes  []byte // with Options.Keep
	cached bool   // it lies in the page cache
	shared bool   // its blocks are those of another file
}

// area is one opening of the fake's page cache, which counts what is not on the drive yet.
type area struct {
	host  *Host
	path  string
	dirty int64
}

func treeError(op, object string, reason error) error {
	return &platform.OpError{Op: op, Object: object, Reason: reason}
}

// carry has the drive move bytes, and waits until it has.
func (h *Host) carry(op platform.Op, n int64) {
	h.mu.Lock()
	at := h.transfer(op, int(n), h.Now())
	h.mu.Unlock()
	time.Sleep(at - h.Now())
}

// Area implements platform.Copier.
func (h *Host) Area(t platform.Target) (platform.Area, error) {
	if t.Refusal != platform.Usable {
		return nil, treeError("make a folder in", t.Path, platform.ErrReadOnly)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.serial++
	a := &area{host: h, path: fmt.Sprintf("%s/area-%d", t.Path, h.serial)}
	h.trees[a.path] = &node{folder: true}
	return a, nil
}

// List implements platform.Copier.
func (h *Host) List(folder string) ([]platform.Entry, error) {
	if entries, ok := h.opt.Folders[folder]; ok {
		return slices.Clone(entries), nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := h.trees[folder]; n == nil || !n.folder {
		return nil, treeError("look into", folder, platform.ErrNotExist)
	}
	var out []platform.Entry
	for name, n := range h.trees {
		if path.Dir(name) != folder {
			continue
		}
		e := platform.Entry{Name: path.Base(name), Kind: platform.EntryFile, Size: n.size, Stored: n.size, Links: 1}
		if n.folder {
			e = platform.Entry{Name: e.Name, Kind: platform.EntryFolder}
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b platform.Entry) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// source is the file at a path: one in an area, or one of a user.
func (h *Host) source(name string) (*node, error) {
	if h.opt.CopyFault != nil {
		if err := h.opt.CopyFault(name); err != nil {
			return nil, err
		}
	}
	for _, e := range h.opt.Folders[path.Dir(name)] {
		if e.Name == path.Base(name) && e.Kind == platform.EntryFile {
			return &node{size: e.Size}, nil
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	n := h.trees[name]
	if n == nil {
		return nil, treeError("open", name, platform.ErrNotExist)
	}
	if n.folder {
		return nil, treeError("open", name, platform.ErrUnsupported)
	}
	return n, nil
}

// Read implements platform.Copier.
func (h *Host) Read(name string) (io.ReadCloser, error) {
	n, err := h.source(name)
	if err != nil {
		return nil, err
	}
	time.Sleep(openTook)
	return &reading{host: h, node: n}, nil
}

// Drop implements platform.Copier.
func (h *Host) Drop(name string) error {
	n, err := h.source(name)
	if err == nil {
		n.cached = false
	}
	return err
}

// LayoutOf implements platform.Copier.
func (h *Host) LayoutOf(name string) (platform.Layout, error) {
	n, err := h.source(name)
	if err != nil {
		return platform.Layout{}, err
	}
	l := platform.Layout{Extents: 1}
	if n.shared {
		l.Shared = n.size
	}
	return l, nil
}

// reading is a file that is read once.
type reading struct {
	host *Host
	node *node
	at   int64
}

func (r *reading) Read(p []byte) (int, error) {
	n := min(int64(len(p)), r.node.size-r.at, fakePiece)
	if n == 0 && len(p) > 0 {
		r.node.cached = true
		return 0, io.EOF
	}
	if !r.node.cached {
		r.host.carry(platform.Read, n)
	}
	if r.node.bytes != nil {
		copy(p[:n], r.node.bytes[r.at:])
	}
	r.at += n
	return int(n), nil
}

func (r *reading) Close() error { return nil }

// writing is a file that is written once.
type writing struct {
	area *area
	node *node
	keep bool
}

func (w *writing) Write(p []byte) (int, error) {
	if err := w.area.put(w.node, int64(len(p))); err != nil {
		return 0, err
	}
	if w.keep {
		w.node.bytes = append(w.node.bytes, p...)
	}
	return len(p), nil
}

func (w *writing) Close() error { return nil }

// put takes bytes of a file into the page cache, and has the drive write as many when that is full.
func (a *area) put(n *node, bytes int64) error {
	if a.host.target("/fake").Volume.Free < bytes {
		return treeError("write", a.path, platform.ErrNoSpace)
	}
	time.Sleep(time.Duration(float64(bytes) / memoryRate * float64(time.Second)))
	n.size, n.cached = n.size+bytes, true
	if a.dirty += bytes; a.dirty > dirtyMost {
		a.host.carry(platform.Write, bytes)
		a.dirty -= bytes
	}
	return nil
}

func (a *area) Path() string { return a.path }

func (a *area) make(name string, n *node) error {
	if a.host.opt.Refuses != nil && a.host.opt.Refuses(name) {
		return treeError("make", name, platform.ErrUnsupported)
	}
	name = a.path + "/" + name
	a.host.mu.Lock()
	defer a.host.mu.Unlock()
	if a.host.trees[name] != nil {
		return treeError("make", name, platform.ErrBusy)
	}
	if p := a.host.trees[path.Dir(name)]; p == nil || !p.folder {
		return treeError("make", name, platform.ErrNotExist)
	}
	a.host.trees[name] = n
	return nil
}

func (a *area) Folder(name string) error { return a.make(name, &node{folder: true}) }

func (a *area) Create(name string) (io.WriteCloser, error) {
	time.Sleep(openTook)
	w := &writing{area: a, node: &node{}, keep: a.host.opt.Keep}
	return w, a.make(name, w.node)
}

func (a *area) Copy(ctx context.Context, from, name string, way platform.CopyWay, moved func(int64)) (platform.CopyEngine, error) {
	source, err := a.host.source(from)
	if err != nil {
		return "", err
	}
	time.Sleep(openTook)
	w := &writing{area: a, node: &node{}, keep: a.host.opt.Keep}
	if err := a.make(name, w.node); err != nil {
		return "", err
	}
	if w.node.shared = a.host.opt.Shares; w.node.shared {
		w.node.size, w.node.bytes = source.size, source.bytes
		moved(source.size)
		return platform.CopyByFake, ctx.Err()
	}
	r := &reading{host: a.host, node: source}
	buf := make([]byte, fakePiece)
	for ctx.Err() == nil {
		n, err := r.Read(buf)
		if err == io.EOF {
			if a.host.opt.Spoils != nil && a.host.opt.Spoils(name) && w.keep {
				w.node.bytes[len(w.node.bytes)/2] ^= 1
			}
			return platform.CopyByFake, nil
		}
		if _, err = w.Write(buf[:n]); err != nil {
			return platform.CopyByFake, err
		}
		moved(int64(n))
	}
	return platform.CopyByFake, ctx.Err()
}

func (a *area) Flush([]string) error {
	for a.dirty > 0 {
		n := min(a.dirty, fakePiece)
		a.host.carry(platform.Write, n)
		a.dirty -= n
	}
	time.Sleep(time.Millisecond)
	return nil
}

func (a *area) Remove(name string) error { a.remove(a.path + "/" + name); return nil }
func (a *area) Close() error             { a.remove(a.path); return nil }

func (a *area) remove(root string) {
	a.host.mu.Lock()
	defer a.host.mu.Unlock()
	for name := range a.host.trees {
		if name == root || strings.HasPrefix(name, root+"/") {
			delete(a.host.trees, name)
		}
	}
}
