package format

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"time"
)

// plain makes expected text readable: "_" is the narrow no-break space, "~" the no-break space.
func plain(s string) string {
	return strings.NewReplacer(narrowSpace, "_", unitSpace, "~").Replace(s)
}

func check(t *testing.T, what any, got, want string) {
	t.Helper()
	if plain(got) != want {
		t.Errorf("%v: got %q, want %q", what, plain(got), want)
	}
}

func TestNumber(t *testing.T) {
	up := func(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }
	down := func(v float64) float64 { return math.Nextafter(v, 0) }
	for _, c := range []struct {
		v      float64
		en, de string
	}{
		{7321, "7_321", "7_321"},
		{812.5, "812.5", "812,5"},
		{88.12, "88.12", "88,12"},
		{3.14159, "3.142", "3,142"},
		{0, "0", "0"},
		{math.Copysign(0, -1), "0", "0"},
		{1, "1.000", "1,000"},
		{down(1), "1.000", "1,000"},
		{up(1), "1.000", "1,000"},
		{0.5, "0.5000", "0,5000"},
		{0.99994, "0.9999", "0,9999"},
		{0.99996, "1.000", "1,000"},
		{0.00004, "<0.0001", "<0,0001"},
		{0.00006, "0.0001", "0,0001"},
		{math.SmallestNonzeroFloat64, "<0.0001", "<0,0001"},
		{down(9.9995), "9.999", "9,999"},
		{up(9.9995), "10.00", "10,00"},
		{down(10), "10.00", "10,00"},
		{10, "10.00", "10,00"},
		{down(99.995), "99.99", "99,99"},
		{up(99.995), "100.0", "100,0"},
		{100, "100.0", "100,0"},
		{down(999.95), "999.9", "999,9"},
		{up(999.95), "1_000", "1_000"},
		{down(1000), "1_000", "1_000"},
		{1000, "1_000", "1_000"},
		{down(9999.5), "9_999", "9_999"},
		{up(9999.5), "10_000", "10_000"},
		{12345, "12_340", "12_340"}, // half to even, as the digits are exact
		{812345, "812_300", "812_300"},
		{1234567, "1_235_000", "1_235_000"},
		{math.NaN(), "–", "–"},
		{math.Inf(1), "–", "–"},
		{math.Inf(-1), "–", "–"},
		{-1, "–", "–"},
		{-math.SmallestNonzeroFloat64, "–", "–"},
	} {
		check(t, c.v, Number(c.v, EN), c.en)
		check(t, c.v, Number(c.v, DE), c.de)
	}
}

// Whatever is printed is Unknown or a number of at most four significant digits.
func FuzzNumber(f *testing.F) {
	for _, v := range []float64{0, 1, 9.9995, 99.995, 999.95, 9999.5, 1e300, -1, math.NaN(), math.Inf(1)} {
		f.Add(v)
	}
	ok := regexp.MustCompile(`^(–|0|<0\.0001|\d\.\d{3}|0\.\d{4}|\d\d\.\d\d|\d\d\d\.\d|\d_\d{3}|\d{1,3}(_\d{3})+)$`)
	f.Fuzz(func(t *testing.T, v float64) {
		s := plain(Number(v, EN))
		if !ok.MatchString(s) {
			t.Errorf("%g printed as %q", v, s)
		}
		if (s == Unknown) != !(v >= 0 && v <= math.MaxFloat64) {
			t.Errorf("%g printed as %q", v, s)
		}
		if s == "0" && v != 0 {
			t.Errorf("%g printed as zero", v)
		}
	})
}

func TestInteger(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1_000", 1234567: "1_234_567", -4200: "−4_200",
		math.MaxInt64: "9_223_372_036_854_775_807",
	} {
		check(t, n, Integer(n, DE), want)
	}
}

func TestTick(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 2000: "2_000", 0.25: "0,25", -5: "−5", 1e6: "1_000_000", 12345.5: "12_345,5",
		math.Inf(1): "–", math.Inf(-1): "–",
	} {
		check(t, v, Tick(v, DE), want)
	}
	check(t, "NaN", Tick(math.NaN(), DE), "–")
}

func TestScale(t *testing.T) {
	up := func(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }
	down := func(v float64) float64 { return math.Nextafter(v, 0) }
	for _, c := range []struct {
		v    float64
		f    Family
		want string
	}{
		{0, Rates, "0~B/s"},
		{999.9, Rates, "999.9~B/s"},
		{down(999.95e3), Rates, "999.9~kB/s"},
		{up(999.95e3), Rates, "1.000~MB/s"},
		{1e6, Rates, "1.000~MB/s"},
		{14000e6, Rates, "14_000~MB/s"},
		{88123, Latencies, "88.12~µs"},
		{down(999.95), Latencies, "999.9~ns"},
		{up(999.95), Latencies, "1.000~µs"},
		{2.5e9, Latencies, "2.500~s"},
		{2000e9, Latencies, "2_000~s"},
		{down(1 << 20), BinarySizes, "1.000~MiB"},
		{1 << 20, BinarySizes, "1.000~MiB"},
		{1000 << 10, BinarySizes, "1_000~KiB"},
		{math.NaN(), Rates, "–"},
		{math.Inf(1), Latencies, "–"},
		{-5, Amounts, "–"},
	} {
		check(t, c.v, Scale(c.v, c.f).Text(c.v, EN), c.want)
	}
}

func TestNamedUnits(t *testing.T) {
	check(t, "MB/s", Rate(7_321_400_000, time.Second, EN), "7_321~MB/s")
	check(t, "MB/s is decimal", Rate(1<<20, time.Second, EN), "1.049~MB/s")
	check(t, "GB/s", GBPerSecond.Text(PerSecond(7_321_400_000, time.Second), DE), "7,321~GB/s")
	check(t, "IOPS", Operations(812_345*5, 5*time.Second, EN), "812_300~IOPS")
	check(t, "µs", Microseconds.Text(float64(88_120*time.Nanosecond), DE), "88,12~µs")
	check(t, "no time", Rate(5, 0, EN), "–")
	check(t, "time backwards", Rate(5, -time.Second, EN), "–")
	check(t, "negative bytes", Rate(-5, time.Second, EN), "–")
	check(t, "stalled", Rate(0, time.Second, EN), "0~MB/s")
}

func TestCommonScale(t *testing.T) {
	for _, c := range []struct {
		f    Family
		vs   []float64
		want []string
	}{
		{Rates, []float64{7321e6, 812.5e6, 0.2e6, 0}, []string{"7_321~MB/s", "812~MB/s", "<1~MB/s", "0~MB/s"}},
		{Rates, []float64{math.NaN(), 812.54e6, -1, 3e6}, []string{"–", "812.5~MB/s", "–", "3.0~MB/s"}},
		{Latencies, []float64{950e3, 1200e3}, []string{"0.950~ms", "1.200~ms"}},
		{Rates, []float64{999.96e3}, []string{"1.000~MB/s"}},
		{Rates, []float64{999.94e3}, []string{"999.9~kB/s"}},
		{Rates, nil, nil},
		{Rates, []float64{math.Inf(1), 0}, []string{"–", "0~B/s"}},
	} {
		col := CommonScale(c.vs, c.f)
		for i, v := range c.vs {
			check(t, c.vs, col.Text(v, EN), c.want[i])
		}
	}
}

func TestBytes(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{FileSize(1<<30, EN), "1~GiB"},
		{FileSize(4096, EN), "4~KiB"},
		{FileSize(3<<29, DE), "1,5~GiB"},
		{FileSize(16<<20, EN), "16~MiB"},
		{FileSize(0, EN), "0~B"},
		{FileSize(-1, EN), "–"},
		{VolumeSize(2_000_398_934_016, EN), "2~TB"},
		{VolumeSize(512_110_190_592, DE), "512,1~GB"},
		{Written(95_123_456_789, EN), "95.12~GB"},
		{Written(0, EN), "0~GB"},
		{About(263_100_000_000, EN), "260~GB"},
		{About(1_649_267_441_664, DE), "1,6~TB"},
		{About(0, EN), "0~B"},
		{About(-1, EN), "–"},
		{AboutRate(2_351e6, EN), "2_400~MB/s"},
		{AboutRate(97.6e6, DE), "98~MB/s"},
		{AboutRate(0, EN), "0~B/s"},
		{AboutRate(1_234, DE), "1,2~kB/s"},
		{About(math.MaxInt64, EN), "9_200~PB"},
	} {
		check(t, c.want, c.got, c.want)
	}
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{-1, "–"},
		{0, "0~s"},
		{1500 * time.Nanosecond, "1,500~µs"},
		{350 * time.Millisecond, "350~ms"},
		{999600 * time.Microsecond, "1~s"},
		{2500 * time.Millisecond, "2,5~s"},
		{5 * time.Second, "5~s"},
		{9960 * time.Millisecond, "10~s"},
		{40 * time.Second, "40~s"},
		{59600 * time.Millisecond, "1~min"},
		{160 * time.Second, "2~min~40~s"},
		{3599600 * time.Millisecond, "1~h"},
		{3*time.Hour + 5*time.Minute + 10*time.Second, "3~h~5~min"},
		{24*time.Hour - time.Second, "1~d"},
		{52 * time.Hour, "2~d~4~h"},
	} {
		check(t, c.d, Duration(c.d, DE), c.want)
	}
}

func TestRemaining(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{-time.Second, "–"},
		{0, "0~s"},
		{1, "1~s"},
		{3100 * time.Millisecond, "4~s"},
		{11 * time.Second, "15~s"},
		{58 * time.Second, "1~min"},
		{151 * time.Second, "2~min~40~s"},
		{11*time.Minute + 1, "12~min"},
		{62 * time.Minute, "1~h~5~min"},
	} {
		check(t, c.d, Remaining(c.d, EN), c.want)
	}
}

func TestAxisTime(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.5: "500~ms", 30: "30~s", 90: "1~min~30~s", 7200: "2~h", -1: "–", math.Inf(1): "–", 1e300: "–",
	} {
		check(t, v, AxisTime(v, EN), want)
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0_%"}, {0.63, "63_%"}, {1.04, "104_%"}, {0.024, "2,4_%"}, {0.02, "2_%"}, {0.0994, "9,9_%"},
		{0.0996, "10_%"}, {0.0003, "<0,1_%"}, {12.5, "1_250_%"}, {-0.1, "–"}, {math.NaN(), "–"}, {math.Inf(1), "–"},
	} {
		check(t, c.v, Percent(c.v, DE), c.want)
	}
}

func TestTemperature(t *testing.T) {
	for v, want := range map[int32]string{
		41_000: "41~°C", 40_499: "40~°C", 40_500: "41~°C", 0: "0~°C", -400: "0~°C", -5_200: "−5~°C",
	} {
		check(t, v, Temperature(v), want)
		check(t, v, TemperatureOf(&v), want)
	}
	check(t, "nil", TemperatureOf(nil), "–")
}

// A difference fits to the temperatures that stand beside it.
func TestKelvin(t *testing.T) {
	for want, in := range map[string][2]int32{"33\u00a0K": {71_400, 38_000}, "\u221210\u00a0K": {61_000, 70_600 + 400}, "0\u00a0K": {-400, 400}, "34\u00a0K": {71_500, 38_400}} {
		if got := Kelvin(in[0], in[1]); got != want {
			t.Errorf("%v: %q, want %q", in, got, want)
		}
	}
}
