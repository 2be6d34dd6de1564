package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cachecliff/app/pngrun"
	"cachecliff/app/store"
)

// report is the path of a report that package importer has as test data.
func report(name string) string {
	return filepath.Join("..", "..", "app", "importer", "testdata", "good", name)
}

func TestImport(t *testing.T) {
	s := newStage(t)
	crystal, disk, fio := report("cdm7-utf16.txt"), report("kdm32-mix.txt"), report("fio-json-plus.json")
	if status := s.run(t.Context(), "import", crystal, disk, fio); status != exitDone || s.stderr.Len() > 0 {
		t.Fatalf("status %d: %s", status, s.stderr.String())
	}
	const first = "20200103T114451-211b4ab7-imported: CrystalDiskMark 7.0.0, 8 of 8 tests have numbers"
	out := s.stdout.String()
	for _, want := range []string{first + "\n", "KDiskMark 3.2.0, 12 of 12 tests have numbers\n", "fio 3.33, 2 of 2 tests have numbers\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("has no %q:\n%s", want, out)
		}
	}
	if n := len(s.results(t)); n != 3 {
		t.Errorf("%d results are kept", n)
	}
	// Once more, in another encoding and from standard input.
	data, err := os.ReadFile(crystal)
	if err != nil {
		t.Fatal(err)
	}
	s.stdin = bytes.NewReader(data)
	if status := s.run(t.Context(), "import", "-"); status != exitDone || s.stdout.String() != first+"; it was here already\n" {
		t.Errorf("status %d: %s%s", status, s.stdout.String(), s.stderr.String())
	}
	if n := len(s.results(t)); n != 3 {
		t.Errorf("%d results are kept after the second time", n)
	}
	s.run(t.Context(), "import", "--json", disk)
	var line struct {
		Type     string       `json:"type"`
		Imported importedJSON `json:"imported"`
	}
	if err := json.Unmarshal(s.stdout.Bytes(), &line); err != nil || line.Type != "imported" || line.Imported.Added ||
		line.Imported.Program != "KDiskMark" || line.Imported.Version != "3.2.0" || line.Imported.File != disk {
		t.Errorf("%v: %+v", err, line)
	}
}

// The list, show and export have the numbers of a report, and say whose they are.
func TestImportedIsShown(t *testing.T) {
	s := newStage(t)
	if status := s.run(t.Context(), "import", report("kdm32-mix.txt"), report("cdm6-utf16.txt")); status != exitDone {
		t.Fatal(s.stderr.String())
	}
	for _, c := range []struct {
		args string
		want []string
	}{
		{"results", []string{"KDiskMark Default [+Mix]", "Test Drive 500GB", "SEQ1M Q8T1 read 6", "SEQ1M Q8T1 mix 6"}},
		{"show 2026", []string{
			"Cachecliff import of KDiskMark 3.2.0\n", "6890.100 MB/s [   6570.9 IOPS] <  1215.10 us>", " Engine: fio-3.39\n",
			"  Above: mean of 2, as KDiskMark 3.2.0 tells\n", "Rates are 2.4 % above those in the report", "may be far too low with several threads",
		}},
		{"show 2018", []string{
			"(Q= 32, T= 1):   471.231 MB/s FILL=zero\n", "33.779 MB/s [   8246.8 IOPS] FILL=zero\n", "Comment: old notebook\n", "best of 5",
		}},
	} {
		if status := s.run(t.Context(), line(c.args)...); status != exitDone {
			t.Errorf("%s: status %d: %s", c.args, status, s.stderr.String())
		}
		for _, want := range c.want {
			if !strings.Contains(s.stdout.String(), want) {
				t.Errorf("%s: has no %q:\n%s", c.args, want, s.stdout.String())
			}
		}
		for _, not := range []string{"0.0 IOPS", "0.00 us", "Median of the loops", "(x0)"} {
			if strings.Contains(s.stdout.String(), not) {
				t.Errorf("%s: has %q", c.args, not)
			}
		}
	}
	for _, form := range []string{"csv", "csv-loops", "csv-drives", "png", "json"} {
		if status := s.run(t.Context(), "export", "2018", "--format", form); status != exitDone || s.stdout.Len() == 0 {
			t.Errorf("export %s: status %d: %s", form, status, s.stderr.String())
		}
	}
}

// Exported, imported elsewhere and exported again, nothing has changed: own runs and those of others.
func TestRoundTrip(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		for _, name := range []string{"cdm8-mix-comma.txt", "kdm16.txt", "fio-json-plus.json"} {
			if status := s.run(t.Context(), "import", report(name)); status != exitDone {
				t.Fatal(s.stderr.String())
			}
		}
		elsewhere := filepath.Join(t.TempDir(), "elsewhere")
		kept := s.results(t)
		if len(kept) != 4 {
			t.Fatalf("%d results", len(kept))
		}
		for _, path := range kept {
			id := strings.TrimSuffix(filepath.Base(path), ".json")
			first := s.exported(t, id, s.data)
			file := filepath.Join(t.TempDir(), "run.json")
			if err := os.WriteFile(file, first, 0o600); err != nil {
				t.Fatal(err)
			}
			if status := s.run(t.Context(), "import", file, "--data", elsewhere); status != exitDone || strings.Contains(s.stdout.String(), "already") {
				t.Fatalf("import: status %d: %s%s", status, s.stdout.String(), s.stderr.String())
			}
			if second := s.exported(t, id, elsewhere); !bytes.Equal(first, second) {
				t.Errorf("%s: changed on the way:\n%s\n%s", id, first, second)
			}
		}
	})
}

// exported is a result as JSON, of a data folder.
func (s *stage) exported(t *testing.T, id, data string) []byte {
	t.Helper()
	if status := s.run(t.Context(), "export", id, "--format", "json", "--data", data); status != exitDone {
		t.Fatalf("export %s: status %d: %s", id, status, s.stderr.String())
	}
	return bytes.Clone(s.stdout.Bytes())
}

// A picture with a run in it is a result like any other.
func TestImportPicture(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		plain := filepath.Join(t.TempDir(), "plain.png")
		if status := s.run(t.Context(), "export", "latest", "--format", "png", "--out", plain); status != exitDone {
			t.Fatal(s.stderr.String())
		}
		data, err := os.ReadFile(plain)
		if err != nil {
			t.Fatal(err)
		}
		r, err := store.LoadFile(s.results(t)[0])
		if err != nil {
			t.Fatal(err)
		}
		var with bytes.Buffer
		if err := pngrun.Embed(&with, bytes.NewReader(data), r); err != nil {
			t.Fatal(err)
		}
		s.stdin = &with
		if status := s.run(t.Context(), "import", "-", "--data", filepath.Join(t.TempDir(), "x")); status != exitDone ||
			s.stdout.String() != r.ID+": a result of Cachecliff\n" {
			t.Errorf("status %d: %s%s", status, s.stdout.String(), s.stderr.String())
		}
	})
}

func TestImportFaults(t *testing.T) {
	s := newStage(t)
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	data, err := os.ReadFile(report("cdm9-default.txt"))
	if err != nil {
		t.Fatal(err)
	}
	changed := write("changed.txt", strings.Replace(string(data), "3412.871 MB/s", "9412.871 MB/s", 1))
	cut := write("cut.txt", string(data[:len(data)/2]))
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, exitUsage, "import takes one or more files; - is standard input.\n"},
		{[]string{changed}, exitFailed, "changed.txt is refused since line 9 cannot be right: 9412.871 MB/s are not 3254.8 I/Os of 1048576 bytes.\n"},
		{[]string{cut}, exitFailed, "cut.txt is refused"},
		{[]string{write("prose.txt", "Hello.\n")}, exitFailed, "prose.txt cannot be imported: the first lines are those of no report that can be read. Readable are"},
		{[]string{write("new.json", `{"schema":99}`)}, exitFailed, "newer version"},
		{[]string{folder}, exitFailed, "is a folder; name the files in it.\n"},
		{[]string{filepath.Join(folder, "none")}, exitFailed, "does not exist"},
		{[]string{"-"}, exitFailed, "standard input cannot be imported: the file is empty"},
		{[]string{report("cdm9-default.txt"), changed, cut, report("kdm16.txt")}, exitFailed, "2 of 4 files were not imported.\n"},
	} {
		s.stdin = strings.NewReader("")
		if status := s.run(t.Context(), append([]string{"import"}, c.args...)...); status != c.status || !strings.Contains(s.stderr.String(), c.want) {
			t.Errorf("%q: status %d: %s, want %q", c.args, status, s.stderr.String(), c.want)
		}
	}
	if n := len(s.results(t)); n != 2 {
		t.Errorf("%d results are kept, want the 2 that are whole", n)
	}
}
