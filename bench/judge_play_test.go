package bench

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// A drive at rest, a file that is large enough and loops that are long enough: nothing to doubt.
func TestCleanRunHasNoDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rest := short(t, "cdm-default+mix"), time.Second
		p = p.With(Overrides{FileSize: 1 << 30, Loops: 3, Measure: 2 * time.Second, Rest: &rest})
		_, res, err := play(t, t.Context(), platformtest.New(platformtest.Options{Model: slow()}), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range res.Warnings {
			t.Errorf("%+v", w)
		}
	})
}

// limited is a fake computer that knows the limit of its drive.
type limited struct {
	*platformtest.Host
	milliC int32
}

func (l limited) TempLimits(context.Context, platform.Drive) (platform.TempLimits, error) {
	return platform.TempLimits{WarnMilliC: &l.milliC}, nil
}

// The limit is asked for once and kept with the result, and a drive that reaches it is throttled. What is
// stored gives the same doubts when it is judged again.
func TestThrottledRun(t *testing.T) {
	for limit, want := range map[int32]bool{43_000: true, 80_000: false} {
		synctest.Test(t, func(t *testing.T) {
			p, rest := short(t, "cdm-default"), time.Second
			p = p.With(Overrides{FileSize: 1 << 30, Loops: 2, Measure: 3 * time.Second, Rest: &rest, Only: []string{"seq1m-q8t1-read"}})
			fake := platformtest.New(platformtest.Options{Model: slow()})
			target, err := fake.Resolve(t.Context(), "/fake")
			if err != nil {
				t.Fatal(err)
			}
			plan, err := NewPlan(p, target, Options{Seed: 7})
			if err != nil {
				t.Fatal(err)
			}
			recent := func([]platform.Drive) []Written { return []Written{{Bytes: 1, Ago: time.Minute}} }
			runner := Runner{Host: limited{fake, limit}, Measurer: Local{Host: fake}, Recent: recent}
			res, err := runner.Run(t.Context(), plan, func(Event) {})
			if err != nil {
				t.Fatal(err)
			}
			throttled := func(w Warning) bool { return w.Code == WarnThrottled && w.Workload != "" && w.Value >= 43 }
			if got := slices.ContainsFunc(res.Warnings, throttled); got != want || len(res.Warnings) > 1 {
				t.Errorf("limit %d: %+v", limit, res.Warnings)
			}
			if l := res.Before.Drives[0].Limits; l == nil || *l.WarnMilliC != limit || res.After.Drives[0].Limits != nil {
				t.Errorf("limits before %v, after %v", l, res.After.Drives[0].Limits)
			}
			if len(res.Before.Recent) != 1 || res.After.Recent != nil {
				t.Errorf("written shortly before: %v, asked again: %v", res.Before.Recent, res.After.Recent)
			}
			stored, err := json.Marshal(res)
			if err != nil {
				t.Fatal(err)
			}
			var back Result
			if err := json.Unmarshal(stored, &back); err != nil {
				t.Fatal(err)
			}
			if got := Judge(&back); !slices.Equal(got, res.Warnings) {
				t.Errorf("judged again: %+v, told %+v", got, res.Warnings)
			}
		})
	}
}
