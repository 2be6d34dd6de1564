package recording

import (
	"strings"
	"testing"

	"cachecliff/app/format"
	"cachecliff/app/words"
)

func TestStack(t *testing.T) {
	for _, lang := range words.Languages() {
		w := words.New(lang)
		trend := NewTrend(testHeader())
		if _, err := trend.Stack(Look{Words: w}).Render(400, 300, 1); err != nil {
			t.Fatalf("nothing: %v", err)
		}
		for _, s := range testSamples(12) {
			trend.Add(s)
		}
		s := trend.Stack(Look{Words: w, Locale: format.DE, Title: true})
		if len(s.Charts) != 7 {
			t.Fatalf("%d panels", len(s.Charts))
		}
		var labels []string
		for i, c := range s.Charts {
			labels = append(labels, c.YLabel)
			if c.XRange.Max != 1.1 || !c.Time || len(c.Marks) != 2 || (c.Marks[0].Label != "") != (i == 0) {
				t.Errorf("panel %s: until %v, marks %+v", c.YLabel, c.XRange.Max, c.Marks)
			}
			if want := []int{4, 4, 4, 2, 2, 2, 1}[i]; len(c.Series) != want {
				t.Errorf("panel %s has %d curves, not %d", c.YLabel, len(c.Series), want)
			}
		}
		if all := strings.Join(labels, " "); strings.Contains(all, "monitor.") {
			t.Errorf("panels without words: %s", all)
		}
		first := s.Charts[0]
		if !strings.HasPrefix(first.Title, "nvme0n1 (Crucial P5) + sda (Stick) · 2026-01-02 03:04:05 · 1,1") || !first.Legend {
			t.Errorf("title %q", first.Title)
		}
		if m := first.Marks; m[0].X != .4 || m[1].X != .8 || !strings.HasPrefix(m[1].Label, "sda: ") {
			t.Errorf("marks %+v", m)
		}
		if r := first.Series; r[0].Color != r[1].Color || !r[1].Marks || r[0].Color == r[2].Color {
			t.Errorf("the drives cannot be told apart: %+v", r)
		}
		img, err := s.Render(800, 1000, 1)
		if err != nil || img.Bounds().Dy() != 1000 {
			t.Errorf("no picture: %v", err)
		}
	}
}

// One drive has a colour for reads and one for writes, and no panel for a temperature that is not known.
func TestStackOfOneDrive(t *testing.T) {
	h := testHeader()
	h.Drives = h.Drives[1:]
	trend := NewTrend(h)
	for _, s := range testSamples(12) {
		s.Drives = s.Drives[1:]
		trend.Add(s)
	}
	s := trend.Stack(Look{Words: words.New(words.English)})
	if len(s.Charts) != 6 {
		t.Fatalf("%d panels", len(s.Charts))
	}
	if r := s.Charts[0].Series; r[0].Name != "Read" || r[1].Name != "Write" || r[0].Color == r[1].Color {
		t.Errorf("curves %+v", r)
	}
}
