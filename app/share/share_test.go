package share

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/tree"
	"cachecliff/platform"
)

// private is a result in which anna on the computer anna-pc is named wherever a run names something.
func private() bench.Result {
	r := bench.Result{ID: "a", Tags: []string{"/home/anna/x"}, Comment: "in /home/anna/Games and C:\\Users\\anna\\x, by S3RIAL"}
	r.Plan.Target = platform.Target{
		Path: "/home/anna/test", Layers: []platform.Layer{{Kind: platform.LayerLVM, Name: "anna--pc--vg-root"}},
		Volume: platform.Volume{Mount: "/run/media/anna/stick", Source: "/dev/mapper/anna--pc--vg-root", Label: "annas stick", FS: "ext4",
			Options: "rw,relatime,username=anna,addr=10.0.0.1,compress=zstd:3,upperdir=/home/anna/up"},
		Drives: []platform.Drive{{Key: "wwid.S3RIAL", Serial: "S3RIAL", Model: "Fast"}},
	}
	r.File = &bench.FileFacts{Name: "/home/anna/test/.cachecliff-test-1"}
	fault := &bench.Failure{Op: "write", Object: "/home/anna/test/.cachecliff-test-1", Reason: "no space", Detail: "open /home/anna/test: full"}
	r.Failure = fault
	r.Warnings = []bench.Warning{{Code: bench.WarnNamedFile, Text: "/home/anna/test/.cachecliff-test-1"}, {Code: bench.WarnEngineFallback, Text: "libaio"}}
	r.Before = &bench.Probe{Drives: []bench.DriveProbe{{Drive: "wwid.S3RIAL", Missing: "open /home/anna/x"}}}
	r.After = &bench.Probe{}
	r.Plan.Profile.Copying = &bench.Copying{Source: "/home/anna/Games"}
	files := tree.Skipped{Count: 1, Named: []tree.Skip{{Path: "anna.txt", Reason: "open /home/anna/Games/anna.txt: denied"}}}
	r.Plan.Source = &bench.CopySource{Path: "/home/anna/Games", Skipped: files, Drives: []string{"wwid.S3RIAL"}}
	r.Between = []bench.DriveReading{{Drive: "wwid.S3RIAL"}}
	r.Measurements = []bench.Measurement{{Failure: fault, Copy: &bench.CopyFacts{Skipped: files, Verified: &bench.Verified{Differ: files}}, Freed: &bench.Freed{NotTrimmed: "/run/media/anna/stick: denied"},
		Devices: []bench.DeviceCount{{Drive: "wwid.S3RIAL"}},
		Series:  []bench.Sample{{Drive: []bench.DriveReading{{Drive: "wwid.S3RIAL"}}}}}}
	return r
}

func text(t *testing.T, r bench.Result) string {
	t.Helper()
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestPublic(t *testing.T) {
	r := private()
	before := text(t, r)
	got := Public(r)
	for _, secret := range []string{"anna", "S3RIAL", "10.0.0.1"} {
		if out := text(t, got); strings.Contains(out, secret) {
			i := strings.Index(out, secret)
			t.Errorf("%s is told: …%s…", secret, out[max(0, i-60):min(len(out), i+60)])
		}
	}
	if text(t, r) != before {
		t.Error("the result itself was changed")
	}
	if o := got.Plan.Target.Volume.Options; o != "rw,relatime,compress=zstd:3" {
		t.Errorf("options %q", o)
	}
	if w := got.Warnings[0].Text; w != ".cachecliff-test-1" {
		t.Errorf("the file is called %q", w)
	}
	if w := got.Warnings[1].Text; w != "libaio" {
		t.Errorf("a word that is no name became %q", w)
	}
	if got.Failure.Object != gap || got.Failure.Reason != "no space" {
		t.Errorf("failure %+v", got.Failure)
	}
	if c := got.Comment; c != `in … and C:\Users\…\x, by …` {
		t.Errorf("comment %q", c)
	}
}

// A home on a volume of its own is found too.
func TestHomeVolume(t *testing.T) {
	r := bench.Result{ID: "a", Comment: "/home/anna/a b, /mnt/x"}
	r.Plan.Target = platform.Target{Path: "/home/anna", Volume: platform.Volume{Mount: "/home"}}
	if c := Public(r).Comment; c != "… b, /mnt/x" {
		t.Errorf("comment %q", c)
	}
}

// A run in the root folder of an unnamed volume has nothing to hide, and its texts stay as they are.
func TestNothingPrivate(t *testing.T) {
	r := bench.Result{ID: "a", Comment: "24/7, C: drive", Failure: &bench.Failure{Object: "nvme0n1", Detail: "I/O error"}}
	r.Plan.Target = platform.Target{Path: "/", Volume: platform.Volume{Mount: "/"}}
	got := Public(r)
	if got.Comment != r.Comment || *got.Failure != *r.Failure {
		t.Errorf("%q, %+v", got.Comment, got.Failure)
	}
}

// The texts of a result: those that name nobody, and those that Public takes out or looks through. A new one has to be
// put to one of them.
var (
	harmless = strings.Fields(`Result.ID App.Version System.OS System.Kernel System.Arch System.CPU System.Board System.Firmware System.PowerPlan
		System.Profile System.ASPM Profile.ID Profile.Title Profile.Note Workload.ID Volume.FS Drive.Name Drive.Model Drive.Firmware Drive.Driver
		Drive.USBID Drive.Adapter Drive.WriteCache Drive.Scheduler Drive.LinkPower Drive.APST Reading.Label Sensors.Source Health.Source
		Health.Critical SensorLimits.Label Attribute.Name Step.Workload Failure.Op Warning.Workload Imported.Program Imported.Version
		Imported.Engine Figure.Workload ClonePart.Name ClonePart.Type Step.Part CloneFacts.ReadHash CloneFacts.Wrote`)
	handled = strings.Fields(`Copying.Source Target.Path Volume.Mount Volume.Source Volume.Options Volume.Label Layer.Name Drive.Key Drive.Serial
		CopySource.Path CopySource.Drives Skip.Path Skip.Reason Result.Comment Result.Tags FileFacts.Name DriveProbe.Drive DriveProbe.Missing
		Cloning.Source CloneSource.Path CloneSource.Name CloneSource.Written ClonePart.Label CloneFacts.Image
		DeviceCount.Drive DriveReading.Drive Freed.NotTrimmed Failure.Object Failure.Reason Failure.Detail Warning.Text`)
)

func TestEveryTextIsKnown(t *testing.T) {
	seen := map[reflect.Type]bool{}
	found := 0
	var walk func(name string, kind reflect.Type)
	walk = func(name string, kind reflect.Type) {
		switch kind.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			walk(name, kind.Elem())
		case reflect.Map:
			t.Errorf("%s: a map is not looked through", name)
		case reflect.String: // a type of its own is one of few words
			if kind != reflect.TypeFor[string]() {
				return
			}
			found++
			if !slices.Contains(harmless, name) && !slices.Contains(handled, name) {
				t.Errorf("%s: does it name anybody?", name)
			}
		case reflect.Struct:
			if kind == reflect.TypeFor[time.Time]() || seen[kind] {
				return
			}
			seen[kind] = true
			for i := range kind.NumField() {
				if f := kind.Field(i); f.IsExported() {
					walk(kind.Name()+"."+f.Name, f.Type)
				}
			}
		}
	}
	walk("", reflect.TypeFor[bench.Result]())
	if want := len(harmless) + len(handled); found != want {
		t.Errorf("%d texts, %d in the lists", found, want)
	}
}
