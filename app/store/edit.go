package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cachecliff/app/format"
	"cachecliff/bench"
)

// MaxTag is the length in letters of the longest tag.
const MaxTag = 40

// ErrTag is what a text is that cannot be a tag; tested with errors.Is.
var ErrTag = errors.New("this cannot be a tag")

// CleanTag is a text as a tag: in one line, without gaps around it. A comma parts tags, so there is none in one.
func CleanTag(typed string) (string, error) {
	tag := strings.Join(strings.Fields(format.PlainLine(typed)), " ")
	if n := utf8.RuneCountInString(tag); n == 0 || n > MaxTag || strings.Contains(tag, ",") {
		return "", fmt.Errorf("%w: %q; it has 1 to %d letters and no comma", ErrTag, typed, MaxTag)
	}
	return tag, nil
}

// SplitTags reads tags that are typed with commas between them.
func SplitTags(typed string) ([]string, error) {
	var out []string
	for part := range strings.SplitSeq(typed, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		tag, err := CleanTag(part)
		if err != nil {
			return nil, err
		}
		out = WithTag(out, tag)
	}
	return out, nil
}

// WithTag is a list of tags with one more, unless it is among them, in capitals or not.
func WithTag(tags []string, tag string) []string {
	if HasTag(tags, tag) {
		return tags
	}
	return append(slices.Clone(tags), tag)
}

// WithoutTag is a list of tags without one, in capitals or not; nil if none is left.
func WithoutTag(tags []string, tag string) []string {
	tags = slices.DeleteFunc(slices.Clone(tags), func(t string) bool { return strings.EqualFold(t, tag) })
	if len(tags) == 0 {
		return nil
	}
	return tags
}

// HasTag says whether a tag is among others, in capitals or not.
func HasTag(tags []string, tag string) bool {
	return slices.ContainsFunc(tags, func(t string) bool { return strings.EqualFold(t, tag) })
}

// Tagged lists the entries that have all of these tags.
func Tagged(all []Entry, tags []string) []Entry {
	return slices.DeleteFunc(slices.Clone(all), func(e Entry) bool {
		return slices.ContainsFunc(tags, func(t string) bool { return !HasTag(e.Tags, t) })
	})
}

// Note changes what the user noted on a result, its comment and its tags, and keeps it. The file stays as it is if
// nothing changes. It fails as Load and Save do.
func (s *Store) Note(id string, change func(r *bench.Result)) (bench.Result, error) {
	s.notes.Lock()
	defer s.notes.Unlock()
	r, err := s.Load(id)
	if err != nil {
		return r, err
	}
	noted := r
	noted.Tags = slices.Clone(r.Tags)
	change(&noted)
	r.Comment, noted.Comment = noted.Comment, r.Comment // nothing else of a result can be changed
	r.Tags, noted.Tags = noted.Tags, r.Tags
	if r.Comment == noted.Comment && slices.Equal(r.Tags, noted.Tags) {
		return r, nil
	}
	return r, s.Save(r)
}
