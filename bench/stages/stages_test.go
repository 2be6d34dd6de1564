package stages

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

const gb = int64(1e9)

// level is a stage of a made-up drive.
type level struct {
	bytes float64 // GB
	rate  float64 // MB/s
	swing float64 // the rate goes up and down by this share
	every float64 // GB of a swing
	until float64 // rate at its end if it declines evenly, MB/s
}

// drive is a made-up drive with known truth.
type drive struct {
	name   string
	levels []level
	noise  float64 // of each sample, standard deviation as a share
	dip    float64 // GB between two dips in which little is written
	long   time.Duration
	hot    [2]float64 // GB from and to which it is throttled to half its rate
	told   bool       // heat is reported
	flat   bool       // the levels are too near to one another to be stages
	step   time.Duration
	// wanted
	cache  float64 // GB; 0 is none
	causes []Cause // of the borders; nil is all cache
}

func lv(pairs ...float64) []level {
	var out []level
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, level{bytes: pairs[i], rate: pairs[i+1]})
	}
	return out
}

// play writes the whole drive and gives what a sampler would have seen.
func (d drive) play(seed uint64) []Point {
	r := rand.New(rand.NewPCG(seed, 1))
	var points []Point
	var at, start float64 // bytes
	var now, slow time.Duration
	nextDip := d.dip * 1e9
	for i := 0; i < len(d.levels); {
		l := d.levels[i]
		took := d.length(now)
		factor := math.Max(0.05, 1+d.noise*r.NormFloat64())
		if d.dip > 0 && at >= nextDip {
			nextDip, slow = nextDip+d.dip*1e9, d.long
		}
		if slow > 0 {
			factor *= 0.1
			slow -= took
		}
		var bytes float64
		left, hot := took.Seconds(), false
		for left > 1e-9 && i < len(d.levels) {
			l = d.levels[i]
			rate := l.at(at-start) * factor
			if g := at / 1e9; g >= d.hot[0] && g < d.hot[1] {
				rate, hot = rate/2, d.told
			}
			room := l.bytes*1e9 - (at - start)
			if room > rate*left {
				bytes, at, left = bytes+rate*left, at+rate*left, 0
				break
			}
			bytes, at, left = bytes+room, at+room, left-room/rate
			start, i = at, i+1
		}
		took -= time.Duration(left * 1e9)
		now += took
		points = append(points, Point{Bytes: int64(bytes), Took: took, Hot: hot})
	}
	return points
}

// length is that of a sample: what the engine does, or d.step.
func (d drive) length(now time.Duration) time.Duration {
	if d.step > 0 {
		return d.step
	}
	switch {
	case now < 10*time.Minute:
		return 100 * time.Millisecond
	case now < 20*time.Minute:
		return 200 * time.Millisecond
	}
	return 500 * time.Millisecond
}

// at is the rate after some bytes of the level, bytes per second.
func (l level) at(done float64) float64 {
	rate := l.rate * 1e6
	if l.until > 0 {
		rate += (l.until*1e6 - rate) * done / (l.bytes * 1e9)
	}
	if l.every > 0 {
		rate *= 1 + l.swing*math.Sin(2*math.Pi*done/(l.every*1e9))
	}
	return rate
}

// The drives whose stages are known from reviews (method.md §3), with the sizes of the drives.
var published = []drive{
	{name: "Crucial P5 2TB", levels: []level{{bytes: 650, rate: 2400}, {bytes: 150, rate: 1000, swing: .15, every: 12}, {bytes: 1100, rate: 400}}, noise: .05, cache: 650},
	{name: "Crucial P5 2TB from 50 %", levels: []level{{bytes: 30, rate: 2400}, {bytes: 420, rate: 925, swing: .25, every: 15}, {bytes: 500, rate: 400}}, noise: .05, cache: 30},
	{name: "Crucial P5 2TB from 80 %", levels: lv(110, 2400, 90, 1100, 180, 400), noise: .05, cache: 110},
	{name: "Crucial P5 1TB", levels: lv(100, 2000, 830, 1000), noise: .08, cache: 100},
	{name: "Crucial P1 1TB", levels: lv(140, 1600, 800, 150), noise: .1, cache: 140},
	{name: "Crucial T500 2TB", levels: lv(700, 4100, 1200, 500), noise: .05, cache: 700},
	{name: "Samsung 980 1TB", levels: lv(160, 2500, 770, 500), noise: .03, cache: 160},
	{name: "Samsung 980 Pro 1TB", levels: lv(113, 4000, 820, 1500), noise: .03, cache: 113},
	{name: "Samsung 970 Evo 500GB", levels: lv(22, 2100, 440, 600), noise: .03, cache: 22},
	{name: "Samsung 870 Evo 4TB", levels: lv(24, 480, 3700, 400), noise: .01, cache: 24},
	{name: "WD SN550 1TB", levels: lv(15, 1750, 900, 835), noise: .05, cache: 15},
	{name: "WD SN580 1TB", levels: lv(341, 4000, 590, 450), noise: .08, cache: 341},
	{name: "Kingston A2000 1TB", levels: lv(150, 2000, 500, 520, 280, 400), noise: .03, cache: 150},
	{name: "Kingston KC2000 1TB", levels: lv(150, 2050, 780, 1400), noise: .05, cache: 150},
	{name: "Kingston NV2 1TB", levels: lv(88, 2800, 500, 600, 340, 400), noise: .06, cache: 88},
	{name: "FireCuda 510 1TB", levels: lv(28, 2300, 900, 1000), noise: .05, cache: 28},
	{name: "Sabrent Rocket 4 Plus 2TB", levels: lv(200, 5100, 1700, 1500), noise: .05, cache: 200},
	{name: "MSI M480 Play 2TB", levels: lv(200, 5100, 900, 3500, 800, 1500), noise: .08, cache: 200},
	{name: "Lexar NM800 Pro 2TB", levels: lv(592, 3600, 300, 2200, 1000, 1000), noise: .05, cache: 592},
	{name: "Corsair MP600 Mini 2TB", levels: lv(49, 4700, 1850, 700), noise: .05, cache: 49},
	{name: "Solidigm P44 Pro 1TB", levels: lv(16, 1000, 273, 4900, 640, 1100), noise: .05, cache: 289, causes: []Cause{CauseNone, CauseCache}},
}

// Others, for what the published ones do not show.
var invented = []drive{
	{name: "no cliff", levels: lv(900, 2000), noise: .1},
	{name: "no cliff, much noise", levels: lv(1800, 3000), noise: .2},
	{name: "no cliff, steady dips", levels: lv(900, 2000), noise: .05, dip: 7, long: 100 * time.Millisecond},
	{name: "no cliff, long steady dips", levels: lv(1900, 2500), noise: .05, dip: 25, long: 2 * time.Second},
	{name: "no cliff, swings", levels: []level{{bytes: 900, rate: 1500, swing: .4, every: 30}}, noise: .05},
	{name: "no cliff, long swings", levels: []level{{bytes: 900, rate: 1500, swing: .4, every: 200}}, noise: .05},
	{name: "no cliff, a little slower at the end", levels: []level{{bytes: 4, rate: 404, swing: .06, every: .7}, {bytes: 1.2, rate: 342, swing: .08, every: .4}}, noise: .08, flat: true},
	{name: "hard disk", levels: []level{{bytes: 4000, rate: 250, until: 120}}, noise: .05},
	{name: "smallest cache", levels: lv(5, 1000, 230, 400), noise: .05, cache: 5},
	{name: "smallest cache, fast", levels: lv(5, 5000, 450, 1500), noise: .05, cache: 5},
	{name: "smallest cache, two samples a second", levels: lv(5, 2000, 450, 600), noise: .03, step: 500 * time.Millisecond, cache: 5},
	{name: "largest cache", levels: lv(800, 7000, 3000, 1200), noise: .1, cache: 800},
	{name: "largest cache, two samples a second", levels: lv(800, 7000, 3000, 1200), noise: .05, step: 500 * time.Millisecond, cache: 800},
	{name: "drop of a quarter", levels: lv(200, 2000, 700, 1480), noise: .1, cache: 200},
	{name: "drop of a quarter, much noise", levels: lv(300, 2000, 700, 1480), noise: .2, cache: 300},
	{name: "much noise", levels: lv(120, 2500, 800, 900), noise: .2, cache: 120},
	{name: "four stages", levels: lv(250, 5000, 300, 2400, 400, 1200, 900, 500), noise: .08, cache: 250},
	{name: "folding", levels: lv(100, 4000, 60, 300, 760, 1500), noise: .06, cache: 100, causes: []Cause{CauseCache, CauseNone}},
	{name: "steady dips and a cliff", levels: lv(300, 3000, 600, 900), noise: .05, dip: 9, long: 300 * time.Millisecond, cache: 300},
	{name: "fluctuating last stage", levels: []level{{bytes: 300, rate: 3000}, {bytes: 600, rate: 700, swing: .35, every: 14}}, noise: .08, cache: 300},
	{name: "QLC", levels: lv(280, 1900, 600, 90), noise: .15, cache: 280},
	{name: "stick", levels: lv(6, 180, 50, 22), noise: .2, cache: 6},
	{name: "passing heat", levels: lv(900, 2000), noise: .05, hot: [2]float64{400, 480}, told: true},
	{name: "heat to the end", levels: lv(900, 2000), noise: .05, hot: [2]float64{500, 2000}, told: true, causes: []Cause{CauseHeat}},
	{name: "passing heat before the cliff", levels: lv(500, 3000, 400, 900), noise: .05, hot: [2]float64{200, 260}, told: true, cache: 500},
	{name: "heat that nobody tells of", levels: lv(400, 2000, 200, 1000, 400, 2000), noise: .05, causes: []Cause{CauseUnknown, CauseNone}},
	{name: "heat over the cliff", levels: lv(400, 3000, 500, 900), noise: .05, hot: [2]float64{300, 500}, told: true, cache: 400, causes: []Cause{CauseHeat, CauseCache, CauseNone}},
	{name: "slow end of the cache", levels: []level{{bytes: 300, rate: 3000}, {bytes: 12, rate: 3000, until: 900}, {bytes: 600, rate: 900}}, noise: .05, cache: 306},
	{name: "dynamic cache from 80 %", levels: []level{{bytes: 40, rate: 4000, until: 3700}, {bytes: 150, rate: 1300, swing: .1, every: 5}}, noise: .1, cache: 40},
}

// wanted are the borders of a drive, in bytes.
func (d drive) wanted() []float64 {
	if d.hot[1] > 0 && d.cache == 0 {
		if d.causes == nil {
			return nil
		}
		return []float64{d.hot[0] * 1e9}
	}
	if d.name == "heat over the cliff" {
		return []float64{300e9, 400e9, 500e9}
	}
	if d.name == "slow end of the cache" {
		return []float64{306e9}
	}
	if d.flat {
		return nil
	}
	var out []float64
	at := 0.0
	for _, l := range d.levels[:len(d.levels)-1] {
		at += l.bytes * 1e9
		out = append(out, at)
	}
	return out
}

// check compares what was found with the truth.
func (d drive) check(s Stages) error {
	want := d.wanted()
	if len(s.Borders) != len(want) || len(s.Stages) != len(want)+1 {
		return fmt.Errorf("borders %+v, want %v", s.Borders, want)
	}
	for i, b := range s.Borders {
		cause := CauseCache
		if d.causes != nil {
			cause = d.causes[i]
		}
		if off := math.Abs(float64(b.At) - want[i]); off > math.Max(0.03*want[i], 2e9) {
			return fmt.Errorf("border %d at %.2f GB, want %.2f", i, float64(b.At)/1e9, want[i]/1e9)
		}
		if b.Cause != cause || b.Lo > b.At || b.Hi < b.At {
			return fmt.Errorf("border %d: %+v, want cause %q", i, b, cause)
		}
	}
	cache, ok := s.Cache()
	if ok != (d.cache > 0) || ok && math.Abs(float64(cache.At)-d.cache*1e9) > math.Max(0.03*d.cache*1e9, 2e9) {
		return fmt.Errorf("cache %+v %v, want %v GB", cache, ok, d.cache)
	}
	return nil
}

// On drives with known truth no stage is false, none is missed, and the cache is right within 3 % or 2 GB.
func TestDrives(t *testing.T) {
	for _, d := range append(append([]drive{}, published...), invented...) {
		for seed := range uint64(8) {
			if err := d.check(Find(d.play(seed))); err != nil {
				t.Errorf("%s, seed %d: %v", d.name, seed, err)
			}
		}
	}
}

// What is said of the stages adds up to the series, whatever it is.
func TestSums(t *testing.T) {
	for _, d := range append(append([]drive{}, published...), invented...) {
		points := d.play(9)
		s := Find(points)
		var bytes int64
		var took, staged time.Duration
		for _, p := range points {
			bytes, took = bytes+p.Bytes, took+p.Took
		}
		if s.Bytes != bytes || s.Took != took {
			t.Errorf("%s: %d in %d, want %d in %d", d.name, s.Bytes, s.Took, bytes, took)
		}
		at := int64(0)
		for _, g := range s.Stages {
			if g.From != at || g.To <= g.From || g.Lo > g.Rate || g.Hi < g.Rate {
				t.Errorf("%s: stage %+v after %d", d.name, g, at)
			}
			at, staged = g.To, staged+g.Took
		}
		if at != bytes || (staged-took).Abs() > time.Millisecond {
			t.Errorf("%s: stages end at %d of %d, %v of %v", d.name, at, bytes, staged, took)
		}
	}
}

// The rate of a stage is what it wrote by the time that it took, also where a sample holds few writes: of five writes or
// four in each tenth of a second the median is five.
func TestRateIsWhatWasWritten(t *testing.T) {
	var points []Point
	for i := range 400 {
		writes := []int64{5, 5, 4, 5, 5}[i%5]
		points = append(points, Point{Bytes: writes << 20, Took: time.Second / 10})
	}
	points[200].Took += 4 * time.Second // it stood still
	s := Find(points)
	if len(s.Stages) != 1 || math.Abs(s.Stages[0].Rate-s.Mean()) > 1 || s.Stages[0].Lo > s.Stages[0].Rate {
		t.Errorf("%+v, want one stage of %v bytes a second", s.Stages, s.Mean())
	}
}

// What happens in the last ten seconds is not put down to the cache.
func TestDropAtTheEnd(t *testing.T) {
	for after, want := range map[float64]Cause{9: CauseUnknown, 11: CauseCache} {
		d := drive{levels: lv(100, 1000, after/5, 200), noise: .02}
		if b := Find(d.play(1)).Borders; len(b) != 1 || b[0].Cause != want {
			t.Errorf("%v s after the drop: %+v, want %q", after, b, want)
		}
	}
}

func TestLittle(t *testing.T) {
	second := func(n int64) Point { return Point{Bytes: n * gb, Took: time.Second} }
	for name, c := range map[string]struct {
		points []Point
		rates  []float64
		last   float64
	}{
		"nothing":                {nil, nil, 0},
		"no byte":                {[]Point{{Took: time.Second}}, nil, 0},
		"no time":                {[]Point{{Bytes: 1}}, nil, 0},
		"one point":              {[]Point{second(2)}, []float64{2e9}, 2e9},
		"stood still at the end": {[]Point{second(2), {Took: time.Second}}, []float64{1e9}, 2e9 / 11},
		"three and three":        {[]Point{second(4), second(4), second(4), second(1), second(1), second(1)}, []float64{4e9, 1e9}, 1e9},
	} {
		s := Find(c.points)
		var rates []float64
		for _, g := range s.Stages {
			rates = append(rates, math.Round(g.Rate))
		}
		if !reflect.DeepEqual(rates, c.rates) || math.Abs(s.Last-c.last) > 1 {
			t.Errorf("%s: rates %v, last %v, want %v, %v", name, rates, s.Last, c.rates, c.last)
		}
	}
}

// A border inside a sample is found by the sample's bytes.
func TestBorderInsideASample(t *testing.T) {
	d := drive{levels: lv(50.5, 1000, 100, 250), step: time.Second}
	b := Find(d.play(1)).Borders
	if len(b) != 1 || math.Abs(float64(b[0].At)-50.5e9) > 5e6 || b[0].Lo > 505e8 || b[0].Hi < 505e8 || b[0].Hi-b[0].Lo > 3*gb {
		t.Errorf("borders %+v, want one at 50.5 GB", b)
	}
}

// Nothing is found twice in another way, and nothing crashes.
func FuzzFind(f *testing.F) {
	f.Add([]byte{1, 2, 3, 200, 200, 200, 0, 0, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		var points []Point
		for i, b := range data {
			points = append(points, Point{Bytes: int64(b) * int64(b) << (b % 29), Took: time.Duration(i%7) * time.Millisecond, Hot: b%5 == 0})
		}
		s := Find(points)
		if !reflect.DeepEqual(s, Find(points)) {
			t.Error("found twice in another way")
		}
		if len(s.Stages) > 0 && len(s.Borders) != len(s.Stages)-1 {
			t.Errorf("%d stages, %d borders", len(s.Stages), len(s.Borders))
		}
		at := int64(0)
		for _, g := range s.Stages {
			if g.From != at || g.To <= g.From || !(g.Rate > 0) || math.IsInf(g.Rate, 0) {
				t.Errorf("stage %+v after %d", g, at)
			}
			at = g.To
		}
	})
}

func BenchmarkFind(b *testing.B) {
	points := drive{levels: lv(700, 4100, 3200, 500), noise: .05, step: 500 * time.Millisecond}.play(1)
	b.ReportMetric(float64(len(points)), "points")
	for b.Loop() {
		Find(points)
	}
}
