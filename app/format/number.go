package format

import (
	"math"
	"strconv"
	"strings"
)

// Unknown is printed where a value is not known or not meaningful.
const Unknown = "–"

// Spaces that no line break may part: narrow between groups of digits and before "%", normal
// between a number and its unit.
const (
	narrowSpace = "\u202f"
	unitSpace   = "\u00a0"
)

// digits is how many significant digits a measured number has.
const digits = 4

// Locale is how a language writes numbers.
type Locale struct {
	Decimal string // between whole and fraction
	Group   string // between thousands
}

// EN and DE are the languages of the program.
var (
	EN = Locale{Decimal: ".", Group: narrowSpace}
	DE = Locale{Decimal: ",", Group: narrowSpace}
)

// Number prints an amount with four significant digits, at most four of them after the decimal
// sign. NaN, infinities and negative amounts give Unknown.
func Number(v float64, l Locale) string {
	if !known(v) {
		return Unknown
	}
	return l.localise(significant(v))
}

// Integer prints a count in full, every digit of it. A negative number gets a minus sign.
func Integer(n int64, l Locale) string {
	return l.localise(strconv.FormatInt(n, 10))
}

// Tick prints the round value of a tick on an axis in full: "2 000", "0.25", "−5". Unlike Number it
// adds no zeros and drops no digits, for a tick is exact.
func Tick(v float64, l Locale) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Unknown
	}
	if v == 0 { // also for −0
		return "0"
	}
	return l.localise(strconv.FormatFloat(v, 'f', -1, 64))
}

// known tells whether v is an amount that can be printed.
func known(v float64) bool { return v >= 0 && !math.IsInf(v, 1) }

// significant prints a known amount with four significant digits and a decimal point. The digits
// come from one correctly rounded conversion, so 9.9996 is "10.00" and never "10.000".
func significant(v float64) string {
	if v == 0 {
		return "0"
	}
	if v < 1 {
		return small(v)
	}
	e := strconv.FormatFloat(v, 'e', digits-1, 64) // d.ddde+XX
	mantissa, exponent, _ := strings.Cut(e, "e")
	all := strings.Replace(mantissa, ".", "", 1)
	whole, err := strconv.Atoi(exponent)
	if err != nil { // cannot happen: the exponent was printed a line above
		return Unknown
	}
	whole++
	if whole >= digits {
		return all + strings.Repeat("0", whole-digits)
	}
	return all[:whole] + "." + all[whole:]
}

// small prints an amount between 0 and 1 with four decimals.
func small(v float64) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	switch {
	case s == "0.0000":
		return "<0.0001"
	case s[0] == '1': // rounded up to one
		return s[:digits+1]
	}
	return s
}

// rounded is v at the precision of four significant digits, for choosing a unit by what will be
// seen, not by what lies behind it.
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil { // beyond the largest float64 after rounding
		return v
	}
	return r
}

// fixed prints a known amount with the given number of decimals.
func fixed(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if v != 0 && strings.Trim(s, "0.") == "" {
		return "<" + s[:len(s)-1] + "1"
	}
	return s
}

// trim drops zeros behind the decimal point, and the point if nothing is left behind it.
func trim(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// localise sets groups and the decimal sign of a number printed the Go way.
func (l Locale) localise(s string) string {
	lead := ""
	for len(s) > 0 && (s[0] < '0' || s[0] > '9') {
		lead, s = lead+s[:1], s[1:]
	}
	whole, fraction, hasFraction := strings.Cut(s, ".")
	var b strings.Builder
	b.WriteString(strings.Replace(lead, "-", "−", 1))
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(l.Group)
		}
		b.WriteRune(r)
	}
	if hasFraction {
		b.WriteString(l.Decimal)
		b.WriteString(fraction)
	}
	return b.String()
}
