package store

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"

	"cachecliff/app/safefile"
)

// The room for a result is a file beside the results, full of bytes that no file system can make
// smaller. A run holds it from its start, and Save writes over it: a folder that fills up meanwhile costs
// the end of the journal, not the result.
const (
	roomLeast = 4 << 20 // bytes at the start
	roomAhead = 1 << 20 // bytes by which it stays ahead of the journal, which is never shorter than its result
)

// room is the file that keeps the place for a result. Its name is no result's and no temporary file's.
func (s *Store) room(id string) string { return filepath.Join(s.results, "."+id+".room") }

// reserve fills a file of has bytes up to size; one that has none is made.
func reserve(name string, has, size int64) error {
	flags := os.O_WRONLY
	if has == 0 {
		flags |= os.O_CREATE
	}
	f, err := os.OpenFile(name, flags, safefile.Private)
	if err == nil {
		_, err = io.CopyN(io.NewOffsetWriter(f, has), rand.Reader, size-has)
		err = errors.Join(err, f.Close())
	}
	return safefile.Fault("reserve room for the result in", filepath.Dir(name), err)
}
