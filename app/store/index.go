package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cachecliff/app/safefile"
)

// indexName is the file of the index, beside the results. Its name is no result's.
const indexName = ".index"

// indexKind begins the first line of the index, which ends with the checksum of what follows.
const indexKind = "cachecliff index 1 "

// unsettled is how long after a change the time of a file may not yet tell of another change: FAT counts it in steps
// of two seconds. A file that is that new is read again the next time.
const unsettled = 3 * time.Second

// index is what is known of result files by their IDs: summaries as they stand in the files, so that nothing is lost
// that another version of the program wrote.
type index map[string]indexed

type indexed struct {
	Size int64           `json:"size"` // bytes of the file
	Time int64           `json:"time"` // of its last change, nanoseconds since 1970
	Head json.RawMessage `json:"head"`
}

// add notes the head of a file that was just read.
func (x index) add(id string, info fs.FileInfo, head json.RawMessage) {
	if age := time.Since(info.ModTime()); age > unsettled { // also false for a time that is yet to come
		x[id] = indexed{info.Size(), info.ModTime().UnixNano(), head}
	}
}

// entry is what the index knows of a file, as long as that is as it was; it is noted in the next index.
func (x index) entry(id string, file fs.DirEntry, next index) (Entry, bool) {
	known, ok := x[id]
	if !ok || !file.Type().IsRegular() {
		return Entry{}, false
	}
	info, err := file.Info()
	if err != nil || info.Size() != known.Size || info.ModTime().UnixNano() != known.Time {
		return Entry{}, false
	}
	var sum Summary
	if err := parseSummary(known.Head, &sum); err != nil {
		return Entry{}, false // the file says what is wrong
	}
	sum.ID = id
	next[id] = known
	return Entry{Summary: sum}, true
}

// same says whether two indexes know the same files in the same state.
func (x index) same(as index) bool {
	if len(x) != len(as) {
		return false
	}
	for id, a := range x {
		if b, ok := as[id]; !ok || a.Size != b.Size || a.Time != b.Time {
			return false
		}
	}
	return true
}

// readIndex reads the index. One that is not there or not whole knows nothing.
func (s *Store) readIndex() index {
	data, err := os.ReadFile(filepath.Join(s.results, indexName))
	if err != nil {
		return nil
	}
	head, body, _ := bytes.Cut(data, []byte("\n"))
	if string(head) != firstLine(body) {
		return nil
	}
	var x index
	if err := json.Unmarshal(body, &x); err != nil {
		return nil
	}
	return x
}

func firstLine(body []byte) string {
	return fmt.Sprintf("%s%08x", indexKind, crc32.ChecksumIEEE(body))
}

// writeIndex writes the index, not waiting until it is on the disk: the checksum tells one that is not whole. A folder
// in which it cannot be written is listed without one, only slower, so that is no fault.
func (s *Store) writeIndex(x index) {
	body, err := json.Marshal(x)
	if err != nil {
		return
	}
	f, err := os.CreateTemp(s.results, ".index-*.tmp")
	if err != nil {
		return
	}
	_, err = fmt.Fprintf(f, "%s\n%s", firstLine(body), body)
	if errors.Join(err, f.Close()) == nil {
		err = os.Rename(f.Name(), filepath.Join(s.results, indexName))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // if not now, Tidy removes it
	}
}

// Reindex throws the index away: the next List reads all result files anew.
func (s *Store) Reindex() error {
	err := os.Remove(filepath.Join(s.results, indexName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return safefile.Fault("remove", filepath.Join(s.results, indexName), err)
	}
	return nil
}
