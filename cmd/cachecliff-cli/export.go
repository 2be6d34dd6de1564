package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"cachecliff/app/export"
	"cachecliff/app/format"
	"cachecliff/bench"
	"cachecliff/ui/card"
)

// picture is the format that package export does not have.
const picture = "png"

// formatNames lists what --format takes.
func formatNames() string {
	var names []string
	for _, f := range export.Formats() {
		names = append(names, f.ID)
	}
	return strings.Join(names, ", ") + " or " + picture
}

func (c *cli) exportVerb() verb {
	form, out, data := "", "", ""
	return verb{
		name: "export", args: "ID|latest|FILE", about: "write a result as text, CSV, JSON or picture",
		notes: "csv has a line for each sample, csv-loops one for each loop, csv-files one for each file of a fill, csv-drives one\n" +
			"for each look at a drive's counters and temperature; json is the stored form without serial numbers; png is a card\n" +
			"for forums. Without --format the ending of FILE decides, else it is text.",
		options: []option{
			{name: "format", arg: "FORMAT", help: formatNames(), set: func(v string) error {
				form = v
				if _, ok := export.ByID(v); !ok && v != picture {
					return errors.New(formatNames())
				}
				return nil
			}},
			stringTo(&out, "out", "FILE", "the file to write, instead of standard output"), dataOption(&data),
		},
		run: func(_ context.Context, args []string) error {
			if form == "" {
				form = formatOf(out)
			}
			if form == picture && out == "" && c.outTTY {
				return usagef("A terminal cannot show a picture; name a file with --out FILE.")
			}
			r, err := c.oneResult("export", data, args)
			if err != nil {
				return err
			}
			if out == "" && c.outTTY {
				return writeAs(c.stdout, form, r)
			}
			if out == "" {
				return writeAs(c.rawOut, form, r)
			}
			var b bytes.Buffer
			if err := writeAs(&b, form, r); err != nil {
				return err
			}
			return writeFile(out, b.Bytes())
		},
	}
}

// formatOf is the format that a file's name asks for: text if no other does.
func formatOf(name string) string {
	form := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	if _, ok := export.ByID(form); ok || form == picture {
		return form
	}
	return "text"
}

// writeAs writes a result in a format.
func writeAs(w io.Writer, form string, r bench.Result) error {
	if r.Plan.Profile.Copying != nil && form == "text" {
		return writeCopy(w, r)
	}
	if f, ok := export.ByID(form); ok {
		return export.Write(w, f, r, export.Options{Zone: time.Local})
	}
	return card.Write(w, &r, card.Options{Words: english, Locale: format.EN, Unit: bench.UnitMBs})
}
