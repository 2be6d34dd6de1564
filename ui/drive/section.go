package drive

import (
	"strings"

	"cachecliff/ui/facts"
	"cachecliff/ui/part"
)

// Section is a part of the page under a heading of its own. What is empty is left out.
type Section struct {
	Title string
	Big   part.Span   // what counts most, in large type
	Lead  []part.Span // sentences above the rows
	Rows  []Row
	Table Table
	Notes []part.Span // sentences below
}

// Row is a fact: what it is and its value.
type Row struct {
	Label, Value string
	Note         string // what there is to say about it, in small type below
	Tone         part.Tone
}

// Table is a table; the first column is at the left, the one with the longest texts takes what width is left,
// and numbers stand at the right.
type Table struct {
	Columns []Column
	Rows    [][]Cell // one cell for each column
}

// Column is the head of a column.
type Column struct {
	Title string
	Right bool // numbers
	Wide  bool // takes the width that is left, of which there is one
}

// Cell is a field of a table.
type Cell struct {
	Text string
	Note string // in small type below
	Tone part.Tone
}

// flat is a text with its note in one line.
func flat(text, note string) string {
	return facts.Join(text, strings.ReplaceAll(note, "\n", facts.Between))
}

// Text is a section as plain text, for copying.
func (s *Section) Text() string {
	var b strings.Builder
	line := func(texts ...string) {
		if t := strings.TrimRight(strings.Join(texts, "\t"), "\t"); t != "" {
			b.WriteString(t + "\n")
		}
	}
	line(s.Title)
	line(s.Big.Text)
	for _, l := range s.Lead {
		line(l.Text)
	}
	for _, r := range s.Rows {
		line(r.Label+":", flat(r.Value, r.Note))
	}
	if len(s.Table.Rows) > 0 {
		var heads []string
		for _, c := range s.Table.Columns {
			heads = append(heads, c.Title)
		}
		line(heads...)
	}
	for _, r := range s.Table.Rows {
		var cells []string
		for _, c := range r {
			cells = append(cells, flat(c.Text, c.Note))
		}
		line(cells...)
	}
	for _, l := range s.Notes {
		line(l.Text)
	}
	return b.String()
}
