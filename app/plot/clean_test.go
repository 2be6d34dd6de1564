package plot

import (
	"math"
	"reflect"
	"testing"
)

func TestClean(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		x, y []float64
		want [][]point
	}{
		{nil, nil, nil},
		{[]float64{1, 2}, []float64{1}, [][]point{{{1, 1}}}},
		{[]float64{1}, []float64{1, 2}, [][]point{{{1, 1}}}},
		{[]float64{1, 2, 3}, []float64{1, nan, 3}, [][]point{{{1, 1}}, {{3, 3}}}},
		{[]float64{nan, 2, inf}, []float64{1, 2, 3}, [][]point{{{2, 2}}}},
		{[]float64{1, 2}, []float64{1e16, -inf}, nil},
	} {
		if got := clean(c.x, c.y); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v %v: %v", c.x, c.y, got)
		}
	}
}

func TestClipX(t *testing.T) {
	for _, c := range []struct {
		name string
		run  []point
		want [][]point
	}{
		{"inside", []point{{1, 1}, {9, 9}}, [][]point{{{1, 1}, {9, 9}}}},
		{"through", []point{{-10, 0}, {20, 30}}, [][]point{{{0, 10}, {10, 20}}}},
		{"outside", []point{{-5, 1}, {-1, 1}}, nil},
		{"out and back", []point{{8, 0}, {12, 4}, {12, 8}, {8, 12}}, [][]point{{{8, 0}, {10, 2}}, {{10, 10}, {8, 12}}}},
		{"one point", []point{{5, 5}}, [][]point{{{5, 5}}}},
		{"one point outside", []point{{15, 5}}, nil},
		{"upright", []point{{5, 0}, {5, 9}}, [][]point{{{5, 0}, {5, 9}}}},
	} {
		if got := clipX(c.run, 0, 10); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Peaks survive, the order stays, the limit holds; also for a curve that runs to and fro.
func TestReduce(t *testing.T) {
	for name, x := range map[string]func(i int) float64{
		"one way":    func(i int) float64 { return float64(i) / 100 },
		"to and fro": func(i int) float64 { return float64(i%2) * 500 },
		"one place":  func(int) float64 { return 7 },
	} {
		run := make([]point, 50_000)
		for i := range run {
			run[i] = point{x(i), math.Sin(float64(i) / 700)}
		}
		run[31_234].y, run[47_001].y = 99, -99
		for _, limit := range []int{8, 100, 600, 2000} {
			got := reduce(run, limit)
			if len(got) > limit || len(got) < 2 {
				t.Errorf("%s: %d points for %d", name, len(got), limit)
			}
			top, bottom := 0.0, 0.0
			for _, p := range got {
				top, bottom = math.Max(top, p.y), math.Min(bottom, p.y)
			}
			if top != 99 || bottom != -99 {
				t.Errorf("%s to %d: peaks lost, %v and %v are left", name, limit, top, bottom)
			}
		}
	}
	short := []point{{1, 1}, {1, 2}, {1, 3}}
	if got := reduce(short, 8); !reflect.DeepEqual(got, short) {
		t.Errorf("a short run was changed: %v", got)
	}
}

func TestShare(t *testing.T) {
	var runs [][]point
	for i := range 3000 {
		runs = append(runs, []point{{float64(i), 1}})
	}
	runs = append(runs, make([]point, 10_000))
	total := 0
	for _, r := range share(runs, 600) {
		total += len(r)
	}
	if total > 600 || total < 100 {
		t.Errorf("%d points", total)
	}
}

func TestDashByX(t *testing.T) {
	got := dashByX([]point{{0, 0}, {9, 9}, {9, 0}, {20, 0}}, []float64{4, 2})
	want := [][]point{{{0, 0}, {4, 4}}, {{6, 6}, {9, 9}, {9, 0}, {10, 0}}, {{12, 0}, {16, 0}}, {{18, 0}, {20, 0}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDense(t *testing.T) {
	for _, c := range []struct {
		run  []point
		want bool
	}{
		{[]point{{0, 0}, {100, 0}}, false},
		{[]point{{0, 0}, {1, 5}, {2, 0}, {3, 7}}, true},
		{[]point{{0, 0}, {2, 5}, {1, 0}, {3, 7}}, false},
	} {
		if got := dense(c.run); got != c.want {
			t.Errorf("%v: %v", c.run, got)
		}
	}
}
