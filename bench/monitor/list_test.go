package monitor

import (
	"strings"
	"testing"
	"time"

	"cachecliff/platform"
)

// TestList has the columns of sysstat 12, iostat -x, in its order.
func TestList(t *testing.T) {
	const want = "r/s rkB/s rrqm/s %rrqm r_await rareq-sz w/s wkB/s wrqm/s %wrqm w_await wareq-sz " +
		"d/s dkB/s drqm/s %drqm d_await dareq-sz f/s f_await aqu-sz %util"
	var names []string
	for _, c := range List() {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("columns\n%s, not\n%s", got, want)
	}
	names = nil
	for _, c := range CPUList() {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, " "); got != "%user %nice %system %iowait %steal %idle" {
		t.Errorf("columns of the processors: %s", got)
	}
}

func TestListValues(t *testing.T) {
	c, ok := Between(reading(0, platform.Counters{}), reading(2*time.Second, platform.Counters{
		ReadOps: 100, ReadMerges: 300, ReadBytes: 100 * 8192, ReadTicks: 250,
		WriteOps: 60, WriteMerges: 20, WriteBytes: 60 * 4096, WriteTicks: 30,
		DiscardOps: 4, DiscardMerges: 12, DiscardBytes: 4 << 20, DiscardTicks: 2,
		FlushOps: 2, FlushTicks: 9, BusyTicks: 500, QueueTicks: 3000,
	}))
	if !ok {
		t.Fatal("no columns")
	}
	want := map[string]float64{
		"r/s": 50, "rkB/s": 400, "rrqm/s": 150, "%rrqm": 75, "r_await_ms": 2.5, "rareq-sz_kB": 8,
		"w/s": 30, "wkB/s": 120, "wrqm/s": 10, "%wrqm": 25, "w_await_ms": .5, "wareq-sz_kB": 4,
		"d/s": 2, "dkB/s": 2048, "drqm/s": 6, "%drqm": 75, "d_await_ms": .5, "dareq-sz_kB": 1024,
		"f/s": 1, "f_await_ms": 4.5, "aqu-sz": 1.5, "%util": 25,
	}
	for _, col := range List() {
		v, known := col.Of(&c)
		if w, there := want[col.Head()]; !there || !known || v != w {
			t.Errorf("%s is %v (known: %v), not %v", col.Head(), v, known, w)
		}
		if v, known := col.Of(nil); known {
			t.Errorf("%s of nothing is %v", col.Name, v)
		}
	}
	idle, _ := Between(reading(0, platform.Counters{}), reading(10*time.Millisecond, platform.Counters{}))
	for _, col := range List() {
		_, known := col.Of(&idle)
		open := strings.HasSuffix(col.Name, "await") || col.Name == "aqu-sz" || col.Name == "%util"
		if known == open {
			t.Errorf("%s of 10 ms without an I/O: known is %v", col.Name, known)
		}
	}
	nice := .25
	s := CPUShares{User: .5, Idle: .25, Nice: &nice}
	for i, w := range []float64{50, 25, 0, -1, -1, 25} {
		v, known := CPUList()[i].Of(&s)
		if known != (w >= 0) || known && v != w {
			t.Errorf("%s is %v (known: %v)", CPUList()[i].Name, v, known)
		}
	}
}
