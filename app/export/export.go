// Package export writes a result for others: as text in the layout that users of CrystalDiskMark know,
// as tables for a spreadsheet, as JSON, as posts in Markdown and BBCode, as a report in HTML and as charts in SVG. It
// draws no pixels. All formats are the same on every computer, and in English where no other language is asked for;
// none has a serial number unless it is asked for. Posts and reports do not name folders and computers either.
package export

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"

	"cachecliff/app/share"
	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

// Format is a way to write a result.
type Format struct {
	ID    string // name on the command line
	Ext   string // end of a file's name, with the dot
	write func(b *bytes.Buffer, r bench.Result, o Options) error
}

// Options are what may be chosen.
type Options struct {
	Zone    *time.Location // of the date in the text; nil is UTC
	Serials bool           // JSON: keep serial numbers and the keys made of them
	Words   *words.Words   // Markdown, BBCode, HTML and SVG: the language; nil is English
	Dark    bool           // SVG: on a dark background
}

// Formats lists all formats.
func Formats() []Format {
	return []Format{
		{"text", ".txt", writeText},
		{"csv", ".csv", writeSamples},
		{"csv-loops", "-loops.csv", writeLoops},
		{"csv-files", "-files.csv", writeFiles},
		{"csv-drives", "-drives.csv", writeDrives},
		{"json", ".json", writeJSON},
		{"md", ".md", writeMarkdown},
		{"bbcode", ".bbcode", writeBBCode},
		{"bbcode-table", "-table.bbcode", writeBBCodeTable},
		{"html", ".html", writeHTML},
		{"svg", ".svg", writeSVG},
	}
}

// aliases are other names of formats: those that the ends of files suggest.
var aliases = map[string]string{"txt": "text", "markdown": "md", "htm": "html"}

// ByID finds a format.
func ByID(id string) (Format, bool) {
	if name, ok := aliases[id]; ok {
		id = name
	}
	all := Formats()
	i := slices.IndexFunc(all, func(f Format) bool { return f.ID == id })
	if i < 0 {
		return Format{}, false
	}
	return all[i], true
}

// FileName is a name for a result's file in a format.
func (f Format) FileName(r bench.Result) string { return "cachecliff-" + r.ID + f.Ext }

// Write writes a result in a format. The error is the writer's.
func Write(w io.Writer, f Format, r bench.Result, o Options) error {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	var b bytes.Buffer
	if err := f.write(&b, r, o); err != nil {
		return fmt.Errorf("export %s: %w", f.ID, err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func writeJSON(b *bytes.Buffer, r bench.Result, o Options) error {
	if !o.Serials {
		r = share.WithoutSerials(r)
	}
	return store.Encode(b, r)
}

// driveName is a drive's model and firmware, or what the system calls it.
func driveName(d platform.Drive) string {
	name := d.Model
	if name == "" {
		name = d.Name
	}
	if d.Firmware != "" {
		name += ", firmware " + d.Firmware
	}
	return name
}
