package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cachecliff/app/safefile"
	"cachecliff/platform"
)

// Entry is one file of the library.
type Entry struct {
	Summary
	Err error // ErrDamaged, ErrNewer or what the system said; then only ID and At (of the file) are known
}

// List lists all results, the newest first. It reads the head of each file that the index does not know as it is.
// A folder that is not there yet is empty; one that cannot be read is an error.
func (s *Store) List() ([]Entry, error) {
	names, err := os.ReadDir(s.results)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, safefile.Fault("list results", s.results, err)
	}
	var out []Entry
	was, is := s.readIndex(), index{}
	for _, n := range names {
		id, ok := strings.CutSuffix(n.Name(), ".json")
		if !ok || strings.HasPrefix(id, ".") {
			continue
		}
		if e, ok := was.entry(id, n, is); ok {
			out = append(out, e)
		} else if e, ok := s.entry(id, is); ok {
			out = append(out, e)
		}
	}
	if !is.same(was) {
		s.writeIndex(is)
	}
	slices.SortStableFunc(out, func(a, b Entry) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	return out, nil
}

// entry reads the head of a file, and notes it in an index; false if the file has gone meanwhile.
func (s *Store) entry(id string, note index) (Entry, bool) {
	p := filepath.Join(s.results, id+".json")
	e := Entry{Summary: Summary{ID: id}}
	info, err := os.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return e, false
	}
	if err == nil {
		e.At = info.ModTime()
	}
	f, err := openFile(p)
	if errors.Is(err, fs.ErrNotExist) && info != nil && info.Mode()&fs.ModeSymlink != 0 {
		e.Err = &platform.OpError{Op: "open result", Object: p, Err: fmt.Errorf("%w: a link that leads nowhere", ErrDamaged)}
		return e, true
	}
	if err != nil {
		e.Err = err
		return e, !errors.Is(err, fs.ErrNotExist)
	}
	plain := info != nil && info.Mode().IsRegular()
	if info, err := f.Stat(); err == nil { // of what a link leads to
		e.At = info.ModTime()
	}
	head, sum, err := readHead(f)
	if err := errors.Join(err, f.Close()); err != nil {
		e.Err = &platform.OpError{Op: "open result", Object: p, Err: err}
		return e, true
	}
	if plain {
		note.add(id, info, head)
	}
	sum.ID = id // the name is what opens it
	e.Summary = sum
	return e, true
}

// readHead reads schema and summary, and looks whether the file ends as it should. The head is the summary as it
// stands in the file.
func readHead(f *os.File) (head json.RawMessage, sum Summary, err error) {
	if head, err = parseHead(f, &sum); err != nil {
		return nil, sum, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, sum, err
	}
	end := make([]byte, 2)
	if _, err := f.ReadAt(end, info.Size()-int64(len(end))); err != nil {
		return nil, sum, err
	}
	if string(end) != "}\n" {
		return nil, sum, fmt.Errorf("%w: the end is missing", ErrDamaged)
	}
	return head, sum, nil
}

// headSize is more than any summary takes.
const headSize = 1 << 20

// parseHead reads {"schema":1,"summary":{…} and nothing behind it.
func parseHead(from io.Reader, sum *Summary) (head json.RawMessage, err error) {
	dec := json.NewDecoder(io.LimitReader(from, headSize))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("%w: no object", ErrDamaged)
	}
	schema := 0
	if err := field(dec, "schema", &schema); err != nil {
		return nil, err
	}
	if err := checkSchema(schema); err != nil {
		return nil, err
	}
	if err := field(dec, "summary", &head); err != nil {
		return nil, err
	}
	return head, parseSummary(head, sum)
}

// parseSummary reads the head of a file and refuses what no result has.
func parseSummary(head json.RawMessage, sum *Summary) error {
	if err := json.Unmarshal(head, sum); err != nil {
		return fmt.Errorf("%w: summary: %w", ErrDamaged, err)
	}
	bad := func(h Headline) bool { return h.Best < 0 || h.Median < 0 }
	if f := sum.Fill; f != nil && (f.Cache < 0 || f.Least < 0 || f.Most < 0 || f.Written < 0 || f.Mean < 0) {
		return fmt.Errorf("%w: a negative size or rate", ErrDamaged)
	}
	if sum.Size < 0 || slices.ContainsFunc(sum.Headlines, bad) {
		return fmt.Errorf("%w: a negative size or rate", ErrDamaged)
	}
	return nil
}

// field reads the next field, which must have that name.
func field(dec *json.Decoder, name string, into any) error {
	if t, err := dec.Token(); err != nil || t != name {
		return fmt.Errorf("%w: no %s", ErrDamaged, name)
	}
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	return nil
}
