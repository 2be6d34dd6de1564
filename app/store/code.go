package store

import (
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strings"
)

// A run code is the short name of a run in posts and pictures: six letters and digits made of its ID, and a seventh
// that tells when one of them was mistyped or two were swapped. It has the letters A to Z and the digits 2 to 7.
const (
	codeLength = 6 // without the seventh; older cards have these alone
	codeSigns  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// Code is the run code of the run with an ID, such as "KQ7XM2C".
func Code(id string) string {
	sum := sha256.Sum256([]byte(id))
	code := base32.StdEncoding.EncodeToString(sum[:])[:codeLength]
	return code + string(codeSigns[check(code)])
}

// check sums up the signs, each times another power of a generator of the field of 32 elements: whatever single sign
// is changed, or two are swapped, the sum is another.
func check(code string) int {
	sum := 0
	for i, r := range code {
		v := strings.IndexRune(codeSigns, r)
		for range i + 1 {
			if v <<= 1; v > 31 {
				v ^= 0b100101 // x⁵ + x² + 1
			}
		}
		sum ^= v
	}
	return sum
}

// ReadCode reads a run code as people write it: in small letters, behind a "#", with gaps, with 0, 1 and 8 for the
// letters that look like them. With mistyped it has the length and the signs of one, and the last sign does not fit.
func ReadCode(typed string) (code string, ok, mistyped bool) {
	code = strings.ToUpper(strings.TrimPrefix(strings.TrimSpace(typed), "#"))
	code = strings.NewReplacer("-", "", " ", "", "0", "O", "1", "I", "8", "B").Replace(code)
	if strings.Trim(code, codeSigns) != "" {
		return "", false, false
	}
	switch len(code) {
	case codeLength:
		return code, true, false
	case codeLength + 1:
		fits := codeSigns[check(code[:codeLength])] == code[codeLength]
		return code, fits, !fits
	}
	return "", false, false
}

// Find lists the entries that a text is found in: run code, ID, drive, folder, test, tag, comment or, as the ID has it,
// date. Several words must each be found. Without a word it is all of them.
func Find(all []Entry, text string) []Entry {
	words := strings.Fields(strings.ToLower(text))
	return slices.DeleteFunc(slices.Clone(all), func(e Entry) bool {
		s := strings.ToLower(strings.Join([]string{e.ID, e.Model, e.Path, e.Profile, e.Title, e.Row, e.Comment, e.At.Local().Format("2006-01-02"), strings.Join(e.Tags, "\n")}, "\n"))
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(s, w) && !e.hasCode(w) })
	})
}

// hasCode says whether an entry has a run code.
func (e Entry) hasCode(typed string) bool {
	code, ok, _ := ReadCode(typed)
	return ok && strings.HasPrefix(Code(e.ID), code)
}

// ByCode lists the entries with a run code; mistyped as ReadCode has it.
func ByCode(all []Entry, typed string) (found []Entry, mistyped bool) {
	_, ok, mistyped := ReadCode(typed)
	for _, e := range all {
		if ok && e.hasCode(typed) {
			found = append(found, e)
		}
	}
	return found, mistyped
}
