package stages

import (
	"testing"
	"time"
)

func TestTime(t *testing.T) {
	s := Stages{Stages: []Stage{{To: 100, Took: 10 * time.Second}, {From: 100, To: 300, Took: 40 * time.Second}, {From: 300, To: 310, Took: 10 * time.Second}}}
	for bytes, want := range map[int64]time.Duration{
		0: 0, 50: 5 * time.Second, 100: 10 * time.Second, 200: 30 * time.Second, 300: 50 * time.Second, 310: 60 * time.Second, 320: 70 * time.Second,
	} {
		if got := s.Time(bytes); got != want {
			t.Errorf("%d bytes take %v, want %v", bytes, got, want)
		}
	}
	if got := (Stages{}).Time(100); got != 0 {
		t.Errorf("without a stage: %v", got)
	}
}
