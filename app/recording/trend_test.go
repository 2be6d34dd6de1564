package recording

import (
	"math"
	"testing"
	"time"

	"cachecliff/bench/monitor"
	"cachecliff/platform"
)

func TestTrend(t *testing.T) {
	trend := NewTrend(testHeader())
	for _, s := range testSamples(12) {
		trend.Add(s)
	}
	x, y := trend.Curve(0, ReadRate)
	if len(x) != 11 || x[0] != .1 || math.Abs(y[0]-1000<<20) > 1 {
		t.Errorf("rate of reads: %v at %v", y, x)
	}
	x, y = trend.Curve(1, WriteRate) // samples 1 to 3, a gap, 5 to 7
	if len(x) != 7 || !math.IsNaN(y[3]) || y[4] != 6553600 {
		t.Errorf("rate of writes over a hole: %v at %v", y, x)
	}
	if _, y := trend.Curve(0, Temperature); len(y) != 12 || y[11] != 42.1 {
		t.Errorf("temperatures %v", y)
	}
	if _, y := trend.Curve(1, Temperature); len(y) != 0 {
		t.Errorf("temperatures of a drive without a sensor: %v", y)
	}
	if _, y := trend.CPU(); len(y) != 11 || y[0] < .41 || y[0] > .42 {
		t.Errorf("processors: %v", y)
	}
	want := []Hole{
		{From: 400 * time.Millisecond, To: 500 * time.Millisecond, Why: "failed"},
		{From: 800 * time.Millisecond, To: 1100 * time.Millisecond, Why: "gone", Open: true},
	}
	if got := trend.Drives[1].Holes(); len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("holes %+v", got)
	}
	if trend.Late != 1 || trend.Samples != 12 || len(trend.Drives[0].Holes()) != 0 {
		t.Errorf("%d late of %d", trend.Late, trend.Samples)
	}
}

// A curve of ten hours at 10 ms takes no more memory than one of a minute, and keeps its peaks and its gap.
func TestCurveIsBounded(t *testing.T) {
	var c curve
	const n = 10 * 3600 * 100
	for i := range n {
		if i == n/2 {
			c.gap()
		}
		v := 1.0
		if i == 1_234_567 {
			v = 9
		}
		if i == 2_345_678 {
			v = .25
		}
		c.add(time.Duration(i)*10*time.Millisecond, v)
		if len(c.all) > bins || cap(c.all) > 2*bins {
			t.Fatalf("%d bins after %d samples", len(c.all), i)
		}
	}
	x, y := c.points()
	lo, hi, gaps := math.Inf(1), 0.0, 0
	for i := range x {
		if i > 0 && x[i] < x[i-1] {
			t.Fatalf("point %d goes back from %v to %v", i, x[i-1], x[i])
		}
		if math.IsNaN(y[i]) {
			gaps++
			continue
		}
		lo, hi = min(lo, y[i]), max(hi, y[i])
	}
	if lo != .25 || hi != 9 || gaps != 1 || len(x) < bins/4 {
		t.Errorf("%d points from %v to %v with %d gaps", len(x), lo, hi, gaps)
	}
	var holes curve
	for i := range 5 * bins {
		holes.gap()
		holes.add(time.Duration(i)*time.Second, 1)
	}
	if len(holes.all) > bins {
		t.Errorf("a curve of gaps has %d bins", len(holes.all))
	}
}

// A drive without I/O for a while has no await then; the curve is not drawn across.
func TestAwaitRests(t *testing.T) {
	var c curve
	c.add(0, 1)
	c.rest(100 * time.Millisecond)
	c.add(190*time.Millisecond, 1)
	c.rest(5 * time.Second)
	c.add(6*time.Second, 1)
	if _, y := c.points(); len(y) != 4 || !math.IsNaN(y[2]) {
		t.Errorf("points %v", y)
	}
}

func TestHolesAreBounded(t *testing.T) {
	h := testHeader()
	h.Drives = h.Drives[:1]
	trend := NewTrend(h)
	for i := range 3 * maxHoles {
		r := monitor.Reading{NoCounters: platform.WhyFailed}
		if i%2 == 0 {
			r = monitor.Reading{Counters: &platform.Counters{}}
		}
		trend.Add(monitor.Sample{At: time.Duration(i) * time.Second, Drives: []monitor.Reading{r}})
	}
	if d := trend.Drives[0]; len(d.Holes()) != maxHoles || d.More != maxHoles/2 {
		t.Errorf("%d holes are kept, %d more counted", len(d.Holes()), d.More)
	}
}
