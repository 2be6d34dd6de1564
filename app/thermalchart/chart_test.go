package thermalchart

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

// sample is a load of ten minutes that warms a drive from 38 °C, with a time constant of a minute, and slows it down
// above 79 °C, near its limit of 82; with so many sensors.
func sample(comment string, top float64, sensors int) *bench.Result {
	p, _ := bench.ByID("thermal-read")
	limit := int32(82_000)
	r := &bench.Result{ID: comment, At: time.Date(2026, 6, 20, 9, 0, 0, 0, time.UTC), Comment: comment, Plan: bench.Plan{Profile: p},
		Before: &bench.Probe{Drives: []bench.DriveProbe{{Drive: "k", Limits: &platform.TempLimits{WarnMilliC: &limit}}}}}
	began := 3 * time.Minute
	read := func(since time.Duration, warm float64) []bench.DriveReading {
		d := bench.DriveReading{Drive: "k", Since: since}
		for i := range sensors {
			d.Temperatures = append(d.Temperatures, platform.Reading{Label: []string{"Composite", "Sensor 1", "Sensor 2"}[i], MilliC: int32(math.Round(warm+float64(i)*4)) * 1000})
		}
		return []bench.DriveReading{d}
	}
	for s := range 180 {
		r.Between = append(r.Between, read(time.Duration(s)*time.Second, 38+8*math.Exp(-float64(s)/40))...)
	}
	m := bench.Measurement{Step: bench.Plan{Profile: p}.Steps()[1], Began: began, Elapsed: 10 * time.Minute}
	warm := 38.0
	slow := false
	for s := range 600 {
		at := time.Duration(s+1) * time.Second
		towards := top
		if slow {
			towards = 38 + (top-38)*0.6
		}
		warm += (towards - warm) / 60
		if warm > 81 {
			slow = true
		} else if warm < 76 {
			slow = false
		}
		rate := 3400e6 * (1 + 0.02*math.Sin(float64(s)*1.7))
		if slow {
			rate *= 0.5
		}
		m.Series = append(m.Series, bench.Sample{At: at, Took: time.Second, Read: bench.Tally{Ops: 1, Bytes: int64(rate)}, Drive: read(began+at, warm)})
	}
	r.Measurements = []bench.Measurement{m}
	return r
}

func look(lang string, dark bool) Look {
	l := Look{Words: words.New(lang), Locale: format.EN, Dark: dark}
	if lang == words.German {
		l.Locale = format.DE
	}
	return l
}

// With PICTURES set to a folder the charts are written there, to be looked at.
func TestPictures(t *testing.T) {
	waiting := sample("", 90, 1)
	waiting.Measurements = nil
	live := sample("", 90, 2)
	live.Measurements[0].Series, live.Measurements[0].Elapsed = live.Measurements[0].Series[:200], 0
	for name, c := range map[string]struct {
		s *Source
		l Look
	}{
		"throttled":  {From(sample("", 92, 3)), look("en", false)},
		"cool-dark":  {From(sample("", 64, 2)), look("de", true)},
		"none":       {From(sample("", 64, 0)), look("de", false)},
		"two":        {From(sample("without heatsink", 92, 3), sample("with heatsink", 64, 3)), look("en", false)},
		"three-dark": {From(sample("ohne Kühlkörper", 92, 2), sample("mit Kühlkörper", 70, 2), sample("mit Lüfter", 58, 1)), look("de", true)},
		"waiting":    {From(waiting), Look{Words: words.New("en"), Locale: format.EN, Live: true}},
		"live":       {From(live), Look{Words: words.New("en"), Locale: format.EN, Live: true}},
	} {
		data, err := c.s.PNG(c.l)
		if err != nil {
			t.Fatal(name, err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds().Dx() != pictureWidth {
			t.Errorf("%s: %v", name, err)
		}
		if dir := os.Getenv("PICTURES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, "chart-"+name+".png"), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// All that there is to tell is in the drawing.
func TestDrawing(t *testing.T) {
	for _, c := range []struct {
		name string
		runs []*bench.Result
		want []string
		not  []string
	}{
		{"throttled", []*bench.Result{sample("", 92, 2)}, []string{"Composite", "Sensor 1", "limit 82", "heat, after", "Time under load", "°C"}, []string{"no temperature"}},
		{"cool", []*bench.Result{sample("", 64, 1)}, []string{"Composite", "limit 82"}, []string{"heat, after"}},
		{"none", []*bench.Result{sample("", 64, 0)}, []string{"no temperature sensor"}, []string{"limit", "°C", "heat, after"}},
		{"two", []*bench.Result{sample("without heatsink", 84, 2), sample("with heatsink", 64, 2)},
			[]string{"without heatsink", "with heatsink", "with heatsink stays 17", "64", "81"}, []string{"Sensor 1"}},
		{"nothing", []*bench.Result{{}}, []string{"appear here"}, []string{"no temperature"}},
	} {
		data, err := From(c.runs...).SVG(look("en", false))
		if err != nil {
			t.Fatal(c.name, err)
		}
		svg := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(string(data))
		for _, text := range c.want {
			if !strings.Contains(svg, text) {
				t.Errorf("%s: nothing of %q", c.name, text)
			}
		}
		for _, text := range c.not {
			if strings.Contains(svg, text) {
				t.Errorf("%s: %q", c.name, text)
			}
		}
	}
}

// What is read off is what the curves show there; nothing is read off where there is none.
func TestRead(t *testing.T) {
	p := From(sample("", 64, 2)).Draw(look("en", false))
	var got []string
	for _, r := range p.Read(300, format.EN) {
		got = append(got, r.Name+" "+strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(r.Text))
	}
	if s := strings.Join(got, ", "); !strings.HasPrefix(s, "Rate 3 ") || !strings.HasSuffix(s, "MB/s, Composite 64 °C, Sensor 1 68 °C") {
		t.Errorf("%s", s)
	}
	if got := p.Read(2000, format.EN); len(got) > 0 {
		t.Errorf("behind the end: %v", got)
	}
	if got := p.Where(125.4, format.EN); got != "2\u00a0min\u00a05\u00a0s" && got != "2 min 5 s" {
		t.Errorf("%q", got)
	}
}

// While a run goes on the axis is as long as it will take, so that it does not move.
func TestLive(t *testing.T) {
	r := sample("", 64, 1)
	r.Measurements[0].Series, r.Measurements[0].Elapsed = r.Measurements[0].Series[:60], 0
	l := look("en", false)
	l.Live = true
	if w := From(r).Draw(l).Whole; w.Max != 600 {
		t.Errorf("%+v", w)
	}
	thermal := *r.Plan.Profile.Thermal
	thermal.Steady = true
	r.Plan.Profile.Thermal = &thermal
	if w := From(r).Draw(l).Whole; w.Max != 60 {
		t.Errorf("until steady: %+v", w)
	}
}

func BenchmarkDay(b *testing.B) {
	r := sample("", 64, 3)
	m := &r.Measurements[0]
	short := m.Series
	for len(m.Series) < 86_400 {
		m.Series = append(m.Series, short...)
	}
	for i := range m.Series {
		m.Series[i].At = time.Duration(i+1) * time.Second
		d := m.Series[i].Drive[0]
		d.Since = m.Began + m.Series[i].At
		m.Series[i].Drive = []bench.DriveReading{d}
	}
	m.Elapsed = time.Duration(len(m.Series)) * time.Second
	for b.Loop() {
		if _, err := From(r).PNG(look("en", false)); err != nil {
			b.Fatal(err)
		}
	}
}
