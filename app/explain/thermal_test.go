package explain

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"cachecliff/bench"
)

// thermalVerdicts are what a load of ten minutes may show.
func thermalVerdicts() []struct {
	name   string
	pass   bench.ThermalPass
	writes bool
} {
	sensor := func(label string, idle, top, end int32) bench.ThermalSensor {
		return bench.ThermalSensor{Drive: "d", Label: label, Idle: idle, Top: top, Rise: top - idle, End: end, TopAt: 7*time.Minute + 3*time.Second}
	}
	limit := new(int32(82_000))
	pass := func(first, last float64, sensors ...bench.ThermalSensor) bench.ThermalPass {
		return bench.ThermalPass{Loop: 1, Sensors: sensors, Settled: true, Steady: true, Hot: -1, Took: 10 * time.Minute, First: first * 1e6, Last: last * 1e6, Limit: limit}
	}
	with := func(p bench.ThermalPass, change func(*bench.ThermalPass)) bench.ThermalPass {
		change(&p)
		return p
	}
	warm, hot := sensor("Composite", 38_000, 71_000, 71_000), sensor("Composite", 38_000, 84_000, 80_000)
	still := bench.ThermalSensor{Drive: "d", Label: "Composite", Idle: 40_000, Top: 40_000, End: 40_000, Still: true}
	slowed := func(p *bench.ThermalPass) {
		p.Hot, p.Slowed = 2*time.Minute, []bench.Stretch{{From: 122 * time.Second, To: 3 * time.Minute, Rate: 500e6}, {From: 4 * time.Minute, To: 10 * time.Minute, Rate: 700e6}}
	}
	return []struct {
		name   string
		pass   bench.ThermalPass
		writes bool
	}{
		{"as fast to the end", pass(3400, 3380, warm), false},
		{"another sensor is warmer", pass(3400, 3380, warm, sensor("Sensor 2", 45_000, 93_000, 93_000)), false},
		{"still warming", with(pass(3400, 3380, warm), func(p *bench.ThermalPass) { p.Steady = false }), false},
		{"not settled", with(pass(3400, 3380, warm), func(p *bench.ThermalPass) { p.Settled = false }), false},
		{"slowed down", with(pass(3400, 700, hot), slowed), false},
		{"slowed down and counted", with(with(pass(3400, 700, hot), slowed), func(p *bench.ThermalPass) { p.Counted = true }), true},
		{"counted alone", with(pass(3400, 3300, hot), func(p *bench.ThermalPass) { p.Counted = true }), false},
		{"hot and as fast", with(pass(3400, 3390, hot), func(p *bench.ThermalPass) { p.Hot = 5 * time.Minute }), false},
		{"slower and cool", pass(3400, 1200, warm), false},
		{"slower and cool, writing", pass(3400, 1200, warm), true},
		{"slower, no limit known", with(pass(3400, 1200, warm), func(p *bench.ThermalPass) { p.Limit = nil }), true},
		{"hardly warmer", pass(540, 541, sensor("Temperature", 31_000, 32_000, 32_000)), false},
		{"a sensor that stands still", pass(540, 541, still), false},
		{"a sensor that stands still, slower", pass(540, 300, still), false},
		{"no sensor", pass(250, 240), false},
		{"no sensor, slower", pass(250, 120), true},
		{"a short one without a sensor", with(pass(250, 250), func(p *bench.ThermalPass) { p.Took = 30 * time.Second }), true},
		{"nothing", bench.ThermalPass{Hot: -1}, false},
	}
}

// The golden file is read by people: each case in both languages.
func TestThermalVerdicts(t *testing.T) {
	var b strings.Builder
	for _, c := range thermalVerdicts() {
		fmt.Fprintf(&b, "%s\n", c.name)
		for _, w := range languages() {
			fmt.Fprintf(&b, "  %s\n", ThermalPass(w, c.pass, c.writes))
		}
	}
	got := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(b.String())
	const golden = "testdata/thermal.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("sentences changed; if that is meant, run with -update:\n%s", got)
	}
}
