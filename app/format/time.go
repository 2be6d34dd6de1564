package format

import (
	"math"
	"strconv"
	"time"
)

const day = 24 * time.Hour

// Duration prints a time in its two largest units: "2 min 40 s", "3 h 5 min", "2 d 4 h". Below ten
// seconds it has one decimal if that is not zero ("2.5 s"), below one second it is in milliseconds.
// A negative time gives Unknown.
func Duration(d time.Duration, l Locale) string {
	switch {
	case d < 0:
		return Unknown
	case d == 0:
		return "0" + unitSpace + "s"
	case d < time.Millisecond:
		return Latency(d, l)
	case d < time.Second-time.Millisecond/2:
		return whole(d.Round(time.Millisecond)/time.Millisecond, "ms")
	case d < 10*time.Second-50*time.Millisecond:
		return l.localise(trim(strconv.FormatFloat(d.Seconds(), 'f', 1, 64))) + unitSpace + "s"
	}
	return twoUnits(d)
}

// twoUnits prints a time of ten seconds or more. It rounds to what it shows before it divides, so
// that 59.6 s is "1 min" and never "60 s".
func twoUnits(d time.Duration) string {
	d = d.Round(time.Second)
	if d >= time.Hour {
		d = d.Round(time.Minute)
	}
	if d >= day {
		d = d.Round(time.Hour)
	}
	switch {
	case d >= day:
		return pair(d/day, "d", d%day/time.Hour, "h")
	case d >= time.Hour:
		return pair(d/time.Hour, "h", d%time.Hour/time.Minute, "min")
	case d >= time.Minute:
		return pair(d/time.Minute, "min", d%time.Minute/time.Second, "s")
	}
	return whole(d/time.Second, "s")
}

func pair(a time.Duration, ua string, b time.Duration, ub string) string {
	if b == 0 {
		return whole(a, ua)
	}
	return whole(a, ua) + unitSpace + whole(b, ub)
}

func whole(n time.Duration, unit string) string {
	return strconv.FormatInt(int64(n), 10) + unitSpace + unit
}

// Remaining prints the time that something will still take. It is rounded up, coarser the longer it
// is (1 s, then 5 s, 10 s, 1 min, 5 min), so that it neither flickers nor reads "0 s" before the end.
func Remaining(d time.Duration, l Locale) string {
	if d <= 0 {
		return Duration(d, l)
	}
	step := 5 * time.Minute
	switch {
	case d <= 10*time.Second:
		step = time.Second
	case d <= time.Minute:
		step = 5 * time.Second
	case d <= 10*time.Minute:
		step = 10 * time.Second
	case d <= time.Hour:
		step = time.Minute
	}
	if rest := d % step; rest > 0 {
		d += step - rest
	}
	return Duration(d, l)
}

// AxisTime prints seconds as the label of a tick on a time axis: "0", "30 s", "1 min 30 s".
func AxisTime(seconds float64, l Locale) string {
	switch {
	case !known(seconds) || seconds > math.MaxInt64/float64(time.Second):
		return Unknown
	case seconds == 0:
		return "0"
	}
	return Duration(time.Duration(math.Round(seconds*1e6))*time.Microsecond, l)
}

// Percent prints a fraction of one: "63 %", "104 %", below ten "2.4 %". A negative fraction is
// Unknown.
func Percent(fraction float64, l Locale) string {
	p := fraction * 100
	if !known(p) {
		return Unknown
	}
	decimals := 0
	if p != 0 && p < 9.95 {
		decimals = 1
	}
	s := fixed(p, decimals)
	if s[0] != '<' {
		s = trim(s)
	}
	return l.localise(s) + narrowSpace + "%"
}

// Temperature prints thousandths of a degree Celsius as whole degrees: "41 °C", "−5 °C". Temperatures
// below zero are real, so they are printed.
func Temperature(milliC int32) string {
	degrees := int64(math.Round(float64(milliC) / 1000))
	return Integer(degrees, EN) + unitSpace + "°C"
}

// Kelvin prints the difference between two temperatures in thousandths of a degree, as they are printed: "33 K", "−10 K".
func Kelvin(a, b int32) string {
	degrees := func(milliC int32) int64 { return int64(math.Round(float64(milliC) / 1000)) }
	return Integer(degrees(a)-degrees(b), EN) + unitSpace + "K"
}

// TemperatureOf prints a temperature that may not be known: nil gives Unknown.
func TemperatureOf(milliC *int32) string {
	if milliC == nil {
		return Unknown
	}
	return Temperature(*milliC)
}
