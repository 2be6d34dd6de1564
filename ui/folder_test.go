package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cachecliff/app/words"
	"cachecliff/platform"
	"cachecliff/ui/part"
)

// dialogOf opens the folder dialog and finds its parts.
func dialogOf(t *testing.T, b *bed) (path *part.Entry, list *part.List, says func() string) {
	t.Helper()
	b.pickFolder()
	top := b.win.Canvas().Overlays().Top()
	if top == nil {
		t.Fatal("no dialog")
	}
	walk(top, func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *part.Entry:
			path = o
		case *part.List:
			list = o
		}
	})
	return path, list, func() string { return plain(strings.Join(texts(top), "\n")) }
}

func TestFolderCanBeTyped(t *testing.T) {
	b := open(t, nil)
	fast := goodTarget()
	fast.Path = "/mnt/fast"
	b.host.targets = append(b.host.targets, fast)
	b.setLanguage(words.German)
	path, _, says := dialogOf(t, b)
	for _, want := range []string{"Ordner zum Testen", "Abbrechen", "Diesen Ordner nehmen", "/home/anna"} {
		if !strings.Contains(says(), want) {
			t.Errorf("%q is not in the dialog:\n%s", want, says())
		}
	}
	if b.win.Canvas().Focused() != fyne.Focusable(path) {
		t.Error("one has to click before one can type")
	}
	for text, want := range map[string]string{"/gone": "/gone gibt es nicht", "/media/iso": "/media/iso ist ein Abbild"} {
		path.SetText(text)
		b.press(fyne.KeyReturn)
		if !strings.Contains(says(), want) || b.state.Target.Path != "/home/anna" {
			t.Errorf("%s: target %s, the dialog says\n%s", text, b.state.Target.Path, says())
		}
	}
	path.SetText("/mnt/fast")
	b.press(fyne.KeyReturn)
	if b.win.Canvas().Overlays().Top() != nil || b.state.Target.Path != "/mnt/fast" || b.memory.set.Target != "/mnt/fast" {
		t.Errorf("the target is %s, remembered %s", b.state.Target.Path, b.memory.set.Target)
	}
}

func TestFolderCanBeFound(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"deep/er", "data", ".hidden"} {
		if err := os.MkdirAll(filepath.Join(home, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "deed"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	b := open(t, func(d *Deps, b *bed) {
		d.Home = home
		t1 := goodTarget()
		t1.Path = home
		b.host.targets[0] = t1
	})
	path, list, says := dialogOf(t, b)
	if s := says(); !strings.Contains(s, "data\n") || !strings.Contains(s, "deep") || strings.Contains(s, "deed") || strings.Contains(s, "hidden") {
		t.Errorf("listed:\n%s", s)
	}
	list.Select(2)
	if want := filepath.Join(home, "deep"); path.Text != want {
		t.Errorf("went to %q, want %q", path.Text, want)
	}
	list.Select(0)
	if path.Text != home {
		t.Errorf("went back to %q", path.Text)
	}
}

func TestFolderOfAText(t *testing.T) {
	home := t.TempDir()
	d := &folderDialog{w: &Window{Deps: Deps{Home: home}}}
	drive := filepath.VolumeName(home)
	cases := map[string]string{
		"": home, "~": home, " ~/x ": filepath.Join(home, "x"), "x": filepath.Join(home, "x"), home: home,
		"/x": drive + "/x", "~x": filepath.Join(home, "~x"),
	}
	if drive != "" { // a system with drives
		for text, want := range map[string]string{`Q:`: `Q:\`, `Q:x`: `Q:\x`, `q:\x`: `q:\x`, `\\server\share\x`: `\\server\share\x`, `\x`: drive + `\x`} {
			cases[text] = want
		}
	}
	for text, want := range cases {
		if got := d.whole(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestFoldersBelow(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"deep", "data", ".hidden"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "link")
	err := os.Symlink("data", link)
	if err == nil {
		_, err = os.Lstat(link) // Wine says that it has made one
	}
	all := []string{parent, "data", "deep", "link"}
	if err != nil {
		t.Log("no links here:", err)
		all = all[:3]
	}
	for path, want := range map[string][]string{
		dir: all, filepath.Join(dir, "de"): {parent, "deep"},
		filepath.Join(dir, "DE"): {parent, "deep"},
		filepath.Join(dir, ".h"): {parent, ".hidden"}, filepath.Join(dir, "no", "where"): nil,
	} {
		if _, got := foldersBelow(path); !slices.Equal(got, want) {
			t.Errorf("below %s: %q, want %q", path, got, want)
		}
	}
}

// The list of targets shows how full they are now.
func TestTargetsAreLookedAtAnew(t *testing.T) {
	b := open(t, nil)
	b.host.targets[0].Volume.Free = 11e9
	b.PickTarget()
	if s := plain(strings.Join(texts(b.win.Canvas().Overlays().Top()), "\n")); !strings.Contains(s, "11 GB free") || strings.Contains(s, "740") {
		t.Errorf("the list says\n%s", s)
	}
	b.wants(t, "11 GB free")
}

// A notice goes with the next action, belongs to its room, and changes with the language.
func TestNotices(t *testing.T) {
	b := open(t, nil)
	b.runs.view = done(t, "cdm-default")
	b.showView(b.runs.view)
	test.Tap(b.button(t, "Copy text"))
	b.wants(t, "Copied as text")
	b.setLanguage(words.German)
	b.wants(t, "Als Text kopiert")
	b.setLanguage(words.English)
	b.OpenRoom(Results)
	b.lacks(t, "Copied as text")
	b.OpenRoom(Benchmark)
	b.lacks(t, "Copied as text")
	for name, act := range map[string]func(){
		"unit": func() { b.SetUnit("GB/s") }, "targets": b.PickTarget, "stop": b.Stop, "choice": func() { b.Choose(b.state.Run.Choice) },
		"theme": func() { b.setTheme("dark") }, "save again": b.SaveAgain,
	} {
		b.CopyText()
		b.wants(t, "Copied as text")
		act()
		if b.lacks(t, "Copied as text"); t.Failed() {
			t.Fatal(name)
		}
	}
	b.host.targets[0].Refusal = platform.RefusedFull
	b.library.damaged["bad"] = platform.ErrIO
	b.OpenRoom(Results)
	b.Open("bad")
	b.wants(t, "damaged", "Delete")
	b.OpenRoom(Benchmark)
	b.lacks(t, "damaged")
}
