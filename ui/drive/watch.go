package drive

import (
	"maps"
	"time"

	"cachecliff/platform"
)

// Watch is what the sensors of one drive have shown since somebody looks. It is a value: Add makes a new one.
type Watch struct {
	Drive  string           // its Key
	Last   platform.Sensors // the newest reading
	At     time.Time        // when it came; zero: none did
	Fault  error            // why the last question had no answer
	shown  map[string]shown // by label
	widest int32            // by how much the sensor moved that moved most
}

// shown is what a sensor has shown.
type shown struct {
	first    time.Time
	low, top int32 // thousandths of a degree
}

// Add takes a reading of a drive; one of another drive begins anew.
func (w Watch) Add(key string, now time.Time, s platform.Sensors, err error) Watch {
	if w.Drive != key {
		w = Watch{Drive: key}
	}
	w.At, w.Last, w.Fault = now, s, err
	w.shown = maps.Clone(w.shown)
	if w.shown == nil {
		w.shown = map[string]shown{}
	}
	for _, r := range s.Temperatures {
		v, ok := w.shown[r.Label]
		if !ok {
			v = shown{now, r.MilliC, r.MilliC}
		}
		v.low, v.top = min(v.low, r.MilliC), max(v.top, r.MilliC)
		w.shown[r.Label] = v
		w.widest = max(w.widest, v.top-v.low)
	}
	return w
}

// Range is the lowest and the highest that a sensor has shown; ok is false if it has shown nothing.
func (w Watch) Range(label string) (low, top int32, ok bool) {
	v, ok := w.shown[label]
	return v.low, v.top, ok
}

// How long a sensor may stand still before it is named: a drive at rest keeps its temperature for minutes, so
// less time is enough only where another sensor of the same drive moved meanwhile.
const (
	stillAlone  = 15 * time.Minute
	stillBeside = time.Minute
	movedMilliC = 2000
)

// Still says whether a sensor has never moved, and for how long.
func (w Watch) Still(label string) (time.Duration, bool) {
	v, ok := w.shown[label]
	if !ok || v.low != v.top {
		return 0, false
	}
	stood := w.At.Sub(v.first)
	return stood, stood >= stillAlone || stood >= stillBeside && w.widest >= movedMilliC
}

// Milli is the first temperature, as the top bar shows it; nil if the last reading had none.
func (w Watch) Milli() *int32 {
	if w.Fault != nil || len(w.Last.Temperatures) == 0 {
		return nil
	}
	t := w.Last.Temperatures[0].MilliC
	return &t
}
