// Package monitor is the Monitor page: which drives are watched and how often, what they do now in the
// columns of iostat, and what they did in charts on one time axis.
package monitor

import (
	"math"
	"slices"
	"strconv"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/plot"
	"cachecliff/app/recording"
	"cachecliff/app/words"
	"cachecliff/platform"
	"cachecliff/ui/chart"
	"cachecliff/ui/part"
)

// Actions is what the user can do here.
type Actions interface {
	// ChooseDrive says whether a drive is to be watched.
	ChooseDrive(key string, on bool)
	// SetPeriod says how often.
	SetPeriod(d time.Duration)
	// SetRecent says whether the last minute is shown, or all.
	SetRecent(on bool)
	// StartWatch begins a recording with what was chosen.
	StartWatch()
	// StopWatch ends it.
	StopWatch()
	// SaveTable saves all samples.
	SaveTable()
	// SaveGraph saves the charts as they are shown.
	SaveGraph()
}

// State is what the page shows.
type State struct {
	Words   *words.Words
	Locale  format.Locale
	Drives  []platform.Drive // that can be watched; replaced as a whole, never changed
	Chosen  []string         // keys of drives
	Looking bool             // drives are being looked for
	Fault   string           // why there are none
	Period  time.Duration
	Recent  bool
	View    recording.View
	Trend   func(recent bool) *recording.Trend // for any goroutine
	Busy    bool                               // a recording is about to start
	Saving  bool
	Ended   string // why the recording ended, if not because it was stopped
	Lost    string // why not all of it can be saved
	Notice  part.Span
}

// Watched are the drives that are chosen and there.
func (s *State) Watched() []platform.Drive {
	var out []platform.Drive
	for _, d := range s.Drives {
		if slices.Contains(s.Chosen, d.Key) {
			out = append(out, d)
		}
	}
	return out
}

// name is a drive as it stands beside its check.
func name(d platform.Drive) string {
	if d.Model == "" {
		return d.Name
	}
	return d.Name + " · " + d.Model
}

// status is the sentences about the recording.
func (s *State) status() []part.Span {
	v := &s.View
	t := s.Words.T
	var out []part.Span
	length := format.Duration(v.Length.Truncate(time.Second), s.Locale)
	count := format.Integer(int64(v.Samples), s.Locale)
	switch {
	case s.Fault != "":
		out = append(out, part.Span{Text: s.Fault, Tone: part.Bad})
	case v.Running:
		out = append(out, part.Span{Text: t("monitor.running", "Time", length, "Samples", count)})
	case s.Ended != "":
		out = append(out, part.Span{Text: s.Ended, Tone: part.Bad})
	case v.Samples > 0:
		out = append(out, part.Span{Text: t("monitor.stopped", "Time", length, "Samples", count), Tone: part.Dim})
	}
	if v.Late > 0 {
		out = append(out, part.Span{Text: t("monitor.late", "Count", format.Integer(int64(v.Late), s.Locale)), Tone: part.Doubt})
	}
	if s.Lost != "" {
		out = append(out, part.Span{Text: t("monitor.lost", "Why", s.Lost), Tone: part.Doubt})
	}
	return append(out, s.Notice)
}

// hint is what stands in the middle of an empty page.
func (s *State) hint() string {
	switch {
	case s.View.Samples > 0 || s.View.Running || s.Fault != "":
		return ""
	case s.Looking:
		return s.Words.T("top.looking")
	case len(s.Drives) == 0:
		return s.Words.T("monitor.none")
	}
	return s.Words.T("monitor.empty")
}

// hole says what a drive does not tell, and since when.
func (s *State) hole(d recording.DriveNow) (string, part.Tone) {
	if d.Hole == nil {
		return "", part.Plain
	}
	at := format.Duration(d.Hole.From.Truncate(time.Millisecond), s.Locale)
	why := s.Words.T(recording.HoleWord(d.Hole.Why))
	if d.Hole.Open {
		return s.Words.T("monitor.hole-open", "Why", why, "At", at), part.Bad
	}
	return s.Words.T("monitor.hole-past", "Why", why, "At", at, "Count", strconv.Itoa(d.Holes)), part.Doubt
}

// value is a cell of the live table.
func (s *State) value(v float64, digits int) string {
	if math.IsNaN(v) {
		return format.Unknown
	}
	if v >= 1000 {
		digits = 0
	}
	return format.Column{Unit: format.Unit{Size: 1}, Decimals: digits}.Value(v, s.Locale)
}

// periodText is a period as it is chosen.
func (s *State) periodText(d time.Duration) string {
	return s.Words.T("monitor.every", "Time", format.Duration(d, s.Locale))
}

// panels is how many charts there are: one of them only if there is a temperature.
func (s *State) panels() int {
	for _, d := range s.View.Drives {
		if d.MilliC != nil {
			return 7
		}
	}
	return 6
}

// drawEvery is the least time between two pictures of the charts: all of them take 25 to 70 ms of a processor.
const drawEvery = 500 * time.Millisecond

// graphKey says when the charts have to be drawn anew.
type graphKey struct {
	started time.Time
	lang    string
	samples int
	recent  bool
}

// graph is the charts.
func (s *State) graph() part.Drawing {
	v, trend, recent := &s.View, s.Trend, s.Recent
	look := recording.Look{Words: s.Words, Locale: s.Locale, Live: true, TextSize: 11, Recent: recent}
	d := part.Drawing{
		Key: graphKey{v.Header.Started, s.Words.Lang(), v.Samples, recent},
		Stack: func(f chart.Frame) plot.Stack {
			t := trend(recent)
			if t == nil {
				return plot.Stack{}
			}
			look.Dark = f.Dark
			return t.Stack(look)
		},
	}
	if v.Running {
		d.Every = drawEvery
	}
	return d
}
