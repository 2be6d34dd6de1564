package fillchart

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"strings"
	"testing"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/plot"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/bench/stages"
	"cachecliff/platform"
)

// steady is a pass of samples of half a second at rates in MB/s.
func steady(rates ...float64) []stages.Point {
	var out []stages.Point
	for _, r := range rates {
		out = append(out, stages.Point{Bytes: int64(r * 1e6 / 2), Took: time.Second / 2})
	}
	return out
}

func TestReduce(t *testing.T) {
	inGB := Scale{PerByte: 1e-9}
	ten := steady(1000, 1000, 1000, 1000, 200, 1000, 1000, 1000, 1000, 1000)
	for _, c := range []struct {
		name    string
		points  []stages.Point
		lo, hi  float64
		columns int
		want    string
	}{
		{"nothing", nil, 0, 10, 100, ""},
		{"no range", ten, 3, 3, 100, ""},
		{"a point for each sample", steady(1000, 500), 0, 0.75, 100, "0.250:1000 0.625:500"},
		{"one column", steady(1000, 500), 0, 0.75, 1, "0.375:750(500-1000)"},
		{"a stall is seen and counts", []stages.Point{{Bytes: 1e9, Took: time.Second}, {Took: time.Second}}, 0, 1, 1, "0.500:500(0-1000)"},
		{"a sample without a length is none", []stages.Point{{Bytes: 5e8}, {Bytes: 5e8, Took: time.Second}}, 0, 1, 10, "0.750:500"},
		{"a part, with a neighbour on each side", ten, 0.9, 1.6, 100, "0.750:1000 1.250:1000 1.750:1000"},
		{"a dip in a column", ten, 0, 4.6, 2, "1.050:840(200-1000) 3.350:1000(1000-1000)"},
	} {
		var got []string
		l := Reduce(c.points, inGB, c.lo, c.hi, c.columns)
		for i := range l.X {
			s := fmt.Sprintf("%.3f:%.0f", l.X[i], l.Mean[i]/1e6)
			if l.Merged {
				s += fmt.Sprintf("(%.0f-%.0f)", l.Lo[i]/1e6, l.Hi[i]/1e6)
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// long is a fill of 4 TB: half a second a sample, at 1,000 and then 100 MB/s with noise.
func long(samples int) []stages.Point {
	out := make([]stages.Point, samples)
	for i := range out {
		rate := 1000e6
		if i > samples/10 {
			rate = 100e6
		}
		out[i] = stages.Point{Bytes: int64(rate * (0.5 + 0.1*math.Sin(float64(i)*1.7))), Took: time.Second / 2}
	}
	return out
}

// What is drawn is bounded by the columns, however long the run, and all its bytes and times are in it.
func TestReduceIsBounded(t *testing.T) {
	for _, samples := range []int{1, 1000, 80_000} {
		points := long(samples)
		var total int64
		for _, p := range points {
			total += p.Bytes
		}
		l := Reduce(points, Scale{PerByte: 1e-9}, 0, float64(total)/1e9, 500)
		if len(l.X) > 502 {
			t.Errorf("%d samples: %d points", samples, len(l.X))
		}
		lowest, highest := math.Inf(1), 0.0
		for _, p := range points {
			rate := float64(p.Bytes) / p.Took.Seconds()
			lowest, highest = math.Min(lowest, rate), math.Max(highest, rate)
		}
		lo, hi := math.Inf(1), 0.0
		for i := range l.X {
			lo, hi = math.Min(lo, l.Lo[i]), math.Max(hi, l.Hi[i])
			if l.Mean[i] < l.Lo[i]-1 || l.Mean[i] > l.Hi[i]+1 {
				t.Fatalf("mean %v outside %v to %v", l.Mean[i], l.Lo[i], l.Hi[i])
			}
		}
		if lo != lowest || hi != highest {
			t.Errorf("%d samples: %v to %v, want %v to %v", samples, lo, hi, lowest, highest)
		}
	}
}

func BenchmarkReduce4TB(b *testing.B) {
	points := long(80_000)
	b.ReportAllocs()
	for b.Loop() {
		Reduce(points, Scale{PerByte: 1e-9}, 0, 8000, 1000)
	}
}

func BenchmarkDraw4TB(b *testing.B) {
	s := source(80_000)
	for b.Loop() {
		c := s.Draw(Look{Words: words.New("en"), Locale: format.EN, Columns: 1000}).Chart
		if _, err := plot.Render(c, 1000, 360, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind4TB(b *testing.B) {
	points := long(80_000)
	for b.Loop() {
		stages.Find(points)
	}
}

// source is a run of one pass.
func source(samples int) *Source {
	points := long(samples)
	return &Source{passes: []bench.FillPass{{Loop: 1, Pass: 1, Points: points, Found: stages.Find(points)}}, volume: platform.Volume{Size: 4e12}, loops: 1}
}

// three is a run of three passes of a drive with caches of 100, 40 and 20 GB.
func three(loops int) *Source {
	s := &Source{volume: platform.Volume{Size: 1000e9}, loops: loops}
	for loop := range loops {
		for pass, cache := range []float64{100, 40, 20} {
			var points []stages.Point
			for at := 0.0; at < 200; at++ {
				rate := 2000.0
				if at >= cache {
					rate = 400
				}
				points = append(points, stages.Point{Bytes: 1e9, Took: time.Duration(1000 / rate * float64(time.Second))})
			}
			s.passes = append(s.passes, bench.FillPass{
				Loop: loop + 1, Pass: pass + 1, Start: []float64{0, .5, .8}[pass], Points: points, Found: stages.Find(points), Whole: true,
			})
		}
	}
	return s
}

func look() Look { return Look{Words: words.New("en"), Locale: format.EN, Columns: 800} }

func plain(s string) string { return strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(s) }

func labels(c plot.Chart) string {
	var out []string
	for _, m := range c.Marks {
		out = append(out, plain(fmt.Sprintf("%s @%.0f", m.Label, m.X)))
	}
	return strings.Join(out, ", ")
}

func TestBordersAreNamed(t *testing.T) {
	one := three(1)
	one.passes = one.passes[:1]
	dirty := three(1)
	dirty.passes[1].Dirty = true
	level := look()
	level.Level = true
	zoomed := look()
	zoomed.Zoom = plot.Range{Min: 30, Max: 50}
	for _, c := range []struct {
		name string
		s    *Source
		l    Look
		want string
	}{
		{"one pass", one, look(), "cache 100 GB @100"},
		{"three", three(1), look(), "from 0 %: cache 100 GB @100, from 50 %: cache 40 GB @40, from 80 %: cache 20 GB @20"},
		{"not trimmed", dirty, look(), "from 0 %: cache 100 GB @100, from 80 %: cache 20 GB @20"},
		{"over the fill level", three(1), level, "from 0 %: cache 100 GB @10, from 50 %: cache 40 GB @54, from 80 %: cache 20 GB @82"},
		{"a part", three(1), zoomed, "from 50 %: cache 40 GB @40"},
	} {
		if got := labels(c.s.Draw(c.l).Chart); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Passes that began at the same level are told apart.
func TestPassesOfOneLevel(t *testing.T) {
	s := three(1)
	for i := range s.passes {
		s.passes[i].Start = 0.21 + float64(i)/10000
	}
	if got, want := labels(s.Draw(look()).Chart), "pass 1: cache 100 GB @100, pass 2: cache 40 GB @40, pass 3: cache 20 GB @20"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestBordersOfOtherCauses(t *testing.T) {
	s := three(1)
	s.passes = s.passes[:1]
	s.passes[0].Found.Borders = []stages.Border{
		{At: 10e9, Cause: stages.CauseHeat}, {At: 20e9, Cause: stages.CauseNone}, {At: 30e9, Cause: stages.CauseUnknown},
		{At: 40e9, Cause: stages.CauseCache}, {At: 60e9, Cause: stages.CauseCache},
	}
	if got, want := labels(s.Draw(look()).Chart), "heat, 10 GB @10, drop, 30 GB @30, cache 40 GB @40, 60 GB @60"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	part := look()
	part.Zoom = plot.Range{Min: 50, Max: 70}
	if got, want := labels(s.Draw(part).Chart), "60 GB @60"; got != want {
		t.Errorf("a part without the end of the cache: %s, want %s", got, want)
	}
	s.passes = append(s.passes[:1:1], s.passes[0])
	s.passes[1].Pass, s.passes[1].Start = 2, .5
	if got := labels(s.Draw(look()).Chart); !strings.HasSuffix(got, ", from 50 %: cache 40 GB @40,  @60") {
		t.Errorf("of a second pass: %s", got)
	}
	s.passes = s.passes[:1]
	live := look()
	live.Live = true
	if got, want := labels(s.Draw(live).Chart), "cache 40 GB @40"; got != want {
		t.Errorf("live: %s, want %s", got, want)
	}
}

// No two lines of a run look the same, also to who does not see colours: passes by dash, repeats by name.
func TestLinesDiffer(t *testing.T) {
	for _, dark := range []bool{true, false} {
		l := look()
		l.Dark = dark
		seen := map[string]bool{}
		for _, s := range three(4).Draw(l).Chart.Series {
			seen[fmt.Sprint(s.Color)] = true
			seen[s.Tag] = true
			seen[fmt.Sprint("dash", s.Dash)] = true
		}
		if len(seen) != 12+12+3 {
			t.Errorf("dark %v: %d looks, want 12 colours, 12 names, 3 dashes: %v", dark, len(seen), seen)
		}
	}
}

func TestRead(t *testing.T) {
	p := three(1).Draw(look())
	var got []string
	for _, r := range p.Read(50.5, format.EN) {
		got = append(got, plain(r.Name+" "+r.Text))
	}
	if s, want := strings.Join(got, ", "), "from 0 % 2 000 MB/s, from 50 % 400.0 MB/s, from 80 % 400.0 MB/s"; s != want {
		t.Errorf("%s, want %s", s, want)
	}
	sparse := Reduce(steady(1000, 1000, 500), Scale{PerByte: 1e-9}, 0, 1.25, 100)
	if i, ok := sparse.near(0.9, 0.01); !ok || i != 1 {
		t.Errorf("between two points far from each other: %d, %v", i, ok)
	}
	if r := p.Read(900, format.EN); len(r) > 0 {
		t.Errorf("beyond the end: %v", r)
	}
}

// A run that goes on has an axis that is longer than what there is, but never twice as long.
func TestRoundUp(t *testing.T) {
	for v := 1e-3; v < 1e6; v *= 1.013 {
		if got := RoundUp(v); got < v || got > 1.6*v {
			t.Fatalf("%v: %v", v, got)
		}
	}
	if got := RoundUp(0); got != 0 {
		t.Errorf("0: %v", got)
	}
}

func TestPictures(t *testing.T) {
	l := look()
	l.Title = "Crucial P5 2 TB"
	data, err := three(1).PNG(l)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil || img.Bounds().Dx() != 1200 || img.Bounds().Dy() != 600 {
		t.Errorf("%v, %v", img.Bounds(), err)
	}
	svg, err := three(1).SVG(l)
	if err != nil || !bytes.Contains(svg, []byte("Crucial P5 2 TB")) || !bytes.Contains(svg, []byte("cache")) {
		t.Errorf("%v: %.200s", err, svg)
	}
	empty := &Source{loops: 1}
	if _, err := empty.PNG(l); err != nil {
		t.Errorf("nothing yet: %v", err)
	}
}
