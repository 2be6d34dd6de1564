package reference

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cachecliff/platform"
)

// one is a drive with one value.
func one(id string) Drive {
	return Drive{Schema: Schema, ID: id, Model: "Fast", CapacityGB: 1000, Class: ClassPCIe4,
		Sources: map[string]Source{"a": {Title: "A", Address: "https://a.example", Quality: QualityReview}},
		Values:  []Value{{Metric: "write_stage1", Value: 5000, Unit: "MB/s", Kind: Measured, Qualifier: About, Source: "a", Conditions: "empty"}}}
}

func encoded(t testing.TB, d Drive) string {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOwnFolder(t *testing.T) {
	l := New(t.TempDir())
	if own, faults, err := l.Load(); len(own) != shippedDrives || faults != nil || err != nil {
		t.Fatalf("before the folder is there: %d, %v, %v", len(own), faults, err)
	}
	if err := l.Add(one("mine")); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"broken.json": "{", "newer.json": `{"schema": 99}`, "taken.json": encoded(t, one("Crucial_P5_2TB")), "twice.json": encoded(t, one("MINE")),
		"notes.txt": "x", ".hidden.json": "{",
	} {
		if err := os.WriteFile(filepath.Join(l.Folder(), name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(l.Folder(), "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	all, faults, err := l.Load()
	if err != nil || len(all) != shippedDrives+1 || all[0].ID != "mine" || all[0].Shipped || !all[1].Shipped {
		t.Errorf("%d drives, %v", len(all), err)
	}
	want := map[string]error{"broken.json": ErrDamaged, "newer.json": ErrNewer, "taken.json": ErrTaken, "twice.json": ErrTaken, "folder.json": ErrDamaged}
	for _, f := range faults {
		name := filepath.Base(f.File)
		if !errors.Is(f.Err, want[name]) || want[name] == nil {
			t.Errorf("%s: %v", name, f.Err)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not told: %v", want)
	}
	if err := l.Remove("mine"); err != nil {
		t.Error(err)
	}
	for _, id := range []string{"mine", "../mine", ""} {
		if err := l.Remove(id); !errors.Is(err, platform.ErrNotExist) {
			t.Errorf("remove %q: %v", id, err)
		}
	}
}

func TestAddRefuses(t *testing.T) {
	l := New(t.TempDir())
	if err := l.Add(one("crucial_p5_2tb")); !errors.Is(err, ErrTaken) {
		t.Errorf("one that is shipped: %v", err)
	}
	if err := l.Add(one("../x")); !errors.Is(err, ErrDamaged) {
		t.Errorf("a path: %v", err)
	}
}

// Export, import elsewhere, export again is identical; also of what is shipped and of a run.
func TestRoundTrip(t *testing.T) {
	l := New(t.TempDir())
	all, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	r := filling(t, "fill", 10e9, []float64{650, 2400, 150, 1000, 1150, 400})
	run, err := FromResult(&r, "label")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range append(all, run, one("mine")) {
		text := encoded(t, d)
		got, added, err := l.Import(strings.NewReader(text))
		if err != nil || added == d.Shipped {
			t.Fatalf("%s: added %v, %v", d.ID, added, err)
		}
		if again := encoded(t, got); again != text {
			t.Errorf("%s: exported again it differs", d.ID)
		}
		if _, added, err := l.Import(strings.NewReader(text)); added || err != nil {
			t.Errorf("%s, a second time: added %v, %v", d.ID, added, err)
		}
	}
	other := one("mine")
	other.Values[0].Value = 1
	if _, _, err := l.Import(strings.NewReader(encoded(t, other))); !errors.Is(err, ErrTaken) {
		t.Errorf("another drive of the same ID: %v", err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := encoded(t, one("x"))
	if _, err := Decode(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, new string
		want     error
	}{
		{`"schema": 1`, `"schema": 2`, ErrNewer},
		{`"schema": 1`, `"schema": 0`, ErrDamaged},
		{`"id": "x"`, `"id": "a/b"`, ErrDamaged},
		{`"model": "Fast"`, `"model": ""`, ErrDamaged},
		{`"model": "Fast"`, `"model": "a\u001b[2J"`, ErrDamaged},
		{`"class": "pcie4"`, `"class": "pcie9"`, ErrDamaged},
		{`"capacity_gb": 1000`, `"capacity_gb": -1`, ErrDamaged},
		{`"model"`, `"colour": "red", "model"`, ErrDamaged},
		{`"value": 5000`, `"value": -5`, ErrDamaged},
		{`"value": 5000`, `"value": 1e300`, ErrDamaged},
		{`"value": 5000`, `"value": "5000"`, ErrDamaged},
		{`"unit": "MB/s"`, `"unit": "MiB/s"`, ErrDamaged},
		{`"metric": "write_stage1"`, `"metric": "speed"`, ErrDamaged},
		{`"metric": "write_stage1"`, `"metric": "rate.seq1m-q8t1-read"`, ErrDamaged},
		{`"kind": "measured"`, `"kind": "guessed"`, ErrDamaged},
		{`"qualifier": "approx"`, `"qualifier": ""`, ErrDamaged},
		{`"source": "a"`, `"source": "b"`, ErrDamaged},
		{`"conditions": "empty"`, `"conditions": ""`, ErrDamaged},
		{`"quality": "review"`, `"quality": "rumour"`, ErrDamaged},
		{`"conditions": "empty"`, `"conditions": "empty", "loops": {"lo": 6000, "hi": 7000, "n": 3}`, ErrDamaged},
		{`"conditions": "empty"`, `"conditions": "empty", "start": 2`, ErrDamaged},
		{good, good + "{}", ErrDamaged},
		{good, strings.Repeat(" ", maxFile) + good, ErrTooBig},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Errorf("%s is not in the file", c.old)
		}
		if _, err := Decode(strings.NewReader(text)); !errors.Is(err, c.want) {
			t.Errorf("%.60s: %v, want %v", c.new, err, c.want)
		}
	}
	bad := one("x")
	bad.Curves = []Curve{{Kind: CurveFill, X: []float64{2, 1}, Y: []float64{1, 1}}}
	if _, err := Decode(strings.NewReader(encoded(t, bad))); !errors.Is(err, ErrDamaged) {
		t.Errorf("a curve that runs back: %v", err)
	}
}

// What is accepted is written and read again as it is, whatever the file.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(encoded(f, one("x"))))
	all, err := Shipped()
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(encoded(f, all[0])))
	f.Add([]byte(`{"schema":1,"values":[{"value":1e999}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, v := range d.Values {
			if !number(v.Value) || v.Conditions == "" || d.Sources[v.Source].Title == "" {
				t.Errorf("accepted %+v", v)
			}
		}
		text := encoded(t, d)
		again, err := Decode(strings.NewReader(text))
		if err != nil {
			t.Fatalf("what was accepted is refused: %v", err)
		}
		if encoded(t, again) != text {
			t.Error("written again it differs")
		}
	})
}
