package bench

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cespare/xxhash/v2"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// content is size bytes no two sectors of which are the same.
func content(size int) []byte {
	out := make([]byte, size)
	for i := 0; i < size; i += 512 {
		binary.LittleEndian.PutUint64(out[i:], uint64(i)*0x9E3779B97F4A7C15+1)
	}
	return out
}

// cloneOf plans a clone of /dev/x of a fake, and runs it.
func cloneOf(t *testing.T, host *platformtest.Host, o CloneOverrides) (Result, error) {
	t.Helper()
	p, ok := ByID("clone")
	if !ok {
		t.Fatal("no test clone")
	}
	o.Source = "/dev/x"
	p = p.With(Overrides{Clone: o})
	target, err := host.Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	source, err := FindClone(t.Context(), host, *p.Cloning, target)
	if err != nil {
		return Result{}, err
	}
	plan, err := NewPlan(p, target, Options{Seed: 3, Clone: source})
	if err != nil {
		return Result{}, err
	}
	return Runner{Host: host, Measurer: Local{Host: host}}.Run(t.Context(), plan, func(Event) {})
}

func fakeSource(s platformtest.Source) *platformtest.Host {
	return platformtest.New(platformtest.Options{Sources: map[string]platformtest.Source{"/dev/x": s}})
}

// The image has the bytes of the source, their hash is right, the series adds up, and the time is that of reading and
// writing in turn.
func TestClone(t *testing.T) {
	for _, direct := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			data := content(64<<20 + 512)
			host := fakeSource(platformtest.Source{Device: true, Bytes: data, Written: []string{"/mnt"}})
			r, err := cloneOf(t, host, CloneOverrides{Verify: true, Direct: direct})
			if err != nil || r.Reason != ReasonDone || codes(r) != "mounted" {
				t.Fatalf("%s, %v, doubts %s", r.Reason, err, codes(r))
			}
			parts := r.ClonedParts()
			if len(parts) != 1 || !parts[0].Whole || !parts[0].Same() || parts[0].Facts.Bytes != int64(len(data)) || parts[0].Rate() > parts[0].Shown() {
				t.Fatalf("%+v", parts)
			}
			f := parts[0].Facts
			images := host.Images("/fake")
			if want := "x-" + r.ID + ".img"; f.Image != want || len(images) != 1 || !bytes.Equal(images[want], data) {
				t.Errorf("image %q, there are %d", f.Image, len(images))
			}
			if want := fmt.Sprintf("%016x", xxhash.Sum64(data)); f.ReadHash != want {
				t.Errorf("hash %s, want %s", f.ReadHash, want)
			}
			var read, written int64
			for _, s := range r.Measurements[0].Series {
				read, written = read+s.Read.Bytes, written+s.Write.Bytes
			}
			if read != int64(len(data)) || written != read || r.Moved().WriteBytes != written {
				t.Errorf("samples have %d read and %d written", read, written)
			}
		})
	}
}

// A sector that cannot be read ends the clone, or is zeros and listed, as chosen. No half image is left.
func TestCloneBadSectors(t *testing.T) {
	bad := []int64{5<<20 + 4096, 5<<20 + 8192, 12<<20 - 512} // the first two touch
	fault := func(off, end int64) error {
		for _, b := range bad {
			if off < b+512 && end > b {
				return platformtest.SlowFault("/dev/x", 20*time.Millisecond)
			}
		}
		return nil
	}
	synctest.Test(t, func(t *testing.T) {
		host := fakeSource(platformtest.Source{Device: true, Bytes: content(20 << 20), Fault: fault})
		r, err := cloneOf(t, host, CloneOverrides{})
		if !errors.Is(err, platform.ErrIO) || r.Reason != ReasonFailed || len(host.Files()) > 0 {
			t.Errorf("stop: %v, %s, left %v", err, r.Reason, host.Files())
		}
		if p := r.ClonedParts(); len(p) != 1 || !p[0].Failed || len(p[0].Facts.Bad) != 1 || p[0].Facts.Bad[0].Start != 5<<20 {
			t.Errorf("stop: %+v", p)
		}
	})
	for _, direct := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			data := content(20 << 20)
			host := fakeSource(platformtest.Source{Device: true, Bytes: data, Fault: fault})
			r, err := cloneOf(t, host, CloneOverrides{OnError: CloneGoOn, Direct: direct, Verify: true})
			if err != nil || codes(r) != "bad-ranges" {
				t.Fatalf("%v, doubts %s", err, codes(r))
			}
			f := r.ClonedParts()[0].Facts
			want := []BadRange{{5<<20 + 4096, 8192}, {12<<20 - 4096, 4096}}
			if direct {
				want = []BadRange{{5<<20 + 4096, 512}, {5<<20 + 8192, 512}, {12<<20 - 512, 512}}
			}
			if !slices.Equal(f.Bad, want) {
				t.Errorf("direct %v: bad %v, want %v", direct, f.Bad, want)
			}
			var sum int64
			for _, b := range want {
				clear(data[b.Start : b.Start+b.Size])
				sum += b.Size
			}
			if f.BadBytes != sum || r.Moved().ReadBytes != int64(len(data))-sum || !bytes.Equal(host.Images("/fake")[f.Image], data) {
				t.Errorf("direct %v: %d bad, %d read, or the image is wrong", direct, f.BadBytes, r.Moved().ReadBytes)
			}
		})
	}
}

// What is not to be cloned is refused before a byte is written.
func TestCloneRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		source platformtest.Source
		code   PlanCode
		o      CloneOverrides
	}{
		"rights":       {platformtest.Source{Device: true, Size: 1 << 20, Refusal: platform.ErrPermission}, PlanNoRights, CloneOverrides{}},
		"grows":        {platformtest.Source{Device: true, Size: 1 << 20, Names: []string{"fake0n1p1"}}, PlanGrows, CloneOverrides{}},
		"whole drive":  {platformtest.Source{Device: true, Size: 1 << 20, Names: []string{"fake0n1"}}, PlanGrows, CloneOverrides{}},
		"nothing":      {platformtest.Source{}, PlanNoSource, CloneOverrides{}},
		"large":        {platformtest.Source{Device: true, Size: 2000e9}, PlanNoSpace, CloneOverrides{}},
		"no partition": {platformtest.Source{Device: true, Size: 1 << 20}, PlanNoTable, CloneOverrides{Parts: true}},
	} {
		synctest.Test(t, func(t *testing.T) {
			host := fakeSource(c.source)
			_, err := cloneOf(t, host, c.o)
			var plan *PlanError
			if !errors.As(err, &plan) || plan.Code != c.code || strings.TrimSpace(plan.Error()) == "" || len(host.Files()) > 0 {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// The partition beside the one with the target can be cloned, and a drive that is gone ends a clone that goes on.
func TestCloneBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := fakeSource(platformtest.Source{Device: true, Bytes: content(1 << 20), Names: []string{"fake0n1p2"}})
		if _, err := cloneOf(t, host, CloneOverrides{}); err != nil {
			t.Error(err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		gone := false
		host := platformtest.New(platformtest.Options{
			Gone: func(time.Duration) bool { return gone },
			Sources: map[string]platformtest.Source{"/dev/x": {Device: true, Size: 8 << 20, Fault: func(off, end int64) error {
				if off >= 4<<20 {
					gone = true
					return platformtest.SlowFault("/dev/x", time.Millisecond)
				}
				return nil
			}}},
		})
		r, err := cloneOf(t, host, CloneOverrides{OnError: CloneGoOn})
		if !errors.Is(err, platform.ErrGone) || len(host.Files()) > 0 || r.ClonedParts()[0].Facts.BadBytes > 0 {
			t.Errorf("%v, left %v", err, host.Files())
		}
	})
}

// An image that came out wrong is told; one that is to be kept stays when a clone fails.
func TestCloneSpoiltAndKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := platformtest.New(platformtest.Options{
			Spoils:  func(string) bool { return true },
			Sources: map[string]platformtest.Source{"/dev/x": {Bytes: content(2 << 20)}},
		})
		if r, err := cloneOf(t, host, CloneOverrides{Verify: true}); err != nil || codes(r) != "differs" || r.ClonedParts()[0].Same() {
			t.Errorf("%v, doubts %s", err, codes(r))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		host := fakeSource(platformtest.Source{Size: 4 << 20, Fault: func(off, end int64) error {
			if off == 2<<20 {
				return platformtest.SlowFault("/dev/x", time.Millisecond)
			}
			return nil
		}})
		r, err := cloneOf(t, host, CloneOverrides{Keep: true})
		kept := host.Images("/fake")["x-"+r.ID+".img.part"]
		if !errors.Is(err, platform.ErrIO) || len(kept) != 2<<20 {
			t.Errorf("%v, %d bytes are kept", err, len(kept))
		}
	})
}

// Each partition has an image of its own, and so has what lies before them.
func TestClonePartitions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := content(16 << 20)
		clear(data[:512])
		data[510], data[511] = 0x55, 0xAA
		for i, p := range [][2]uint32{{2048, 4096}, {8192, 1001}} {
			e := data[446+16*i:]
			e[4] = 0x83
			binary.LittleEndian.PutUint32(e[8:], p[0])
			binary.LittleEndian.PutUint32(e[12:], p[1])
		}
		host := fakeSource(platformtest.Source{Device: true, Bytes: data})
		r, err := cloneOf(t, host, CloneOverrides{Parts: true, Verify: true})
		if err != nil || r.Reason != ReasonDone || r.Plan.Clone.Table != "mbr" {
			t.Fatalf("%v, %+v", err, r.Plan.Clone)
		}
		images := host.Images("/fake")
		for name, want := range map[string][]byte{
			"head": data[:1<<20], "p1": data[2048*512:][:4096*512], "p2": data[8192*512:][:1001*512],
		} {
			if got, ok := images["x-"+r.ID+"/"+name+".img"]; !ok || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes, want %d", name, len(got), len(want))
			}
		}
		if len(images) != 3 || len(r.ClonedParts()) != 3 {
			t.Errorf("%d images, %d parts", len(images), len(r.ClonedParts()))
		}
	})
}

// cloneCases are about clones.
func cloneCases() []judgeCase {
	clone := func(r *Result, s CloneSource, f CloneFacts) {
		s.Parts = []ClonePart{{Size: 4 << 20}}
		r.Plan.Clone = &s
		r.Measurements = append(r.Measurements, Measurement{Step: Step{Kind: StepClone}, Clone: &f})
	}
	bad := CloneFacts{Bad: []BadRange{{Start: 4096, Size: 512}}, BadBytes: 512}
	return []judgeCase{
		{name: "a bad sector", read: 100, want: one(WarnBadRanges), spoil: func(r *Result) { clone(r, CloneSource{}, bad) }},
		{name: "no bad sector", read: 100, not: WarnBadRanges, spoil: func(r *Result) { clone(r, CloneSource{}, CloneFacts{}) }},
		{name: "cloned while it is mounted", read: 100, want: one(WarnMounted), spoil: func(r *Result) {
			clone(r, CloneSource{Written: []string{"/mnt"}}, CloneFacts{})
		}},
		{name: "cloned while it is not mounted", read: 100, not: WarnMounted, spoil: func(r *Result) { clone(r, CloneSource{}, CloneFacts{}) }},
		{name: "an image that differs", read: 100, want: one(WarnDiffers), spoil: func(r *Result) {
			clone(r, CloneSource{}, CloneFacts{ReadHash: "1", Wrote: "2"})
		}},
		{name: "an image that is the same", read: 100, not: WarnDiffers, spoil: func(r *Result) {
			clone(r, CloneSource{}, CloneFacts{ReadHash: "1", Wrote: "1"})
		}},
	}
}
