package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/app"
	"cachecliff/app/export"
	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// noLocks is for a test that is alone.
type noLocks struct{}

func (noLocks) Lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	must(t, err)
	return string(b)
}

// fixture is the engine on a fake drive, a session and a store on the disk.
type fixture struct {
	plan    bench.Plan
	store   *store.Store
	session *app.Session
	ran     bench.Result // what Run returned last
}

func start(t *testing.T, o platformtest.Options, id string) *fixture {
	t.Helper()
	o.Model = platformtest.Model{
		Capacity: 100e9, ReadRate: 100e6, ReadLatency: time.Millisecond, WriteLatency: time.Millisecond,
		CacheRate: 50e6, CacheBytes: 1e12, FoldRate: 10e6, Ambient: 40, HeatPerGBps: 100, HeatTau: time.Second,
	}
	host := platformtest.New(o)
	profile, ok := bench.ByID(id)
	if !ok {
		t.Fatalf("no profile %s", id)
	}
	rest := 2 * time.Second
	profile = profile.With(bench.Overrides{FileSize: 64 << 20, Loops: 2, Measure: 500 * time.Millisecond, Rest: &rest})
	target, err := host.Resolve(t.Context(), "/fake")
	must(t, err)
	plan, err := bench.NewPlan(profile, target, bench.Options{Seed: 7})
	must(t, err)
	f := &fixture{plan: plan, store: store.New(t.TempDir(), noLocks{})}
	f.session = app.NewSession(func(ctx context.Context, plan bench.Plan, order app.Order, sink func(bench.Event)) (bench.Result, error) {
		runner := bench.Runner{Host: host, Measurer: bench.Local{Host: host}, App: bench.App{Version: "1"}, Comment: order.Comment, Gate: order.Gate}
		var err error
		f.ran, err = runner.Run(ctx, plan, sink)
		return f.ran, err
	}, f.store)
	must(t, f.session.Start(plan, "hello"))
	return f
}

// check looks whether what was run, shown and saved is the same.
func (f *fixture) check(t *testing.T) app.View {
	t.Helper()
	f.session.Wait()
	v := f.session.View()
	saved, err := f.store.Load(v.Result.ID)
	must(t, err)
	shown := encode(t, v.Result)
	if ran := encode(t, f.ran); shown != ran {
		t.Errorf("shown and run differ:\n%s\n%s", shown, ran)
	}
	if got := encode(t, saved); shown != got {
		t.Errorf("shown and saved differ:\n%s\n%s", shown, got)
	}
	if ids, err := f.store.Recover(); err != nil || len(ids) != 0 {
		t.Errorf("a journal was left: %v, %v", ids, err)
	}
	return v
}

func TestARunFromTheEngineToTheFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, platformtest.Options{}, "cdm-default+mix")
		began := time.Now()
		var left []time.Duration
		for range 8 {
			time.Sleep(3 * time.Second)
			v := f.session.View()
			left = append(left, v.Remaining()+time.Since(began))
		}
		v := f.check(t)
		if v.Result.Reason != bench.ReasonDone || v.Err != nil || v.Save != app.SaveDone || v.JournErr != nil {
			t.Errorf("reason %q, error %v, save %q, journal %v", v.Result.Reason, v.Err, v.Save, v.JournErr)
		}
		for i, total := range left {
			if took := v.Result.Took; total < took-2*time.Second || total > took+2*time.Second {
				t.Errorf("after %d s the end was expected at %v, it came at %v", 3*(i+1), total, took)
			}
		}
		if want := v.Result.Moved().WriteBytes; v.Written != want {
			t.Errorf("written %d, the result says %d", v.Written, want)
		}
		if len(v.Temperatures) != 1 || v.Temperatures[0].MilliC < 40000 {
			t.Errorf("temperatures %+v", v.Temperatures)
		}
		list, err := f.store.List()
		must(t, err)
		if len(list) != 1 || list[0].Model != "Fakedrive 1000" || len(list[0].Headlines) != 3 {
			t.Errorf("listed %+v", list)
		}
		for _, format := range export.Formats() {
			var b bytes.Buffer
			must(t, export.Write(&b, format, v.Result, export.Options{}))
			if strings.Contains(b.String(), "SN-SECRET") || b.Len() < 60 { // the head of a table at least
				t.Errorf("%s: %d bytes, or a serial number", format.ID, b.Len())
			}
		}
	})
}

func TestStoppedAndFailedRunsAreSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // before the first step there is nothing worth keeping
		f := start(t, platformtest.Options{}, "cdm-default")
		time.Sleep(100 * time.Millisecond)
		f.session.Cancel()
		f.session.Wait()
		list, err := f.store.List()
		must(t, err)
		ids, err := f.store.Recover()
		must(t, err)
		if v := f.session.View(); len(list)+len(ids) != 0 || v.Save != app.SaveNothing || v.JournErr != nil {
			t.Errorf("%d results, %d journals, save %q, journal %v", len(list), len(ids), v.Save, v.JournErr)
		}
	})
	for _, after := range []time.Duration{5 * time.Second, 12 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			f := start(t, platformtest.Options{}, "cdm-default")
			time.Sleep(after)
			asked := time.Now()
			f.session.Cancel()
			v := f.check(t)
			if took := time.Since(asked); took > time.Second || v.Result.Reason != bench.ReasonStopped || v.Err != nil {
				t.Errorf("stopped after %v: took %v, reason %q, error %v", after, took, v.Result.Reason, v.Err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		gone := &platform.OpError{Op: "read", Object: "fake0n1", Reason: platform.ErrGone}
		f := start(t, platformtest.Options{Fault: func(_ platform.Op, _ int64, now time.Duration) error {
			if now > 5*time.Second {
				return gone
			}
			return nil
		}}, "cdm-default")
		v := f.check(t)
		if v.Result.Reason != bench.ReasonFailed || !errors.Is(v.Err, platform.ErrGone) || len(v.Result.Measurements) == 0 {
			t.Errorf("reason %q, error %v, %d measurements", v.Result.Reason, v.Err, len(v.Result.Measurements))
		}
	})
}
