package card

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/ui/look"
)

// filled is a finished fill test of three passes on a drive whose cache holds 40 GB, then 20 and 10.
func filled(t *testing.T) *bench.Result {
	t.Helper()
	r := result(t, "fill")
	for i, cache := range []int{40, 20, 10} {
		m := bench.Measurement{Step: bench.Step{Kind: bench.StepFill, Loop: 1, Pass: i + 1}}
		for gb := range 150 {
			took := time.Second / 2
			if gb >= cache {
				took = 5 * time.Second / 2
			}
			m.Elapsed += took
			m.Series = append(m.Series, bench.Sample{At: m.Elapsed, Took: took, Write: bench.Tally{Ops: 1000, Bytes: 1e9}})
			m.Moved.WriteBytes += 1e9
		}
		m.Write = bench.Tally{Ops: 150_000, Bytes: m.Moved.WriteBytes}
		if i > 0 {
			freed := int64(150e9)
			r.Measurements = append(r.Measurements, bench.Measurement{
				Step: bench.Step{Kind: bench.StepDelete, Loop: 1, Pass: i + 1}, Freed: &bench.Freed{Files: 15, Bytes: freed, Trimmed: &freed},
			})
		}
		r.Measurements = append(r.Measurements, m)
	}
	return r
}

// The card of a fill test has a chart in place of the table, with its passes in their colours, and keeps its margins.
func TestFillCard(t *testing.T) {
	for _, dark := range []bool{false, true} {
		r := filled(t)
		r.Warnings = []bench.Warning{{Code: bench.WarnNotTrimmed, Value: 1e9, Text: strings.Repeat("because ", 40)}}
		img, err := Draw(r, options(words.German, format.DE, dark))
		if err != nil {
			t.Fatal(err)
		}
		back := color.RGBAModel.Convert(look.Colours(dark).Background)
		seen := map[color.Color]int{}
		inside := image.Rect(margin-2, 16, Width-margin+1, Height-16)
		for y := range Height {
			for x := range Width {
				c := img.At(x, y)
				seen[c]++
				if c != back && !(image.Pt(x, y).In(inside)) {
					t.Fatalf("dark %v: ink at %d, %d", dark, x, y)
				}
			}
		}
		colours := look.Lines(dark)
		for name, i := range map[string]int{"green": 4, "orange": 1, "red": 3} {
			if seen[color.RGBAModel.Convert(colours[i].Colour)] < 100 {
				t.Errorf("dark %v: no %s curve", dark, name)
			}
		}
	}
}

// Also of runs without a byte, and of those that go on, there is a card.
func TestFillCardOfLittle(t *testing.T) {
	r := filled(t)
	o := options(words.English, format.EN, true)
	o.Going = true
	r.Reason = bench.ReasonInterrupted
	if _, err := Draw(r, o); err != nil {
		t.Error(err)
	}
	if got := ending(r, o); !strings.Contains(got, "450") {
		t.Errorf("it goes on: %q", got)
	}
	if _, err := Draw(result(t, "fill"), o); err != nil {
		t.Error(err)
	}
}
