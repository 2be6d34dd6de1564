package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cachecliff/app/export"
	"cachecliff/app/format"
	"cachecliff/app/pngrun"
	"cachecliff/app/words"
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
	form, out, data, dark, w := "", "", "", false, english
	return verb{
		name: "export", args: "ID|CODE|latest|FILE", about: "write a result as text, table, post, report, chart or picture",
		notes: "csv has a line for each sample, csv-loops one for each loop, csv-files one for each file of a fill, csv-drives one\n" +
			"for each look at a drive's counters and temperature; json is the stored form without serial numbers. md is a post for\n" +
			"GitHub or Discourse, bbcode one for any board, bbcode-table one with real tables for XenForo and vBulletin. html is a\n" +
			"report in one file, svg the charts. png is a card for forums, and the run travels inside it: show FILE.png opens it.\n" +
			"None of them has serial numbers; posts, html, svg and png have no names of folders and computers either. They end with\n" +
			"the run code, by which show CODE and results CODE find the run again. Without --format the ending of FILE decides,\n" +
			"else it is text (txt).",
		options: []option{
			{name: "format", arg: "FORMAT", help: formatNames(), set: func(v string) error {
				form = v
				if _, ok := export.ByID(v); !ok && v != picture {
					return errors.New(formatNames())
				}
				return nil
			}},
			stringTo(&out, "out", "FILE", "the file to write, instead of standard output"), languageTo(&w),
			flagTo(&dark, "dark", "svg and png on a dark background"), dataOption(&data),
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
				return c.writeIn(c.stdout, form, r, w, dark)
			}
			if out == "" {
				return c.writeIn(c.rawOut, form, r, w, dark)
			}
			var b bytes.Buffer
			if err := c.writeIn(&b, form, r, w, dark); err != nil {
				return err
			}
			return writeFile(out, b.Bytes())
		},
	}
}

// languageTo is the option for the language of what others read.
func languageTo(p **words.Words) option {
	return option{name: "lang", arg: "LANG", help: "en or de: the language of md, bbcode, html, svg and png", set: func(v string) error {
		if !slices.Contains(words.Languages(), v) {
			return errors.New(strings.Join(words.Languages(), " or "))
		}
		*p = words.New(v)
		return nil
	}}
}

// formatOf is the format that a file's name asks for: text if no other does.
func formatOf(name string) string {
	form := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	if _, ok := export.ByID(form); ok || form == picture {
		return form
	}
	return "text"
}

// writeText writes a result as text.
func writeText(w io.Writer, r bench.Result) error {
	if r.Plan.Profile.Copying != nil {
		return writeCopy(w, r)
	}
	f, _ := export.ByID("text")
	return export.Write(w, f, r, export.Options{Zone: time.Local})
}

// writeIn writes a result in a format and a language. The run travels inside a picture, unless it is too long.
func (c *cli) writeIn(to io.Writer, form string, r bench.Result, w *words.Words, dark bool) error {
	switch f, ok := export.ByID(form); {
	case ok && f.ID == "text":
		return writeText(to, r)
	case ok:
		return export.Write(to, f, r, export.Options{Zone: time.Local, Words: w, Dark: dark})
	}
	l := format.EN
	if w.Lang() == words.German {
		l = format.DE
	}
	var b bytes.Buffer
	if err := card.Write(&b, &r, card.Options{Words: w, Locale: l, Unit: bench.UnitMBs, Dark: dark}); err != nil {
		return err
	}
	picture, inside, err := pngrun.Add(b.Bytes(), r)
	if err != nil {
		return err
	}
	if !inside {
		c.note("The run is too long to travel inside the picture; json keeps all of it.")
	}
	_, err = to.Write(picture)
	return err
}
