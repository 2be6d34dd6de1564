package bench

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write golden files anew")

// The golden file is what a reader checks against CrystalDiskMark's own tables.
func TestProfilesGolden(t *testing.T) {
	var b strings.Builder
	for _, p := range Builtin() {
		fmt.Fprintf(&b, "%s  %q  %s, %d loops, rest %v\n", p.ID, p.Title, shortSize(p.FileSize), p.Loops, p.Rest)
		for _, w := range p.Workloads {
			fmt.Fprintf(&b, "    %-24s %s\n", w.ID, w.Spec)
		}
		for _, r := range p.Rows {
			fmt.Fprintf(&b, "    row %s %s\n", r.Shape.Label(), r.Unit)
		}
	}
	const golden = "testdata/profiles.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("profiles changed; if that is meant, run with -update:\n%s", b.String())
	}
}

func TestProfilesAreSound(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Builtin() {
		if seen[p.ID] {
			t.Errorf("%s is there twice", p.ID)
		}
		seen[p.ID] = true
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
		if got, ok := ByID(p.ID); !ok || got.Title != p.Title {
			t.Errorf("%s is not found", p.ID)
		}
		if p.Has(DirMix) != strings.HasSuffix(p.ID, "+mix") || !p.Has(DirRead) || !p.Has(DirWrite) {
			t.Errorf("%s has the wrong columns", p.ID)
		}
		last := -1 // all reads, then all writes, then all mixes
		for _, w := range p.Workloads {
			at := map[Direction]int{DirRead: 0, DirWrite: 1, DirMix: 2}[w.Spec.Direction()]
			if at < last {
				t.Errorf("%s: %s is out of order", p.ID, w.ID)
			}
			last = at
			if _, ok := p.Find(w.Spec.Shape(), w.Spec.Direction()); !ok {
				t.Errorf("%s: %s is not found by its shape", p.ID, w.ID)
			}
		}
	}
	if _, ok := ByID("nonsense"); ok {
		t.Error("an unknown ID is found")
	}
}

func TestOverrides(t *testing.T) {
	p, _ := ByID("cdm-default+mix")
	before := fmt.Sprint(p)
	zero := p.Rest * 0
	q := p.With(Overrides{FileSize: 64 << 20, Loops: 1, Measure: 2e9, Rest: &zero, MixPct: 30, Only: []string{"rnd4k-q32t1-mix", "rnd4k-q32t1-read"}})
	if err := q.Validate(); err != nil {
		t.Error(err)
	}
	if len(q.Workloads) != 2 || q.Workloads[1].Spec.ReadPct != 30 || q.Workloads[0].Spec.Measure != 2e9 || q.Rest != 0 || q.Loops != 1 {
		t.Errorf("overrides are not applied: %+v", q)
	}
	if fmt.Sprint(p) != before {
		t.Error("With changes the profile it is called on")
	}
}

func TestValidateNamesEveryFault(t *testing.T) {
	p := Profile{ID: "x", FileSize: 1, Loops: 0, Rest: -1, Workloads: []Workload{{ID: "a"}, {ID: "a"}}}
	err := p.Validate()
	if err == nil {
		t.Fatal("taken")
	}
	for _, want := range []string{"title", "size:", "loops:", "pause:", "twice", "block size:", "no row"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not named in:\n%v", want, err)
		}
	}
}
