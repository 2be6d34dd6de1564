package importer

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// fact reads a line with a name below the table. One that is not known tells nothing that would be taken.
func (r *report) fact(line int, name, value string) error {
	r.tail = true
	if r.seen[name] {
		return refuse(line, "the line %q is there twice", name+":")
	}
	r.seen[name] = true
	switch name {
	case "Profile":
		r.profile = value
	case "Test":
		return r.test(line, value)
	case "Mode":
		r.zeros = r.zeros || strings.Contains(value, "0Fill>")
	case "Time":
		return r.times(line, value)
	case "Date":
		return r.date(line, value)
	case "OS":
		r.os = value
	case "Comment":
		r.comment = value
	case "Target":
		r.place(value)
	}
	return nil
}

var (
	sizeForm     = regexp.MustCompile(`^([0-9]{1,7}) ?(MiB|GiB)\b`)
	loopsForm    = regexp.MustCompile(`\(x([0-9]{1,3})\)`)
	capacityForm = regexp.MustCompile(`\[([A-Za-z]:) ([0-9]{1,3}(?:[.,][0-9])?)% \(([0-9]{1,9}(?:[.,][0-9])?)/([0-9]{1,9}(?:[.,][0-9])?) ?(MiB|GiB)\)\]`)
	intervalForm = regexp.MustCompile(`Interval ?[:=]? ?([0-9]{1,4}) (sec|min)\b`)
	measureForm  = regexp.MustCompile(`Measure ?:? ?([0-9]{1,4}) (sec|min)\b`)
)

// test reads "1 GiB (x5) [C: 50% (100/200GiB)] <0Fill> [Interval: 5 sec]", with its parts in any order and as far as
// they are there.
func (r *report) test(line int, value string) error {
	m := sizeForm.FindStringSubmatch(value)
	x := loopsForm.FindAllStringSubmatch(value, -1)
	if m == nil || len(x) != 1 {
		return refuse(line, "%q does not begin with a size and have the loops as (x5)", value)
	}
	n, err := count(line, "the size", m[1], 1, 1<<22)
	if err != nil {
		return err
	}
	if r.size = int64(n) << map[string]int{"MiB": 20, "GiB": 30}[m[2]]; r.size > bench.MaxFileSize {
		return refuse(line, "a test file of %s %s is too large", m[1], m[2])
	}
	if r.loops, err = count(line, "the number of loops", x[0][1], 1, bench.MaxLoops); err != nil {
		return err
	}
	r.zeros = r.zeros || strings.Contains(value, "0Fill>")
	if c := capacityForm.FindStringSubmatch(value); c != nil {
		if err := r.capacity(line, c); err != nil {
			return err
		}
	}
	return r.times(line, value)
}

// capacity reads the volume of "[C: 50% (100/200GiB)]". Its sizes are rounded to what is printed.
func (r *report) capacity(line int, m []string) error {
	unit := float64(int64(1) << map[string]int{"MiB": 20, "GiB": 30}[m[5]])
	var v [3]float64
	for i, text := range m[2:5] {
		f, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		if err != nil {
			return refuse(line, "%q is not a number", text)
		}
		v[i] = f
	}
	share, used, size := v[0], v[1], v[2]
	// Both sizes and the share are rounded, each by up to half of its last place.
	slack := 0.6
	if size > 0 {
		slack += 100 / size
	}
	if used > size || size > 0 && (share-100*used/size > slack || 100*used/size-share > slack) {
		return refuse(line, "%s of %s %s are not %s %%", m[3], m[4], m[5], m[2])
	}
	r.target.Path = m[1]
	r.target.Volume = platform.Volume{Mount: m[1], Size: int64(size * unit), Used: int64(used * unit), Free: int64((size - used) * unit)}
	return nil
}

// times reads how long a loop and the pause between tests are, as far as they are there.
func (r *report) times(line int, value string) error {
	for _, t := range []struct {
		form *regexp.Regexp
		to   *time.Duration
		most time.Duration
	}{{intervalForm, &r.interval, bench.MaxRest}, {measureForm, &r.measure, bench.MaxTime}} {
		m := t.form.FindStringSubmatch(value)
		if m == nil {
			continue
		}
		n, err := count(line, "a time", m[1], 0, 3600)
		if err != nil {
			return err
		}
		*t.to = time.Duration(n) * map[string]time.Duration{"sec": time.Second, "min": time.Minute}[m[2]]
		if *t.to > t.most {
			return refuse(line, "%s %s is too long", m[1], m[2])
		}
	}
	return nil
}

// date reads "2025/06/19 8:55:53" or the same with dashes. It is in no time zone.
func (r *report) date(line int, value string) error {
	at, err := time.ParseInLocation("2006/1/2 15:04:05", strings.ReplaceAll(value, "-", "/"), r.zone)
	if err != nil || at.Year() < 2007 || at.Year() > 2100 { // the first CrystalDiskMark is of 2007
		return refuse(line, "%q is not a date such as 2025/06/19 8:55:53", value)
	}
	r.at, r.stamp = at, at.Format("20060102T150405")
	return nil
}

var placeForm = regexp.MustCompile(`^(/.*?) [0-9]{1,3}% \(.*?\)(?: \[([^\[\]]{1,80})\])?$`)

// place reads KDiskMark's "/mnt/ssd 63% (300.00/476.00 GiB) [model]". Its sizes are printed as the user's language
// has them and are not taken.
func (r *report) place(value string) {
	m := placeForm.FindStringSubmatch(value)
	if m == nil {
		r.target.Path = value
		return
	}
	r.target.Path = m[1]
	if m[2] != "" {
		r.target.Drives = []platform.Drive{{Key: "drive-1", Model: strings.TrimSpace(m[2])}}
	}
}

// result makes a result of all that was read.
func (r *report) result() (bench.Result, error) {
	title := r.profile
	if title == "" {
		title = "Default"
	}
	p := bench.Profile{ID: "imported", Title: r.kind.program + " " + title, FileSize: r.size, Loops: r.loops, Rest: r.interval}
	for i := range r.rows {
		s := &r.rows[i].spec
		s.Measure = r.measure
		if r.zeros {
			s.Fill = bench.FillZero
		}
		if !addWorkload(&p, *s) {
			return bench.Result{}, refuse(r.rows[i].line, "the same test is in the table twice")
		}
	}
	out := bench.Result{
		Schema: bench.Schema, At: r.at, Comment: r.comment, Plan: bench.Plan{Profile: p, Target: r.target},
		Machine: platform.System{OS: r.os}, Reason: bench.ReasonDone,
		Imported: &bench.Imported{Program: r.kind.program, Version: r.version, Engine: r.engine},
	}
	warn(&out, bench.WarnImported, "", out.Imported.String())
	return out, r.kind.done(r, &out)
}

// addWorkload puts a test into a profile, with its row; false if it is in there already.
func addWorkload(p *bench.Profile, s bench.Spec) bool {
	id := workload(s)
	row := false
	for _, w := range p.Workloads {
		if w.ID == id {
			return false
		}
	}
	for _, have := range p.Rows {
		row = row || have.Shape == s.Shape()
	}
	if !row {
		p.Rows = append(p.Rows, bench.Row{Shape: s.Shape()})
	}
	p.Workloads = append(p.Workloads, bench.Workload{ID: id, Spec: s})
	return true
}

// workload is the ID of a test, as the profiles have it.
func workload(s bench.Spec) string { return bench.AdHoc(s).Workloads[0].ID }

func warn(r *bench.Result, code bench.WarningCode, workload, text string) {
	r.Warnings = append(r.Warnings, bench.Warning{Code: code, Workload: workload, Text: text})
}
