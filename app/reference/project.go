package reference

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// ownSource is the key of the source of a run.
const ownSource = "own"

// FromResult turns a result into the drive that was tested with the values that the run gave, under a label of the
// user's. It fails with ErrNothing if there is none. Nothing in it names a serial number or a folder.
func FromResult(r *bench.Result, label string) (Drive, error) {
	t := r.Plan.Target
	d := Drive{
		Schema: Schema, ID: "run-" + safeID(r.ID), Model: model(t), CapacityGB: float64(bench.Capacity(t)) / 1e9,
		Label: line(label), Note: line(r.Comment), Setup: setup(r),
		Sources: map[string]Source{ownSource: {
			Title: "Cachecliff " + line(r.App.Version) + ", " + r.At.UTC().Format("2006-01-02"), Address: "run " + safeID(r.ID), Quality: QualityOwn,
		}},
	}
	if len(t.Drives) == 1 {
		d.Class = ClassOf(t.Drives[0])
	}
	p := projection{r: r, drive: &d}
	p.table()
	p.fill()
	p.thermal()
	if len(d.Values) == 0 {
		return d, &platform.OpError{Op: "compare result", Object: r.ID, Err: ErrNothing}
	}
	if err := d.validate(); err != nil {
		return d, &platform.OpError{Op: "compare result", Object: r.ID, Err: fmt.Errorf("%w: %w", ErrDamaged, err)}
	}
	return d, nil
}

// line is a text as a file takes it: one line, not too long, nothing that steers.
func line(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }), " ")
	for !plain(s) && s != "" {
		if len(s) > maxText {
			s = s[:maxText]
		}
		s = strings.ToValidUTF8(s, "")
		s = strings.Map(func(r rune) rune {
			if !plain(string(r)) {
				return -1
			}
			return r
		}, s)
	}
	return s
}

// safeID is an ID with what no file's name may have replaced.
func safeID(id string) string {
	id = strings.Map(func(r rune) rune {
		if validID(string(r)) {
			return r
		}
		return '-'
	}, id)
	return id[:min(len(id), maxID-len("run-"))]
}

// model names the drives of a target, or the file system where there is none.
func model(t platform.Target) string {
	var names []string
	for _, d := range t.Drives {
		names = append(names, line(cmp.Or(d.Model, d.Name)))
	}
	return cmp.Or(strings.Join(names, " + "), line(t.Volume.FS), "?")
}

func setup(r *bench.Result) *Setup {
	t, m := r.Plan.Target, r.Machine
	s := &Setup{
		Run: safeID(r.ID), At: r.At.UTC(), Test: line(r.Plan.Profile.ID), Method: r.App.Method, App: line(r.App.Version),
		OS: line(m.OS), Kernel: line(m.Kernel), CPU: line(m.CPU), FS: line(t.Volume.FS), Power: line(m.PowerPlan),
		Buffered: r.Plan.Buffered, Through: r.Plan.Through,
	}
	if r.Imported != nil {
		s.Program = line(r.Imported.String())
	}
	if len(t.Drives) == 1 {
		d := t.Drives[0]
		s.Firmware, s.Driver = line(d.Firmware), line(d.Driver)
		if d.Link.PCIeGen > 0 {
			s.Link = fmt.Sprintf("PCIe %d.0 x%d", d.Link.PCIeGen, d.Link.Lanes)
		}
	}
	for _, l := range t.Layers {
		if l.Kind != platform.LayerPartition {
			s.Layers = append(s.Layers, line(string(l.Kind)))
		}
	}
	if share, ok := t.Volume.Fill(t.Volume.Free); ok {
		s.Fill = &share
	}
	return s
}

// projection adds the values of a result to a drive.
type projection struct {
	r     *bench.Result
	drive *Drive
}

// add adds a value that was measured.
func (p projection) add(metric string, v Value) {
	m, _ := MetricByID(metric)
	v.Metric, v.Unit, v.Kind, v.Source = metric, m.Unit, Measured, ownSource
	v.Qualifier = cmp.Or(v.Qualifier, Exactly)
	p.drive.Values = append(p.drive.Values, v)
}

// doubts are the warnings about a workload and about the whole run that make a number doubtful.
func (p projection) doubts(workload string) (codes []bench.WarningCode, invalid bool) {
	for _, w := range p.r.Warnings {
		level := w.Code.Level()
		if w.Workload != "" && w.Workload != workload || level == bench.LevelNote || slices.Contains(codes, w.Code) {
			continue
		}
		codes = append(codes, w.Code)
		invalid = invalid || level == bench.LevelInvalid
	}
	return codes, invalid
}

// with is a value of a workload with its median, and its range where there were loops: an imported result has one
// figure of each quantity.
func (v Value) with(e bench.Estimate, size float64, o bench.Outcome) Value {
	if v.Value, v.Loops = scaled(e, size); o.Given != nil {
		v.Loops = nil
	}
	return v
}

// scaled is the median and the range of the loops in another unit.
func scaled(e bench.Estimate, size float64) (float64, *Loops) {
	return e.Median / size, &Loops{e.Lo / size, e.Hi / size, e.N}
}

// table adds the medians of the workloads, and those of them that others give under a name of their own.
func (p projection) table() {
	if p.r.Plan.Profile.Filling != nil || p.r.Plan.Profile.Thermal != nil {
		return
	}
	outcomes := slices.DeleteFunc(p.r.Outcomes(), func(o bench.Outcome) bool { return o.Bytes.N == 0 })
	for _, o := range outcomes {
		base, s := p.load(o), o.Workload.Spec
		id := workloadID(s)
		give := func(metric string, e bench.Estimate, size float64) {
			if e.N > 0 { // of an imported result some are not told
				p.add(metric, base.with(e, size, o))
			}
		}
		if s.Rate == 0 { // else the rate is what was asked for
			give(prefixRate+id, o.Bytes, 1e6)
			give(prefixIOPS+id, o.IOPS, 1)
		}
		give(prefixLatency+id, o.Latency, 1e3)
		if o.Hist != nil {
			v := base
			v.Value = float64(o.Hist.Quantile(0.99)) / 1e3
			p.add(prefixP99+id, v)
		}
	}
	p.known(outcomes)
}

// load is what all values of a workload have in common.
func (p projection) load(o bench.Outcome) Value {
	s := o.Workload.Spec
	v := Value{Spec: &s, Span: s.Span}
	if v.Span == 0 {
		v.Span = p.r.Plan.Profile.FileSize
	}
	v.Doubts, v.Invalid = p.doubts(o.Workload.ID)
	v.Conditions = fmt.Sprintf("%s, %s; median of %d", s.String(), p.where(), o.Bytes.N)
	if f := o.Given; f != nil {
		v.Conditions = fmt.Sprintf("%s, %s; %s, as %s printed it", s.String(), p.where(), f.Statistic, p.drive.Setup.Program)
	}
	return v
}

// where is in which place a run was made.
func (p projection) where() string {
	var parts []string
	for _, s := range []string{binary(p.r.Plan.Profile.FileSize), p.drive.Setup.FS, p.drive.Setup.OS} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if p.r.Plan.Buffered {
		parts = append(parts, "buffered")
	}
	if p.r.Plan.Through {
		parts = append(parts, "write-through")
	}
	return strings.Join(parts, ", ")
}

// binary is a size of a file, "1 GiB"; empty if it is not known.
func binary(n int64) string {
	if n <= 0 {
		return ""
	}
	if n%(1<<30) == 0 {
		return fmt.Sprintf("%d GiB", n>>30)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// manyInFlight is from how many I/Os in flight on makers and reviews call 4K random rates the highest.
const manyInFlight = 32

// known adds those numbers that makers and reviews give: the highest sequential rates, the highest rates of small
// blocks, and those of one at a time.
func (p projection) known(outcomes []bench.Outcome) {
	dirs := []struct {
		d                 bench.Direction
		seq, max, one, cd string
	}{
		{bench.DirRead, "seq_read_max", "rand_read_iops_max", "rand_read_iops_qd1", "cdm_seq_read"},
		{bench.DirWrite, "seq_write_max", "rand_write_iops_max", "rand_write_iops_qd1", "cdm_seq_write"},
	}
	for _, dir := range dirs {
		pick := func(metric string, of func(bench.Outcome) bench.Estimate, size float64, fits func(bench.Spec) bool) {
			var best *bench.Outcome
			for i, o := range outcomes {
				s := o.Workload.Spec
				if s.Direction() == dir.d && s.Rate == 0 && fits(s) && of(o).N > 0 && (best == nil || best.Invalid && !o.Invalid || best.Invalid == o.Invalid && of(o).Median > of(*best).Median) {
					best = &outcomes[i]
				}
			}
			if best == nil {
				return
			}
			p.add(metric, p.load(*best).with(of(*best), size, *best))
		}
		rate := func(o bench.Outcome) bench.Estimate { return o.Bytes }
		iops := func(o bench.Outcome) bench.Estimate { return o.IOPS }
		small := func(s bench.Spec) bool { return s.Access == bench.Random && s.Block == 4096 }
		pick(dir.seq, rate, 1e6, func(s bench.Spec) bool { return s.Access == bench.Sequential })
		pick(dir.max, iops, 1, func(s bench.Spec) bool { return small(s) && s.Depth*s.Threads >= manyInFlight })
		pick(dir.one, iops, 1, func(s bench.Spec) bool { return small(s) && s.Depth*s.Threads == 1 })
		if strings.HasPrefix(p.r.Plan.Profile.ID, "cdm-") {
			pick(dir.cd, rate, 1e6, func(s bench.Spec) bool {
				return s.Access == bench.Sequential && s.Block == 1<<20 && s.Depth == 8 && s.Threads == 1
			})
		}
	}
}

// thermal adds what a test of the temperature showed. The first sensor is that of the whole drive.
func (p projection) thermal() {
	passes := p.r.ThermalPasses()
	if len(passes) == 0 {
		return
	}
	w := p.r.Plan.Profile.Workloads[0]
	base := Value{Spec: &w.Spec, Conditions: fmt.Sprintf("%s, %s; median of %d", w.Spec.String(), p.where(), len(passes))}
	base.Doubts, base.Invalid = p.doubts(w.ID)
	give := func(metric string, of func(bench.ThermalPass) (float64, bool)) {
		var all []float64
		for _, t := range passes {
			if v, ok := of(t); ok {
				all = append(all, v)
			}
		}
		if len(all) > 0 {
			v := base
			v.Value, v.Loops = median(all)
			p.add(metric, v)
		}
	}
	sensor := func(of func(bench.ThermalSensor) int32) func(bench.ThermalPass) (float64, bool) {
		return func(t bench.ThermalPass) (float64, bool) {
			if len(t.Sensors) == 0 || t.Sensors[0].Still {
				return 0, false
			}
			c := float64(of(t.Sensors[0])) / 1000
			return c, c >= 0
		}
	}
	hot := func(t bench.ThermalPass) (float64, bool) { return t.Hot.Seconds(), t.Hot >= 0 }
	give("temp_idle", sensor(func(s bench.ThermalSensor) int32 { return s.Idle }))
	if w.Spec.Direction() == bench.DirRead {
		give("temp_max_read", sensor(func(s bench.ThermalSensor) int32 { return s.Top }))
		give("throttle_read_after_s", hot)
		give("thermal_read_unthrottled", func(t bench.ThermalPass) (float64, bool) {
			return t.First / 1e6, t.First > 0 && (t.Hot < 0 || t.Hot > time.Minute)
		})
		give("thermal_read_throttled", func(t bench.ThermalPass) (float64, bool) { return t.Last / 1e6, t.Last > 0 && t.Hot >= 0 })
	} else {
		give("temp_max_write", sensor(func(s bench.ThermalSensor) int32 { return s.Top }))
		give("throttle_write_after_s", hot)
		if o := p.r.Outcomes(); len(o) == 1 && o[0].Bytes.N > 0 {
			v := base
			v.Value, v.Loops = scaled(o[0].Bytes, 1e6)
			p.add("thermal_write_mean", v)
		}
	}
	p.thermalCurves()
}

// median of some numbers, and their range.
func median(all []float64) (float64, *Loops) {
	all = slices.Sorted(slices.Values(all))
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2, &Loops{all[0], all[n-1], n}
}
