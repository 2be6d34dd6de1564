package bench

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/bench/tree"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// copyProfile is a copy test of a size that a test with kept bytes can have.
func copyProfile(t *testing.T, id string, size int64, o CopyOverrides) Profile {
	t.Helper()
	p, ok := ByID(id)
	if !ok {
		t.Fatalf("no test %s", id)
	}
	return p.With(Overrides{FileSize: size, Copy: o})
}

// playCopy runs a copy test on a fake drive in this bubble.
func playCopy(t *testing.T, o platformtest.Options, p Profile) (Result, error) {
	t.Helper()
	host := platformtest.New(o)
	target, err := host.Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Seed: 3}
	if from := p.Copying.Source; from != "" {
		if options.Source, err = FindSource(t.Context(), host, from, target); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := NewPlan(p, target, options)
	if err != nil {
		t.Fatal(err)
	}
	result, err := Runner{Host: host, Measurer: Local{Host: host}}.Run(t.Context(), plan, func(Event) {})
	if left := host.Files(); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
	return result, err
}

func codes(r Result) string {
	var out []string
	for _, w := range r.Warnings {
		out = append(out, string(w.Code))
	}
	return strings.Join(out, " ")
}

// A duplicated tree takes the time that the drive takes to read and write it, all bytes are accounted for, and
// what a progress bar shows is more than what the drive did.
func TestDuplicate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 2 << 30
		result, err := playCopy(t, platformtest.Options{}, copyProfile(t, "copy-duplicate-quick", size, CopyOverrides{}))
		if err != nil || result.Reason != ReasonDone || codes(result) != "" {
			t.Fatalf("%s, %v, doubts %s", result.Reason, err, codes(result))
		}
		s := result.Copied()
		// Written and read in turn: 1 / (1/3.4 + 1/2.4) GB/s without what each piece and file waits for.
		if s.N != 3 || s.Mean < 1.0e9 || s.Mean > 1.41e9 || s.Lo > s.Mean || s.Hi < s.Mean || s.Shown < 1.02*s.Mean || !s.Unverified {
			t.Errorf("%+v", s)
		}
		kinds := ""
		for _, m := range result.Measurements {
			kinds += string(m.Step.Kind) + " "
			var read, written int64
			var took time.Duration
			for _, x := range m.Series {
				read, written, took = read+x.Read.Bytes, written+x.Write.Bytes, took+x.Took
				if x.At != took {
					t.Fatalf("a gap before %v", x.At)
				}
			}
			if written != size || read != 0 || m.Copy.Bytes != size || m.Moved.WriteBytes != size || took != m.Elapsed {
				t.Errorf("%s: %d bytes sampled, %d counted, %v of %v", m.Step.Kind, written, m.Copy.Bytes, took, m.Elapsed)
			}
			if m.Copy.Handed >= m.Elapsed || m.FlushTook != m.Elapsed-m.Copy.Handed || m.Copy.Files < 100 {
				t.Errorf("handed in %v of %v, flush %v, %d files", m.Copy.Handed, m.Elapsed, m.FlushTook, m.Copy.Files)
			}
		}
		if kinds != "make copy copy copy " {
			t.Errorf("steps %s", kinds)
		}
		if again := Judge(&result); len(again) != len(result.Warnings) {
			t.Errorf("judged again: %v", again)
		}
	})
}

// The other kinds move their bytes in one direction only.
func TestCopyKinds(t *testing.T) {
	const size = 256 << 20
	for _, c := range []struct {
		id          string
		read, write int64 // in each loop
		steps       int
	}{
		{"copy-read-file", size, 0, 4},
		{"copy-write-file", 0, size, 3},
		{"copy-read-folder", size, 0, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			result, err := playCopy(t, platformtest.Options{}, copyProfile(t, c.id, size, CopyOverrides{}))
			if err != nil || codes(result) != "" || len(result.Measurements) != c.steps {
				t.Fatalf("%s: %v, doubts %s, %d steps", c.id, err, codes(result), len(result.Measurements))
			}
			last := result.Measurements[c.steps-1]
			if last.Read.Bytes != c.read || last.Write.Bytes != c.write || last.Moved.ReadBytes != c.read || (last.Copy.Ring > 0) != (c.read > 0) {
				t.Errorf("%s: %+v", c.id, last)
			}
			if rate := result.Copied().Mean; rate < 1.5e9 || rate > 3.4e9 {
				t.Errorf("%s: %.0f bytes per second", c.id, rate)
			}
		})
	}
}

// What was not copied is not given a rate.
func TestCopyCloned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		result, err := playCopy(t, platformtest.Options{Shares: true}, copyProfile(t, "copy-duplicate-quick", 64<<20, CopyOverrides{}))
		if err != nil || codes(result) != string(WarnCloned) {
			t.Fatalf("%v, doubts %s", err, codes(result))
		}
		if s := result.Copied(); s.N != 3 || !s.Cloned || s.Mean != 0 || s.Shown != 0 || s.Files != 0 || result.Warnings[0].Value != 3*64<<20 {
			t.Errorf("%+v, %+v", s, result.Warnings)
		}
	})
}

// A wrong byte in a copy is found, and named.
func TestCopyVerify(t *testing.T) {
	for _, spoilt := range []string{"", "copy-02/large file.bin"} {
		synctest.Test(t, func(t *testing.T) {
			p := copyProfile(t, "copy-duplicate-quick", 16<<20, CopyOverrides{Verify: true})
			p.Copying.Tree = false
			o := platformtest.Options{Keep: true, Spoils: func(name string) bool { return name == spoilt }}
			result, err := playCopy(t, o, p)
			want := ""
			if spoilt != "" {
				want = string(WarnDiffers)
			}
			if err != nil || codes(result) != want {
				t.Fatalf("%v, doubts %q, want %q", err, codes(result), want)
			}
			for _, m := range result.Measurements[1:] {
				if v := m.Copy.Verified; v == nil || v.Files != 1 || v.Bytes != 16<<20 || (v.Differ.Count > 0) != (m.Step.Loop == 2 && spoilt != "") {
					t.Errorf("loop %d: %+v", m.Step.Loop, v)
				}
			}
		})
	}
}

// A folder of the user's is only read, and what cannot be read of it is left out and named.
func TestCopySource(t *testing.T) {
	file := func(name string) platform.Entry {
		return platform.Entry{Name: name, Kind: platform.EntryFile, Size: 8 << 20, Stored: 8 << 20, Links: 1}
	}
	o := platformtest.Options{
		Folders: map[string][]platform.Entry{
			"/fake-source":    {file("a"), {Name: "d", Kind: platform.EntryFolder}, {Name: "locked", Err: platform.ErrPermission}, file("vanished")},
			"/fake-source/d":  {file("b"), {Name: "link", Kind: platform.EntryLink}},
			"/fake-source/in": nil,
		},
		CopyFault: func(name string) error {
			if strings.HasSuffix(name, "vanished") {
				return &platform.OpError{Op: "copy", Object: name, Reason: platform.ErrNotExist}
			}
			return nil
		},
	}
	synctest.Test(t, func(t *testing.T) {
		result, err := playCopy(t, o, copyProfile(t, "copy-duplicate-quick", 1<<30, CopyOverrides{Source: "/fake-source"}))
		if err != nil || codes(result) != string(WarnSkipped) {
			t.Fatalf("%v, doubts %s", err, codes(result))
		}
		if w := result.Warnings[0]; w.Value != 2 || w.Text != "vanished" {
			t.Errorf("%+v", w)
		}
		s, source := result.Copied(), result.Plan.Source
		if s.N != 3 || s.FilesEach != 2 || s.BytesEach != 16<<20 || source.Files != 3 || source.Links != 1 || source.Skipped.Count != 1 {
			t.Errorf("%+v, source %+v", s, source)
		}
	})
}

// A name that the target cannot have is left out, and what lies in a folder of such a name.
func TestCopyNames(t *testing.T) {
	file := platform.Entry{Name: "a", Kind: platform.EntryFile, Size: 8 << 20, Stored: 8 << 20, Links: 1}
	o := platformtest.Options{
		Folders: map[string][]platform.Entry{
			"/fake-source":     {file, {Name: "bad", Kind: platform.EntryFolder}, {Name: "d", Kind: platform.EntryFolder}},
			"/fake-source/bad": {file},
			"/fake-source/d":   {file},
		},
		Refuses: func(name string) bool { return strings.HasSuffix(name, "/bad") || strings.HasSuffix(name, "/d/a") },
	}
	synctest.Test(t, func(t *testing.T) {
		result, err := playCopy(t, o, copyProfile(t, "copy-duplicate-quick", 1<<30, CopyOverrides{Source: "/fake-source"}))
		if err != nil || codes(result) != string(WarnSkipped) || result.Warnings[0].Value != 3 || result.Warnings[0].Text != "bad" {
			t.Fatalf("%v, doubts %+v", err, result.Warnings)
		}
		if c := result.Measurements[0].Copy; c.Files != 1 || c.Folders != 1 {
			t.Errorf("%+v", c)
		}
	})
}

// A volume that is full in the middle ends the run; what was measured until then is kept, and no file.
func TestCopyFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		copies := 0
		o := platformtest.Options{CopyFault: func(name string) error {
			if copies++; copies > 60 { // the page cache is asked to let go of each file, too
				return &platform.OpError{Op: "write", Object: name, Reason: platform.ErrNoSpace}
			}
			return nil
		}}
		p := copyProfile(t, "copy-duplicate-quick", 64<<20, CopyOverrides{})
		result, err := playCopy(t, o, p)
		if !errors.Is(err, platform.ErrNoSpace) || result.Reason != ReasonFailed || result.Failure == nil {
			t.Fatalf("%s, %v", result.Reason, err)
		}
		if n := len(result.Measurements); n < 2 || result.Measurements[n-1].Failure == nil || result.Measurements[0].Copy == nil {
			t.Errorf("%d steps", n)
		}
	})
}

// What a copy test refuses before it writes.
func TestCopyRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := platformtest.New(platformtest.Options{Folders: map[string][]platform.Entry{
			"/":           {{Name: "fake", Kind: platform.EntryFolder, ID: platform.FileID{Volume: 1, File: 7}}},
			"/fake-up":    {{Name: "fake", Kind: platform.EntryFolder, ID: platform.FileID{Volume: 1, File: 7}}},
			"/fake":       {{Name: "x", Kind: platform.EntryFile, Size: 1}},
			"/fake-empty": {},
		}})
		target, err := host.Resolve(t.Context(), "/fake")
		if err != nil {
			t.Fatal(err)
		}
		var plan *PlanError
		for _, from := range []string{"/fake", "/fake-up"} {
			if _, err := FindSource(t.Context(), host, from, target); !errors.As(err, &plan) || plan.Code != PlanInside {
				t.Errorf("%s: %v", from, err)
			}
		}
		source, err := FindSource(t.Context(), host, "/fake-empty", target)
		if err != nil {
			t.Fatal(err)
		}
		_, err = NewPlan(copyProfile(t, "copy-duplicate", 1<<30, CopyOverrides{Source: "/fake-empty"}), target, Options{Source: source})
		if !errors.As(err, &plan) || plan.Code != PlanNoSource {
			t.Errorf("an empty source: %v", err)
		}
		_, err = NewPlan(copyProfile(t, "copy-duplicate", 180_000*mib, CopyOverrides{}), target, Options{})
		if !errors.As(err, &plan) || plan.Code != PlanNoSpace || plan.Need < 360e9 {
			t.Errorf("two trees of 180 GB in 350 GB: %v", err)
		}
		if _, err = NewPlan(copyProfile(t, "copy-read-folder", 180_000*mib, CopyOverrides{}), target, Options{}); err != nil {
			t.Errorf("one of them: %v", err)
		}
	})
}

// A stop ends the run within a second, and leaves nothing.
func TestCopyStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := platformtest.New(platformtest.Options{})
		target, err := host.Resolve(t.Context(), "/fake")
		if err != nil {
			t.Fatal(err)
		}
		plan, err := NewPlan(copyProfile(t, "copy-duplicate-quick", 8<<30, CopyOverrides{}), target, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var at time.Duration
		result, err := Runner{Host: host, Measurer: Local{Host: host}}.Run(ctx, plan, func(e Event) {
			if s, ok := e.(Sampled); ok && at == 0 && s.Step == 2 && s.Sample.At > time.Second {
				at = host.Now()
				cancel()
			}
		})
		if took := host.Now() - at; err != nil || result.Reason != ReasonStopped || at == 0 || took > time.Second {
			t.Errorf("%s, %v, %v after the stop", result.Reason, err, took)
		}
		if left := host.Files(); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
		if passes := result.CopyPasses(); len(passes) != 1 || passes[0].Whole || result.Copied().N != 0 {
			t.Errorf("%+v", passes)
		}
		if result.Measurements[1].Failure != nil {
			t.Errorf("failed: %v", result.Measurements[1].Failure)
		}
	})
}

func TestCopySummary(t *testing.T) {
	pass := func(loop int, bytes int64, took time.Duration) Measurement {
		return Measurement{Step: Step{Kind: StepCopy, Loop: loop}, Elapsed: took, Copy: &CopyFacts{Files: 10, Bytes: bytes, Handed: took / 2}}
	}
	r := Result{Measurements: []Measurement{pass(1, 1e9, time.Second), pass(2, 1e9, 2*time.Second), {Step: Step{Kind: StepCopy, Loop: 3}, Stopped: true}}}
	s := r.Copied()
	if s.N != 2 || s.Lo != 0.5e9 || s.Hi != 1e9 || math.Abs(s.Mean-0.75e9) > 1 || math.Abs(s.Shown-1.5e9) > 1 || s.Files != 7.5 {
		t.Errorf("%+v", s)
	}
	if (&Result{}).Copied().N != 0 {
		t.Error("nothing was copied")
	}
}

func TestCopyProfiles(t *testing.T) {
	for _, p := range copyings() {
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
		if _, ok := ByID(p.ID); !ok {
			t.Errorf("%s is not found", p.ID)
		}
	}
	p, _ := ByID("copy-write-file")
	for _, o := range []CopyOverrides{{Source: "/x"}, {Verify: true}, {Way: platform.CopyDirect}, {Way: "magic"}} {
		if err := p.With(Overrides{Copy: o}).Validate(); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

// copyCases are those of the judge for what only copies have.
func copyCases() []judgeCase {
	copied := func(r *Result, c CopyFacts) {
		m := r.Measurements[0]
		m.Step, m.Copy = Step{Kind: StepCopy}, &c
		r.Measurements = append(r.Measurements, m)
	}
	skipped := tree.Skipped{Count: 1, Named: []tree.Skip{{Path: "x", Reason: "why"}}}
	return []judgeCase{
		{name: "files left out", read: 100, want: one(WarnSkipped), spoil: func(r *Result) { copied(r, CopyFacts{Skipped: skipped}) }},
		{name: "files left out before", read: 100, want: one(WarnSkipped), spoil: func(r *Result) { r.Plan.Source = &CopySource{Skipped: skipped} }},
		{name: "no files left out", read: 100, not: WarnSkipped, spoil: func(r *Result) { copied(r, CopyFacts{}) }},
		{name: "other bytes", read: 100, want: one(WarnDiffers), spoil: func(r *Result) { copied(r, CopyFacts{Verified: &Verified{Differ: skipped}}) }},
		{name: "the same bytes", read: 100, not: WarnDiffers, spoil: func(r *Result) { copied(r, CopyFacts{Verified: &Verified{Files: 1}}) }},
		{name: "a byte in common", read: 100, want: one(WarnCloned), spoil: func(r *Result) { copied(r, CopyFacts{Bytes: 9, Shared: new(int64(1))}) }},
		{name: "nothing in common", read: 100, not: WarnCloned, spoil: func(r *Result) { copied(r, CopyFacts{Bytes: 9, Shared: new(int64)}) }},
		{name: "a server copied", read: 100, want: one(WarnCloned), spoil: func(r *Result) { copied(r, CopyFacts{Served: true}) }},
		{name: "copies that differ", read: 100, want: one(WarnNoisy), spoil: func(r *Result) {
			copied(r, CopyFacts{Bytes: 100})
			copied(r, CopyFacts{Bytes: 112})
		}},
		{name: "copies that hardly differ", read: 100, not: WarnNoisy, spoil: func(r *Result) {
			copied(r, CopyFacts{Bytes: 100})
			copied(r, CopyFacts{Bytes: 109})
		}},
		{name: "copied out of memory", read: 100, want: one(WarnCached), spoil: func(r *Result) {
			copied(r, CopyFacts{})
			r.Measurements[len(r.Measurements)-1].Moved.ReadBytes *= 2
		}},
	}
}
