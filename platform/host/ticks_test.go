package host

import (
	"math"
	"math/big"
	"testing"
	"time"
)

func TestTicksAsTime(t *testing.T) {
	const day = 24 * 3600
	for _, c := range []struct {
		name             string
		ticks, perSecond uint64
		want             time.Duration
	}{
		{"the start", 0, 10_000_000, 0},
		{"one tick", 1, 10_000_000, 100},
		{"one tick, rounded down", 1, 3_000_000, 333},
		{"a second of an odd clock", 3_579_545, 3_579_545, time.Second},
		{"before 64 bits are too few", 1<<63/1_000_000_000 - 1, 10_000_000, 922_337_203_500},
		{"after 64 bits are too few", 20_000_000_000, 10_000_000, 2000 * time.Second},
		{"four months", 120 * day * 10_000_000, 10_000_000, 120 * day * time.Second},
		{"four months and one tick", 120*day*10_000_000 + 1, 10_000_000, 120*day*time.Second + 100},
		{"a year of a counter in the processor", 365 * day * 3_600_000_000, 3_600_000_000, 365 * day * time.Second},
		{"a counter that steps by nanoseconds", 365 * day * 1_000_000_000, 1_000_000_000, 365 * day * time.Second},
		{"the longest", math.MaxInt64, 1_000_000_000, math.MaxInt64},
		{"more than fits", math.MaxUint64, 1_000_000_000, math.MaxInt64},
		{"a quotient that does not fit 64 bits", math.MaxUint64, 1000, math.MaxInt64},
	} {
		if got := ticksAsTime(c.ticks, c.perSecond); got != c.want {
			t.Errorf("%s: %d ticks at %d Hz are %d, want %d", c.name, c.ticks, c.perSecond, got, c.want)
		}
	}
}

// FuzzTicksAsTime compares with arithmetic that has no limits.
func FuzzTicksAsTime(f *testing.F) {
	f.Add(uint64(120*24*3600*10_000_000), uint64(10_000_000))
	f.Add(uint64(math.MaxUint64), uint64(1))
	f.Fuzz(func(t *testing.T, ticks, perSecond uint64) {
		perSecond = max(perSecond, 1)
		want := new(big.Int).Mul(new(big.Int).SetUint64(ticks), big.NewInt(int64(time.Second)))
		want.Div(want, new(big.Int).SetUint64(perSecond))
		if !want.IsInt64() {
			want.SetInt64(math.MaxInt64)
		}
		if got := ticksAsTime(ticks, perSecond); int64(got) != want.Int64() {
			t.Errorf("%d ticks at %d Hz are %d, want %d", ticks, perSecond, got, want)
		}
	})
}

func TestUnitsAsTime(t *testing.T) {
	for _, c := range []struct {
		high, low uint32
		want      time.Duration
	}{
		{0, 0, 0}, {0, 1, 100}, {0, 10_000_000, time.Second}, {1, 0, 429_496_729_600},
		{201, 0x2a69c000, 24 * time.Hour}, // above 32 bits, as after a day at work
	} {
		if got := unitsAsTime(c.high, c.low); got != c.want {
			t.Errorf("%d, %d: %d, want %d", c.high, c.low, got, c.want)
		}
	}
}

func TestDueIn(t *testing.T) {
	for d, want := range map[time.Duration]int64{
		1: -1, 100: -1, 101: -2, time.Millisecond: -10_000, time.Millisecond + 1: -10_001,
		0: -1, -time.Second: -1, // 0 would be an end in the year 1601
		math.MaxInt64: -92_233_720_368_547_759,
	} {
		if got := dueIn(d); got != want {
			t.Errorf("%d ns: %d, want %d", d, got, want)
		}
	}
}

func TestWaitMillis(t *testing.T) {
	const forever = math.MaxUint32
	for d, want := range map[time.Duration]uint32{
		-time.Hour: 0, 0: 0, 1: 1, time.Millisecond: 1, time.Millisecond + 1: 2, time.Second: 1000,
		forever * time.Millisecond: forever, math.MaxInt64: forever,
	} {
		if got := waitMillis(d, forever); got != want {
			t.Errorf("%v: %d, want %d", d, got, want)
		}
	}
}
