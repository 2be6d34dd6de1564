package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"cachecliff/app/store"
	"cachecliff/bench"
)

var update = flag.Bool("update", false, "write the golden files")

// good are all reports that are read.
func good(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/good/*")
	if err != nil || len(files) < 15 {
		t.Fatal("no test data", err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = data
	}
	return out
}

// parsed is all that was taken from a report, for people.
func parsed(r bench.Result) string {
	var b strings.Builder
	p, v := r.Plan.Profile, r.Plan.Target.Volume
	fmt.Fprintf(&b, "%s: %s, engine %q\n", r.ID, r.Imported, r.Imported.Engine)
	fmt.Fprintf(&b, "  %q, file %d, loops %d, rest %v\n", p.Title, p.FileSize, p.Loops, p.Rest)
	fmt.Fprintf(&b, "  at %s, os %q, comment %q, buffered %v\n", r.At.Format(time.RFC3339), r.Machine.OS, r.Comment, r.Plan.Buffered)
	fmt.Fprintf(&b, "  in %q, volume %d of %d", r.Plan.Target.Path, v.Used, v.Size)
	for _, d := range r.Plan.Target.Drives {
		fmt.Fprintf(&b, ", drive %q", d.Model)
	}
	b.WriteString("\n")
	for _, o := range r.Outcomes() {
		fmt.Fprintf(&b, "  %-40s", o.Workload.Spec.String()+" "+string(o.Workload.Spec.Direction()))
		if o.Given == nil {
			b.WriteString(" nothing\n")
			continue
		}
		fmt.Fprintf(&b, " %.0f B/s", o.Bytes.Best)
		if o.IOPS.N > 0 {
			fmt.Fprintf(&b, ", %.1f IOPS", o.IOPS.Best)
		}
		if o.Latency.N > 0 {
			fmt.Fprintf(&b, ", %.0f ns", o.Latency.Best)
		}
		fmt.Fprintf(&b, ", %s of %d", o.Given.Statistic, o.Given.Loops)
		if q := o.Given.Quantiles; len(q) > 0 {
			fmt.Fprintf(&b, ", %d percentiles to %v: %.0f ns", len(q), q[len(q)-1].Share, q[len(q)-1].Latency)
		}
		if o.Hist != nil {
			fmt.Fprintf(&b, ", %d latencies, p99 %v", o.Hist.N(), o.Hist.Quantile(0.99))
		}
		b.WriteString("\n")
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "  %s %s %q %v\n", w.Code, w.Workload, w.Text, w.Value)
	}
	return b.String()
}

func TestParsedValues(t *testing.T) {
	all := good(t)
	var got bytes.Buffer
	for _, name := range sorted(all) {
		r, err := Read(bytes.NewReader(all[name]), time.UTC)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		fmt.Fprintf(&got, "== %s\n%s\n", name, parsed(r))
		kept(t, name, r)
	}
	const golden = "testdata/parsed.golden"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("what is read has changed (%v); see git diff after -update\n%s", err, got.String())
	}
}

// kept makes sure that the store keeps a result as it is.
func kept(t testing.TB, name string, r bench.Result) {
	t.Helper()
	var first, second bytes.Buffer
	if err := store.Encode(&first, r); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	back, err := store.Decode(bytes.NewReader(first.Bytes()))
	if err != nil {
		t.Fatalf("%s: the store does not take it: %v", name, err)
	}
	if err := store.Encode(&second, back); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("%s: changed in the store (%v)", name, err)
	}
}

func sorted(m map[string][]byte) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	for i := range out {
		for k := i; k > 0 && out[k] < out[k-1]; k-- {
			out[k], out[k-1] = out[k-1], out[k]
		}
	}
	return out
}

// The same report is the same result whatever its encoding and line ends are.
func TestTheSameReport(t *testing.T) {
	all := good(t)
	utf16 := all["cdm7-utf16.txt"]
	text, err := decodeText(utf16)
	if err != nil {
		t.Fatal(err)
	}
	big := append([]byte{0xFE, 0xFF}, utf16[2:]...)
	for i := 2; i < len(big); i += 2 {
		big[i], big[i+1] = big[i+1], big[i]
	}
	want := read(t, utf16)
	for name, data := range map[string][]byte{
		"UTF-8": []byte(text), "byte order mark": []byte("\ufeff" + text), "LF": []byte(strings.ReplaceAll(text, "\r\n", "\n")),
		"CR": []byte(strings.ReplaceAll(text, "\r\n", "\r")), "big endian": big,
		"blank lines and blanks": []byte("\n\n  " + strings.ReplaceAll(text, "\r\n", "  \r\n\r\n\t")),
	} {
		if got := read(t, data); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s, want %s", name, parsed(got), parsed(want))
		}
	}
	fio := read(t, all["fio-json.json"])
	var compact bytes.Buffer
	if err := json.Compact(&compact, all["fio-json.json"]); err != nil {
		t.Fatal(err)
	}
	if got := read(t, compact.Bytes()); got.ID != fio.ID {
		t.Errorf("compact JSON is %s, want %s", got.ID, fio.ID)
	}
}

func read(t testing.TB, data []byte) bench.Result {
	t.Helper()
	r, err := Read(bytes.NewReader(data), time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A date is of the zone of who imports it, and the ID has it as it stands.
func TestZone(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	a, err := Read(bytes.NewReader(good(t)["cdm9-default.txt"]), zone)
	b := read(t, good(t)["cdm9-default.txt"])
	if err != nil || a.ID != b.ID || b.At.Sub(a.At) != 2*time.Hour || a.At.Format("15:04:05") != "08:55:53" {
		t.Errorf("%v %s %v, %s %v", err, a.ID, a.At, b.ID, b.At)
	}
}

// The rates of KDiskMark become those that its I/Os per second tell; reports that are right stay as they are.
func TestKDiskMarkRates(t *testing.T) {
	for name, factor := range map[string]float64{
		"kdm16.txt": slip, "kdm23-peak.txt": slip, "kdm32-mix.txt": slip, "kdm99-right.txt": 1, "kdm32-slow.txt": slip, "kdm99-slow.txt": 1,
	} {
		r := read(t, good(t)[name])
		said := false
		for _, w := range r.Warnings {
			said = said || w.Text == "kdiskmark-rate" && w.Value == factor
		}
		if said != (factor != 1) {
			t.Errorf("%s: told %v", name, said)
		}
		for _, o := range r.Outcomes() {
			if o.Given == nil || strings.HasSuffix(name, "slow.txt") {
				continue
			}
			if by := o.Bytes.Best / (o.IOPS.Best * float64(o.Workload.Spec.Block)); by < 0.998 || by > 1.002 {
				t.Errorf("%s %s: the rate is %.4f of its I/Os", name, o.Workload.ID, by)
			}
		}
	}
}

func TestUnknownFiles(t *testing.T) {
	for name, c := range map[string]struct {
		data, want string
	}{
		"empty":               {"", "the file is empty"},
		"blank":               {" \n\t\n", "the file is empty"},
		"prose":               {"Dear Sir,\nmy drive is slow.\n", "no report that can be read"},
		"archive":             {"PK\x03\x04\x14\x00", "neither text nor JSON"},
		"own text":            {"------------------\nCachecliff 1.2.3\n", "export it as JSON"},
		"old CrystalDiskMark": {"CrystalDiskMark 5.2.0 x64 (C) 2007-2016 hiyohiyo\n", "of CrystalDiskMark 5.2.0; versions 6 to 9"},
		"new CrystalDiskMark": {"CrystalDiskMark 10.0.0 x64 (C) 2030\n", "of CrystalDiskMark 10.0.0; versions 6 to 9"},
		"old fio":             {`{"fio version" : "fio-2.21", "timestamp": 1554837456, "jobs": []}`, `it is of "fio-2.21"`},
		"JSON":                {`{"name": "x"}`, "neither of fio nor of this program"},
	} {
		_, err := Read(strings.NewReader(c.data), nil)
		if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
