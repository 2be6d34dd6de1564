package reference

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

var at = time.Date(2026, 6, 19, 8, 55, 53, 0, time.UTC)

// target is a drive of 2 TB, of whose volume so much is used.
func target(used int64) platform.Target {
	return platform.Target{
		Path:   "/home/secret",
		Volume: platform.Volume{Mount: "/home", FS: "ext4", Size: 2000e9, Used: used, Free: 2000e9 - used},
		Layers: []platform.Layer{{Kind: platform.LayerLUKS, Name: "dm-0"}, {Kind: platform.LayerPartition, Name: "nvme0n1p2"}},
		Drives: []platform.Drive{{Key: "eui.SECRET", Name: "nvme0n1", Model: "CT2000P5SSD8", Serial: "SECRET", Firmware: "P4CR311", Bus: platform.BusNVMe,
			Driver: "nvme", Link: platform.Link{PCIeGen: 3, Lanes: 4}, LinkMax: platform.Link{PCIeGen: 3, Lanes: 4}, Capacity: 2000398934016}},
	}
}

// begun is a run of a profile before its first step.
func begun(p bench.Profile, t platform.Target) bench.Result {
	var r bench.Result
	r.Apply(bench.Started{ID: "20260619T085553Z-0badcafe", At: at, App: bench.App{Version: "1.2.3", Method: 1}, Comment: "warm\nroom",
		Machine: platform.System{OS: "Debian GNU/Linux 13 (trixie)", Kernel: "6.12.0"}, Plan: bench.Plan{Profile: p, Target: t, Seed: 1}})
	return r
}

// table is a run of a table with three loops: n I/Os a second, 2 % more and 4 % more.
func table(t testing.TB, id string, iops map[string]int64) bench.Result {
	t.Helper()
	p, ok := bench.ByID(id)
	if !ok {
		t.Fatal("no test ", id)
	}
	r := begun(p, target(1260e9))
	for _, s := range r.Plan.Steps() {
		r.Apply(bench.StepStarted{Step: s})
		n := iops[s.Workload]
		if s.Kind != bench.StepLoad || n == 0 {
			continue
		}
		n += n * int64(2*max(s.Loop-1, 0)) / 100
		h := new(hist.H)
		for range n {
			h.Record(100 * time.Microsecond)
		}
		tally := bench.Tally{Ops: n, Bytes: n * int64(s.Spec.Block), SumLat: h.Sum()}
		m := bench.Measurement{Step: s, Elapsed: time.Second}
		if s.Spec.ReadPct > 0 {
			m.Read, m.ReadHist = tally, h
		} else {
			m.Write, m.WriteHist = tally, h
		}
		r.Apply(bench.StepDone{Measurement: m})
	}
	r.Apply(bench.Finished{Reason: bench.ReasonDone, Took: time.Minute})
	return r
}

func close4(a, b float64) bool { return math.Abs(a-b) <= 1e-4*math.Abs(b) }

func TestProjectTable(t *testing.T) {
	r := table(t, "cdm-nvme", map[string]int64{
		"seq1m-q8t1-read": 3000, "seq128k-q32t1-read": 25000, "rnd4k-q32t16-read": 80000, "rnd4k-q1t1-read": 12000, "seq1m-q8t1-write": 2800,
	})
	r.Apply(bench.Warned{Warning: bench.Warning{Code: bench.WarnNoisy, Workload: "rnd4k-q1t1-read", Value: 0.2}})
	r.Apply(bench.Warned{Warning: bench.Warning{Code: bench.WarnCached, Workload: "seq1m-q8t1-write", Value: 0.2}})
	d, err := FromResult(&r, "with heatsink")
	if err != nil {
		t.Fatal(err)
	}
	if d.ID != "run-20260619T085553Z-0badcafe" || d.Class != ClassPCIe3 || d.Title() != "CT2000P5SSD8 2 TB (with heatsink)" || d.Note != "warm room" {
		t.Errorf("%s, %s, %s, %q", d.ID, d.Class, d.Title(), d.Note)
	}
	for _, c := range []struct {
		metric        string
		value, lo, hi float64
	}{
		{"rate.seq1m-q8t1-read", 3060 * 1.048576, 3000 * 1.048576, 3120 * 1.048576},
		{"iops.rnd4k-q1t1-read", 12240, 12000, 12480},
		{"latency.rnd4k-q1t1-read", 100, 100, 100},
		{"seq_read_max", 25500 * 0.131072, 25000 * 0.131072, 26000 * 0.131072},
		{"rand_read_iops_max", 81600, 80000, 83200},
		{"rand_read_iops_qd1", 12240, 12000, 12480},
		{"cdm_seq_read", 3060 * 1.048576, 3000 * 1.048576, 3120 * 1.048576},
	} {
		v, ok := d.Find(c.metric, Measured)
		if !ok || !close4(v.Value, c.value) || v.Loops == nil || v.Loops.N != 3 || !close4(v.Loops.Lo, c.lo) || !close4(v.Loops.Hi, c.hi) {
			t.Errorf("%s: %+v %+v, want %v", c.metric, v, v.Loops, c.value)
		}
		if v.Spec == nil || v.Span != 1<<30 || v.Conditions == "" {
			t.Errorf("%s: %+v has no load", c.metric, v)
		}
	}
	for metric, want := range map[string]string{"rand_read_iops_qd1": "noisy", "seq_write_max": "cached", "seq_read_max": ""} {
		v, _ := d.Find(metric, Measured)
		if got := len(v.Doubts); (got > 0) != (want != "") || got > 0 && string(v.Doubts[0]) != want || v.Invalid != (want == "cached") {
			t.Errorf("%s: doubts %v, invalid %v", metric, v.Doubts, v.Invalid)
		}
	}
	if v, ok := d.Find("rand_write_iops_max", Measured); ok {
		t.Errorf("a row that was not run: %+v", v)
	}
	var b bytes.Buffer
	if err := Encode(&b, d); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "SECRET") || strings.Contains(b.String(), "secret") {
		t.Error("names a serial number or a folder")
	}
}

// The IDs of loads that package bench gives are those that a file is checked against.
func TestWorkloadIDs(t *testing.T) {
	for _, p := range bench.Builtin() {
		for _, w := range p.Workloads {
			if got := workloadID(w.Spec); got != w.ID {
				t.Errorf("%s: %s", w.ID, got)
			}
		}
	}
}

// filling is a fill whose passes wrote so many GB at so many MB/s, one after the other.
func filling(t *testing.T, id string, used int64, passes ...[]float64) bench.Result {
	t.Helper()
	p, _ := bench.ByID(id)
	f := *p.Filling
	f.Again = []int{50, 20}[:min(len(passes)-1, 2)]
	p.Filling = &f
	r := begun(p, target(used))
	i := 0
	for _, s := range r.Plan.Steps() {
		m := bench.Measurement{Step: s, Elapsed: time.Second}
		switch s.Kind {
		case bench.StepDelete:
			m.Freed = &bench.Freed{Files: 1, Bytes: s.Bytes, Trimmed: &s.Bytes}
		case bench.StepFill:
			m.Elapsed = 0
			for j := 0; j < len(passes[i]); j += 2 {
				gb, rate := passes[i][j], passes[i][j+1]
				for range int(gb) {
					took := time.Duration(1e9 / (rate * 1e6) * 1e9)
					m.Elapsed += took
					m.Write.Bytes += 1e9
					m.Series = append(m.Series, bench.Sample{At: m.Elapsed, Took: took, Write: bench.Tally{Ops: 1000, Bytes: 1e9}})
				}
			}
			m.Moved.WriteBytes = m.Write.Bytes
			i++
		default:
			continue
		}
		r.Measurements = append(r.Measurements, m)
	}
	r.Reason = bench.ReasonDone
	return r
}

func TestProjectFill(t *testing.T) {
	r := filling(t, "fill", 10e9, []float64{650, 2400, 150, 1000, 1150, 400}, []float64{30, 2400, 940, 800}, []float64{110, 2400, 280, 500})
	d, err := FromResult(&r, "")
	if err != nil {
		t.Fatal(err)
	}
	for metric, want := range map[string]float64{
		"slc_cache_gb_fill0": 650, "slc_cache_gb_fill50": 30, "slc_cache_gb_fill80": 110, "write_stage1": 2400, "write_stage2": 1000,
		"write_stage3": 400, "write_stage2_ends_gb": 800, "write_last": 400, "fill_mean_write": 1950e3 / (650e3/2400 + 150 + 1150e3/400),
		"fill_time_min": (650e3/2400 + 150 + 1150e3/400) / 60,
	} {
		if v, ok := d.Find(metric, Measured); !ok || math.Abs(v.Value/want-1) > 0.02 || v.Qualifier != Exactly {
			t.Errorf("%s: %+v, want %v", metric, v, want)
		}
	}
	if len(d.Curves) != 3 || d.Curves[0].Kind != CurveFill || len(d.Curves[0].X) > maxPoints || d.Curves[0].X[len(d.Curves[0].X)-1] != 1950 {
		t.Errorf("%d curves", len(d.Curves))
	}
}

func TestProjectFillWithoutEnd(t *testing.T) {
	r := filling(t, "fill-quick", 10e9, []float64{700, 2400})
	d, err := FromResult(&r, "")
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := d.Find("slc_cache_gb_fill0", Measured); v.Value != 700 || v.Qualifier != MoreThan {
		t.Errorf("cache %+v", v)
	}
	for _, metric := range []string{"fill_time_min", "fill_mean_write", "write_last", "write_stage1", "write_stage2"} {
		if v, ok := d.Find(metric, Measured); ok {
			t.Errorf("%s is known after a part of the drive: %+v", metric, v)
		}
	}
	r = filling(t, "fill-quick", 700e9, []float64{60, 2400, 100, 900})
	d, err = FromResult(&r, "")
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := d.Find("slc_cache_gb_present", Measured); math.Abs(v.Value-60) > 2 || v.Start == nil || *v.Start != 0.35 {
		t.Errorf("cache from 35 %%: %+v", v)
	}
	if _, ok := d.Find("write_stage1", Measured); ok {
		t.Error("stages of a drive that was not empty")
	}
}

func TestProjectThermal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := platformtest.Typical()
		m.ReadRate, m.HeatPerGBps, m.ThrottleAt, m.ReadLatency = 20e6, 2000, 0, time.Millisecond
		fake := platformtest.New(platformtest.Options{Model: m})
		p, _ := bench.ByID("thermal-read")
		p.FileSize = 64 << 20
		where, err := fake.Resolve(t.Context(), "/fake")
		if err != nil {
			t.Fatal(err)
		}
		plan, err := bench.NewPlan(p, where, bench.Options{Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		r, err := bench.Runner{Host: fake, Measurer: bench.Local{Host: fake}}.Run(t.Context(), plan, func(bench.Event) {})
		if err != nil {
			t.Fatal(err)
		}
		d, err := FromResult(&r, "")
		if err != nil {
			t.Fatal(err)
		}
		for metric, want := range map[string]float64{"temp_idle": 38, "temp_max_read": 78, "thermal_read_unthrottled": 20} {
			if v, ok := d.Find(metric, Measured); !ok || math.Abs(v.Value-want) > 2 {
				t.Errorf("%s: %+v, want %v", metric, v, want)
			}
		}
		kinds := []CurveKind{}
		for _, c := range d.Curves {
			kinds = append(kinds, c.Kind)
		}
		if !slices.Equal(kinds, []CurveKind{CurveThermalRate, CurveTemperature}) {
			t.Errorf("curves %v", kinds)
		}
	})
}

func TestNothingToProject(t *testing.T) {
	p, _ := bench.ByID("cdm-default")
	r := begun(p, target(0))
	if _, err := FromResult(&r, ""); !errors.Is(err, ErrNothing) {
		t.Errorf("%v", err)
	}
}

func TestClassOf(t *testing.T) {
	nvme := func(now, most int) platform.Drive {
		return platform.Drive{Bus: platform.BusNVMe, Link: platform.Link{PCIeGen: now}, LinkMax: platform.Link{PCIeGen: most}}
	}
	for _, c := range []struct {
		name string
		d    platform.Drive
		want Class
	}{
		{"in a slow slot", nvme(3, 4), ClassPCIe4},
		{"most not told", nvme(3, 0), ClassPCIe3},
		{"PCIe 2", nvme(0, 2), ClassPCIe3},
		{"PCIe 5", nvme(5, 5), ClassPCIe5},
		{"link not told", nvme(0, 0), ClassUnknown},
		{"SATA SSD", platform.Drive{Bus: platform.BusSATA, Rotational: platform.No}, ClassSATA},
		{"hard disk", platform.Drive{Bus: platform.BusSATA, Rotational: platform.Yes}, ClassHardDisk},
		{"not told whether it rotates", platform.Drive{Bus: platform.BusSATA}, ClassUnknown},
		{"USB SSD", platform.Drive{Bus: platform.BusUSB}, ClassExternal},
		{"USB hard disk", platform.Drive{Bus: platform.BusUSB, Rotational: platform.Yes}, ClassHardDisk},
		{"virtual", platform.Drive{Bus: platform.BusVirtual}, ClassUnknown},
	} {
		if got := ClassOf(c.d); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What another program printed is taken as it is: one figure, no loops, and not of this program's method.
func TestProjectImported(t *testing.T) {
	rate, other := 3.5e9, 1e9
	p, _ := bench.ByID("cdm-default")
	for i := range p.Workloads {
		p.Workloads[i].Spec.Measure = 0
	}
	p.FileSize = 0
	r := begun(p, platform.Target{})
	r.App.Method = 0
	r.Imported = &bench.Imported{Program: "CrystalDiskMark", Version: "8.0.4", Figures: []bench.Figure{
		{Workload: "seq1m-q8t1-read", Statistic: bench.StatBest, Loops: 5, Bytes: &rate},
		{Workload: "seq1m-q1t1-read", Statistic: bench.StatBest, Bytes: &other},
	}}
	d, err := FromResult(&r, "")
	if err != nil {
		t.Fatal(err)
	}
	v, ok := d.Find("cdm_seq_read", Measured)
	if !ok || v.Value != 3500 || v.Loops != nil || !strings.Contains(v.Conditions, "best, as CrystalDiskMark 8.0.4 printed it") {
		t.Errorf("%+v", v)
	}
	if d.Setup.Program != "CrystalDiskMark 8.0.4" || d.Setup.Method != 0 {
		t.Errorf("%+v", d.Setup)
	}
	if v, ok := d.Find("iops.seq1m-q8t1-read", Measured); ok {
		t.Errorf("not told, and yet %+v", v)
	}
	if _, err := Decode(strings.NewReader(encoded(t, d))); err != nil {
		t.Error(err)
	}
}
