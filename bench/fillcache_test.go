package bench

import (
	"fmt"
	"slices"
	"testing"

	"cachecliff/bench/stages"
)

// pass is a repeat of a pass that found a cache of so many GB, or none.
func cachePass(loop, pass int, cache float64, dirty bool) FillPass {
	p := FillPass{Loop: loop, Pass: pass, Dirty: dirty, Whole: true, Found: stages.Stages{Bytes: 500e9}}
	if cache > 0 {
		at := int64(cache * 1e9)
		p.Found.Borders = []stages.Border{{At: 5e9, Cause: stages.CauseHeat}, {At: at, Lo: at - 5e8, Hi: at + 5e8, Cause: stages.CauseCache}}
	}
	return p
}

// Repeats that agree have one size, others a range; what says nothing is counted apart.
func TestCaches(t *testing.T) {
	for name, tt := range map[string]struct {
		passes []FillPass
		want   []string
	}{
		"none":                  {nil, nil},
		"one":                   {[]FillPass{cachePass(1, 1, 100, false)}, []string{"1: 100, 0 0, 0"}},
		"agree":                 {[]FillPass{cachePass(1, 1, 102, false), cachePass(2, 1, 100, false), cachePass(3, 1, 101, false)}, []string{"1: 101, 0 0, 0"}},
		"differ":                {[]FillPass{cachePass(1, 1, 100, false), cachePass(2, 1, 90, false), cachePass(3, 1, 80, false), cachePass(4, 1, 95, false)}, []string{"1: 90 (80 to 100), 0 0, 0"}},
		"near, and not certain": {[]FillPass{cachePass(1, 1, 3, false), cachePass(2, 1, 3.9, false)}, []string{"1: 3, 0 0, 0"}},
		"two passes":            {[]FillPass{cachePass(1, 1, 100, false), cachePass(1, 2, 20, false), cachePass(2, 1, 0, false), cachePass(2, 2, 30, true)}, []string{"1: 100, 1 500, 0", "2: 20, 0 0, 1"}},
		"not trimmed":           {[]FillPass{cachePass(1, 2, 10, true)}, []string{"2: 0, 0 0, 1"}},
	} {
		var got []string
		for _, c := range Caches(tt.passes) {
			size, _ := c.Size()
			words := fmt.Sprintf("%d: %d", c.Pass, size.At/1e9)
			if least, most, ok := c.Disagree(); ok {
				words += fmt.Sprintf(" (%d to %d)", least/1e9, most/1e9)
			}
			got = append(got, words+fmt.Sprintf(", %d %d, %d", len(c.Unseen), c.UpTo()/1e9, c.Dirty))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
