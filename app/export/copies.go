package export

import (
	"fmt"
	"strings"

	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/reference"
)

// copyGrids are the copies of a test of copies, each with the rate until all was safe and the one that a progress bar
// shows.
func (t *teller) copyGrids() []grid {
	level := t.level("")
	g := grid{Caption: t.w.T("report.copies"), Head: []string{
		t.w.T("report.copy"), t.w.T("report.safe"), t.w.T("report.bar"), t.w.T("report.files"), t.w.T("report.took"),
	}}
	for _, p := range t.r.CopyPasses() {
		row := []cell{{Text: fmt.Sprint(p.Loop)}, {Text: format.Unknown}, {Text: format.Unknown}, {Text: format.Unknown}, {Text: format.Unknown}}
		if p.Whole {
			row[3].Text, row[4].Text = format.Integer(int64(p.Files), t.l), format.Duration(p.Took, t.l)
		}
		if p.Whole && !p.Cloned { // what was not copied has no rate
			row[1] = cell{Text: format.MBPerSecond.Value(p.Rate(), t.l), Level: level}
			row[2] = cell{Text: format.MBPerSecond.Value(p.Shown(), t.l), Level: level, Quiet: true}
		}
		g.Rows = append(g.Rows, row)
	}
	return []grid{g}
}

// verdict says what the run means: what a fill or a test of the temperature showed, and where the drive stands among the drives that come with the
// program. Drives that only this computer has are not looked at, so that a post is the same everywhere.
func (t *teller) verdict() (string, error) {
	all, err := reference.Shipped()
	if err != nil {
		return "", err
	}
	parts := explain.Verdict(t.w, t.r, all)
	for _, found := range []string{explain.Fill(t.w, t.r), explain.Thermal(t.w, t.r)} {
		if found != "" {
			parts = append([]string{found}, parts...)
		}
	}
	return strings.Join(parts, " "), nil
}
