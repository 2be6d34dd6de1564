package monitor

import (
	"time"

	"cachecliff/platform"
)

// The periods that are offered, and the bounds of what may be asked for.
const (
	MinPeriod     = 10 * time.Millisecond
	MaxPeriod     = time.Minute
	DefaultPeriod = time.Second
)

// Config says what to watch.
type Config struct {
	Drives []platform.Drive
	Period time.Duration // between samples
}

// Sample is one look at everything that is watched. It shares nothing with later ones.
type Sample struct {
	At     time.Duration      `json:"at"`               // since the start, when it was taken
	Late   time.Duration      `json:"late,omitempty"`   // how long after it was due, if that is over half a period: it stands for more time
	Missed int                `json:"missed,omitempty"` // samples that were due meanwhile and came to nothing
	CPU    *platform.CPUTimes `json:"cpu,omitempty"`    // nil if the system does not tell
	Drives []Reading          `json:"drives"`           // in the order of Config.Drives
}

// Reading is what one drive showed.
type Reading struct {
	At           time.Duration      `json:"at"`                    // since the start, when the counters were read
	Counters     *platform.Counters `json:"counters,omitempty"`    // nil if they could not be read
	NoCounters   platform.Why       `json:"no_counters,omitempty"` // why
	Temperatures []platform.Reading `json:"temperatures,omitempty"`
	TempAge      time.Duration      `json:"temp_age,omitempty"` // how old they were
	NoTemp       platform.Why       `json:"no_temp,omitempty"`  // why there are none, where that is known
	Gone         bool               `json:"gone,omitempty"`     // the drive is no longer there
}
