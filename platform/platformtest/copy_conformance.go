package platformtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"cachecliff/platform"
)

// CopyOptions say what the suite for copies can expect.
type CopyOptions struct {
	NoDirect  bool // the file system has no direct I/O
	NoExtents bool // the file system does not tell extents
	Clones    bool // the file system shares blocks between files
	// Engines are the calls that may make a copy in the usual way; none means any.
	Engines []platform.CopyEngine
}

// CopyConformance checks what platform.Copier and platform.Area promise, in an area that it makes in the target.
// A host that does not keep what is written fails it.
func CopyConformance(t *testing.T, h platform.Copier, target platform.Target, o CopyOptions) {
	a, err := h.Area(target)
	if err != nil {
		t.Fatal(err)
	}
	c := &copyCheck{h: h, a: a, o: o}
	c.write(t)
	for _, way := range platform.CopyWays() {
		c.copies(t, way)
	}
	c.refuses(t)
	c.stops(t)
	c.lists(t)
	if err := a.Remove("s"); err != nil {
		t.Error(err)
	}
	if _, err := h.Read(c.at("s/odd")); !errors.Is(err, platform.ErrNotExist) {
		t.Errorf("a file that was removed: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := h.List(a.Path()); !errors.Is(err, platform.ErrNotExist) {
		t.Errorf("the area is there after Close: %v", err)
	}
}

type copyCheck struct {
	h platform.Copier
	a platform.Area
	o CopyOptions
}

// copySizes are of files that end in and between all kinds of blocks.
var copySizes = map[string]int{"s/empty": 0, "s/one": 1, "s/odd": 4097, "s/block": 4096, "s/in/large": 3<<20 + 513, "s/in/ein größerer": 1 << 20}

func (c *copyCheck) at(name string) string {
	return filepath.Join(c.a.Path(), filepath.FromSlash(name))
}

// content is what stands in a file of the suite.
func content(size int) []byte {
	b := make([]byte, size)
	r := rand.NewChaCha8([32]byte{byte(size)})
	_, _ = r.Read(b) // never fails
	return b
}

func (c *copyCheck) write(t *testing.T) {
	t.Helper()
	for _, f := range []string{"s", "s/in"} {
		if err := c.a.Folder(f); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for name, size := range copySizes {
		w, err := c.a.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Write(content(size))
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := c.a.Flush(names); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := c.h.Drop(c.at(name)); err != nil && !errors.Is(err, platform.ErrUnsupported) {
			t.Error(err)
		}
	}
}

// copies copies all files one way and looks at them.
func (c *copyCheck) copies(t *testing.T, way platform.CopyWay) {
	t.Helper()
	folder := "to-" + string(way)
	if err := errors.Join(c.a.Folder(folder), c.a.Folder(folder+"/in")); err != nil {
		t.Fatal(err)
	}
	var names []string
	for from, size := range copySizes {
		name := folder + from[1:]
		var sum int64
		engine, err := c.a.Copy(context.Background(), c.at(from), name, way, func(n int64) { sum += n })
		if way == platform.CopyDirect && c.o.NoDirect && errors.Is(err, platform.ErrNoDirectIO) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", way, err)
		}
		if sum != int64(size) || engine == "" {
			t.Errorf("%s: %d bytes told of %d, engine %q", way, sum, size, engine)
		}
		if way == platform.CopyManager && !c.may(engine) {
			t.Errorf("%s: copied by %s, not by one of %v", way, engine, c.o.Engines)
		}
		names = append(names, name)
	}
	if err := c.a.Flush(names); err != nil {
		t.Fatal(err)
	}
	for from, size := range copySizes {
		c.same(t, folder+from[1:], size)
	}
	c.shares(t, folder+"/in/large", way)
}

func (c *copyCheck) may(e platform.CopyEngine) bool {
	for _, x := range c.o.Engines {
		if x == e {
			return true
		}
	}
	return len(c.o.Engines) == 0
}

func (c *copyCheck) same(t *testing.T, name string, size int) {
	t.Helper()
	r, err := c.h.Read(c.at(name))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err := errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, content(size)) {
		t.Errorf("%s: the copy has other bytes: %d of %d", name, len(got), size)
	}
}

// shares looks at whose blocks a copy has.
func (c *copyCheck) shares(t *testing.T, name string, way platform.CopyWay) {
	t.Helper()
	l, err := c.h.LayoutOf(c.at(name))
	if c.o.NoExtents && errors.Is(err, platform.ErrUnsupported) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	size := int64(copySizes["s/in/large"])
	if want := c.o.Clones && way == platform.CopyClone; want != (l.Shared >= size/2) || !want && l.Shared != 0 {
		t.Errorf("%s: %d of %d bytes are shared with another file", way, l.Shared, size)
	}
}

// refuses: what is there is not written over, and what is not there is not copied.
func (c *copyCheck) refuses(t *testing.T) {
	t.Helper()
	none := func(int64) {}
	ctx := context.Background()
	if _, err := c.a.Copy(ctx, c.at("s/odd"), "s/one", platform.CopyManager, none); err == nil {
		t.Error("a file was written over")
	}
	c.same(t, "s/one", 1)
	if _, err := c.a.Create("s/one"); err == nil {
		t.Error("a file was made twice")
	}
	if _, err := c.a.Copy(ctx, c.at("s/none"), "x", platform.CopyManager, none); !errors.Is(err, platform.ErrNotExist) {
		t.Errorf("a source that is not there: %v", err)
	}
	if _, err := c.a.Copy(ctx, c.at("s/in"), "y", platform.CopyManager, none); err == nil {
		t.Error("a folder was copied as a file")
	}
}

// stops: after the end of its context nothing is copied.
func (c *copyCheck) stops(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var sum int64
	for _, way := range []platform.CopyWay{platform.CopyManager, platform.CopyDirect} {
		_, err := c.a.Copy(ctx, c.at("s/in/large"), "stopped-"+string(way), way, func(n int64) { sum += n })
		if way == platform.CopyDirect && c.o.NoDirect && errors.Is(err, platform.ErrNoDirectIO) {
			continue
		}
		if !errors.Is(err, context.Canceled) || sum > 0 {
			t.Errorf("%s, stopped: %v, %d bytes", way, err, sum)
		}
	}
}

func (c *copyCheck) lists(t *testing.T) {
	t.Helper()
	entries, err := c.h.List(c.at("s"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"block", "empty", "in", "odd", "one"}
	if len(entries) != len(want) {
		t.Fatalf("%d entries: %+v", len(entries), entries)
	}
	for i, e := range entries {
		kind := platform.EntryFile
		if want[i] == "in" {
			kind = platform.EntryFolder
		}
		if e.Name != want[i] || e.Kind != kind || e.Err != nil || kind == platform.EntryFile && e.Size != int64(copySizes["s/"+e.Name]) {
			t.Errorf("entry %d is %+v, want %s", i, e, want[i])
		}
	}
	if _, err := c.h.List(c.at("nowhere")); !errors.Is(err, platform.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
