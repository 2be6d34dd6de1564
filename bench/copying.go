package bench

import (
	"context"
	"slices"
	"time"

	"cachecliff/bench/tree"
	"cachecliff/platform"
)

// Copying is a test that copies as people do: files through the page cache, one after the other, until all of
// them are safe on the drive (ComputerBase's tests, method.md §1.1 C14 to C16). The size of what is copied is
// Profile.FileSize.
type Copying struct {
	Kind CopyKind         `json:"kind"`
	Tree bool             `json:"tree,omitempty"` // a folder like one of installed games; else a single file
	Way  platform.CopyWay `json:"way"`
	// Source is a folder of the user's, which is only read. Without, the test makes what it copies.
	Source string `json:"source,omitempty"`
	Verify bool   `json:"verify,omitempty"` // read both afterwards and compare them
}

// CopyKind is where a copy comes from and goes to.
type CopyKind string

// The kinds of copies.
const (
	CopyRead      CopyKind = "read"      // from the drive into memory, through a ring of RingSize
	CopyWrite     CopyKind = "write"     // from memory onto the drive
	CopyDuplicate CopyKind = "duplicate" // from the drive onto itself, or from another place of the user's onto it
)

const (
	StepMake StepKind = "make" // make the files that are copied
	StepCopy StepKind = "copy" // copy them
)

// RingSize is the memory that reading into memory goes through again and again, bytes: more than any processor's
// cache, so that each byte is written to memory as it is when a file is copied onto a RAM disk.
const RingSize = 64 << 20

// CopySource is a folder of the user's as it was found before a run.
type CopySource struct {
	Path    string       `json:"path"`
	Files   int          `json:"files"`
	Folders int          `json:"folders"`
	Bytes   int64        `json:"bytes"`
	Links   int          `json:"links,omitempty"`   // symbolic links, which are not followed and not copied
	Shared  int          `json:"shared,omitempty"`  // files with more than one name, each copied as a file of its own
	Sparse  int          `json:"sparse,omitempty"`  // files that take less room than they have bytes
	Missing int64        `json:"missing,omitempty"` // bytes that those take less
	Skipped tree.Skipped `json:"skipped,omitzero"`  // what could not be read
	Drives  []string     `json:"drives,omitempty"`  // platform.Drive.Key of those it lies on
}

// CopyOverrides are what a user may change of a Copying. A zero field keeps its value.
type CopyOverrides struct {
	Way    platform.CopyWay
	Source string // folder that is read
	Verify bool
}

// Set says whether there is a change.
func (o CopyOverrides) Set() bool { return o != CopyOverrides{} }

func (c Copying) with(o CopyOverrides) Copying {
	if o.Way != "" {
		c.Way = o.Way
	}
	if o.Source != "" {
		c.Source, c.Tree = o.Source, true
	}
	c.Verify = c.Verify || o.Verify
	return c
}

func (c Copying) validate(p Profile, bad func(string, ...any)) {
	if !slices.Contains([]CopyKind{CopyRead, CopyWrite, CopyDuplicate}, c.Kind) {
		bad("%w", &SpecError{"kind of copy", "read, write or duplicate"})
	}
	if !slices.Contains(platform.CopyWays(), c.Way) {
		bad("%w", &SpecError{"way to copy", "manager, direct or clone"})
	}
	if c.Kind == CopyWrite && (c.Tree || c.Source != "") {
		bad("%w", &SpecError{"source", "none for what is written from memory"})
	}
	if c.Kind != CopyDuplicate && (c.Verify || c.Way != platform.CopyManager) {
		bad("%w", &SpecError{"way to copy", "none but the usual one, without verification, where one side is memory"})
	}
	if len(p.Workloads) > 0 || p.Filling != nil || p.Thermal != nil {
		bad("%w", &SpecError{"test", "nothing but the copy"})
	}
}

// made is how many bytes the test makes before it copies.
func (c Copying) made(size int64) int64 {
	if c.Source != "" || c.Kind == CopyWrite {
		return 0
	}
	return size
}

// copied is how many bytes each loop copies, read into memory or written.
func (p Plan) copied() int64 {
	if p.Source != nil {
		return p.Source.Bytes
	}
	return p.Profile.FileSize
}

// copyRoom is how much room the test takes at most: a hundredth is added for the ends of files and for folders.
func (p Plan) copyRoom() int64 {
	c := p.Profile.Copying
	room := c.made(p.Profile.FileSize)
	if c.Kind != CopyRead {
		room += p.copied()
		if p.Source != nil {
			room += int64(p.Source.Files) * 4 * kib
		}
	}
	room += room / 100
	return (room + mib - 1) / mib * mib
}

// checkCopying says whether there is something to copy, and room for it.
func checkCopying(p Plan) error {
	if c := p.Profile.Copying; c.Source != "" && (p.Source == nil || p.Source.Bytes == 0) {
		return &PlanError{Code: PlanNoSource, Target: p.Target, Source: c.Source}
	}
	if need, reserve := p.copyRoom(), Reserve(p.Target.Volume); need > p.Target.Volume.Free-reserve {
		return &PlanError{Code: PlanNoSpace, Copies: true, Target: p.Target, Need: need, Reserve: reserve}
	}
	return nil
}

// copySteps flattens a Copying: the source, then each copy after a rest. None is discarded, since each begins with
// nothing in the page cache.
func (p Plan) copySteps() []Step {
	var out []Step
	add := func(s Step) {
		s.Index = len(out)
		out = append(out, s)
	}
	if made := p.Profile.Copying.made(p.Profile.FileSize); made > 0 {
		add(Step{Kind: StepMake, Bytes: made})
	}
	for loop := 1; loop <= p.Profile.Loops; loop++ {
		if len(out) > 0 && p.Profile.Rest > 0 {
			add(Step{Kind: StepRest, Rest: p.Profile.Rest, Loop: loop})
		}
		add(Step{Kind: StepCopy, Bytes: p.copied(), Loop: loop})
	}
	return out
}

// copyEstimate is that of a copying: it writes its source, and each copy unless that goes to memory.
func (p Plan) copyEstimate(ceiling float64) PlanEstimate {
	var e PlanEstimate
	for _, s := range p.Steps() {
		e.Time += s.Estimate(ceiling)
		if s.Kind == StepMake || s.Kind == StepCopy && p.Profile.Copying.Kind != CopyRead {
			e.WrittenMax += s.Bytes
		}
	}
	return e
}

// FindSource looks through a folder that is to be copied into a target. It only reads. It fails with a PlanError if
// the target lies in it, since the copy would then never end.
func FindSource(ctx context.Context, host platform.Host, path string, target platform.Target) (*CopySource, error) {
	copier, ok := host.(platform.Copier)
	if !ok {
		return nil, &platform.OpError{Op: "copy from", Object: path, Reason: platform.ErrUnsupported}
	}
	from, err := host.Resolve(ctx, path)
	if err != nil {
		return nil, err
	}
	found, err := walk(ctx, copier, from.Path, target)
	if err != nil {
		return nil, err
	}
	s := &CopySource{
		Path: from.Path, Files: len(found.Files), Folders: len(found.Folders), Bytes: found.Bytes(),
		Links: found.Links, Shared: found.Shared, Sparse: found.Sparse, Missing: found.Missing, Skipped: found.Skipped,
	}
	for _, d := range from.Drives {
		s.Drives = append(s.Drives, d.Key)
	}
	return s, nil
}

// gameFile is the size of the large file of ComputerBase's copy tests, and games are those of its folders: bytes.
const (
	copyFile    = fillFile
	copyFolder  = int64(23e9) / mib * mib
	copyGames   = int64(195e9) / mib * mib
	copyQuickly = int64(25e9) / mib * mib
)

// copyings are the copy tests that are shipped.
func copyings() []Profile {
	const note = "ComputerBase's copy tests"
	test := func(id, title string, kind CopyKind, tree bool, size int64, loops int, rest time.Duration) Profile {
		return Profile{
			ID: id, Title: title, Note: note, FileSize: size, Loops: loops, Rest: rest,
			Copying: &Copying{Kind: kind, Tree: tree, Way: platform.CopyManager},
		}
	}
	return []Profile{
		test("copy-read-file", "Copy a file from the drive", CopyRead, false, copyFile, 3, 5*time.Second),
		test("copy-write-file", "Copy a file onto the drive", CopyWrite, false, copyFile, 3, 5*time.Second),
		test("copy-read-folder", "Copy a game folder from the drive", CopyRead, true, copyFolder, 3, 5*time.Second),
		test("copy-duplicate-quick", "Duplicate a game folder, quick", CopyDuplicate, true, copyQuickly, 3, time.Minute),
		test("copy-duplicate", "Duplicate five game folders", CopyDuplicate, true, copyGames, 5, time.Minute),
	}
}
