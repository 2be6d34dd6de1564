package platform

import "testing"

func TestFill(t *testing.T) {
	for _, c := range []struct {
		name  string
		v     Volume
		free  int64
		share float64
		ok    bool
	}{
		{"unknown", Volume{}, 0, 0, false},
		{"used and free", Volume{Size: 100, Used: 25, Free: 75}, 75, 0.25, true},
		{"most is kept for root", Volume{Size: 100, Used: 10, Free: 30}, 30, 0.25, true},
		{"after a file of 10", Volume{Size: 100, Used: 10, Free: 30}, 20, 0.5, true},
		{"full for users", Volume{Size: 100, Used: 90, Free: 0}, 0, 1, true},
		{"used not known", Volume{Size: 100, Free: 75}, 75, 0.25, true},
		{"more free than before", Volume{Size: 100, Used: 10, Free: 30}, 50, 0, true},
	} {
		if share, ok := c.v.Fill(c.free); share != c.share || ok != c.ok {
			t.Errorf("%s: %v, %v", c.name, share, ok)
		}
	}
}
