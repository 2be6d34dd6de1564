package drive

import (
	"slices"
	"time"

	"cachecliff/app/format"
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
)

// temperature is what the drive's sensors show.
func (s *State) temperature() Section {
	d, w := s.Drive(), s.Words
	if d == nil || s.Watch.Drive != d.Key {
		return Section{}
	}
	c := Section{Title: w.T("drive.temperature")}
	read := s.Watch.Last
	if len(read.Temperatures) == 0 || s.Watch.Fault != nil {
		c.Lead = []part.Span{{Text: s.noTemperature()}}
		return c
	}
	first := read.Temperatures[0]
	c.Big = part.Span{Text: format.Temperature(first.MilliC), Tone: s.heat(first, true)}
	c.Table = s.sensors()
	c.Notes = append(c.Notes, part.Span{Text: s.reading(), Tone: part.Dim})
	for _, r := range read.Temperatures {
		if stood, still := s.Watch.Still(r.Label); still {
			c.Notes = append(c.Notes, part.Span{Tone: part.Doubt, Text: w.T("drive.sensor-still",
				"Sensor", s.label(r.Label), "Temperature", format.Temperature(r.MilliC), "Time", format.Duration(stood.Round(time.Minute), s.Locale))})
		}
	}
	return c
}

// sensors is the table of the sensors with their limits.
func (s *State) sensors() Table {
	w := s.Words
	t := Table{Columns: []Column{{Title: w.T("drive.sensor"), Wide: true}, {Title: w.T("drive.now"), Right: true}, {Title: w.T("drive.range"), Right: true}}}
	warns, crits := false, false
	readings := s.Watch.Last.Temperatures
	for i, r := range readings {
		warn, crit := s.limits(r.Label, i == 0)
		warns, crits = warns || warn != nil, crits || crit != nil
	}
	if warns {
		t.Columns = append(t.Columns, Column{Title: w.T("drive.warns"), Right: true})
	}
	if crits {
		t.Columns = append(t.Columns, Column{Title: w.T("drive.critical"), Right: true})
	}
	for i, r := range readings {
		low, top, _ := s.Watch.Range(r.Label)
		cells := []Cell{{Text: s.label(r.Label)}, {Text: format.Temperature(r.MilliC), Tone: s.heat(r, i == 0)}, {Text: facts.Degrees(low, top), Tone: part.Dim}}
		warn, crit := s.limits(r.Label, i == 0)
		if warns {
			cells = append(cells, Cell{Text: format.TemperatureOf(warn)})
		}
		if crits {
			cells = append(cells, Cell{Text: format.TemperatureOf(crit)})
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// limits are those of a sensor.
func (s *State) limits(label string, first bool) (warn, crit *int32) {
	return Limits(s.Limits, s.Health, label, first)
}

// Limits are those of a sensor, as the system or else the drive itself names them. Those of a drive as a whole are
// those of its first sensor, if that has none of its own. Nil is not known.
func Limits(all platform.TempLimits, h *platform.Health, label string, first bool) (warn, crit *int32) {
	if !all.Known() && h != nil {
		all = h.Limits
	}
	if i := slices.IndexFunc(all.Sensors, func(l platform.SensorLimits) bool { return l.Label == label }); i >= 0 {
		warn, crit = all.Sensors[i].WarnMilliC, all.Sensors[i].CritMilliC
	}
	if first && warn == nil {
		warn = all.WarnMilliC
	}
	if first && crit == nil {
		crit = all.CritMilliC
	}
	return warn, crit
}

// heat is the tone of a temperature.
func (s *State) heat(r platform.Reading, first bool) part.Tone {
	warn, crit := s.limits(r.Label, first)
	return heat(r.MilliC, warn, crit)
}

// label names a sensor: the composite one is what the drive makes of all its sensors.
func (s *State) label(label string) string {
	switch label {
	case "Composite":
		return s.Words.T("drive.composite")
	case "":
		return s.Words.T("drive.sensor")
	}
	return label
}

// reading says how old the temperatures are and where they come from.
func (s *State) reading() string {
	age := s.Watch.Last.TempAge + max(0, s.Now.Sub(s.Watch.At))
	when := s.Words.T("drive.read-now")
	if age >= 2*time.Second {
		when = s.Words.T("drive.read-ago", "Time", format.Duration(age.Truncate(time.Second), s.Locale))
	}
	if s.Watch.Last.Source == "" {
		return when
	}
	return facts.Join(when, s.Words.T("drive.read-from", "Source", s.Watch.Last.Source))
}

// noTemperature says why there is none.
func (s *State) noTemperature() string {
	w := s.Words
	switch {
	case s.Watch.Fault != nil:
		return w.T("drive.temperature-fault")
	case s.Watch.Last.Asleep:
		return w.T("drive.temperature-asleep")
	case s.Watch.Last.NoTemp != "":
		return s.why(s.Watch.Last.NoTemp)
	}
	return w.T("drive.temperature-none")
}

// why is a reason in a sentence.
func (s *State) why(r platform.Why) string {
	if id := "drive.why-" + string(r); s.Words.Has(id) {
		return s.Words.T(id)
	}
	return s.Words.T("drive.why-failed")
}
