package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
)

// Summary is what a list shows of a result. It stands first in the file.
type Summary struct {
	ID        string          `json:"id"`
	At        time.Time       `json:"at"`
	Path      string          `json:"path"` // folder that was tested
	Model     string          `json:"model,omitempty"`
	Profile   string          `json:"profile"`       // ID
	Title     string          `json:"title"`         // English title of the profile
	Row       string          `json:"row,omitempty"` // label of the only row that was run of several, "RND4K Q1T1"
	Size      int64           `json:"size"`          // bytes of the test file
	Reason    bench.Reason    `json:"reason"`
	Comment   string          `json:"comment,omitempty"`
	Tags      []string        `json:"tags,omitempty"`
	Headlines []Headline      `json:"headlines,omitempty"`
	Fill      *FillSummary    `json:"fill,omitempty"`    // only of a fill that wrote something
	Copy      *CopySummary    `json:"copy,omitempty"`    // only of a copy test with a copy that ended
	Thermal   *ThermalSummary `json:"thermal,omitempty"` // only of a test of the temperature with a load
}

// CopySummary is what a list shows of a copy test.
type CopySummary struct {
	Mean    float64 `json:"mean,omitempty"`    // rate of the copies, bytes per second; 0 if they were cloned
	Cloned  bool    `json:"cloned,omitempty"`  // nothing was moved
	Invalid bool    `json:"invalid,omitempty"` // a warning says that the numbers are not the drive's
}

// FillSummary is what a list shows of a fill: its first pass, in bytes and bytes per second.
type FillSummary struct {
	Cache   int64   `json:"cache,omitempty"`   // median size of the write cache; 0 if its end was not seen
	Least   int64   `json:"least,omitempty"`   // of the repeats, where they disagree; else 0
	Most    int64   `json:"most,omitempty"`    //
	Written int64   `json:"written"`           // by the first pass of the first run
	Mean    float64 `json:"mean"`              // rate of that
	Invalid bool    `json:"invalid,omitempty"` // a warning says that the numbers are not the drive's
}

// Headline is the first workload of a direction that has a number.
type Headline struct {
	Label     string          `json:"label"` // Spec.Label
	Direction bench.Direction `json:"direction"`
	Best      float64         `json:"best"`   // bytes per second
	Median    float64         `json:"median"` // bytes per second
	Invalid   bool            `json:"invalid,omitempty"`
}

// file is the stored form.
type file struct {
	Schema  int             `json:"schema"`
	Summary Summary         `json:"summary"`
	Result  json.RawMessage `json:"result"`
}

// Summarize is the summary of a result.
func Summarize(r bench.Result) Summary {
	s := Summary{
		ID: r.ID, At: r.At, Path: r.Plan.Target.Path, Profile: r.Plan.Profile.ID, Title: r.Plan.Profile.Title,
		Row: OneRow(r.Plan.Profile), Size: r.Plan.Profile.FileSize, Reason: r.Reason, Comment: r.Comment, Tags: r.Tags,
	}
	for i, d := range r.Plan.Target.Drives {
		if i > 0 {
			s.Model += " + "
		}
		s.Model += d.Model
	}
	outcomes := r.Outcomes()
	for _, d := range bench.Directions() {
		for _, o := range outcomes {
			if o.Workload.Spec.Direction() == d && o.Bytes.N > 0 {
				s.Headlines = append(s.Headlines, Headline{o.Workload.Spec.Label(), d, o.Bytes.Best, o.Bytes.Median, o.Invalid})
				break
			}
		}
	}
	s.Fill = fillSummary(r)
	s.Thermal = thermalSummary(r)
	if c := r.Copied(); c.N > 0 {
		s.Size = c.BytesEach // of a folder of the user's, too
		s.Copy = &CopySummary{Mean: c.Mean, Cloned: c.Cloned, Invalid: invalid(r)}
	}
	return s
}

// fillSummary is nil if a result is not of a fill, or of one that wrote nothing.
func fillSummary(r bench.Result) *FillSummary {
	passes := r.FillPasses()
	if len(passes) == 0 || passes[0].Found.Bytes == 0 {
		return nil
	}
	f := &FillSummary{Written: passes[0].Found.Bytes, Mean: passes[0].Found.Mean()}
	f.Invalid = invalid(r)
	first := bench.Caches(passes)[0]
	if border, ok := first.Size(); ok {
		f.Cache = border.At
	}
	if least, most, ok := first.Disagree(); ok {
		f.Least, f.Most = least, most
	}
	return f
}

// invalid says whether a warning about the whole run says that its numbers are not the drive's.
func invalid(r bench.Result) bool {
	return slices.ContainsFunc(r.Warnings, func(w bench.Warning) bool { return w.Code.Level() == bench.LevelInvalid })
}

// OneRow is the label of a profile's only row with workloads if it has more rows than that; else empty.
func OneRow(p bench.Profile) string {
	if len(p.Rows) < 2 || len(p.Workloads) == 0 {
		return ""
	}
	label := p.Workloads[0].Spec.Label()
	for _, w := range p.Workloads {
		if w.Spec.Label() != label {
			return ""
		}
	}
	return label
}

// Encode writes the stored form of a result.
func Encode(w io.Writer, r bench.Result) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode result %s: %w", r.ID, err)
	}
	// An Encoder ends with a line end, by which a list tells that the file is whole.
	return json.NewEncoder(w).Encode(file{Schema: bench.Schema, Summary: Summarize(r), Result: body})
}

// Decode reads the stored form of a result, or a bare Result as JSON. It fails with ErrTooBig,
// ErrNewer, ErrDamaged or the reader's error.
func Decode(from io.Reader) (bench.Result, error) { return decode(from, MaxSize) }

func decode(from io.Reader, limit int) (bench.Result, error) {
	data, err := io.ReadAll(io.LimitReader(from, int64(limit)+1))
	if err != nil {
		return bench.Result{}, err
	}
	if len(data) > limit {
		return bench.Result{}, ErrTooBig
	}
	var head struct {
		Schema int             `json:"schema"`
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return bench.Result{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := checkSchema(head.Schema); err != nil {
		return bench.Result{}, err
	}
	body := data
	if head.Result != nil {
		body = head.Result
	}
	var r bench.Result
	if err := json.Unmarshal(body, &r); err != nil {
		return bench.Result{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := checkSchema(r.Schema); err != nil {
		return bench.Result{}, err
	}
	if err := validate(r); err != nil {
		return bench.Result{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return r, nil
}

func checkSchema(n int) error {
	switch {
	case n > bench.Schema:
		return fmt.Errorf("%w: schema %d, this program knows %d", ErrNewer, n, bench.Schema)
	case n < 1:
		return fmt.Errorf("%w: no schema", ErrDamaged)
	}
	return nil
}

// validate refuses what no run can have made, so that whoever shows a result needs no guard.
func validate(r bench.Result) error {
	if _, err := path("", r.ID, ""); err != nil {
		return err
	}
	if err := validatePlan(r); err != nil {
		return err
	}
	if r.Took < 0 {
		return errors.New("a negative time")
	}
	known := map[string]bool{}
	for _, w := range r.Plan.Profile.Workloads {
		known[w.ID] = true
	}
	for _, m := range r.Measurements {
		if !planned(r.Plan.Profile, known, m.Step) {
			return fmt.Errorf("a measurement of %s %q, which the plan does not have", m.Step.Kind, m.Step.Workload)
		}
		if bad(m) {
			return fmt.Errorf("counts or times that cannot be in step %d", m.Step.Index)
		}
	}
	return nil
}

// validatePlan checks the profile, and the figures of another program's report in a result that has some.
func validatePlan(r bench.Result) error {
	if r.Imported == nil {
		return r.Plan.Profile.Validate()
	}
	if len(r.Measurements) > 0 || r.Plan.Profile.Filling != nil || r.App.Method != 0 {
		return errors.New("a result that is both imported and measured")
	}
	return r.Imported.Validate(r.Plan.Profile)
}

// planned says whether a step can be one of a profile, which has the workloads that are known.
func planned(p bench.Profile, known map[string]bool, s bench.Step) bool {
	switch s.Kind {
	case bench.StepLoad:
		return known[s.Workload] && s.Loop >= 0
	case bench.StepMake:
		return p.Copying != nil && s.Bytes > 0
	case bench.StepClone:
		return p.Cloning != nil && s.Bytes > 0
	case bench.StepCopy:
		return p.Copying != nil && s.Loop >= 1 && s.Bytes >= 0
	case bench.StepFill, bench.StepDelete:
		return p.Filling != nil && s.Loop >= 1 && s.Pass >= 1 && s.Bytes >= 0
	}
	return false
}

// bad says whether a measurement has numbers that no clock and no counter gives: one of them would make a
// rate that is infinite or not that of the counted I/Os.
func bad(m bench.Measurement) bool {
	if m.Elapsed < 0 || m.Began < 0 || m.Drain < 0 || m.FlushTook < 0 || negative(m.Read) || negative(m.Write) ||
		m.Moved.ReadOps < 0 || m.Moved.ReadBytes < 0 || m.Moved.WriteOps < 0 || m.Moved.WriteBytes < 0 ||
		m.CPU != nil && (m.CPU.User < 0 || m.CPU.System < 0 || m.CPU.Busiest < 0 || m.CPU.Waited < 0) {
		return true
	}
	if f := m.Freed; f != nil && (f.Files < 0 || f.Bytes < 0) {
		return true
	}
	if slices.ContainsFunc(m.Files, func(f bench.FileMean) bool { return f.Bytes < 0 || f.Took < 0 }) {
		return true
	}
	if m.Elapsed < time.Microsecond && (m.Read.Bytes > 0 || m.Write.Bytes > 0) {
		return true
	}
	if !counts(m.ReadHist, m.Read, m) || !counts(m.WriteHist, m.Write, m) {
		return true
	}
	block := int64(m.Step.Spec.Block)
	if copies := m.Step.Kind == bench.StepMake || m.Step.Kind == bench.StepCopy; copies {
		block = math.MaxInt64 // how much a file system moves at a time is not known
		if badCopy(m) {
			return true
		}
	}
	if m.Step.Kind == bench.StepClone {
		block = math.MaxInt64 // what is read again by halves counts as often as it is asked for
		if badClone(m) {
			return true
		}
	}
	tallies := []bench.Tally{m.Read, m.Write}
	for _, s := range m.Series {
		if s.At < 0 || s.Took < 0 || negative(s.Read) || negative(s.Write) {
			return true
		}
		tallies = append(tallies, s.Read, s.Write)
	}
	return slices.ContainsFunc(tallies, func(t bench.Tally) bool {
		return t.Bytes > 0 && block != math.MaxInt64 && (block <= 0 || (t.Bytes-1)/block >= t.Ops) // more bytes than the I/Os can have moved
	})
}

// badCopy is bad for what only copies have. One that did not end has none of it.
func badCopy(m bench.Measurement) bool {
	c := m.Copy
	if c == nil {
		return m.Read.Bytes > 0 || m.Write.Bytes > 0
	}
	v := c.Verified
	return c.Files < 0 || c.Bytes < 0 || c.Folders < 0 || c.Ring < 0 || c.Handed < 0 || c.Handed > m.Elapsed || c.Shared != nil && *c.Shared < 0 ||
		c.Skipped.Count < len(c.Skipped.Named) || v != nil && (v.Files < 0 || v.Bytes < 0 || v.Took < 0 || v.Differ.Count < len(v.Differ.Named))
}

// badClone is bad for what only clones have. One that did not end has no rate.
func badClone(m bench.Measurement) bool {
	c := m.Clone
	if c == nil {
		return m.Read.Bytes > 0 || m.Write.Bytes > 0
	}
	return c.Bytes < 0 || c.Handed < 0 || c.Handed > m.Elapsed && !m.Stopped && m.Failure == nil || c.Checked < 0 || c.BadBytes < 0 ||
		slices.ContainsFunc(c.Bad, func(b bench.BadRange) bool { return b.Start < 0 || b.Size <= 0 })
}

// counts says whether a histogram has the I/Os of its tally. A step that was broken off may have lost it
// with the process that measured.
func counts(h *hist.H, t bench.Tally, m bench.Measurement) bool {
	if h == nil {
		return t.Ops == 0 || m.Stopped || m.Failure != nil
	}
	return h.N() == t.Ops
}

func negative(t bench.Tally) bool {
	return t.Ops < 0 || t.Bytes < 0 || t.SumLat < 0 || t.P50 < 0 || t.P99 < 0 || t.P999 < 0 || t.Max < 0
}
