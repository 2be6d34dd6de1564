package bench

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Workload is one test of a profile: a Spec with a stable name.
type Workload struct {
	ID   string `json:"id"` // unique in its profile: "rnd4k-q32t1-read"
	Spec Spec   `json:"spec"`
}

// Unit is what a number is shown in.
type Unit string

// The units of a table. UnitUser is what the user has chosen.
const (
	UnitUser Unit = ""
	UnitMBs  Unit = "MB/s" // 10^6 bytes per second
	UnitGBs  Unit = "GB/s" // 10^9 bytes per second
	UnitIOPS Unit = "IOPS"
	UnitUS   Unit = "µs" // mean latency; lower is better
)

// Units lists what the user can choose.
func Units() []Unit { return []Unit{UnitMBs, UnitGBs, UnitIOPS, UnitUS} }

// Row is one line of a profile's table: every workload whose Spec has this shape, one per column.
type Row struct {
	Shape Spec `json:"shape"`          // Spec.Shape of the workloads
	Unit  Unit `json:"unit,omitempty"` // set where the profile decides the unit (Peak, Real world)
}

// Profile is a test as data: what is run, in which order, how often, and how the table looks.
type Profile struct {
	ID        string        `json:"id"`
	Title     string        `json:"title"`          // English; the screen translates by ID
	Note      string        `json:"note,omitempty"` // where the definition comes from
	FileSize  int64         `json:"file_size"`      // bytes
	Loops     int           `json:"loops"`          // measured runs of each workload, after one that is discarded
	Rest      time.Duration `json:"rest"`           // pause between workloads
	Workloads []Workload    `json:"workloads"`      // in the order in which they run
	Rows      []Row         `json:"rows"`
	Filling   *Filling      `json:"filling,omitempty"` // in place of workloads and rows: FileSize is that of each numbered file, Rest the pause before a pass
	Copying   *Copying      `json:"copying,omitempty"` // in place of workloads and rows: FileSize is that of all that is copied, Rest the pause before a copy
	Cloning   *Cloning      `json:"cloning,omitempty"` // in place of workloads and rows; FileSize is 0, as the source decides
	Thermal   *Thermal      `json:"thermal,omitempty"` // what is measured is the temperature: one workload, after a wait
}

// The bounds of a profile's settings.
const (
	MinFileSize = 16 << 20
	MaxFileSize = 16 << 40
	MaxLoops    = 100
	MaxRest     = time.Hour
)

// Validate reports all that is wrong with a profile, joined.
func (p Profile) Validate() error {
	var faults []error
	bad := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("profile %s: "+format, append([]any{p.ID}, args...)...))
	}
	if p.ID == "" || p.Title == "" {
		bad("ID and title must not be empty")
	}
	if p.Cloning == nil && (p.FileSize < MinFileSize || p.FileSize > MaxFileSize || p.FileSize%mib != 0) {
		bad("%w", &SpecError{"size", "16 MiB to 16 TiB in whole MiB"})
	}
	if p.Loops < 1 || p.Loops > MaxLoops {
		bad("%w", &SpecError{"loops", "1 to 100"})
	}
	if p.Rest < 0 || p.Rest > MaxRest {
		bad("%w", &SpecError{"pause", "0 s to 1 h"})
	}
	if p.Filling != nil {
		p.Filling.validate(bad)
	}
	if p.Thermal != nil {
		p.Thermal.validate(p, bad)
	}
	if p.Copying != nil {
		p.Copying.validate(p, bad)
	}
	if p.Cloning != nil {
		p.Cloning.validate(p, bad)
	}
	if len(p.Workloads) == 0 && p.Filling == nil && p.Copying == nil && p.Cloning == nil {
		bad("%w", &SpecError{"test", "at least one"})
	}
	seen := map[string]bool{}
	for _, w := range p.Workloads {
		if seen[w.ID] {
			bad("workload %s is there twice", w.ID)
		}
		seen[w.ID] = true
		if err := w.Spec.Validate(); err != nil {
			bad("workload %s: %w", w.ID, err)
		}
		if !slices.ContainsFunc(p.Rows, func(r Row) bool { return r.Shape == w.Spec.Shape() }) {
			bad("workload %s has no row in the table", w.ID)
		}
		if err := w.Spec.fits(p.FileSize); err != nil {
			bad("workload %s: %w", w.ID, err)
		}
	}
	return errors.Join(faults...)
}

// Find gives the workload of a row and column, if the profile has it.
func (p Profile) Find(shape Spec, d Direction) (Workload, bool) {
	for _, w := range p.Workloads {
		if w.Spec.Shape() == shape && w.Spec.Direction() == d {
			return w, true
		}
	}
	return Workload{}, false
}

// Has says whether the profile has a column.
func (p Profile) Has(d Direction) bool {
	return slices.ContainsFunc(p.Workloads, func(w Workload) bool { return w.Spec.Direction() == d })
}

// Overrides are what a user may change of a profile. A nil or zero field keeps the profile's value.
type Overrides struct {
	FileSize int64            // bytes
	Loops    int              //
	Measure  time.Duration    // measuring time of every workload
	Rest     *time.Duration   // pause between workloads
	MixPct   int              // share of reads in the mix column, percent
	Only     []string         // run only these workloads
	Fill     FillOverrides    // of a Filling
	Copy     CopyOverrides    // of a Copying
	Clone    CloneOverrides   // of a Cloning
	Thermal  ThermalOverrides // of a Thermal
}

// FillOverrides are what a user may change of a Filling. A nil, zero or false field keeps its value.
type FillOverrides struct {
	Write *Spec  // how files are written; without direction, measuring time and limit, which the test decides
	Again []int  // before each further pass so much of all files is deleted, percent; empty and not nil is one pass
	After *int64 // bytes past the end of the write cache; 0 fills to the reserve
	Most  *int   // percent of the capacity; 0 fills to the reserve
	Empty bool   // only on an empty volume
}

// Set says whether there is a change.
func (o FillOverrides) Set() bool {
	return o.Write != nil || o.Again != nil || o.After != nil || o.Most != nil || o.Empty
}

// With is the profile with a user's changes applied.
func (p Profile) With(o Overrides) Profile {
	if o.FileSize != 0 {
		p.FileSize = o.FileSize
	}
	if o.Loops != 0 {
		p.Loops = o.Loops
	}
	if o.Rest != nil {
		p.Rest = *o.Rest
	}
	if p.Filling != nil {
		f := p.Filling.with(o.Fill)
		f.Write.Limit = p.FileSize
		p.Filling = &f
	}
	if p.Copying != nil {
		c := p.Copying.with(o.Copy)
		p.Copying = &c
	}
	if p.Cloning != nil {
		c := p.Cloning.with(o.Clone)
		p.Cloning = &c
	}
	if p.Thermal != nil {
		t := p.Thermal.with(o.Thermal)
		p.Thermal = &t
		if o.Thermal.Steady && o.Measure == 0 {
			o.Measure = SteadyMost
		}
	}
	p.Workloads, p.Rows = slices.Clone(p.Workloads), slices.Clone(p.Rows)
	if len(o.Only) > 0 {
		p.Workloads = slices.DeleteFunc(p.Workloads, func(w Workload) bool { return !slices.Contains(o.Only, w.ID) })
	}
	for i := range p.Workloads {
		s := &p.Workloads[i].Spec
		if o.Measure != 0 {
			s.Measure = o.Measure
		}
		if o.MixPct != 0 && s.Direction() == DirMix {
			s.ReadPct = o.MixPct
		}
	}
	for i := range p.Rows {
		if o.Measure != 0 {
			p.Rows[i].Shape.Measure = o.Measure
		}
	}
	return p
}

// AdHoc is a profile of a single Spec that a user typed.
func AdHoc(s Spec) Profile {
	return Profile{
		ID: "adhoc", Title: s.String(), FileSize: 1 << 30, Loops: 3, Rest: 5 * time.Second,
		Workloads: []Workload{{workloadID(s), s}}, Rows: []Row{{Shape: s.Shape()}},
	}
}
