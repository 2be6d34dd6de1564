package export

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"cachecliff/app/importer"
)

// Reports of other programs in all formats that people read: what they do not tell is neither 0 nor a median.
func TestImportedReports(t *testing.T) {
	zero := regexp.MustCompile(`(^|[^0-9.,])0(\.0+)?( IOPS| us| µs| MB/s| *\||\s*$)`)
	var all bytes.Buffer
	for _, name := range []string{"cdm6-utf16.txt", "cdm8-nvme-uwp.txt", "kdm32-mix.txt", "fio-json-plus.json", "fio31-odd.json"} {
		data, err := os.ReadFile(filepath.Join("..", "importer", "testdata", "good", name))
		if err != nil {
			t.Fatal(err)
		}
		r, err := importer.Read(bytes.NewReader(data), time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"text", "md", "bbcode", "html"} {
			f, ok := ByID(id)
			if !ok {
				t.Fatalf("no format %s", id)
			}
			var b bytes.Buffer
			if err := Write(&b, f, r, Options{}); err != nil {
				t.Errorf("%s as %s: %v", name, id, err)
			}
			for line := range strings.SplitSeq(b.String(), "\n") {
				if zero.MatchString(line) && id != "html" {
					t.Errorf("%s as %s: unknown became 0: %s", name, id, line)
				}
			}
			for _, not := range []string{"Median</th>", "| Median", "and the median", "Median of the loops"} {
				if strings.Contains(b.String(), not) {
					t.Errorf("%s as %s: has %q", name, id, not)
				}
			}
			if !strings.Contains(b.String(), r.Imported.String()) {
				t.Errorf("%s as %s: does not say whose it is", name, id)
			}
			if id == "text" || id == "md" {
				all.WriteString("== " + name + " as " + id + "\n" + b.String() + "\n")
			}
		}
	}
	golden := filepath.Join("testdata", "imported.golden")
	if *update {
		if err := os.WriteFile(golden, all.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(want, all.Bytes()) {
		t.Errorf("the texts have changed (%v): see git diff after -update", err)
	}
}
