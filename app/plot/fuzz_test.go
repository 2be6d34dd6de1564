package plot

import (
	"encoding/binary"
	"image/color"
	"math"
	"testing"
	"time"
)

// numbers makes floats of all kinds out of bytes.
func numbers(b []byte) []float64 {
	var out []float64
	for len(b) >= 8 {
		bits := binary.LittleEndian.Uint64(b)
		b = b[8:]
		switch bits % 3 {
		case 0: // any pattern: NaN, infinite, denormal
			out = append(out, math.Float64frombits(bits))
		case 1:
			out = append(out, float64(int64(bits))/1e9)
		default:
			out = append(out, float64(bits%1000))
		}
	}
	return out
}

// FuzzRender draws whatever numbers and words come: never a panic, never an error other than for the
// size, and never longer than a second.
func FuzzRender(f *testing.F) {
	seed := make([]byte, 8*64)
	for i := range 64 {
		binary.LittleEndian.PutUint64(seed[8*i:], uint64(i)*0x9E3779B97F4A7C15)
	}
	nan := binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN()))
	f.Add(seed, seed[:300], uint16(0), 0.0, 100.0, 300, 200, 1.0, "MB/s")
	f.Add(seed[:8], seed[:80], uint16(0xffff), 1e-300, 1e300, 100, 300, 2.0, "\x00<&>\xff")
	f.Add(append(nan, nan...), nan, uint16(0x00aa), math.Inf(-1), math.NaN(), 50, 1, 0.5, "")
	f.Fuzz(func(t *testing.T, xs, ys []byte, flags uint16, lo, hi float64, w, h int, scale float64, word string) {
		x, y := numbers(xs), numbers(ys)
		on := func(bit int) bool { return flags>>bit&1 == 1 }
		c := Chart{
			Title: word, XLabel: word, YLabel: word, Y2Label: word, Empty: word,
			Log: on(0), Floating: on(1), Time: on(2), Dark: on(3), Legend: on(4),
			TextSize: hi, MaxPoints: int(flags),
			Series: []Series{
				{Name: word, X: x, Y: y, Fill: on(5), Dots: on(6), Dash: y, Lo: y, Hi: x, Tag: word},
				{Name: word, X: y, Y: x, Axis: Right, Color: color.NRGBA{R: uint8(flags), A: uint8(flags >> 8)}, Dash: []float64{lo, hi}},
			},
			Marks: []Mark{{X: lo, Label: word}, {X: hi, Label: word}},
		}
		if on(7) {
			c.XRange = Range{lo, hi}
		}
		if on(8) {
			c.YRange, c.Y2Range = Range{lo, hi}, Range{hi, lo}
		}
		for _, v := range y {
			c.Marks = append(c.Marks, Mark{X: v, Label: word})
		}
		w, h = (w%1000+1000)%1000+1, (h%600+600)%600+1
		if !(scale >= 0.5 && scale <= 2) {
			scale = 1
		}
		began := time.Now()
		if _, err := Render(c, w, h, scale); err != nil && checkSize(float64(w)*scale, float64(h)*scale) == nil {
			t.Error(err)
		}
		if _, err := SVG(c, w, h); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// The worst that a curve can do at full length, at the largest usual size, ends soon.
func TestNoisyMillionIsBounded(t *testing.T) {
	const n = 1_000_000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i*7919%n), float64(i%2)
	}
	began := time.Now()
	c := Chart{Series: []Series{{X: x, Y: y, Fill: true, Dash: []float64{1, 1}}, {X: y, Y: x, Dots: true}}}
	render(t, c, 1200, 500, 2)
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func BenchmarkRender(b *testing.B) {
	x, y, temp := make([]float64, 36_000), make([]float64, 36_000), make([]float64, 36_000)
	for i := range x {
		x[i], y[i], temp[i] = float64(i)/10, 7000+500*math.Sin(float64(i)/3), 40+float64(i)/2000
	}
	c := Chart{
		YLabel: "MB/s", Y2Label: "°C", Time: true, Dark: true,
		Series: []Series{{X: x, Y: y, Fill: true}, {X: x, Y: temp, Axis: Right, Dash: []float64{7, 4}}},
	}
	for name, points := range map[string]int{"Live": LivePoints, "Full": 0} {
		c.MaxPoints = points
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				render(b, c, 1000, 360, 1)
			}
		})
	}
	b.Run("Full2x", func(b *testing.B) {
		for b.Loop() {
			render(b, c, 1200, 450, 2)
		}
	})
	b.Run("SVG", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := SVG(c, 1200, 500); err != nil {
				b.Fatal(err)
			}
		}
	})
}
