package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"cachecliff/app/format"
	"cachecliff/app/store"
	"cachecliff/bench"
)

// listedJSON is a result in the list as "results --json" prints it.
type listedJSON struct {
	store.Summary
	Code  string `json:"code"`            // run code
	Fault string `json:"fault,omitempty"` // why it cannot be opened; then only id and at are known
}

func (c *cli) resultsVerb() verb {
	asJSON, data := false, ""
	var tags []string
	return verb{
		name: "results", args: "[TEXT...]", about: "list the results that are kept, the newest first",
		notes: "With TEXT only those in which each word is found: in the run code, ID, drive, folder, test, tag or comment. The run\n" +
			"code is the short name on pictures and in posts. With --json each line is an object of \"type\" summary. One with a\n" +
			"\"fault\" cannot be opened.",
		options: []option{
			{name: "tag", arg: "TAG", help: "only results with this tag; several --tag must all be there", set: func(v string) error {
				tags = append(tags, v)
				return nil
			}},
			flagTo(&asJSON, "json", "print JSON, one object a line"), dataOption(&data),
		},
		run: func(_ context.Context, args []string) error {
			s, err := c.library(data)
			if err != nil {
				return err
			}
			entries, err := s.List()
			if err != nil {
				return err
			}
			if len(tags) > 0 && len(entries) > 0 {
				if entries = store.Tagged(entries, tags); len(entries) == 0 {
					return failf("No result in %s has the tag %q.", s.Folder(), strings.Join(tags, ", "))
				}
			}
			if text := strings.Join(args, " "); text != "" && len(entries) > 0 {
				if entries = store.Find(entries, text); len(entries) == 0 {
					return failf("No result in %s has %q in its run code, ID, drive, folder, test, tag or comment.", s.Folder(), text)
				}
			}
			if asJSON {
				return c.resultsAsJSON(entries)
			}
			c.printResults(s, entries)
			return nil
		},
	}
}

func (c *cli) resultsAsJSON(entries []store.Entry) error {
	for _, e := range entries {
		line := listedJSON{Summary: e.Summary, Code: store.Code(e.ID)}
		if e.Err != nil {
			line.Fault = sentence(e.Err)
		}
		if err := c.writeJSON("summary", "summary", line); err != nil {
			return err
		}
	}
	return nil
}

func (c *cli) printResults(s *store.Store, entries []store.Entry) {
	if len(entries) == 0 {
		fmt.Fprintf(c.stdout, "There is no result in %s yet; %s run makes one.\n", s.Folder(), program)
		return
	}
	tw := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "ID\tCODE\tDATE\tTEST\tFILE\tDRIVE\tRESULT")
	for _, e := range entries {
		cells := []string{e.ID, store.Code(e.ID), e.At.Local().Format("2006-01-02 15:04")}
		if e.Err != nil {
			cells = append(cells, "", "", "", sentence(e.Err))
		} else {
			size := ""
			if e.Size > 0 { // what another program tells may be without
				size = format.FileSize(e.Size, format.EN)
			}
			cells = append(cells, testName(e.Summary), size, driveOf(e.Summary), resultWords(e.Summary))
		}
		fmt.Fprintln(tw, row(cells...))
	}
	tw.Flush()
}

// row is a line of a table. A line end or a tab in a cell would make another one.
func row(cells ...string) string {
	for i, c := range cells {
		cells[i] = format.PlainLine(c)
	}
	return strings.TrimRight(strings.Join(cells, "\t"), "\t")
}

// testName is the ID of a shipped test, and what was typed of another.
func testName(s store.Summary) string {
	if _, ok := bench.ByID(s.Profile); ok {
		return s.Profile
	}
	return s.Title
}

// driveOf is the model, or the folder where there is no drive with a name.
func driveOf(s store.Summary) string {
	if s.Model != "" {
		return s.Model
	}
	return s.Path
}

// resultWords says in short how a run ended and what it measured.
func resultWords(s store.Summary) string {
	var parts []string
	if s.Reason != bench.ReasonDone {
		parts = append(parts, string(s.Reason))
	}
	for _, h := range s.Headlines {
		number := format.MBPerSecond.Text(h.Best, format.EN)
		if h.Invalid {
			number = "invalid"
		}
		parts = append(parts, fmt.Sprintf("%s %s %s", h.Label, h.Direction, number))
	}
	if s.Fill != nil {
		parts = append(parts, cacheWords(*s.Fill))
	}
	if c := s.Copy; c != nil {
		switch {
		case c.Cloned:
			parts = append(parts, "cloned, not copied")
		case c.Invalid:
			parts = append(parts, "invalid")
		default:
			parts = append(parts, format.MBPerSecond.Text(c.Mean, format.EN))
		}
	}
	if len(s.Tags) > 0 {
		parts = append(parts, "["+strings.Join(s.Tags, ", ")+"]")
	}
	if s.Thermal != nil {
		parts = append(parts, warmWords(*s.Thermal))
	}
	if s.Comment != "" {
		parts = append(parts, fmt.Sprintf("%q", s.Comment))
	}
	return strings.Join(parts, ", ")
}

// cacheWords is the size of the write cache in a few words.
func cacheWords(f store.FillSummary) string {
	size := func(n int64) string { return format.Written(n, format.EN) }
	switch {
	case f.Invalid:
		return "invalid"
	case f.Most > 0:
		return fmt.Sprintf("cache %s to %s", size(f.Least), size(f.Most))
	case f.Cache > 0:
		return "cache " + size(f.Cache)
	}
	return "no cliff up to " + size(f.Written)
}
