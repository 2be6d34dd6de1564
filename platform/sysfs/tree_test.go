package sysfs

import (
	"errors"
	"io/fs"
	"testing"
)

func TestReal(t *testing.T) {
	f := newFixture()
	f.file("a/b/c", "x")
	f.link("l1", "a/b")
	f.link("a/up", "../l1")
	f.link("abs", "/a/b")
	f.link("dead", "nowhere")
	f.link("me", "me")
	f.link("a/top", "/")
	tree := NewTree(f)
	for in, want := range map[string]string{
		"a/b/c": "a/b/c", "l1/c": "a/b/c", "a/up/c": "a/b/c", "abs/c": "a/b/c", "a/top/a/top/l1": "a/b", "a/b/../b": "a/b",
	} {
		if got, err := tree.real(in); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"dead", "a/nope", "a/b/c/d"} {
		if got, err := tree.real(in); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v", in, got, err)
		}
	}
	if got, err := tree.real("me"); err == nil {
		t.Errorf("a link to itself is %q", got)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{"  a  b ": "a b", "a\x00b\xffc": "a b c", "\t": "", "Größe": "Größe"} {
		if got := clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
