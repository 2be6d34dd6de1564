package plot

import (
	"math"
	"slices"
	"testing"
)

func values(ts []tick) []float64 {
	var out []float64
	for _, t := range ts {
		out = append(out, t.value)
	}
	return out
}

func anyFits([]tick) bool { return true }

func TestVerticalTicks(t *testing.T) {
	for _, c := range []struct {
		s        span
		floating bool
		most     int
		want     []float64
	}{
		{span{0, 7300}, false, 5, []float64{0, 2000, 4000, 6000, 8000}},
		{span{6900, 7300}, false, 5, []float64{0, 2000, 4000, 6000, 8000}},
		{span{6900, 7300}, true, 5, []float64{6900, 7000, 7100, 7200, 7300}},
		{span{0, 0.3}, false, 3, []float64{0, 0.1, 0.2, 0.3}},
		{span{0, 0}, false, 5, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{span{-5, 5}, false, 4, []float64{-5, 0, 5}},
		{span{42, 42}, true, 2, []float64{35, 40, 45, 50}},
		{noSpan(), false, 2, []float64{0, 0.5, 1}},
	} {
		a := vertical(c.s, false, c.floating, c.most, plain)
		if got := values(a.ticks); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.s, got, c.want)
		}
	}
}

func TestGivenRangeIsKept(t *testing.T) {
	a := vertical(span{3, 17}, true, false, 4, plain)
	if a.min != 3 || a.max != 17 || !slices.Equal(values(a.ticks), []float64{5, 10, 15}) {
		t.Errorf("%v with %v", a, values(a.ticks))
	}
	for _, r := range []Range{{}, {5, 5}, {6, 5}, {math.NaN(), 1}, {0, math.Inf(1)}, {-1e300, 1e300}} {
		if _, ok := r.given(); ok {
			t.Errorf("%v taken as a range", r)
		}
	}
}

// The ticks of the right axis lie on the grid of the left one, and hold all values.
func TestBesideSharesTheGrid(t *testing.T) {
	for _, s := range []span{{30, 81}, {0, 0}, {0, 1e6}, {-5, 12}, {-300, -5}, {3, 3}, noSpan()} {
		for _, n := range []int{2, 4, 5, 8} {
			a := beside(s, n, plain)
			if len(a.ticks) != n+1 || a.ticks[0].value != tidy(a.min) || a.ticks[n].value != tidy(a.max) {
				t.Errorf("%+v in %d: %v", s, n, values(a.ticks))
			}
			if !s.empty() && (s.lo < a.min || s.hi > a.max) {
				t.Errorf("%+v in %d: only %v", s, n, a)
			}
		}
	}
}

func TestTimeTicks(t *testing.T) {
	for _, c := range []struct {
		hi   float64
		want []float64
	}{
		{5, []float64{0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5}},
		{100, []float64{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}},
		{600, []float64{0, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600}},
		{2 * 3600, []float64{0, 600, 1200, 1800, 2400, 3000, 3600, 4200, 4800, 5400, 6000, 6600, 7200}},
		{12 * 86400, []float64{0, 86400, 2 * 86400, 3 * 86400, 4 * 86400, 5 * 86400, 6 * 86400, 7 * 86400, 8 * 86400, 9 * 86400, 10 * 86400, 11 * 86400, 12 * 86400}},
	} {
		a := horizontal(span{0, c.hi}, true, plain, anyFits)
		if got := values(a.ticks); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.hi, got, c.want)
		}
	}
}

func TestHorizontalFindsRoom(t *testing.T) {
	a := horizontal(span{0, 10}, false, plain, func(ts []tick) bool { return len(ts) <= 3 })
	if got := values(a.ticks); !slices.Equal(got, []float64{0, 5, 10}) {
		t.Error(got)
	}
	a = horizontal(span{0, 10}, false, plain, func(ts []tick) bool { return false })
	if len(a.ticks) > 1 {
		t.Errorf("no room, yet %v", values(a.ticks))
	}
}

func TestDecadesAreEqual(t *testing.T) {
	a := decades(span{3, 4000}, false, 8, plain)
	a.domain = 300
	if got := values(a.ticks); !slices.Equal(got, []float64{1, 10, 100, 1000, 10000}) {
		t.Fatal(got)
	}
	for i, want := range []int{0, 75, 150, 225, 300} {
		if got := a.Translate(a.ticks[i].value); got != want {
			t.Errorf("%v at %d, want %d", a.ticks[i].value, got, want)
		}
	}
	for v, want := range map[float64]int{0: 0, -5: 0, 1e9: 300, math.Sqrt(10): 38} {
		if got := a.Translate(v); got != want {
			t.Errorf("%v at %d, want %d", v, got, want)
		}
	}
	if a := decades(span{1e-14, 1e14}, false, 8, plain); a.max/a.min > 1.1e13 || len(a.ticks) > 9 {
		t.Errorf("%v with %v", a, values(a.ticks))
	}
	if a := decades(noSpan(), false, 8, plain); a.min != 1 || a.max != 10 {
		t.Errorf("nothing: %v", a)
	}
}

func TestPlain(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.25: "0.25", 1000: "1\u202f000", -1234567: "−1\u202f234\u202f567", 999: "999"} {
		if got := plain(v); got != want {
			t.Errorf("%v: %q", v, got)
		}
	}
}
