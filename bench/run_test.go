package bench_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/bench"
	"cachecliff/platform/platformtest"
)

func TestSmoke(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := platformtest.New(platformtest.Options{})
		p, _ := bench.ByID("cdm-default")
		tg, _ := h.Resolve(context.Background(), "/fake")
		plan, err := bench.NewPlan(p, tg, bench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := map[string]int{}
		r := bench.Runner{Host: h, Measurer: bench.Local{Host: h}}
		res, err := r.Run(context.Background(), plan, func(e bench.Event) { n[fmt.Sprintf("%T", e)]++ })
		t.Log(n, res.Took, res.Reason, err, res.Warnings)
		for _, o := range res.Outcomes() {
			t.Log(o.Workload.ID, o.Bytes.Best/1e6, o.IOPS.Best, time.Duration(o.Latency.Best), o.Elapsed)
		}
		t.Logf("%+v %+v", res.File, res.Moved())
		s, _ := h.Sensors(context.Background(), h.Drive())
		t.Logf("%+v %v", *s.Counters, s.Temperatures)
	})
}
