package format

import (
	"math"
	"time"
)

// Unit is one unit of measure: Size base units (bytes, operations, nanoseconds) are one of it.
type Unit struct {
	Symbol string
	Size   float64
}

// Units that a table offers by name. Base units: bytes a second, operations a second, nanoseconds.
var (
	MBPerSecond  = Unit{"MB/s", 1e6}
	GBPerSecond  = Unit{"GB/s", 1e9}
	IOPS         = Unit{"IOPS", 1}
	Microseconds = Unit{"µs", 1e3}
	Gigabytes    = Unit{"GB", 1e9}
)

// Family is a ladder of units, smallest first, of which Scale picks one.
type Family struct {
	units []Unit
	step  float64 // an amount that reads as this much or more goes one rung up
}

// Families. Rates end at MB/s because the field compares 14 000 MB/s with 560 MB/s, not with GB/s.
var (
	Rates       = Family{[]Unit{{"B/s", 1}, {"kB/s", 1e3}, MBPerSecond}, 1000}
	Latencies   = Family{[]Unit{{"ns", 1}, Microseconds, {"ms", 1e6}, {"s", 1e9}}, 1000}
	Amounts     = Family{[]Unit{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, Gigabytes, {"TB", 1e12}, {"PB", 1e15}}, 1000}
	BinarySizes = Family{[]Unit{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"PiB", 1 << 50}}, 1024}
)

// Value prints the amount v, in base units, as a number of u without its symbol.
func (u Unit) Value(v float64, l Locale) string { return Number(v/u.Size, l) }

// Text prints the amount v, in base units, with its symbol. Unknown stands alone.
func (u Unit) Text(v float64, l Locale) string { return u.join(u.Value(v, l)) }

func (u Unit) join(number string) string {
	if number == Unknown {
		return number
	}
	return number + unitSpace + u.Symbol
}

// Scale is the unit of f in which v, in base units, reads best: the smallest in which it takes no
// more than three digits before the decimal sign (in binary sizes: reads less than 1024). What counts
// is the number as printed: 999.96 kB reads "1.000 MB". An unknown amount and zero get the smallest
// unit, and nothing goes beyond the largest.
func Scale(v float64, f Family) Unit {
	best := f.units[0]
	if !known(v) {
		return best
	}
	for _, u := range f.units[1:] {
		if rounded(v/best.Size) < f.step {
			break
		}
		best = u
	}
	return best
}

// Column prints numbers that stand under or beside each other: one unit and one number of decimals
// for all, so that they can be compared by their length.
type Column struct {
	Unit     Unit
	Decimals int
}

// CommonScale is the column for all of vs, in base units. Unit and decimals follow the largest
// value, which gets four significant digits. Values that are not known have no say.
func CommonScale(vs []float64, f Family) Column {
	largest := 0.0
	for _, v := range vs {
		if known(v) {
			largest = math.Max(largest, v)
		}
	}
	u := Scale(largest, f)
	return Column{Unit: u, Decimals: decimalsFor(largest / u.Size)}
}

// decimalsFor is how many decimals give v four significant digits.
func decimalsFor(v float64) int {
	if v == 0 {
		return 0
	}
	switch r := rounded(v); {
	case r < 10:
		return 3
	case r < 100:
		return 2
	case r < 1000:
		return 1
	}
	return 0
}

// Value prints v, in base units, as a number of the column's unit without its symbol.
func (c Column) Value(v float64, l Locale) string {
	if !known(v / c.Unit.Size) {
		return Unknown
	}
	return l.localise(fixed(v/c.Unit.Size, c.Decimals))
}

// Text prints v, in base units, with the column's unit.
func (c Column) Text(v float64, l Locale) string { return c.Unit.join(c.Value(v, l)) }

// PerSecond is how many of n (bytes or operations) went by in a second of took. It is NaN, hence
// Unknown when printed, if took is not positive or n is negative.
func PerSecond(n int64, took time.Duration) float64 {
	if took <= 0 || n < 0 {
		return math.NaN()
	}
	return float64(n) / took.Seconds()
}

// Rate prints bytes in a time as "7 321 MB/s".
func Rate(bytes int64, took time.Duration, l Locale) string {
	return MBPerSecond.Text(PerSecond(bytes, took), l)
}

// Operations prints operations in a time as "812 300 IOPS".
func Operations(ops int64, took time.Duration, l Locale) string {
	return IOPS.Text(PerSecond(ops, took), l)
}

// Latency prints a latency in the unit that reads best, "88.12 µs". A negative one gives Unknown.
func Latency(d time.Duration, l Locale) string {
	return Scale(float64(d), Latencies).Text(float64(d), l)
}

// FileSize prints the size of a test file or a block, in bytes, in binary units: "1 GiB", "4 KiB",
// "1.5 GiB". Zeros behind the decimal sign are left out, for such sizes are chosen, not measured.
func FileSize(bytes int64, l Locale) string { return size(float64(bytes), BinarySizes, l) }

// VolumeSize prints the size or the free space of a drive or volume, in bytes, in decimal units:
// "2 TB", "512.1 GB".
func VolumeSize(bytes int64, l Locale) string { return size(float64(bytes), Amounts, l) }

func size(v float64, f Family, l Locale) string {
	if !known(v) {
		return Unknown
	}
	u := Scale(v, f)
	return u.join(l.localise(trim(significant(v / u.Size))))
}

// Written prints bytes written in GB (decimal) with four significant digits: "95.12 GB".
func Written(bytes int64, l Locale) string { return Gigabytes.Text(float64(bytes), l) }

// About prints an estimate of bytes in decimal units with two significant digits: "260 GB", "1.6 TB".
func About(bytes int64, l Locale) string { return size(twoDigits(float64(bytes)), Amounts, l) }

// AboutRate prints a rate in bytes a second with two significant digits: "2 400 MB/s", "98 MB/s".
func AboutRate(rate float64, l Locale) string { return size(twoDigits(rate), Rates, l) }

// twoDigits is v rounded to two significant digits.
func twoDigits(v float64) float64 {
	if !known(v) || v == 0 {
		return v
	}
	place := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Round(v/place) * place
}
