package settings

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"cachecliff/bench"
	"cachecliff/platform"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLoadWithoutAFile(t *testing.T) {
	got, err := New(t.TempDir()).Load()
	if err != nil || got != Default() {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, ok := bench.ByID(Default().Profile); !ok {
		t.Errorf("the default profile %q does not exist", Default().Profile)
	}
}

// Every field comes back; reflection makes sure that a new one is not forgotten here.
func TestSaveAndLoad(t *testing.T) {
	s := New(t.TempDir() + "/new/folder")
	want := Settings{
		Language: "de", Theme: ThemeDark, Width: 1200, Height: 800, Unit: bench.UnitIOPS, Profile: "cdm-nvme+mix",
		FileSize: 1 << 34, Loops: 5, MixPct: 60, Target: "/mnt/ä b", Comment: "mit Kühlkörper", Through: true,
		Test: "fill", Fill: Fill{FileSize: 1 << 30, Passes: 2, Pause: -1, Loops: 4, Most: -1, Cached: true, Level: true},
	}
	for _, v := range []reflect.Value{reflect.ValueOf(want), reflect.ValueOf(want.Fill)} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Fatalf("set %s here", v.Type().Field(i).Name)
			}
		}
	}
	must(t, s.Save(want))
	got, err := s.Load()
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	must(t, s.Save(Default())) // what is left out of the file must not stay from before
	got, err = s.Load()
	if err != nil || got != Default() {
		t.Errorf("after the defaults: %+v, %v", got, err)
	}
}

func TestFieldsOfANewerVersionAreKept(t *testing.T) {
	s := New(t.TempDir())
	must(t, os.WriteFile(s.Path(), []byte(`{"room":{"temperature":21},"comment":"x","loops":4}`), 0o644))
	set, err := s.Load()
	must(t, err)
	if set.Loops != 4 || set.Comment != "x" || set.Profile != "cdm-default" {
		t.Errorf("read %+v", set)
	}
	set.Comment = ""
	must(t, s.Save(set))
	data, err := os.ReadFile(s.Path())
	must(t, err)
	if !strings.Contains(string(data), `"temperature": 21`) || strings.Contains(string(data), `"comment"`) {
		t.Errorf("written:\n%s", data)
	}
}

func TestDamagedFileIsKeptAside(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "half": `{"unit":"MB`, "other type": `{"loops":"many"}`, "zeros": "\x00\x00", "list": "[1]"} {
		s := New(t.TempDir())
		must(t, os.WriteFile(s.Path(), []byte(text), 0o644))
		got, err := s.Load()
		var op *platform.OpError
		if got != Default() || !errors.Is(err, ErrDamaged) || !errors.As(err, &op) || op.Object != s.Path()+".bad" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if kept, err := os.ReadFile(s.Path() + ".bad"); err != nil || string(kept) != text {
			t.Errorf("%s: kept %q, %v", name, kept, err)
		}
		must(t, s.Save(got))
		if _, err := s.Load(); err != nil {
			t.Errorf("%s: after Save: %v", name, err)
		}
	}
}

func TestValuesThatAWindowCouldNotBear(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"theme", `{"theme":"pink"}`}, {"width", `{"width":-5}`},
		{"height", `{"height":99999999}`}, {"loops", `{"loops":-1}`}, {"mix", `{"mix_pct":101}`}, {"size", `{"file_size":-1}`},
		{"files of a filling", `{"fill":{"file_size":-1}}`}, {"passes", `{"fill":{"passes":1000}}`}, {"pause", `{"fill":{"pause":-2}}`},
		{"long pause", `{"fill":{"pause":1000000}}`}, {"most", `{"fill":{"most":101}}`}, {"repeats", `{"fill":{"loops":-1}}`},
	} {
		s := New(t.TempDir())
		must(t, os.WriteFile(s.Path(), []byte(c.text), 0o644))
		if got, err := s.Load(); err != nil || got != Default() {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func TestFileThatCannotBeRead(t *testing.T) {
	s := New(t.TempDir())
	must(t, os.Mkdir(s.Path(), 0o755))
	got, err := s.Load()
	if got != Default() || err == nil || errors.Is(err, ErrDamaged) {
		t.Errorf("Load: %+v, %v", got, err)
	}
	if err := s.Save(got); err == nil {
		t.Error("Save succeeded")
	}
}
