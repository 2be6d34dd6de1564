package platformtest

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"cachecliff/platform"
)

var _ platform.Imager = (*Host)(nil)

// Source is something that the fake can clone.
type Source struct {
	Device  bool
	Bytes   []byte // what is read of it; nil are zeros
	Size    int64  // bytes, if Bytes is nil
	Names   []string
	Written []string
	// Fault, if set, is asked for each read and may make that fail: of the bytes from off to end.
	Fault func(off, end int64) error
	// Refusal, if set, is why it cannot be opened.
	Refusal error
}

func (s Source) size() int64 { return max(s.Size, int64(len(s.Bytes))) }

// FindSource implements platform.Imager, of what is in Options.Sources.
func (h *Host) FindSource(_ context.Context, name string) (platform.SourceFacts, error) {
	s, ok := h.opt.Sources[name]
	if !ok {
		return platform.SourceFacts{}, treeError("read", name, platform.ErrNotExist)
	}
	if s.Refusal != nil {
		return platform.SourceFacts{}, treeError("read", name, s.Refusal)
	}
	f := platform.SourceFacts{
		Path: name, Name: path.Base(name), Device: s.Device, Size: s.size(), Sector: 512, Names: s.Names, Written: s.Written,
		Drives: []platform.Drive{h.Drive()},
	}
	return f, nil
}

// OpenSource implements platform.Imager.
func (h *Host) OpenSource(f platform.SourceFacts, _ bool) (platform.Source, error) {
	s, ok := h.opt.Sources[f.Path]
	if !ok {
		return nil, treeError("read", f.Path, platform.ErrNotExist)
	}
	return &opened{h, s}, nil
}

// Buffer implements platform.Imager.
func (h *Host) Buffer(n int) []byte { return make([]byte, n) }

type opened struct {
	host   *Host
	source Source
}

func (o *opened) ReadAt(p []byte, off int64) (int, error) {
	n := max(min(int64(len(p)), o.source.size()-off), 0)
	if o.source.Fault != nil && n > 0 {
		if err := o.source.Fault(off, off+n); err != nil {
			return 0, err
		}
	}
	o.host.carry(platform.Read, n)
	if clear(p[:n]); o.source.Bytes != nil {
		copy(p[:n], o.source.Bytes[off:])
	}
	if n < int64(len(p)) {
		return int(n), io.EOF
	}
	return int(n), nil
}

func (o *opened) Close() error { return nil }

// imaging is an image that is being written: a file in an area until it has its name.
type imaging struct {
	area   *area
	target string
	name   string
	node   *node
	keep   bool
	spoils func(string) bool
}

// Image implements platform.Imager. Of an image the fake always keeps the bytes.
func (h *Host) Image(t platform.Target, o platform.ImageOptions) (platform.Image, error) {
	if o.Size > t.Volume.Free {
		return nil, treeError("make an image in", t.Path, platform.ErrNoSpace)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.serial++
	m := &imaging{area: &area{host: h, path: t.Path}, target: t.Path, name: fmt.Sprintf("image-%d", h.serial), node: &node{}, spoils: h.opt.Spoils}
	if o.Keep != "" {
		m.name, m.keep = o.Keep, true
	}
	h.trees[t.Path+"/"+m.name] = m.node
	return m, nil
}

func (m *imaging) Write(p []byte) (int, error) {
	if err := m.area.put(m.node, int64(len(p))); err != nil {
		return 0, err
	}
	m.node.bytes = append(m.node.bytes, p...)
	return len(p), nil
}

func (m *imaging) Flush() error {
	if m.spoils != nil && m.spoils(m.name) {
		m.node.bytes[len(m.node.bytes)/2] ^= 1
	}
	return m.area.Flush(nil)
}

func (m *imaging) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, m.node.bytes[off:])
	m.area.host.carry(platform.Read, int64(n))
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (m *imaging) Finish(name string) error {
	h := m.area.host
	h.mu.Lock()
	defer h.mu.Unlock()
	to := m.target + "/" + name
	if h.trees[to] != nil {
		return treeError("name an image", to, platform.ErrNotOurs)
	}
	if top := path.Dir(name); top != "." {
		h.trees[m.target+"/"+top] = &node{folder: true}
	}
	delete(h.trees, m.target+"/"+m.name)
	h.trees[to] = m.node
	return nil
}

func (m *imaging) Close() error {
	if !m.keep {
		m.area.remove(m.target + "/" + m.name)
	}
	return nil
}

// Images are the images that are there, by their names below a folder.
func (h *Host) Images(folder string) map[string][]byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := map[string][]byte{}
	for name, n := range h.trees {
		if rest, ok := strings.CutPrefix(name, folder+"/"); ok && !n.folder {
			out[rest] = n.bytes
		}
	}
	return out
}

// SlowFault is a fault of a drive that tries for a while before it gives up.
func SlowFault(object string, took time.Duration) error {
	time.Sleep(took)
	return treeError("read", object, platform.ErrIO)
}
