package tree

import (
	"context"
	"errors"
	"path"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"cachecliff/platform"
)

// folders are what a made-up volume holds.
type folders map[string][]platform.Entry

func (f folders) list(name string) ([]platform.Entry, error) {
	if e, ok := f[name]; ok {
		return e, nil
	}
	return nil, &platform.OpError{Op: "look into", Object: name, Reason: platform.ErrPermission}
}

func slash(root, name string) string { return root + "/" + name }

func file(name string, size, stored int64, links int) platform.Entry {
	return platform.Entry{Name: name, Kind: platform.EntryFile, Size: size, Stored: stored, Links: links}
}

func folder(name string, id uint64) platform.Entry {
	return platform.Entry{Name: name, Kind: platform.EntryFolder, ID: platform.FileID{Volume: 1, File: id}}
}

func TestWalk(t *testing.T) {
	long := strings.Repeat("ö", 127) + "x"
	f := folders{
		"/s": {
			folder("a", 2), file("b", 10, 4096, 1), {Name: "link", Kind: platform.EntryLink},
			{Name: "pipe", Kind: platform.EntryOther}, {Name: "lost", Err: &platform.OpError{Reason: platform.ErrIO}},
			folder("locked", 3), file("bad\xff\nname", 5, -1, 1), folder("z", 5),
		},
		"/s/a":    {file(long, 1<<20, 4096, 2), folder("in", 4)},
		"/s/a/in": {file("c", 1, 4096, 1)},
		"/s/z":    {folder("again", 2)},
	}
	got, err := Walk(context.Background(), f.list, slash, "/s", platform.FileID{})
	if err != nil {
		t.Fatal(err)
	}
	want := Found{
		Tree: Tree{
			Folders: []string{"a", "a/in", "z"},
			Files:   []File{{"b", 10}, {"bad\xff\nname", 5}, {"a/" + long, 1 << 20}, {"a/in/c", 1}},
		},
		Links: 1, Shared: 1, Sparse: 1, Missing: 1<<20 - 4096,
		Skipped: Skipped{4, []Skip{
			{"pipe", platform.ErrUnsupported.Error()}, {"lost", platform.ErrIO.Error()},
			{"locked", platform.ErrPermission.Error()}, {"z/again", "a loop of folders"},
		}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("found %+v\nwant  %+v", got, want)
	}
}

func TestWalkEnds(t *testing.T) {
	endless := func(name string) ([]platform.Entry, error) {
		return []platform.Entry{{Name: "d", Kind: platform.EntryFolder}}, nil
	}
	got, err := Walk(context.Background(), endless, slash, "/s", platform.FileID{})
	if err != nil || len(got.Folders) != maxNesting || got.Skipped.Count != 1 {
		t.Errorf("a loop that nothing tells: %d folders, %d left out, error %v", len(got.Folders), got.Skipped.Count, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Walk(ctx, endless, slash, "/s", platform.FileID{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after the end", err)
	}
	if _, err := Walk(context.Background(), folders{}.list, slash, "/s", platform.FileID{}); !errors.Is(err, platform.ErrPermission) {
		t.Errorf("error %v for a root that cannot be read", err)
	}
	f := folders{"/s": {folder("t", 9)}, "/s/t": {}}
	if _, err := Walk(context.Background(), f.list, slash, "/s", platform.FileID{Volume: 1, File: 9}); !errors.Is(err, ErrInside) {
		t.Errorf("error %v for a target inside the source", err)
	}
}

func TestSkipped(t *testing.T) {
	var s Skipped
	for i := range 3 * MaxNamed {
		s.Add(path.Join("x", strconv.Itoa(i)), errors.New("why"))
	}
	if s.Count != 3*MaxNamed || len(s.Named) != MaxNamed {
		t.Errorf("%d counted, %d named", s.Count, len(s.Named))
	}
	s = Skipped{}
	s.Add("Häuser/a\xff\x1b[2J", errors.New("why"))
	if got := s.Named[0].Path; got != `Häuser/a\xff\x1b[2J` {
		t.Errorf("named %s", got)
	}
}
