package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"cachecliff/app/explain"
	"cachecliff/app/reference"
	"cachecliff/app/safefile"
	"cachecliff/app/store"
	"cachecliff/platform"
)

// referenceWishes are the options of the verb reference.
type referenceWishes struct {
	json                    bool
	class, label, out, data string
}

func (c *cli) referenceVerb() verb {
	var w referenceWishes
	return verb{
		name: "reference", args: "JOB [WHAT...]",
		about: "drives to compare with: shipped ones, and runs and files of your own",
		notes: "list            the drives, and how many values of each are measured and rated\n" +
			"show ID         all values of a drive, with their sources and conditions\n" +
			"add RESULT      makes a run of yours a reference drive; --label tells several runs of one drive apart\n" +
			"import FILE...  takes over files that export wrote\n" +
			"export ID       writes one\n" +
			"remove ID       deletes one of yours\n" +
			"With --json each line is an object of \"type\" drive.",
		options: []option{
			flagTo(&w.json, "json", "list, show: print JSON"),
			classTo(&w.class, "list: only drives of this class"),
			stringTo(&w.label, "label", "TEXT", "add: what is special about this run, such as \"with heatsink\""),
			stringTo(&w.out, "out", "FILE", "export: the file to write, instead of standard output"),
			dataOption(&w.data),
		},
		run: func(_ context.Context, args []string) error { return c.reference(w, args) },
	}
}

// classTo is the option for a class of drives.
func classTo(p *string, help string) option {
	var names []string
	for _, k := range reference.Classes() {
		names = append(names, string(k))
	}
	all := strings.Join(names, ", ")
	return option{name: "class", arg: "CLASS", help: help + ": " + all, set: func(v string) error {
		if !slices.Contains(names, v) {
			return fmt.Errorf("one of %s", all)
		}
		*p = v
		return nil
	}}
}

// reference does what its first argument says.
func (c *cli) reference(w referenceWishes, args []string) error {
	const what = "reference takes list, show, add, import, export or remove, and then what it is about; %s help reference says more."
	if len(args) == 0 {
		return usagef(what, program)
	}
	job, rest := args[0], args[1:]
	if (job == "list") != (len(rest) == 0) || len(rest) > 1 && job != "import" {
		return usagef(what, program)
	}
	s, err := c.library(w.data)
	if err != nil {
		return err
	}
	l := references(s)
	switch job {
	case "list":
		return c.listReferences(l, w)
	case "show":
		return c.showReference(l, w, rest[0])
	case "add":
		return c.addReference(s, l, w, rest[0])
	case "import":
		return c.importReferences(l, rest)
	case "export":
		return c.exportReference(l, w, rest[0])
	case "remove":
		return c.removeReference(l, rest[0])
	}
	return usagef(what, program)
}

// references are the reference drives beside the results of a store.
func references(s *store.Store) *reference.Library {
	return reference.New(filepath.Dir(s.Folder()))
}

// loadReferences loads all, and tells of files that cannot be used.
func (c *cli) loadReferences(l *reference.Library) ([]reference.Drive, error) {
	all, faults, err := l.Load()
	for _, f := range faults {
		c.note("%s", sentence(f.Err))
	}
	return all, err
}

// findReference gives the drive of an ID.
func (c *cli) findReference(l *reference.Library, id string) (reference.Drive, error) {
	all, err := c.loadReferences(l)
	if err != nil {
		return reference.Drive{}, err
	}
	var ids []string
	for _, d := range all {
		if strings.EqualFold(d.ID, id) {
			return d, nil
		}
		ids = append(ids, d.ID)
	}
	if near := nearest(id, ids); near != "" {
		return reference.Drive{}, failf("There is no reference drive %q; did you mean %s?", id, near)
	}
	return reference.Drive{}, failf("There is no reference drive %q; %s reference list lists them.", id, program)
}

func (c *cli) listReferences(l *reference.Library, w referenceWishes) error {
	all, err := c.loadReferences(l)
	if err != nil {
		return err
	}
	if w.class != "" {
		all = slices.DeleteFunc(all, func(d reference.Drive) bool { return string(d.Class) != w.class })
	}
	if w.json {
		for _, d := range all {
			if err := c.writeJSON("drive", "drive", d); err != nil {
				return err
			}
		}
		return nil
	}
	tw := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "ID\tDRIVE\tCLASS\tMEASURED\tRATED\tFROM")
	for _, d := range all {
		counts := map[reference.Kind]int{}
		for _, v := range d.Values {
			counts[v.Kind]++
		}
		from := "you"
		if d.Shipped {
			from = "shipped"
		}
		fmt.Fprintln(tw, row(d.ID, d.Title(), explain.Class(english, d.Class), strconv.Itoa(counts[reference.Measured]), strconv.Itoa(counts[reference.Rated]), from))
	}
	return tw.Flush()
}

func (c *cli) showReference(l *reference.Library, w referenceWishes, id string) error {
	d, err := c.findReference(l, id)
	if err != nil {
		return err
	}
	if w.json {
		return c.writeJSON("drive", "drive", d)
	}
	fmt.Fprintf(c.stdout, "%s, %s\n", d.Title(), explain.Class(english, d.Class))
	if d.Note != "" {
		fmt.Fprintf(c.stdout, "%s\n", d.Note)
	}
	for _, v := range d.Values {
		s := d.Sources[v.Source]
		number := explain.Value(english, v) + ", " + explain.Kind(english, v.Kind) + loopWords(v)
		fmt.Fprintf(c.stdout, "\n%s: %s\n", explain.Metric(english, v), number)
		fmt.Fprintf(c.stdout, "  %s\n  %s (%s)\n", v.Conditions, s.Title, explain.Quality(english, s.Quality))
		if s.Address != s.Title {
			fmt.Fprintf(c.stdout, "  %s\n", s.Address)
		}
	}
	return nil
}

// loopWords tells the range of a value, and that it is not the drive's.
func loopWords(v reference.Value) string {
	out := ""
	if v.Loops != nil {
		out = fmt.Sprintf(", %s to %s in %d", explain.Amount(english, v.Loops.Lo, v.Unit), explain.Amount(english, v.Loops.Hi, v.Unit), v.Loops.N)
	}
	if v.Invalid {
		out += ", " + explain.Unlike(english, "invalid")
	}
	return out
}

func (c *cli) addReference(s *store.Store, l *reference.Library, w referenceWishes, name string) error {
	r, err := load(s, name)
	if err != nil {
		return err
	}
	d, err := reference.FromResult(&r, w.label)
	if err != nil {
		return err
	}
	if err := l.Add(d); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s is the reference drive %s now.\n", d.Title(), d.ID)
	return nil
}

// importReferences takes over files; one that cannot be does not hold up the others.
func (c *cli) importReferences(l *reference.Library, files []string) error {
	var faults []error
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			faults = append(faults, safefile.Fault("open reference", name, err))
			continue
		}
		d, added, err := l.Import(f)
		if err = errors.Join(err, f.Close()); err != nil {
			faults = append(faults, &platform.OpError{Op: "import reference", Object: name, Err: err})
			continue
		}
		if added {
			fmt.Fprintf(c.stdout, "%s was added as %s.\n", d.Title(), d.ID)
		} else {
			fmt.Fprintf(c.stdout, "%s is there already, as %s.\n", d.Title(), d.ID)
		}
	}
	if len(faults) < 2 {
		return errors.Join(faults...)
	}
	for _, err := range faults {
		c.note("%s", sentence(err))
	}
	return failf("%d of %d files were not imported.", len(faults), len(files))
}

func (c *cli) exportReference(l *reference.Library, w referenceWishes, id string) error {
	d, err := c.findReference(l, id)
	if err != nil {
		return err
	}
	if w.out == "" {
		return reference.Encode(c.rawOut, d)
	}
	var b bytes.Buffer
	if err := reference.Encode(&b, d); err != nil {
		return err
	}
	return writeFile(w.out, b.Bytes())
}

func (c *cli) removeReference(l *reference.Library, id string) error {
	d, err := c.findReference(l, id)
	if err != nil {
		return err
	}
	if d.Shipped {
		return failf("%s is shipped with the program and stays.", d.ID)
	}
	if err := l.Remove(d.ID); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s was removed.\n", d.ID)
	return nil
}
