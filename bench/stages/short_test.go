package stages

import (
	"testing"
	"time"
)

// unsteady is a fill of five seconds at a limit of 300 MB/s beside other load, as it was measured: MiB and ms of each
// sample.
var unsteady = [][2]int64{
	{28, 100}, {29, 100}, {28, 100}, {29, 100}, {9, 100}, {22, 100}, {16, 100}, {0, 100}, {36, 100}, {29, 100}, {28, 100}, {29, 100},
	{29, 100}, {28, 100}, {29, 100}, {28, 100}, {29, 100}, {29, 100}, {28, 100}, {57, 135}, {29, 100}, {29, 100}, {28, 100}, {8, 100},
	{49, 100}, {29, 100}, {2, 100}, {55, 100}, {13, 100}, {44, 100}, {1, 100}, {57, 100}, {4, 100}, {53, 100}, {22, 100}, {28, 100},
	{33, 98}, {31, 101}, {29, 100}, {19, 100}, {23, 100}, {44, 100}, {28, 100}, {29, 100}, {29, 100}, {9, 100}, {26, 100}, {51, 100},
}

// A short and unsteady series has no stage without a byte, and no cache is read into a burst in it.
func TestUnsteady(t *testing.T) {
	var points []Point
	for _, p := range unsteady {
		points = append(points, Point{Bytes: p[0] << 20, Took: time.Duration(p[1]) * time.Millisecond})
	}
	for n := len(points); n > 10; n-- {
		s := Find(points[:n])
		for _, g := range s.Stages {
			if g.To <= g.From {
				t.Errorf("%d samples: stages %+v", n, s.Stages)
			}
		}
	}
	if b, ok := Find(points).Cache(); ok {
		t.Errorf("a cache of %d to %d bytes", b.Lo, b.Hi)
	}
}
