package stages

import "time"

// Point is a stretch of a series that was written without a pause.
type Point struct {
	Bytes int64         // written in it
	Took  time.Duration // its length
	Hot   bool          // the drive was throttled, or at its limit of temperature
}

// Cause is why a rate fell.
type Cause string

// The causes.
const (
	CauseNone    Cause = ""        // it rose
	CauseCache   Cause = "cache"   // the write cache was full
	CauseHeat    Cause = "heat"    // the drive throttled itself
	CauseUnknown Cause = "unknown" // it recovered later, and heat was not seen
)

// Stage is a part of the series with one rate.
type Stage struct {
	From   int64         `json:"from"` // bytes from the start of the series
	To     int64         `json:"to"`   //
	Took   time.Duration `json:"took"`
	Rate   float64       `json:"rate"`              // its bytes by its time, bytes per second
	Lo     float64       `json:"lo"`                // a tenth of its time it was no faster than this, bytes per second
	Hi     float64       `json:"hi"`                // and a tenth as fast as this or faster
	HotPct int           `json:"hot_pct,omitempty"` // share of its bytes that were written hot, percent
}

// Border is where a stage ends.
type Border struct {
	At    int64 `json:"at"` // bytes from the start of the series
	Lo    int64 `json:"lo"` // it lies between these
	Hi    int64 `json:"hi"`
	Cause Cause `json:"cause,omitempty"`
}

// Stages is what a series is made of.
type Stages struct {
	Bytes   int64         `json:"bytes"` // of the whole series
	Took    time.Duration `json:"took"`
	Stages  []Stage       `json:"stages"`  // none without a byte
	Borders []Border      `json:"borders"` // one fewer
	Last    float64       `json:"last"`    // mean rate of the last 16 GB or, of a shorter series, of its last tenth, bytes per second
}

// Mean is the rate of the whole series, bytes per second; 0 if it has no length.
func (s Stages) Mean() float64 {
	if s.Took <= 0 {
		return 0
	}
	return float64(s.Bytes) / s.Took.Seconds()
}

// Cache is the border at which the write cache ended; false if that was not seen.
func (s Stages) Cache() (Border, bool) {
	for _, b := range s.Borders {
		if b.Cause == CauseCache {
			return b, true
		}
	}
	return Border{}, false
}

// Find takes a series apart. A series without a byte has no stages.
func Find(points []Point) Stages {
	s := Stages{}
	for _, p := range points {
		s.Bytes, s.Took = s.Bytes+p.Bytes, s.Took+p.Took
	}
	bins := binned(points, s.Bytes)
	if len(bins) == 0 {
		return s
	}
	smooth, noise := despiked(bins)
	f := &finder{bins: bins, log: smooth, noise: noise, total: s.Bytes}
	cuts := f.merge(partition(smooth, price(noise, len(smooth))))
	s.Stages, s.Borders = f.report(cuts)
	s.Last = last(points, s.LastBytes())
	return s
}

// lastBytes is the end of a fill whose rate is told by itself: TechPowerUp and others give it.
const lastBytes = 16e9

// LastBytes is of how many bytes at the end Last is the rate.
func (s Stages) LastBytes() int64 {
	if s.Bytes < 10*lastBytes {
		return s.Bytes / 10
	}
	return lastBytes
}

// last is the mean rate of the end of a series of which so many bytes are wanted.
func last(points []Point, want int64) float64 {
	var bytes int64
	var took float64
	for i := len(points) - 1; i >= 0 && bytes < want; i-- {
		p := points[i]
		part := 1.0
		if p.Bytes > want-bytes {
			part = float64(want-bytes) / float64(p.Bytes)
		}
		bytes, took = bytes+int64(part*float64(p.Bytes)), took+part*p.Took.Seconds()
		if part < 1 {
			break
		}
	}
	if took <= 0 {
		return 0
	}
	return float64(bytes) / took
}
