package bench

import (
	"fmt"
	"slices"
	"time"

	"cachecliff/platform"
)

// MethodVersion changes whenever a test measures something else than before. Results with different
// method versions are not compared.
const MethodVersion = 1

// Plan is a test that is ready to run: validated, sized and ordered. The same plan gives the same
// offsets on every system.
type Plan struct {
	Profile  Profile         `json:"profile"` // with the user's changes applied
	Target   platform.Target `json:"target"`
	Engine   platform.Engine `json:"engine,omitempty"`        // forced engine; empty takes the best
	Buffered bool            `json:"buffered,omitempty"`      // through the page cache: the user agreed to a number that is not the drive's
	Huge     bool            `json:"huge_pages,omitempty"`    // buffers in huge pages: large requests reach the drive whole
	Through  bool            `json:"write_through,omitempty"` // each write is on the medium before it counts as done
	Seed     uint64          `json:"seed"`
	Source   *CopySource     `json:"source,omitempty"` // of a Copying: a folder of the user's
	Clone    *CloneSource    `json:"clone,omitempty"`  // of a Cloning
	Sample   time.Duration   `json:"sample,omitempty"` // how often counters and temperatures are taken down; 0 is DefaultSample
}

// Options are what a user may decide beside the profile.
type Options struct {
	Engine   platform.Engine
	Buffered bool
	Huge     bool          // buffers in huge pages
	Through  bool          // each write is on the medium before it counts as done
	Seed     uint64        // 0 takes a random one in Run
	Sample   time.Duration // MinSample to MaxSample; 0 is DefaultSample
	Clone    *CloneSource  // what FindClone found of a Cloning
	Source   *CopySource   // what FindSource found in the folder that a Copying names
}

// PlanCode says why a plan cannot be made.
type PlanCode string

// The reasons.
const (
	PlanBadTarget PlanCode = "bad-target" // Target.Refusal says why
	PlanNoSpace   PlanCode = "no-space"   // file and reserve do not fit into what is free
	PlanNotEmpty  PlanCode = "not-empty"  // the test wants a volume without files
	PlanNoSource  PlanCode = "no-source"  // there is nothing in the folder that is to be copied
	PlanInside    PlanCode = "inside"     // the target lies in the folder that is to be copied
	PlanGrows     PlanCode = "grows"      // the target lies on what is to be cloned, and the image would grow into itself
	PlanNoRights  PlanCode = "no-rights"  // what is to be cloned may not be read
	PlanNoTable   PlanCode = "no-table"   // there is no partition table on what is to be cloned
)

// PlanError is why a plan cannot be made.
type PlanError struct {
	Code    PlanCode
	Target  platform.Target
	Need    int64 // bytes of the test file
	Reserve int64 // bytes that must stay free
	Copies  bool  // Need is that of a Copying
	Source  string
}

func (e *PlanError) Error() string {
	switch e.Code {
	case PlanBadTarget:
		return fmt.Sprintf("test in %s: %s", e.Target.Path, e.Target.Refusal)
	case PlanNotEmpty:
		return fmt.Sprintf("test in %s: the volume is not empty: %d bytes are used", e.Target.Path, e.Target.Volume.Used)
	case PlanNoSource:
		return fmt.Sprintf("copy from %s: there is nothing in it that can be copied", e.Source)
	case PlanGrows:
		return fmt.Sprintf("clone %s: the target %s lies on it", e.Source, e.Target.Path)
	case PlanNoRights:
		return fmt.Sprintf("clone %s: it may not be read", e.Source)
	case PlanNoTable:
		return fmt.Sprintf("clone %s: there is no partition table on it", e.Source)
	case PlanInside:
		return fmt.Sprintf("copy from %s: the target %s lies in it", e.Source, e.Target.Path)
	}
	return fmt.Sprintf("test in %s: a file of %s does not fit: %d bytes are free and %d must stay free",
		e.Target.Path, shortSize(e.Need), e.Target.Volume.Free, e.Reserve)
}

// NewPlan makes a plan or says why it cannot be run, before a byte is written. The error joins
// SpecErrors, or is a PlanError.
func NewPlan(p Profile, t platform.Target, o Options) (Plan, error) {
	if err := p.Validate(); err != nil {
		return Plan{}, err
	}
	if o.Sample != 0 && (o.Sample < MinSample || o.Sample > MaxSample) {
		return Plan{}, &SpecError{"sampling period", "100 ms to 10 s"}
	}
	if t.Refusal != platform.Usable {
		return Plan{}, &PlanError{Code: PlanBadTarget, Target: t}
	}
	plan := Plan{Profile: p, Target: t, Engine: o.Engine, Buffered: o.Buffered, Huge: o.Huge, Through: o.Through, Seed: o.Seed, Sample: o.Sample}
	if p.Filling != nil {
		return plan, checkFilling(plan)
	}
	if p.Copying != nil {
		plan.Source = o.Source
		return plan, checkCopying(plan)
	}
	if p.Cloning != nil {
		plan.Clone = o.Clone
		return plan, checkCloning(plan)
	}
	if p.Thermal != nil {
		plan.Profile = p.Thermal.limited(p, t)
	}
	if reserve := Reserve(t.Volume); p.FileSize > t.Volume.Free-reserve {
		return Plan{}, &PlanError{Code: PlanNoSpace, Target: t, Need: p.FileSize, Reserve: reserve}
	}
	return plan, nil
}

func (p Plan) sample() time.Duration {
	if p.Sample == 0 {
		return DefaultSample
	}
	return min(max(p.Sample, MinSample), MaxSample)
}

// Reserve is how many bytes of a volume a test leaves free: on the system volume 10 % or 20 GiB, on
// others 2 % or 4 GiB, the larger, but never more than 10 % of the volume.
func Reserve(v platform.Volume) int64 {
	tenth := v.Size / 10
	if v.System {
		return min(max(tenth, 20*gib), tenth)
	}
	return min(max(v.Size/50, 4*gib), tenth)
}

// LargestFile is the largest of the sizes offered that fits on a volume, or 0 if none does.
func LargestFile(v platform.Volume) int64 {
	for _, s := range slices.Backward(FileSizes()) {
		if s <= v.Free-Reserve(v) {
			return s
		}
	}
	return 0
}

// FileSizes are the sizes that CrystalDiskMark offers: 16 MiB to 64 GiB in powers of two.
func FileSizes() []int64 {
	var out []int64
	for s := int64(16 * mib); s <= 64*gib; s *= 2 {
		out = append(out, s)
	}
	return out
}

// StepKind is what the runner does in a step.
type StepKind string

// The kinds of steps.
const (
	StepLoad StepKind = "load" // measure a workload
	StepRest StepKind = "rest" // wait, so that the drive can catch up

	StepFill   StepKind = "fill"   // write numbered files until the reserve is reached
	StepDelete StepKind = "delete" // delete a part of them
)

// Step is one thing the runner does.
type Step struct {
	Index    int           `json:"index"`
	Kind     StepKind      `json:"kind"`
	Workload string        `json:"workload,omitempty"` // its ID; on a rest the one that comes next
	Spec     Spec          `json:"spec,omitzero"`
	Loop     int           `json:"loop,omitempty"` // 0 is the discarded pass, then 1 to Loops
	Rest     time.Duration `json:"rest,omitempty"`
	Settle   bool          `json:"settle,omitempty"` // StepRest: it ends once the temperature does not change any more
	Pass     int           `json:"pass,omitempty"`   // of a Filling, from 1 on
	Bytes    int64         `json:"bytes,omitempty"`  // StepFill, StepDelete, StepClone: about how much is written, deleted
	Part     string        `json:"part,omitempty"`   // StepClone: ClonePart.Name
	Share    int           `json:"share,omitempty"`  // StepDelete: of all files, percent
}

// Discarded says whether a step is the pass that counts for nothing.
func (s Step) Discarded() bool { return s.Kind == StepLoad && s.Loop == 0 }

// Steps flattens the plan: per workload one discarded pass and the loops, a rest between workloads.
func (p Plan) Steps() []Step {
	if p.Profile.Filling != nil {
		return p.fillSteps()
	}
	if p.Profile.Copying != nil {
		return p.copySteps()
	}
	if p.Profile.Cloning != nil {
		return p.cloneSteps()
	}
	if p.Profile.Thermal != nil {
		return p.thermalSteps()
	}
	var out []Step
	add := func(s Step) {
		s.Index = len(out)
		out = append(out, s)
	}
	for i, w := range p.Profile.Workloads {
		if i > 0 && p.Profile.Rest > 0 {
			add(Step{Kind: StepRest, Workload: w.ID, Rest: p.Profile.Rest})
		}
		for loop := 0; loop <= p.Profile.Loops; loop++ {
			add(Step{Kind: StepLoad, Workload: w.ID, Spec: w.Spec, Loop: loop})
		}
	}
	return out
}
