package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cachecliff/app/pngrun"
	"cachecliff/app/store"
)

// A run is written in each format that others read, in both languages, and found again by its code and in its picture.
func TestExportForOthers(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		id := strings.TrimSuffix(filepath.Base(s.results(t)[0]), ".json")
		code := store.Code(id)
		say := func(args ...string) string {
			t.Helper()
			if status := s.run(t.Context(), args...); status != exitDone || s.stderr.Len() > 0 {
				t.Fatalf("%q: status %d: %s", args, status, s.stderr.String())
			}
			return s.stdout.String()
		}
		for format, want := range map[string][2]string{
			"md": {"| Read |", "| Lesen |"}, "bbcode": {"[code]", "[code]"}, "bbcode-table": {"[td][b]Read[/b]", "[td][b]Lesen[/b]"},
			"html": {"<html lang=\"en\">", "<html lang=\"de\">"}, "svg": {"run code ", "Laufkennung "}, "txt": {"-----", "-----"},
		} {
			for i, lang := range []string{"en", "de"} {
				got := say("export", code, "--format", format, "--lang", lang)
				if !strings.Contains(got, want[i]) || format != "txt" && !strings.Contains(got, code) {
					t.Errorf("%s in %s: %.300s", format, lang, got)
				}
				if strings.Contains(got, "SN-SECRET") || format != "txt" && strings.Contains(got, "/fake") {
					t.Errorf("%s: tells a serial number or a folder", format)
				}
			}
		}
		file := filepath.Join(t.TempDir(), "card.png")
		say("export", "latest", "--out", file, "--dark")
		if got, want := say("show", file), say("show", "#"+strings.ToLower(code)); !strings.Contains(got, id) || strings.Contains(got, "/fake") || len(got) > len(want) {
			t.Errorf("the run of the picture:\n%s", got)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := pngrun.Extract(bytes.NewReader(data)); err != nil || r.ID != id {
			t.Errorf("%s, %v", r.ID, err)
		}
		if got := say("results", code); !strings.Contains(got, id) || !strings.Contains(got, code) {
			t.Errorf("results by code: %s", got)
		}
		if got := say("results", "fakedrive", "DEMO"); !strings.Contains(got, id) {
			t.Errorf("results by words: %s", got)
		}
	})
}

// What is no run code, or a mistyped one, is said; so is a picture without a run.
func TestNotFound(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		code := store.Code(strings.TrimSuffix(filepath.Base(s.results(t)[0]), ".json"))
		wrong := "A" + code[1:]
		if code[0] == 'A' {
			wrong = "B" + code[1:]
		}
		folder := t.TempDir()
		plain, none := filepath.Join(folder, "plain.png"), filepath.Join(folder, "none.png")
		var pixels bytes.Buffer // a picture of one pixel
		pixels.WriteString("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\x3a\x7e\x9b\x55" +
			"\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01\x48\xaf\xa4\x71\x00\x00\x00\x00IEND\xae\x42\x60\x82")
		for name, data := range map[string][]byte{plain: pixels.Bytes(), none: []byte("no picture at all")} {
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for args, want := range map[string]string{
			"show " + wrong: "a letter or digit of it is wrong", "results " + wrong: "No result in", "show " + plain: "There is no run in the picture",
			"show " + none: "is no PNG picture", "show " + none + "x": "does not exist", "show " + filepath.Join(folder, "gone.png"): "does not exist",
			"export latest --lang fr": "--lang takes en or de",
		} {
			if status := s.run(t.Context(), line(args)...); status == exitDone || !strings.Contains(s.stderr.String(), want) || strings.Count(s.stderr.String(), "\n") != 1 {
				t.Errorf("%s: status %d: %s", args, status, s.stderr.String())
			}
		}
	})
}
