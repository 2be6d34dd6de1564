package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// slow is a drive with few I/Os a second, so that tests are quick: 100 MB/s, 1 ms.
func slow() platformtest.Model {
	return platformtest.Model{
		Capacity: 100e9, ReadRate: 100e6, ReadLatency: time.Millisecond, WriteLatency: time.Millisecond,
		CacheRate: 50e6, CacheBytes: 1e12, FoldRate: 10e6, Ambient: 40, HeatPerGBps: 100, HeatTau: time.Second,
	}
}

// emptyFile is a small file on a fake host, to be closed.
func emptyFile(t *testing.T, h platform.Host) platform.File {
	t.Helper()
	target, err := h.Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	f, err := h.Create(target, platform.CreateOptions{Size: 16 * mib})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// short is a profile made quick.
func short(t *testing.T, id string) Profile {
	p, ok := ByID(id)
	if !ok {
		t.Fatal("no profile ", id)
	}
	rest := 2 * time.Second
	return p.With(Overrides{FileSize: 64 << 20, Loops: 2, Measure: 300 * time.Millisecond, Rest: &rest})
}

// play runs a profile on a fake drive in this bubble and keeps the events.
func play(t *testing.T, ctx context.Context, h *platformtest.Host, p Profile, sink func(Event)) ([]Event, Result, error) {
	t.Helper()
	target, err := h.Resolve(ctx, "/fake")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(p, target, Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	var events []Event
	res, err := Runner{Host: h, Measurer: Local{Host: h}}.Run(ctx, plan, func(e Event) {
		events = append(events, e)
		if sink != nil {
			sink(e)
		}
	})
	if files := h.Files(); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	return events, res, err
}

// grammar is an event stream as one letter each.
func grammar(events []Event) string {
	letters := map[string]string{
		"started": "S", "probed": "P", "preparing": "f", "prepared": "F", "step_started": "(", "sampled": ".",
		"step_done": ")", "warned": "", "finished": "E",
	}
	var b strings.Builder
	for _, e := range events {
		b.WriteString(letters[e.eventType()])
	}
	s := b.String()
	for _, run := range []string{".", "f"} {
		for strings.Contains(s, run+run) {
			s = strings.ReplaceAll(s, run+run, run)
		}
	}
	return s
}

// Every shipped profile runs to its end, and its numbers agree with each other, with the events and
// with the drive's own counters.
func TestEveryProfile(t *testing.T) {
	for _, p := range Builtin() {
		t.Run(p.ID, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := platformtest.New(platformtest.Options{Model: slow()})
				events, res, err := play(t, t.Context(), h, short(t, p.ID), nil)
				if err != nil || res.Reason != ReasonDone || res.Failure != nil {
					t.Fatalf("ended %s: %v", res.Reason, err)
				}
				for _, w := range res.Warnings { // the loops of this test are short indeed, and its file is small
					if !slices.Contains([]WarningCode{WarnShort, WarnLate, WarnNoisy, WarnSmallSpan}, w.Code) {
						t.Errorf("warned of %+v", w)
					}
				}
				if res.Before.Free != res.After.Free {
					t.Errorf("%d bytes free before, %d after: the test file still counts", res.Before.Free, res.After.Free)
				}
				checkNumbers(t, res)
				checkFold(t, events, res)
				s, err := h.Sensors(t.Context(), h.Drive())
				if err != nil {
					t.Fatal(err)
				}
				want := Moved{int64(s.Counters.ReadOps), int64(s.Counters.ReadBytes), int64(s.Counters.WriteOps), int64(s.Counters.WriteBytes)}
				if got := res.Moved(); got != want {
					t.Errorf("the run says it moved %+v, the drive %+v", got, want)
				}
			})
		})
	}
}

// checkNumbers compares every measurement with its samples, its histogram and its spec.
func checkNumbers(t *testing.T, res Result) {
	t.Helper()
	for _, m := range res.Measurements {
		var sum Measurement
		for _, s := range m.Series {
			sum.Elapsed += s.Took
			sum.Read.Ops += s.Read.Ops
			sum.Read.Bytes += s.Read.Bytes
			sum.Write.Ops += s.Write.Ops
			sum.Write.Bytes += s.Write.Bytes
		}
		spec := m.Step.Spec
		if m.Elapsed != spec.Measure || sum.Elapsed != m.Elapsed {
			t.Errorf("%s: elapsed %v, samples %v, want %v", m.Step.Workload, m.Elapsed, sum.Elapsed, spec.Measure)
		}
		if sum.Read.Ops != m.Read.Ops || sum.Write.Bytes != m.Write.Bytes || m.Read.Ops+m.Write.Ops == 0 {
			t.Errorf("%s: samples sum up to %+v %+v, measured %+v %+v", m.Step.Workload, sum.Read, sum.Write, m.Read, m.Write)
		}
		if m.Read.Bytes != m.Read.Ops*int64(spec.Block) || m.Write.Bytes != m.Write.Ops*int64(spec.Block) {
			t.Errorf("%s: bytes are not I/Os times the block", m.Step.Workload)
		}
		if ops, _, _ := m.Total(); m.Hist().N() != ops {
			t.Errorf("%s: histogram of %d, %d I/Os", m.Step.Workload, m.Hist().N(), ops)
		}
		if (spec.ReadPct == 100 && m.Write.Ops > 0) || (spec.ReadPct == 0 && m.Read.Ops > 0) {
			t.Errorf("%s does what it should not", m.Step.Workload)
		}
	}
}

// checkFold checks the grammar and that the result is the fold of the events, also after both went
// through their stored form.
func checkFold(t *testing.T, events []Event, res Result) {
	t.Helper()
	g := grammar(events)
	rest := strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(strings.TrimSuffix(g, "PE"), "SPfF"), "(.)", ""), "()", "")
	if !strings.HasPrefix(g, "SPfF(") || !strings.HasSuffix(g, ")PE") || rest != "" {
		t.Errorf("grammar %s, left over %q", g, rest)
	}
	var fold Result
	for _, e := range events {
		line, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeEvent(line)
		if err != nil {
			t.Fatal(err)
		}
		fold.Apply(back)
	}
	a, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(fold)
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Errorf("the result is not the fold of its events:\n%s\n%s", a, b)
	}
	var back Result
	if err := json.Unmarshal(a, &back); err != nil || !reflect.DeepEqual(back.Outcomes(), res.Outcomes()) {
		t.Errorf("the result does not come back from its stored form: %v", err)
	}
}

// The rates are the drive's: 100 MB/s read, 50 MB/s write, and one I/O at a time takes its latency.
func TestRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := platformtest.New(platformtest.Options{Model: slow()})
		p := short(t, "cdm-default").With(Overrides{Measure: 4 * time.Second})
		_, res, err := play(t, t.Context(), h, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range res.Outcomes() {
			want := map[string]float64{
				"seq1m-q8t1-read": 100e6, "seq1m-q8t1-write": 50e6, "rnd4k-q32t1-read": 100e6,
				"seq1m-q1t1-read": mib / (mib/100e6 + 1e-3), "rnd4k-q1t1-read": 4096 / (4096/100e6 + 1e-3),
				"seq1m-q1t1-write": mib / (mib/50e6 + 1e-3), "rnd4k-q1t1-write": 4096 / (4096/50e6 + 1e-3),
				"rnd4k-q32t1-write": 50e6,
			}[o.Workload.ID]
			if want == 0 {
				t.Fatal("no rate for ", o.Workload.ID)
			}
			if off := o.Bytes.Median/want - 1; off < -0.03 || off > 0.01 {
				t.Errorf("%s: %.3g bytes a second, want %.3g", o.Workload.ID, o.Bytes.Median, want)
			}
			if o.Bytes.N != 2 || o.IOPS.Median != o.Bytes.Median/float64(o.Workload.Spec.Block) {
				t.Errorf("%s: %d loops, %v IOPS", o.Workload.ID, o.Bytes.N, o.IOPS.Median)
			}
		}
	})
}

func TestStopKeepsWhatWasMeasured(t *testing.T) {
	for _, at := range []string{"preparing", "step_started", "sampled"} {
		t.Run(at, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := platformtest.New(platformtest.Options{Model: slow()})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				seen := 0
				var stop time.Duration
				events, res, err := play(t, ctx, h, short(t, "cdm-default"), func(e Event) {
					if e.eventType() != at {
						return
					}
					if seen++; seen == 6 {
						stop = h.Now()
						cancel()
					}
				})
				if took := h.Now() - stop; took > time.Second {
					t.Errorf("stopping took %v", took)
				}
				if err != nil || res.Reason != ReasonStopped || res.Failure != nil {
					t.Errorf("ended %s, %v, %v", res.Reason, res.Failure, err)
				}
				if g := grammar(events); !strings.HasSuffix(g, "E") || strings.Count(g, "(") != strings.Count(g, ")") {
					t.Errorf("grammar %s", g)
				}
				if at == "sampled" && len(res.Measurements) == 0 {
					t.Error("what was measured is lost")
				}
			})
		})
	}
}

func TestFailureEndsTheRunAndKeepsTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault := &platform.OpError{Op: "read", Object: "/fake/x", Reason: platform.ErrGone, Err: errors.New("no such device")}
		h := platformtest.New(platformtest.Options{Model: slow(), Fault: func(op platform.Op, _ int64, now time.Duration) error {
			if now > 8*time.Second {
				return fault
			}
			return nil
		}})
		events, res, err := play(t, t.Context(), h, short(t, "cdm-default"), nil)
		if !errors.Is(err, platform.ErrGone) || res.Reason != ReasonFailed || res.Failure == nil || !errors.Is(res.Failure.Err(), platform.ErrGone) {
			t.Fatalf("ended %s, failure %+v, error %v", res.Reason, res.Failure, err)
		}
		complete := 0
		for _, o := range res.Outcomes() {
			complete += o.Bytes.N
		}
		if complete == 0 {
			t.Error("complete loops are lost")
		}
		if g := grammar(events); !strings.HasSuffix(g, ")E") {
			t.Errorf("grammar %s", g)
		}
	})
}

// The system reports the same error for a drive that is pulled out and for one that fails.
func TestPulledDriveIsToldFromABrokenOne(t *testing.T) {
	gone := func(now time.Duration) bool { return now > 8*time.Second }
	broken := func(op platform.Op, _ int64, now time.Duration) error {
		if gone(now) {
			return &platform.OpError{Op: "read", Reason: platform.ErrIO}
		}
		return nil
	}
	for name, c := range map[string]struct {
		options platformtest.Options
		want    error
	}{
		"pulled": {platformtest.Options{Model: slow(), Gone: gone}, platform.ErrGone},
		"broken": {platformtest.Options{Model: slow(), Fault: broken}, platform.ErrIO},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, res, err := play(t, t.Context(), platformtest.New(c.options), short(t, "cdm-default"), nil)
				last := res.Measurements[len(res.Measurements)-1]
				for what, err := range map[string]error{"the error": err, "the result": res.Failure.Err(), "the step": last.Failure.Err()} {
					var op *platform.OpError
					if !errors.As(err, &op) || op.Reason != c.want || op.Object != "/fake" {
						t.Errorf("%s says %v", what, err)
					}
				}
			})
		})
	}
}

// A drive that answers nothing must not hang the run.
func TestStalledDrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := platformtest.New(platformtest.Options{Model: slow(), Stalled: func(now time.Duration) bool { return now > 8*time.Second }})
		_, res, err := play(t, t.Context(), h, short(t, "cdm-default"), nil)
		if !errors.Is(err, platform.ErrStalled) || res.Reason != ReasonFailed {
			t.Fatalf("ended %s: %v", res.Reason, err)
		}
		if h.Now() > 60*time.Second {
			t.Errorf("gave up after %v", h.Now())
		}
	})
}

// A consumer that is slow gets fewer, longer samples, and nothing is lost.
func TestSlowSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := platformtest.New(platformtest.Options{Model: slow()})
		p := short(t, "cdm-real").With(Overrides{Measure: 3 * time.Second, Loops: 1})
		_, res, err := play(t, t.Context(), h, p, func(e Event) {
			if e.eventType() == "sampled" {
				<-time.After(350 * time.Millisecond)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		checkNumbers(t, res)
		if n := len(res.Measurements[1].Series); n > 12 {
			t.Errorf("%d samples in 3 s with a sink that takes 350 ms", n)
		}
		o := res.Outcomes()[0]
		if want := mib / (mib/100e6 + 1e-3); o.Bytes.Median < 0.97*want {
			t.Errorf("%.4g bytes a second, want %.4g", o.Bytes.Median, want)
		}
	})
}

// On a busy computer a worker may hand over late. That must not show as a drop to zero.
func TestLateWorkerShowsNoDrop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := platformtest.New(platformtest.Options{Model: slow(), Late: func(now time.Duration) time.Duration {
			if now%(130*time.Millisecond) < 2*time.Millisecond {
				return 60 * time.Millisecond
			}
			return 0
		}})
		spec := Spec{Access: Random, ReadPct: 100, Block: 4 * kib, Depth: 4, Threads: 3, Measure: 3 * time.Second}
		_, res, err := play(t, t.Context(), h, AdHoc(spec).With(Overrides{FileSize: 64 << 20, Loops: 1}), nil)
		if err != nil {
			t.Fatal(err)
		}
		checkNumbers(t, res)
		m := res.Measurements[1]
		mean := float64(m.Read.Ops) / m.Elapsed.Seconds()
		for _, s := range m.Series {
			if rate := float64(s.Read.Ops) / s.Took.Seconds(); rate < mean/3 || rate > mean*2 {
				t.Errorf("at %v the rate is %.0f, the mean %.0f", s.At, rate, mean)
			}
		}
	})
}

// A file system that goes through the page cache is measured only if the user asked for that.
func TestNoDirectIO(t *testing.T) {
	for _, buffered := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := platformtest.New(platformtest.Options{Model: slow(), Lies: true})
			target, err := h.Resolve(t.Context(), "/fake")
			if err != nil {
				t.Fatal(err)
			}
			plan, err := NewPlan(short(t, "cdm-demo"), target, Options{Buffered: buffered})
			if err != nil {
				t.Fatal(err)
			}
			res, err := Runner{Host: h, Measurer: Local{Host: h}}.Run(t.Context(), plan, func(Event) {})
			if buffered && (err != nil || len(res.Warnings) == 0 || res.Warnings[0].Code != WarnBuffered) {
				t.Errorf("asked for: %v, warnings %v", err, res.Warnings)
			}
			for _, m := range res.Measurements {
				if writes := m.Step.Kind == StepLoad && m.Step.Spec.ReadPct < 100; buffered && writes != (m.FlushTook > 0) {
					t.Errorf("%s: the flush took %v", m.Step.Workload, m.FlushTook)
				}
			}
			if !buffered && (!errors.Is(err, platform.ErrNoDirectIO) || len(res.Measurements) > 0 || len(h.Files()) > 0) {
				t.Errorf("not asked for: %v, %d measurements, files %v", err, len(res.Measurements), h.Files())
			}
		})
	}
}

func TestCacheRunsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := slow()
		m.CacheBytes = 400 << 20
		h := platformtest.New(platformtest.Options{Model: m})
		spec := Spec{Access: Sequential, Block: mib, Depth: 8, Threads: 1, Measure: 20 * time.Second}
		p := AdHoc(spec).With(Overrides{FileSize: 64 << 20, Loops: 1})
		_, res, err := play(t, t.Context(), h, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		first, last := res.Measurements[0].Series[5], res.Measurements[1].Series[50]
		if rate := float64(first.Write.Bytes) / first.Took.Seconds(); rate < 45e6 || rate > 55e6 {
			t.Errorf("inside the cache %.3g bytes a second", rate)
		}
		if rate := float64(last.Write.Bytes) / last.Took.Seconds(); rate > 12e6 {
			t.Errorf("after the cache %.3g bytes a second", rate)
		}
		if len(last.Drive)+len(first.Drive) > 2 {
			t.Errorf("sensors are read more than once a second: %v %v", first.Drive, last.Drive)
		}
	})
}

func TestSpecFields(t *testing.T) {
	base := Spec{Access: Random, ReadPct: 50, Block: 64 * kib, Depth: 4, Threads: 3, Measure: 2 * time.Second}
	for name, c := range map[string]struct {
		change func(*Spec)
		check  func(*testing.T, Measurement)
	}{
		"mix": {func(s *Spec) { s.ReadPct = 70 }, func(t *testing.T, m Measurement) {
			if share := float64(m.Read.Ops) / float64(m.Read.Ops+m.Write.Ops); share < 0.65 || share > 0.75 {
				t.Errorf("%.2f of the I/Os read, want 0.70", share)
			}
		}},
		"limit": {func(s *Spec) { s.Limit, s.Measure = 10<<20, 0 }, func(t *testing.T, m Measurement) {
			if _, bytes, _ := m.Total(); bytes != 10<<20 || m.Elapsed <= 0 || m.Elapsed > time.Second {
				t.Errorf("%d bytes in %v", bytes, m.Elapsed)
			}
		}},
		"warm-up": {func(s *Spec) { s.Warmup = 550 * time.Millisecond }, func(t *testing.T, m Measurement) {
			_, bytes, _ := m.Total()
			all := m.Moved.ReadBytes + m.Moved.WriteBytes
			if m.Elapsed != 2*time.Second || float64(all)/float64(bytes) < 1.2 || !m.Series[0].Warm || m.Series[len(m.Series)-1].Warm {
				t.Errorf("elapsed %v, counted %d of %d bytes", m.Elapsed, bytes, all)
			}
			var counted time.Duration
			for _, s := range m.Series {
				if !s.Warm {
					counted += s.Took
				}
			}
			if counted != m.Elapsed {
				t.Errorf("samples cover %v of %v", counted, m.Elapsed)
			}
		}},
		"flush at the end": {func(s *Spec) { s.Flush, s.ReadPct = FlushEnd, 0 }, func(t *testing.T, m Measurement) {
			if m.FlushTook < time.Millisecond || m.Elapsed <= 2*time.Second || m.Write.Ops != m.Moved.WriteOps {
				t.Errorf("flush %v, elapsed %v, counted %d of %d", m.FlushTook, m.Elapsed, m.Write.Ops, m.Moved.WriteOps)
			}
		}},
		"flush after each": {func(s *Spec) { s.Flush, s.ReadPct, s.Depth, s.Threads = FlushEach, 0, 1, 1 }, func(t *testing.T, m Measurement) {
			least := time.Millisecond + time.Duration(64*kib/50e6*1e9) + 100*time.Microsecond
			if got := m.WriteHist.Quantile(0.5); got < least*99/100 {
				t.Errorf("a write with its flush takes %v, want at least %v", got, least)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := base
				c.change(&s)
				h := platformtest.New(platformtest.Options{Model: slow()})
				_, res, err := play(t, t.Context(), h, AdHoc(s).With(Overrides{FileSize: 64 << 20, Loops: 1}), nil)
				if err != nil {
					t.Fatal(err)
				}
				c.check(t, res.Measurements[len(res.Measurements)-1])
			})
		})
	}
}

func TestPlanRefuses(t *testing.T) {
	p, _ := ByID("cdm-default")
	h := platformtest.New(platformtest.Options{})
	good, _ := h.Resolve(t.Context(), "/fake")
	readonly, _ := h.Resolve(t.Context(), "/readonly")
	small := good
	small.Volume.Size, small.Volume.Free = 2<<30, 1<<30+100<<20
	for name, c := range map[string]struct {
		p    Profile
		t    platform.Target
		want string
	}{
		"read-only":   {p, readonly, "read-only-fs"},
		"no space":    {p, small, "does not fit"},
		"bad profile": {p.With(Overrides{Loops: 1000}), good, "loops"},
		"half a MiB":  {p.With(Overrides{FileSize: 33 << 19}), good, "whole MiB"},
		"long span":   {AdHoc(Spec{Access: Random, Block: 4096, Depth: 1, Threads: 1, Span: 1 << 40, Measure: time.Second}), good, "span: at most"},
		"small span":  {AdHoc(Spec{Access: Sequential, Block: 1 << 20, Depth: 1, Threads: 4, Span: 1 << 20, Measure: time.Second}), good, "span: at least 4 threads"},
		"warm-up":     {AdHoc(Spec{Access: Random, Block: 4096, Depth: 1, Threads: 1, Warmup: 1, Limit: 1 << 20}), good, "warm-up"},
	} {
		if _, err := NewPlan(c.p, c.t, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewPlan(p, good, Options{}); err != nil {
		t.Error(err)
	}
}

// What only the open file can tell is found before it is written.
func TestBlocksBelowTheSector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := platformtest.New(platformtest.Options{Model: slow(), Sector: 4096})
		p := AdHoc(Spec{Access: Random, ReadPct: 100, Block: 512, Depth: 1, Threads: 1, Measure: time.Second})
		_, res, err := play(t, t.Context(), h, p, nil)
		var fault *SpecError
		if !errors.As(err, &fault) || fault.Field != "block size" || res.Moved() != (Moved{}) {
			t.Errorf("error %v, moved %+v", err, res.Moved())
		}
	})
}

// A device that completes nothing for half a minute fails also where only bytes end the step.
func TestStalledPreparation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := platformtest.New(platformtest.Options{Model: slow(), Stalled: func(now time.Duration) bool { return now > 200*time.Millisecond }})
		_, res, err := play(t, t.Context(), h, short(t, "cdm-default"), nil)
		var op *platform.OpError
		if !errors.Is(err, platform.ErrStalled) || !errors.As(err, &op) || op.Object != "/fake" || h.Now() > time.Minute {
			t.Errorf("ended %s after %v: %v", res.Reason, h.Now(), err)
		}
	})
}

// A stop does not wait for what a stalled device owes, and keeps the histogram.
func TestStopOnAStalledDrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := platformtest.New(platformtest.Options{Model: slow(), Stalled: func(now time.Duration) bool { return now > 6*time.Second }})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(8*time.Second, cancel)
		p := AdHoc(Spec{Access: Random, ReadPct: 100, Block: 4096, Depth: 8, Threads: 2, Measure: 10 * time.Second}).With(Overrides{FileSize: 16 << 20, Loops: 1})
		_, res, err := play(t, ctx, h, p, nil)
		if err != nil || res.Reason != ReasonStopped || h.Now() > 9*time.Second {
			t.Fatalf("ended %s after %v: %v", res.Reason, h.Now(), err)
		}
		m := res.Measurements[0]
		if !m.Stopped || m.Read.Ops == 0 || m.ReadHist == nil || m.ReadHist.N() != m.Read.Ops {
			t.Errorf("stopped %v, %d I/Os, histogram %v", m.Stopped, m.Read.Ops, m.ReadHist != nil)
		}
	})
}

func TestReserve(t *testing.T) {
	for _, c := range []struct {
		size   int64
		system bool
		want   int64
	}{
		{1000 << 30, true, 100 << 30}, {100 << 30, true, 10 << 30}, {1000 << 30, false, 20 << 30},
		{100 << 30, false, 4 << 30}, {10 << 30, false, 1 << 30}, {0, false, 0},
	} {
		if got := Reserve(platform.Volume{Size: c.size, System: c.system}); got != c.want {
			t.Errorf("%d GiB, system %v: %d, want %d", c.size>>30, c.system, got>>20, c.want>>20)
		}
	}
}

func TestEstimate(t *testing.T) {
	p, _ := ByID("cdm-default")
	h := platformtest.New(platformtest.Options{})
	target, _ := h.Resolve(t.Context(), "/fake")
	plan, err := NewPlan(p, target, Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := plan.Estimate()
	// 8 workloads of 4 passes of 5 s and 7 rests of 5 s, and the file.
	if e.Time < 195*time.Second || e.Time > 200*time.Second {
		t.Errorf("time %v", e.Time)
	}
	// 80 s of writing through PCIe 3.0 ×4 (3.94 GB/s), less for 4K at queue depth 1 (410 MB/s).
	if gb := float64(e.WrittenMax) / 1e9; gb < 220 || gb > 260 {
		t.Errorf("writes %.0f GB at most", gb)
	}
}

func TestFailureComesBack(t *testing.T) {
	for _, err := range []error{
		&platform.OpError{Op: "write", Object: "/x", Reason: platform.ErrNoSpace, Err: errors.New("no space left on device")},
		fmt.Errorf("outer: %w", platform.ErrStalled), errors.New("something else"), ErrWorkerDied,
	} {
		f := NewFailure(err)
		data, jerr := json.Marshal(f)
		if jerr != nil {
			t.Fatal(jerr)
		}
		var back Failure
		if jerr := json.Unmarshal(data, &back); jerr != nil {
			t.Fatal(jerr)
		}
		for _, r := range append(reasons, ErrWorkerDied) {
			if errors.Is(err, r) != errors.Is(back.Err(), r) {
				t.Errorf("%v: errors.Is(%v) is lost", err, r)
			}
		}
	}
	if NewFailure(nil) != nil {
		t.Error("no error is a failure")
	}
}
