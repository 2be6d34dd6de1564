package bench

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"cachecliff/bench/ptable"
	"cachecliff/platform"
)

// Cloning is a test that reads a drive, a partition, an image or a file from its start to its end and writes what it
// reads into an image file, in the manner of dd with blocks of CloneBlock (method.md §2.9): a block is read, then
// written. The source is never written to.
type Cloning struct {
	Source  string     `json:"source,omitempty"`     // as the user named it
	Direct  bool       `json:"direct,omitempty"`     // past the page cache; else through it, as dd does
	Parts   bool       `json:"partitions,omitempty"` // an image of each partition, in a folder
	OnError CloneFault `json:"on_error"`
	Verify  bool       `json:"verify,omitempty"` // read the images afterwards and compare them with what was read
	Keep    bool       `json:"keep,omitempty"`   // an image that is not whole stays
}

// CloneFault is what a clone does where the source cannot be read.
type CloneFault string

// The choices.
const (
	CloneStop CloneFault = "stop"
	CloneGoOn CloneFault = "go-on" // what cannot be read is zeros in the image, and listed
)

// StepClone is the kind of step that reads a part of a source into an image.
const StepClone StepKind = "clone"

// CloneBlock is how much is read, and then written, at a time, bytes: dd with bs=1M.
const CloneBlock = mib

// CloneSource is what is cloned, as it was found before a run.
type CloneSource struct {
	Path    string           `json:"path"`
	Name    string           `json:"name"`
	Device  bool             `json:"device,omitempty"`
	Size    int64            `json:"size"`
	Sector  int              `json:"sector"`
	Drives  []platform.Drive `json:"drives,omitempty"`  // it lies on them; without what tells one from others of its kind
	Written []string         `json:"written,omitempty"` // mount points that may be written to meanwhile
	Table   ptable.Kind      `json:"table,omitempty"`
	Parts   []ClonePart      `json:"parts,omitempty"` // what an image is made of each: the partitions and what lies before them
}

// ClonePart is a part of a source of which there is an image.
type ClonePart struct {
	Name  string `json:"name"` // "head", "p1"; empty for all of the source
	Start int64  `json:"start"`
	Size  int64  `json:"size"`
	Type  string `json:"type,omitempty"`  // of a partition, as ptable.Part has it
	Label string `json:"label,omitempty"` // of a partition of a GPT
}

// CloneOverrides are what a user may change of a Cloning. A zero field keeps its value.
type CloneOverrides struct {
	Source  string
	Direct  bool
	Parts   bool
	OnError CloneFault
	Verify  bool
	Keep    bool
}

// Set says whether there is a change that is of no use to other tests. Source and Verify are those of a Copying, too.
func (o CloneOverrides) Set() bool { return o.Direct || o.Parts || o.OnError != "" || o.Keep }

func (c Cloning) with(o CloneOverrides) Cloning {
	if o.Source != "" {
		c.Source = o.Source
	}
	if o.OnError != "" {
		c.OnError = o.OnError
	}
	c.Direct, c.Parts, c.Verify, c.Keep = c.Direct || o.Direct, c.Parts || o.Parts, c.Verify || o.Verify, c.Keep || o.Keep
	return c
}

func (c Cloning) validate(p Profile, bad func(string, ...any)) {
	if c.OnError != CloneStop && c.OnError != CloneGoOn {
		bad("where the source cannot be read a clone stops or goes on, and does not %q", c.OnError)
	}
	if len(p.Workloads) > 0 || p.Filling != nil || p.Thermal != nil || p.Copying != nil || p.FileSize != 0 || p.Loops != 1 {
		bad("%w", &SpecError{"test", "nothing but the clone"})
	}
}

// FindClone looks at what is to be cloned into a target. It only reads. It fails with a PlanError if it may not be
// read, if the target lies on it, so that the image would grow into itself, or if partitions are wanted
// and there is no table of them.
func FindClone(ctx context.Context, host platform.Host, c Cloning, target platform.Target) (*CloneSource, error) {
	imager, ok := host.(platform.Imager)
	if !ok {
		return nil, &platform.OpError{Op: "read", Object: c.Source, Reason: platform.ErrUnsupported}
	}
	f, err := imager.FindSource(ctx, c.Source)
	if errors.Is(err, platform.ErrPermission) {
		return nil, &PlanError{Code: PlanNoRights, Target: target, Source: c.Source}
	}
	if err != nil {
		return nil, err
	}
	if f.Size == 0 {
		return nil, &PlanError{Code: PlanNoSource, Target: target, Source: f.Path}
	}
	if liesOn(target, f.Names) {
		return nil, &PlanError{Code: PlanGrows, Target: target, Source: f.Path}
	}
	s := &CloneSource{Path: f.Path, Name: f.Name, Device: f.Device, Size: f.Size, Sector: f.Sector, Written: f.Written}
	for _, d := range f.Drives {
		d.Key, d.Serial = "", ""
		s.Drives = append(s.Drives, d)
	}
	s.Parts = []ClonePart{{Size: f.Size}}
	if !c.Parts {
		return s, nil
	}
	return s, s.findParts(imager, target)
}

// liesOn says whether a volume lies on something of one of those names.
func liesOn(t platform.Target, names []string) bool {
	is := func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return n != "" && strings.EqualFold(n, name) })
	}
	return is(t.Volume.Mount) || slices.ContainsFunc(t.Layers, func(l platform.Layer) bool { return is(l.Name) }) ||
		slices.ContainsFunc(t.Drives, func(d platform.Drive) bool { return is(d.Name) })
}

// headMost is how much of what lies before the first partition is kept: the table, and the boot loader behind it, bytes.
const headMost = mib

// findParts reads the partition table.
func (s *CloneSource) findParts(host platform.Imager, target platform.Target) error {
	source, err := host.OpenSource(s.facts(), false)
	if err != nil {
		return err
	}
	sector := 0
	if s.Device {
		sector = s.Sector
	}
	t, err := ptable.Read(source, s.Size, sector)
	err = errors.Join(err, source.Close())
	if errors.Is(err, ptable.ErrNone) || errors.Is(err, ptable.ErrDamaged) {
		return &PlanError{Code: PlanNoTable, Target: target, Source: s.Path}
	}
	if err != nil {
		return err
	}
	s.Table = t.Kind
	s.Parts = []ClonePart{{Name: "head", Size: min(t.Parts[0].Start, headMost)}}
	for _, p := range t.Parts {
		s.Parts = append(s.Parts, ClonePart{Name: partName(p.Number), Start: p.Start, Size: p.Size, Type: p.Type, Label: p.Name})
	}
	return nil
}

// facts are those by which the source is opened.
func (s *CloneSource) facts() platform.SourceFacts {
	return platform.SourceFacts{Path: s.Path, Name: s.Name, Device: s.Device, Size: s.Size, Sector: s.Sector}
}

// total is how many bytes are read and written.
func (s *CloneSource) total() int64 {
	var sum int64
	for _, p := range s.Parts {
		sum += p.Size
	}
	return sum
}

// cloneRoom is how much room the images take: a hundredth is added for what a file system keeps about them.
func (s *CloneSource) cloneRoom() int64 {
	room := s.total()
	return (room + room/100 + mib - 1) / mib * mib
}

// checkCloning says whether there is something to clone, and room for it.
func checkCloning(p Plan) error {
	if p.Clone == nil || p.Clone.total() == 0 {
		return &PlanError{Code: PlanNoSource, Target: p.Target, Source: p.Profile.Cloning.Source}
	}
	if need, reserve := p.Clone.cloneRoom(), Reserve(p.Target.Volume); need > p.Target.Volume.Free-reserve {
		return &PlanError{Code: PlanNoSpace, Copies: true, Target: p.Target, Need: need, Reserve: reserve}
	}
	return nil
}

// cloneSteps flattens a Cloning: a step for each part.
func (p Plan) cloneSteps() []Step {
	if p.Clone == nil {
		return nil
	}
	var out []Step
	for i, part := range p.Clone.Parts {
		out = append(out, Step{Index: i, Kind: StepClone, Part: part.Name, Bytes: part.Size, Loop: 1})
	}
	return out
}

// cloneEstimate is that of a cloning, which writes what it reads.
func (p Plan) cloneEstimate(ceiling float64) PlanEstimate {
	var e PlanEstimate
	for _, s := range p.Steps() {
		e.Time += s.Estimate(ceiling)
		e.WrittenMax += s.Bytes
	}
	return e
}

// cloning is the test that is shipped.
func cloning() Profile {
	return Profile{
		ID: "clone", Title: "Clone into an image", Note: "a clone by dd with its counters logged", Loops: 1,
		Cloning: &Cloning{OnError: CloneStop},
	}
}

func partName(number int) string { return "p" + strconv.Itoa(number) }
