package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"cachecliff/app/importer"
	"cachecliff/app/pngrun"
	"cachecliff/app/safefile"
	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
)

// importedJSON is a file as "import --json" prints it.
type importedJSON struct {
	File    string `json:"file"`
	ID      string `json:"id"`
	Added   bool   `json:"added"`             // it was not here before
	Program string `json:"program,omitempty"` // whose report it is; empty for results of this program
	Version string `json:"version,omitempty"`
}

// readable is what can be imported, for a user whose file cannot.
const readable = "Readable are reports of CrystalDiskMark 6 to 9 and KDiskMark, JSON of fio 3, and results and pictures of this program."

func (c *cli) importVerb() verb {
	asJSON, data := false, ""
	return verb{
		name: "import", args: "FILE...", about: "keep results that stand in files",
		notes: "FILE is a text that CrystalDiskMark 6 to 9 or KDiskMark saved, JSON or JSON+ of fio 3, a result of this program (a file of\n" +
			"its store, an export as json, or what run and show print with --json), or a PNG picture with a run in it; - is standard\n" +
			"input. A file in which a line cannot be right is refused as a whole. What was imported before is left as it is. Results of\n" +
			"other programs are marked as such and not compared with those of this one.",
		options: []option{flagTo(&asJSON, "json", "print JSON, one object a line"), dataOption(&data)},
		run: func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return usagef("import takes one or more files; - is standard input.")
			}
			s, err := c.library(data)
			if err != nil {
				return err
			}
			return c.importAll(ctx, s, args, asJSON)
		},
	}
}

// importAll imports one file after the other. One that cannot be imported does not hold up the others.
func (c *cli) importAll(ctx context.Context, s *store.Store, files []string, asJSON bool) error {
	failed := 0
	for _, file := range files {
		if ctx.Err() != nil {
			return errStopped
		}
		r, added, err := c.importOne(s, file)
		switch {
		case err != nil && len(files) == 1:
			return err
		case err != nil:
			c.note("%s", sentence(err))
			failed++
			continue
		}
		if err := c.tellImported(file, r, added, asJSON); err != nil {
			return err
		}
	}
	if failed > 0 {
		return failf("%d of %d files were not imported.", failed, len(files))
	}
	return nil
}

func (c *cli) importOne(s *store.Store, file string) (bench.Result, bool, error) {
	from := c.stdin
	if file == "-" {
		file = "standard input"
	} else {
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			return bench.Result{}, false, failf("%s is a folder; name the files in it.", file)
		}
		f, err := os.Open(file)
		if err != nil {
			return bench.Result{}, false, safefile.Fault("import", file, err)
		}
		defer f.Close() // it was only read
		from = f
	}
	r, err := importer.Read(from, time.Local)
	if err != nil {
		return r, false, importFault(file, err)
	}
	return s.Add(r)
}

// importFault says why a file cannot be imported.
func importFault(file string, err error) error {
	var syntax *importer.SyntaxError
	switch {
	case errors.Is(err, importer.ErrUnknown):
		return failf("%s cannot be imported: %v. %s", file, err, readable)
	case errors.As(err, &syntax) && syntax.Line > 0:
		return failf("%s is refused since line %d cannot be right: %s.", file, syntax.Line, syntax.Text)
	case errors.As(err, &syntax):
		return failf("%s is refused: %s.", file, syntax.Text)
	case errors.Is(err, pngrun.ErrNoRun):
		return failf("%s has no run in it. Sites that encode pictures anew drop it; ask for the file as it was saved.", file)
	case errors.Is(err, pngrun.ErrDamaged), errors.Is(err, pngrun.ErrTooBig):
		return failf("%s cannot be imported: %v.", file, err)
	}
	return &platform.OpError{Op: "import", Object: file, Err: err}
}

func (c *cli) tellImported(file string, r bench.Result, added, asJSON bool) error {
	out := importedJSON{File: file, ID: r.ID, Added: added}
	what := "a result of Cachecliff"
	if r.Imported != nil {
		out.Program, out.Version = r.Imported.Program, r.Imported.Version
		what = fmt.Sprintf("%s, %d of %d tests have numbers", r.Imported, len(r.Imported.Figures), len(r.Plan.Profile.Workloads))
	}
	if asJSON {
		return c.writeJSON("imported", "imported", out)
	}
	if !added {
		what += "; it was here already"
	}
	_, err := io.WriteString(c.stdout, row(strings.Join([]string{r.ID, what}, ": "))+"\n")
	return err
}
