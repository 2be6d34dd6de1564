package card

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/chart"
	"cachecliff/ui/facts"
	"cachecliff/ui/look"
	"cachecliff/ui/sheet"
)

// result is a finished run of a profile.
func result(t *testing.T, id string) *bench.Result {
	t.Helper()
	p, ok := bench.ByID(id)
	if !ok {
		t.Fatalf("no profile %s", id)
	}
	r := &bench.Result{
		ID: "20260102T030405Z-0123abcd", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), App: bench.App{Version: "1.2.3"},
		Machine: platform.System{OS: "Debian GNU/Linux 12 (bookworm)", Kernel: "6.1.0-18-amd64", CPU: "AMD Ryzen 7 5800X 8-Core Processor"},
		Reason:  bench.ReasonDone, Took: 160 * time.Second,
		Plan: bench.Plan{Profile: p, Target: platform.Target{
			Path: "/home/anna", Volume: platform.Volume{Mount: "/home", FS: "ext4", Size: 2000e9, Free: 740e9},
			Layers: []platform.Layer{{Kind: platform.LayerLUKS, Name: "dm-0"}},
			Drives: []platform.Drive{{
				Model: "Crucial P5", Capacity: 2_000_398_934_016, Firmware: "P4CR311", Serial: "SECRET", Bus: platform.BusNVMe, Driver: "nvme",
				Link: platform.Link{PCIeGen: 3, Lanes: 4}, LinkMax: platform.Link{PCIeGen: 4, Lanes: 4},
			}},
		}},
	}
	for _, w := range p.Workloads {
		for loop := range p.Loops {
			bytes := int64(10e9) * int64(100-loop) / 100
			r.Measurements = append(r.Measurements, bench.Measurement{
				Step: bench.Step{Kind: bench.StepLoad, Workload: w.ID, Spec: w.Spec, Loop: loop + 1}, Elapsed: 5 * time.Second,
				Read: bench.Tally{Ops: bytes / int64(w.Spec.Block), Bytes: bytes, SumLat: 5 * time.Second},
			})
		}
	}
	return r
}

func options(lang string, l format.Locale, dark bool) Options {
	return Options{Words: words.New(lang), Locale: l, Unit: bench.UnitMBs, Dark: dark}
}

// Nothing reaches into the margins, whatever is long, and something is drawn.
func TestKeepsItsMargins(t *testing.T) {
	long := strings.Repeat("very long name ", 20)
	for _, p := range bench.Builtin() {
		for _, dark := range []bool{false, true} {
			r := result(t, p.ID)
			r.Plan.Target.Drives[0].Model, r.Machine.CPU, r.Plan.Target.Drives[0].Firmware = long, long, long
			r.Warnings = []bench.Warning{{Code: bench.WarnBuffered}, {Code: bench.WarnUnwritten, Value: 4096}, {Code: bench.WarnNamedFile, Text: long}, {Code: bench.WarnSensorsLost, Text: long}}
			img, err := Draw(r, options(words.German, format.DE, dark))
			if err != nil {
				t.Fatal(err)
			}
			if img.Bounds() != image.Rect(0, 0, Width, Height) {
				t.Fatalf("size %v", img.Bounds())
			}
			inside := image.Rect(margin-2, 16, Width-margin+1, Height-16)
			back := color.RGBAModel.Convert(look.Colours(dark).Background)
			ink := 0
			for y := range Height {
				for x := range Width {
					if img.At(x, y) == back {
						continue
					}
					ink++
					if !image.Pt(x, y).In(inside) {
						t.Fatalf("%s: ink at %d, %d", p.ID, x, y)
					}
				}
			}
			if ink < 20_000 {
				t.Errorf("%s: only %d pixels are drawn", p.ID, ink)
			}
		}
	}
}

// What a card does not know it leaves out; it draws all the same.
func TestUnknownIsLeftOut(t *testing.T) {
	p, _ := bench.ByID("cdm-default")
	if _, err := Draw(&bench.Result{Plan: bench.Plan{Profile: p}}, options(words.English, format.EN, true)); err != nil {
		t.Error(err)
	}
	if _, err := Draw(&bench.Result{}, options(words.English, format.EN, true)); err != nil {
		t.Error(err)
	}
}

func TestWriteIsPNG(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, result(t, "cdm-default"), options(words.English, format.EN, true)); err != nil {
		t.Fatal(err)
	}
	c, err := png.DecodeConfig(&b)
	if err != nil || c.Width != Width || c.Height != Height {
		t.Errorf("%d × %d, %v", c.Width, c.Height, err)
	}
}

// The serial number changes nothing on the card.
func TestNoSerialNumber(t *testing.T) {
	draw := func(serial string) []byte {
		r := result(t, "cdm-default")
		r.Plan.Target.Drives[0].Serial, r.Plan.Target.Drives[0].Key = serial, "nvme-"+serial
		img, err := Draw(r, options(words.English, format.EN, true))
		if err != nil {
			t.Fatal(err)
		}
		return img.Pix
	}
	if !bytes.Equal(draw("S1"), draw("S2 is another and longer one")) {
		t.Error("the serial number shows")
	}
}

func TestDoubtsAndEndingShow(t *testing.T) {
	draw := func(change func(*bench.Result)) []byte {
		r := result(t, "cdm-default")
		change(r)
		img, err := Draw(r, options(words.English, format.EN, true))
		if err != nil {
			t.Fatal(err)
		}
		return img.Pix
	}
	whole := draw(func(*bench.Result) {})
	for name, change := range map[string]func(*bench.Result){
		"doubt":   func(r *bench.Result) { r.Warnings = []bench.Warning{{Code: bench.WarnBuffered}} },
		"stopped": func(r *bench.Result) { r.Reason = bench.ReasonStopped },
	} {
		if bytes.Equal(whole, draw(change)) {
			t.Errorf("%s does not show", name)
		}
	}
}

// Each cell has a mark in the colour of its level, with another sign for each level, and only what does not
// hold is struck through.
func TestMarks(t *testing.T) {
	for name, c := range map[string]struct {
		doubts []bench.WarningCode
		colour func(look.Palette) color.Color
		struck bool
	}{
		"valid":   {nil, func(p look.Palette) color.Color { return p.Good }, false},
		"doubt":   {[]bench.WarningCode{bench.WarnNoisy, bench.WarnBattery}, func(p look.Palette) color.Color { return p.Doubt }, false},
		"invalid": {[]bench.WarningCode{bench.WarnNoisy, bench.WarnCached}, func(p look.Palette) color.Color { return p.Invalid }, true},
	} {
		p, err := newPen(true)
		if err != nil {
			t.Fatal(err)
		}
		cell := sheet.Cell{Number: "1111", Median: "1111", Judged: true}
		for _, code := range c.doubts {
			cell.Doubts = append(cell.Doubts, bench.Warning{Code: code})
		}
		p.number(cell, sheet.Row{Unit: bench.UnitMBs}, 100, 100, 600, 80, options(words.English, format.EN, true))
		ink := func(of color.Color, where image.Rectangle) (n int) {
			for y := where.Min.Y; y < where.Max.Y; y++ {
				for x := where.Min.X; x < where.Max.X; x++ {
					if p.img.At(x, y) == color.RGBAModel.Convert(of) {
						n++
					}
				}
			}
			return n
		}
		if ink(c.colour(p.colour), image.Rect(400, 100, 700, 140)) < 10 {
			t.Errorf("%s: there is no mark", name)
		}
		if struck := ink(p.colour.Invalid, image.Rect(96, 100, 200, 180)) > 100; struck != c.struck {
			t.Errorf("%s: struck through: %v", name, struck)
		}
	}
	for level, sign := range map[bench.Level]chart.Level{bench.LevelNote: chart.Note, bench.LevelDoubt: chart.Doubt, bench.LevelInvalid: chart.Invalid} {
		if facts.Sign(level) != sign.Sign() || facts.Sign(level) == facts.ValidSign {
			t.Errorf("the sign of %s is not the window's", level)
		}
	}
}

// The card's bars have the scale of the window's.
func TestBarsAsInTheWindow(t *testing.T) {
	for _, v := range []float64{0, 0.5, 1, 2, 100, 7321, 20000, 30000} {
		if fraction(v) != chart.Fraction(v) {
			t.Errorf("%v MB/s: %v, in the window %v", v, fraction(v), chart.Fraction(v))
		}
	}
}

// How a run ended that is not complete, and how far it came, is said in words that fit into a line.
func TestEnding(t *testing.T) {
	for _, c := range []struct {
		reason bench.Reason
		took   time.Duration
		going  bool
		want   string
	}{
		{bench.ReasonStopped, 12 * time.Second, false, "Not complete, stopped by the user after 12 s: 2 of 8 tests have numbers"},
		{bench.ReasonInterrupted, 0, false, "Not complete, interrupted: the program or the computer went down: 2 of 8 tests have numbers"},
		{bench.ReasonInterrupted, 0, true, "Still running: 2 of 8 tests have numbers"},
	} {
		r := result(t, "cdm-default")
		r.Reason, r.Took, r.Measurements = c.reason, c.took, r.Measurements[:2*r.Plan.Profile.Loops]
		for _, lang := range words.Languages() {
			o := options(lang, format.EN, true)
			o.Going = c.going
			got := ending(r, o)
			if lang == words.English && strings.ReplaceAll(got, "\u00a0", " ") != c.want {
				t.Errorf("%s: %q, want %q", c.reason, got, c.want)
			}
			p, err := newPen(true)
			if err != nil {
				t.Fatal(err)
			}
			if fit(p.face(regular(textSize)), got, Width-2*margin) != got {
				t.Errorf("%q is cut", got)
			}
		}
	}
}

// Without a median the unit stands on the base line of its number.
func TestUnitStandsOnTheBaseLine(t *testing.T) {
	bottom := func(p *pen, c color.Color) int {
		for y := Height - 1; y >= 0; y-- {
			for x := range Width {
				if p.img.At(x, y) == color.RGBAModel.Convert(c) {
					return y
				}
			}
		}
		return 0
	}
	p, err := newPen(true)
	if err != nil {
		t.Fatal(err)
	}
	o := options(words.English, format.EN, true)
	p.number(sheet.Cell{Number: "1111"}, sheet.Row{Unit: "MB"}, 100, 100, 600, 80, o)
	if number, unit := bottom(p, p.colour.Text), bottom(p, p.colour.Dim); number == 0 || number-unit > 1 || unit-number > 1 {
		t.Errorf("the number ends at %d, its unit at %d", number, unit)
	}
}
