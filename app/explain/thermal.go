package explain

import (
	"strings"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
)

// Thermal says in a few sentences what a test of the temperature showed: how warm the drive got from where and how
// fast, whether it slowed down and by what that is known, and the rate at the start and at the end. It is empty before
// there is a rate.
func Thermal(w *words.Words, r *bench.Result) string {
	passes := r.ThermalPasses()
	if len(passes) == 0 {
		return ""
	}
	writes := r.Plan.Profile.Workloads[0].Spec.Direction() == bench.DirWrite
	text := ThermalPass(w, passes[0], writes)
	if text == "" || len(passes) == 1 {
		return text
	}
	var least, most *int32
	for _, p := range passes {
		if s, ok := p.Warmest(); ok {
			if least == nil || s.Top < *least {
				least = &s.Top
			}
			if most == nil || s.Top > *most {
				most = &s.Top
			}
		}
	}
	if least == nil {
		return text
	}
	return text + " " + w.T("verdict.thermal-runs", "Runs", len(passes), "Least", format.Temperature(*least), "Most", format.Temperature(*most))
}

// ThermalPass says that of a single load, which may have written.
func ThermalPass(w *words.Words, p bench.ThermalPass, writes bool) string {
	if p.Took <= 0 || p.First <= 0 {
		return ""
	}
	v := thermalVerdict{w: w, l: locale(w), p: p, writes: writes}
	s, known := p.Warmest()
	if !known {
		v.say("verdict.thermal-no-sensor")
		v.rates()
		return v.text()
	}
	v.warmth(s)
	v.slowing(s)
	if !p.Settled && !s.Still {
		v.say("verdict.thermal-unsettled")
	}
	return v.text()
}

// thermalVerdict collects the sentences about a load.
type thermalVerdict struct {
	w         *words.Words
	l         format.Locale
	p         bench.ThermalPass
	writes    bool
	sentences []string
}

func (v *thermalVerdict) say(id string, pairs ...any) {
	v.sentences = append(v.sentences, v.w.T(id, pairs...))
}

func (v *thermalVerdict) text() string { return strings.Join(v.sentences, " ") }

func (v *thermalVerdict) rate(r float64) string { return format.AboutRate(r, v.l) }

// notable is the least difference between two sensors, or the least rise, that is worth a word, thousandths of a degree.
const notable = 2000

// warmth tells how warm the drive got.
func (v *thermalVerdict) warmth(s bench.ThermalSensor) {
	idle, top := format.Temperature(s.Idle), format.Temperature(s.Top)
	switch {
	case s.Still:
		v.say("verdict.thermal-still", "Temperature", idle, "Time", aboutTime(v.p.Took, v.l))
		return
	case s.Rise < notable:
		v.say("verdict.thermal-cool", "Temperature", top, "Time", aboutTime(v.p.Took, v.l))
		return
	}
	v.say("verdict.thermal-warmed", "Idle", idle, "Top", top, "Rise", format.Kelvin(s.Top, s.Idle), "Time", aboutTime(s.TopAt, v.l))
	if len(v.p.Slowed) == 0 && !v.p.Counted {
		if v.p.Steady {
			v.say("verdict.thermal-steady")
		} else if s.Top-s.End < notable {
			v.say("verdict.thermal-warming")
		}
	}
	for _, o := range v.p.Sensors {
		if o.Drive == s.Drive && o.Top-s.Top >= notable && !o.Still && o.Label != "" {
			v.say("verdict.thermal-other", "Sensor", o.Label, "Top", format.Temperature(o.Top))
			return
		}
	}
}

// slowing tells whether the drive slowed down, and by what that is known.
func (v *thermalVerdict) slowing(s bench.ThermalSensor) {
	var total time.Duration
	var bytes float64
	for _, x := range v.p.Slowed {
		total += x.To - x.From
		bytes += x.Rate * (x.To - x.From).Seconds()
	}
	switch {
	case total > 0:
		pairs := []any{"At", aboutTime(v.p.Slowed[0].From, v.l), "Fast", v.rate(v.p.First), "Slow", v.rate(bytes / total.Seconds()),
			"Time", aboutTime(total, v.l), "Limit", format.TemperatureOf(v.p.Limit)}
		if v.p.Counted {
			v.say("verdict.thermal-slowed-counted", pairs...)
		} else {
			v.say("verdict.thermal-slowed", pairs...)
		}
		v.say("verdict.fill-cool")
	case v.p.Counted:
		v.say("verdict.thermal-counted")
		v.rates()
		v.say("verdict.fill-cool")
	case v.p.Hot >= 0 && !v.p.Fell():
		v.say("verdict.thermal-hot", "At", aboutTime(v.p.Hot, v.l), "Limit", format.TemperatureOf(v.p.Limit))
		v.rates()
	case v.p.Fell():
		v.fell(s)
	default:
		v.rates()
	}
}

// fell tells of a rate that fell without a sign that heat was why.
func (v *thermalVerdict) fell(s bench.ThermalSensor) {
	id := "verdict.thermal-fell"
	switch {
	case v.p.Limit == nil || s.Still || v.p.Hot >= 0:
		id = "verdict.thermal-fell-unknown"
	case v.writes:
		id = "verdict.thermal-fell-write"
	}
	v.say(id, "First", v.rate(v.p.First), "Last", v.rate(v.p.Last), "Limit", format.TemperatureOf(v.p.Limit))
}

// rates tells the rate at the start and at the end.
func (v *thermalVerdict) rates() {
	first, last := v.rate(v.p.First), v.rate(v.p.Last)
	switch {
	case first == last || v.p.Took <= time.Minute:
		v.say("verdict.thermal-kept", "Rate", first)
	default:
		v.say("verdict.thermal-rates", "First", first, "Last", last)
	}
}
