package export

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
)

// writeThermal writes what a test of the temperature found: each load with its sensors and rates, and in words what
// that means.
func writeThermal(b *bytes.Buffer, r bench.Result) {
	passes := r.ThermalPasses()
	b.WriteString("* MB/s = 1,000,000 bytes/s\n")
	if len(passes) == 0 {
		b.WriteString("\n[Temperature] not measured\n\n")
		return
	}
	load := r.Plan.Profile.Workloads[0].Spec
	for _, p := range passes {
		name := ""
		if r.Plan.Profile.Loops > 1 {
			name = fmt.Sprintf(" run %d,", p.Loop)
		}
		fmt.Fprintf(b, "\n[Temperature]%s %s %s, %s", name, load.Label(), load.Direction(), tookWords(p.Took))
		if r.Comment != "" {
			fmt.Fprintf(b, ", %q", format.PlainLine(r.Comment))
		}
		b.WriteString("\n")
		writeSensors(b, &r, p)
		writeThermalRates(b, p)
	}
	b.WriteString("\n")
	wrap(b, explain.Thermal(words.New(words.English), &r))
	b.WriteString("\n")
}

// writeSensors writes a line for each sensor of a load.
func writeSensors(b *bytes.Buffer, r *bench.Result, p bench.ThermalPass) {
	if len(p.Sensors) == 0 {
		b.WriteString("  no temperature sensor can be read\n")
	}
	for _, s := range p.Sensors {
		degrees := func(milliC int32) string { return fmt.Sprintf("%5.1f", float64(milliC)/1000) }
		rise := fmt.Sprintf("+%.1f K after %s", float64(s.Rise)/1000, tookWords(s.TopAt))
		switch {
		case s.Still:
			rise = "stands still"
		case s.Rise <= 0:
			rise = "no rise"
		}
		fmt.Fprintf(b, "  %20s: idle %s, top %s, end %s °C  %s\n", format.PlainLine(sensorName(r, s)), degrees(s.Idle), degrees(s.Top), degrees(s.End), rise)
	}
	if len(p.Sensors) > 0 && !p.Settled {
		b.WriteString("  the temperature was not steady before\n")
	}
}

// writeThermalRates writes the rates of a load, and when and by what heat slowed the drive down.
func writeThermalRates(b *bytes.Buffer, p bench.ThermalPass) {
	fmt.Fprintf(b, "  %20s: %9.3f MB/s\n  %20s: %9.3f MB/s\n", "first minute", p.First/1e6, "last minute", p.Last/1e6)
	if len(p.Sensors) == 0 {
		return
	}
	limit := "not known, the drive names none"
	if p.Limit != nil {
		limit = fmt.Sprintf("%.1f °C, not reached", float64(*p.Limit)/1000)
		if p.Hot >= 0 {
			limit = fmt.Sprintf("%.1f °C, about reached in minute %d", float64(*p.Limit)/1000, 1+int(p.Hot/time.Minute))
		}
	}
	fmt.Fprintf(b, "  %20s: %s\n", "limit", limit)
	for _, s := range p.Slowed {
		fmt.Fprintf(b, "  %20s: %9.3f MB/s  from %.0f s to %.0f s, by rate and temperature together\n", "throttled", s.Rate/1e6, s.From.Seconds(), s.To.Seconds())
	}
	if p.Counted {
		fmt.Fprintf(b, "  %20s: the drive's own counters say so\n", "throttled")
	}
}

// tookWords is a time in seconds, or in minutes where it is long.
func tookWords(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f min", d.Minutes())
}

// sensorName is what a sensor is called: by its own name, and its drive where there are several. The first of a drive
// may have none.
func sensorName(r *bench.Result, s bench.ThermalSensor) string {
	name := s.Label
	if name == "" {
		name = "temperature"
	}
	drives := r.Plan.Target.Drives
	if len(drives) > 1 {
		for _, d := range drives {
			if d.Key == s.Drive {
				name = d.Name + " " + name
			}
		}
	}
	return name
}

// addSensors adds a column for each sensor to the rows of samples of a test of the temperature: what was read last in
// the sample.
func addSensors(t *table, r bench.Result) {
	if r.Plan.Profile.Thermal == nil {
		return
	}
	type sensor struct{ drive, label string }
	var all []sensor
	columns := &table{}
	var head []any
	for _, p := range r.ThermalPasses() {
		for _, s := range p.Sensors {
			if key := (sensor{s.Drive, s.Label}); !slices.Contains(all, key) {
				all = append(all, key)
				name := strings.ToLower(strings.Join(strings.Fields(sensorName(&r, s)), "_"))
				head = append(head, name+"_millic")
			}
		}
	}
	columns.add(head...)
	for _, m := range r.Measurements {
		for _, s := range m.Series {
			cells := make([]any, len(all))
			for _, d := range s.Drive {
				for _, x := range d.Temperatures {
					if i := slices.Index(all, sensor{d.Drive, x.Label}); i >= 0 {
						cells[i] = x.MilliC
					}
				}
			}
			columns.add(cells...)
		}
	}
	for i := range t.rows {
		t.rows[i] = append(t.rows[i], columns.rows[i]...)
	}
}

// writeThermalFacts are those lines about the test that a test of the temperature has instead of others.
func writeThermalFacts(b *bytes.Buffer, p bench.Profile, where string) {
	line(b, "Test", fmt.Sprintf("%s (x%d) [%s]", binary(p.FileSize), p.Loops, where))
	s, most := p.Workloads[0].Spec, ""
	until := "Measure " + seconds(s.Measure)
	if p.Thermal.Steady {
		until = "Until steady, at most " + seconds(s.Measure)
	}
	if s.Limit > 0 {
		most = "at most " + gigabytes(s.Limit) + " GB"
	}
	line(b, "Time", join(" / ", until, most, "Wait at most "+seconds(p.Thermal.Idle)))
}

// thermalGrids are the sensors and the rates of each load.
func (t *teller) thermalGrids() []grid {
	level := t.level("")
	warm := grid{Caption: t.w.T("report.sensors"), Head: []string{t.w.T("report.sensor"), t.w.T("report.idle"), t.w.T("report.top"), t.w.T("report.rise"), t.w.T("report.end")}}
	rates := grid{Caption: t.w.T("report.rates"), Head: []string{t.w.T("report.test"), t.w.T("report.first-minute"), t.w.T("report.last-minute")}}
	rate := func(v float64) string { return format.MBPerSecond.Value(v, t.l) }
	test := t.r.Plan.Profile.Workloads[0].Spec
	for _, p := range t.r.ThermalPasses() {
		run := ""
		if t.r.Plan.Profile.Loops > 1 {
			run = fmt.Sprintf(" (%d)", p.Loop)
		}
		for _, s := range p.Sensors {
			warm.Rows = append(warm.Rows, []cell{{Text: sensorName(t.r, s) + run}, {Text: format.Temperature(s.Idle), Level: level}, {Text: format.Temperature(s.Top), Level: level, Quiet: true},
				{Text: format.Kelvin(s.Top, s.Idle), Level: level, Quiet: true}, {Text: format.Temperature(s.End), Level: level, Quiet: true}})
		}
		rates.Rows = append(rates.Rows, []cell{{Text: test.Label() + " " + t.head(test.Direction()) + run}, {Text: rate(p.First), Level: level}, {Text: rate(p.Last), Level: level, Quiet: true}})
	}
	return []grid{warm, rates}
}
