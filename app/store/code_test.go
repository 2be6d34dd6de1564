package store

import (
	"strings"
	"testing"
)

const codeID = "20260619T085553Z-0badcafe"

func TestCode(t *testing.T) {
	code := Code(codeID)
	if len(code) != 7 || strings.Trim(code, codeSigns) != "" || code == Code(codeID+"x") {
		t.Fatalf("code %q", code)
	}
	small := strings.ToLower(code)
	for _, typed := range []string{code, small, "#" + code, " " + code[:3] + "-" + code[3:] + " ", strings.ReplaceAll(code, "O", "0"), strings.ReplaceAll(code, "I", "1")} {
		if got, ok, mistyped := ReadCode(typed); got != code || !ok || mistyped {
			t.Errorf("%q: %q, %v, %v", typed, got, ok, mistyped)
		}
	}
	if got, ok, _ := ReadCode(code[:6]); got != code[:6] || !ok {
		t.Errorf("an old code: %q, %v", got, ok)
	}
	for _, typed := range []string{"", "latest", "latest9", code + "A", code[:5], "A/BCDEF", "ÄBCDEFG"} {
		if typed == "latest" { // it could be one, and is asked for before codes are
			continue
		}
		if got, ok, mistyped := ReadCode(typed); ok || mistyped {
			t.Errorf("%q was read as %q", typed, got)
		}
	}
}

// Whichever sign is another, and whichever two are swapped, is noticed.
func TestCodeChecksItself(t *testing.T) {
	code := Code(codeID)
	try := func(wrong []byte) {
		if string(wrong) == code {
			return
		}
		if _, ok, mistyped := ReadCode(string(wrong)); ok || !mistyped {
			t.Errorf("%s for %s is not noticed", wrong, code)
		}
	}
	for i := range code {
		for _, r := range []byte(codeSigns) {
			wrong := []byte(code)
			wrong[i] = r
			try(wrong)
		}
		for j := range i {
			wrong := []byte(code)
			wrong[i], wrong[j] = wrong[j], wrong[i]
			try(wrong)
		}
	}
}

func TestFind(t *testing.T) {
	all := []Entry{
		{Summary: Summary{ID: codeID, Model: "Crucial P5", Path: "/mnt/a", Profile: "cdm-nvme", Comment: "With heatsink"}},
		{Summary: Summary{ID: "20260620T085553Z-00000000", Model: "Samsung 990", Path: "/mnt/b", Profile: "fill"}},
	}
	for text, want := range map[string]string{
		"": "01", "crucial": "0", "HEATSINK nvme": "0", "crucial fill": "", "/mnt": "01", "2026062": "1", "#" + strings.ToLower(Code(codeID)): "0",
		Code(codeID)[:6]: "0", Code(codeID) + " 990": "",
	} {
		got := ""
		for _, e := range Find(all, text) {
			got += map[bool]string{true: "0", false: "1"}[e.ID == codeID]
		}
		if got != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
	wrong := []byte(Code(codeID))
	wrong[0] = codeSigns[(strings.IndexByte(codeSigns, wrong[0])+1)%32]
	if found, mistyped := ByCode(all, string(wrong)); len(found) != 0 || !mistyped {
		t.Errorf("%s: %v, %v", wrong, found, mistyped)
	}
	if found, mistyped := ByCode(all, Code(codeID)); len(found) != 1 || mistyped {
		t.Errorf("%v, %v", found, mistyped)
	}
}
