package worker

import (
	"strings"
	"testing"
)

func TestEnds(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := []struct {
		name   string
		writes []string
		want   string
	}{
		{"nothing", nil, ""},
		{"little", []string{"fatal error: a\n", "b"}, "fatal error: a\nb"},
		{"just both", []string{strings.Repeat("h", maxHead), strings.Repeat("t", maxTail)}, strings.Repeat("h", maxHead) + strings.Repeat("t", maxTail)},
		{"too much at once", []string{strings.Repeat("h", maxHead) + long + strings.Repeat("t", maxTail)},
			strings.Repeat("h", maxHead) + "\n...\n" + strings.Repeat("t", maxTail)},
		{"too much by and by", []string{strings.Repeat("h", maxHead), strings.Repeat("x", maxTail), "end"},
			strings.Repeat("h", maxHead) + "\n...\n" + strings.Repeat("x", maxTail-3) + "end"},
	}
	for _, tt := range tests {
		var e ends
		for _, w := range tt.writes {
			if n, err := e.Write([]byte(w)); n != len(w) || err != nil {
				t.Errorf("%s: wrote %d, %v", tt.name, n, err)
			}
		}
		if got := e.String(); got != tt.want {
			t.Errorf("%s: got %d bytes, want %d", tt.name, len(got), len(tt.want))
		}
	}
}
