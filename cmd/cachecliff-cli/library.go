package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cachecliff/app/format"
	"cachecliff/app/pngrun"
	"cachecliff/app/safefile"
	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
)

// dataOption is the option that names the folder of results.
func dataOption(p *string) option {
	return stringTo(p, "data", "DIR", "the folder in which results are kept, if not the usual one")
}

// library opens the store in a data folder, the usual one if dir is empty, and saves what is left of runs
// whose process died.
func (c *cli) library(dir string) (*store.Store, error) {
	if dir == "" {
		folders, err := c.host.Folders()
		if errors.Is(err, platform.ErrNotExist) {
			return nil, failf("There is no home folder to keep results in; name a folder for them with --data DIR.")
		}
		if err != nil {
			return nil, err
		}
		dir = folders.Data
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, safefile.Fault("find", dir, err)
	}
	if file := fileOnTheWay(dir); file != "" {
		return nil, failf("%s is a file and not a folder; name a folder for the results with --data DIR.", file)
	}
	s := store.New(dir, c.locks)
	s.FindDrives(func(folder string) []platform.Drive {
		t, err := c.host.Resolve(context.Background(), folder)
		if err != nil {
			return nil // then the journal is not flushed: a power cut costs half a minute instead of a second
		}
		return t.Drives
	})
	ids, err := s.Recover()
	for _, id := range ids {
		c.note("A run was interrupted; what was measured until then is kept as %s.", id)
	}
	if err != nil { // what cannot be brought back must not stand in the way of the rest
		c.note("%s", sentence(err))
	}
	return s, nil
}

// note tells the user something beside the output, in one line.
func (c *cli) note(text string, args ...any) {
	fmt.Fprintln(c.stderr, format.PlainLine(fmt.Sprintf(text, args...)))
}

// latest stands for the newest result where an ID is asked for.
const latest = "latest"

// load gives the result that a user means by the ID, the beginning of it, the run code, "latest", or a file.
func load(s *store.Store, name string) (bench.Result, error) {
	if strings.ContainsRune(name, filepath.Separator) || filepath.Ext(name) == ".json" || isPNG(name) {
		return loadFile(name)
	}
	entries, err := s.List()
	if err != nil {
		return bench.Result{}, err
	}
	var fit []string
	for _, e := range entries {
		if e.ID == name || name == latest && e.Err == nil {
			return s.Load(e.ID)
		}
		if strings.HasPrefix(e.ID, name) {
			fit = append(fit, e.ID)
		}
	}
	switch {
	case name == latest:
		return bench.Result{}, failf("There is no result in %s yet; %s run makes one.", s.Folder(), program)
	case len(fit) == 1:
		return s.Load(fit[0])
	case len(fit) > 1:
		return bench.Result{}, failf("%d results begin with %q, among them %s and %s; give more of the ID.", len(fit), name, fit[0], fit[1])
	}
	if _, err := os.Stat(name); err == nil {
		return loadFile(name)
	}
	found, mistyped := store.ByCode(entries, name)
	switch {
	case len(found) == 1:
		return s.Load(found[0].ID)
	case len(found) > 1:
		return bench.Result{}, failf("%d results have the run code %q, among them %s and %s; give the ID.", len(found), name, found[0].ID, found[1].ID)
	case mistyped:
		return bench.Result{}, failf("%q looks like a run code, but a letter or digit of it is wrong; look at it again.", name)
	}
	return bench.Result{}, failf("There is no result %q in %s; %s results lists them.", name, s.Folder(), program)
}

// loadFile reads a result that stands in a file of its own.
func loadFile(name string) (bench.Result, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return bench.Result{}, failf("%s is a folder; name the file of a result.", name)
	}
	if isPNG(name) {
		return loadPicture(name)
	}
	return store.LoadFile(name)
}

// isPNG says whether a file is a picture by its name.
func isPNG(name string) bool { return strings.EqualFold(filepath.Ext(name), ".png") }

// loadPicture takes the run out of a picture.
func loadPicture(name string) (bench.Result, error) {
	f, err := os.Open(name)
	if err != nil {
		return bench.Result{}, safefile.Fault("open picture", name, err)
	}
	r, err := pngrun.Extract(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return bench.Result{}, &platform.OpError{Op: "open picture", Object: name, Err: err}
	}
	return r, nil
}

// oneResult is the result that a verb's only argument names.
func (c *cli) oneResult(verb, data string, args []string) (bench.Result, error) {
	if len(args) != 1 {
		return bench.Result{}, usagef("%s takes one result: its ID, its run code, %s or a file; %s results lists them.", verb, latest, program)
	}
	s, err := c.library(data)
	if err != nil {
		return bench.Result{}, err
	}
	return load(s, args[0])
}
