package monitor

import (
	"math"
	"testing"
	"time"

	"cachecliff/platform"
)

func reading(at time.Duration, c platform.Counters) Reading { return Reading{At: at, Counters: &c} }

func TestBetween(t *testing.T) {
	before := platform.Counters{
		ReadOps: 1000, ReadMerges: 50, ReadBytes: 1 << 30, ReadTicks: math.MaxUint32 - 99,
		WriteOps: 7, BusyTicks: 5, QueueTicks: 9, DiscardOps: 1, FlushOps: 3, FlushTicks: 4,
	}
	after := platform.Counters{
		ReadOps: 1400, ReadMerges: 150, ReadBytes: 1<<30 + 400*4096, ReadTicks: 300, // wrapped: 400 more
		WriteOps: 7, BusyTicks: 1005, QueueTicks: 5009, DiscardOps: 1, FlushOps: 13, FlushTicks: 54,
	}
	c, ok := Between(reading(time.Second, before), reading(3*time.Second, after))
	if !ok {
		t.Fatal("no columns")
	}
	if c.Read.Await == nil || c.FlushAwait == nil {
		t.Fatalf("awaits are missing: %+v", c)
	}
	for _, row := range []struct {
		name      string
		got, want float64
	}{
		{"r/s", c.Read.PerSecond, 200},
		{"bytes/s", c.Read.BytesPerSec, 200 * 4096},
		{"rrqm/s", c.Read.Merged, 50},
		{"%rrqm", c.Read.MergedShare, 0.2},
		{"rareq-sz", c.Read.Size, 4096},
		{"r_await", float64(*c.Read.Await), float64(time.Millisecond)},
		{"w/s", c.Write.PerSecond, 0},
		{"wareq-sz", c.Write.Size, 0},
		{"f/s", c.Flushes, 5},
		{"f_await", float64(*c.FlushAwait), 5 * float64(time.Millisecond)},
		{"aqu-sz", c.Queue, 2.5},
		{"%util", c.Busy, 0.5},
		{"span", float64(c.AwaitsOver), 2e9},
	} {
		if math.Abs(row.got-row.want) > 1e-9*max(1, math.Abs(row.want)) {
			t.Errorf("%s is %v, not %v", row.name, row.got, row.want)
		}
	}
	if c.Write.Await != nil || c.Discard.Await != nil {
		t.Errorf("an await without an I/O: %+v", c)
	}
}

func TestBetweenShortSpan(t *testing.T) {
	a := reading(0, platform.Counters{})
	b := reading(10*time.Millisecond, platform.Counters{ReadOps: 5, ReadBytes: 20480, ReadTicks: 1, BusyTicks: 4, QueueTicks: 4})
	c, ok := Between(a, b)
	if !ok || c.Read.PerSecond != 500 || c.Read.Size != 4096 {
		t.Errorf("rates of a short span: %v, %+v", ok, c)
	}
	if c.Read.Await != nil || c.AwaitsOver != 0 || c.Busy != 0 || c.Queue != 0 {
		t.Errorf("a span of 10 ms shows what only AwaitSpan can tell: %+v", c)
	}
}

func TestBetweenNothing(t *testing.T) {
	full := reading(time.Second, platform.Counters{ReadOps: 9})
	for name, pair := range map[string][2]Reading{
		"no counts before": {{At: 0}, full},
		"no counts after":  {full, {At: 2 * time.Second}},
		"no time between":  {full, full},
		"backwards":        {reading(2*time.Second, platform.Counters{}), full},
		"reset":            {reading(0, platform.Counters{ReadOps: 1 << 40}), full},
	} {
		if c, ok := Between(pair[0], pair[1]); ok {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestCPUBetween(t *testing.T) {
	d := func(n time.Duration) *time.Duration { return &n }
	before := platform.CPUTimes{User: 10, Nice: d(0), System: 10, IOWait: d(100), Steal: d(0), Idle: 1000}
	after := platform.CPUTimes{User: 30, Nice: d(5), System: 20, IOWait: d(90), Steal: d(15), Idle: 1050}
	s, ok := CPUBetween(before, after)
	if !ok || s.User != .2 || *s.Nice != .05 || s.System != .1 || *s.IOWait != 0 || *s.Steal != .15 || s.Idle != .5 {
		t.Errorf("shares %+v", s)
	}
	s, ok = CPUBetween(platform.CPUTimes{}, platform.CPUTimes{User: 1, System: 1, Idle: 2})
	if !ok || s.User != .25 || s.Nice != nil || s.IOWait != nil || s.Steal != nil {
		t.Errorf("shares without what Windows does not tell: %+v", s)
	}
	if s, ok := CPUBetween(before, before); ok {
		t.Errorf("shares of no time: %+v", s)
	}
}
