package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"cachecliff/app/safefile"
	"cachecliff/bench"
	"cachecliff/platform"
)

// The errors of the store; tested with errors.Is. They wrap a platform.OpError with the path.
var (
	ErrFolder  = errors.New("the folder for results cannot be written")
	ErrDamaged = errors.New("the file is damaged or not a result")
	ErrNewer   = errors.New("the file was made by a newer version")
	ErrTooBig  = errors.New("the file is too large for a result")
	ErrName    = errors.New("this cannot be the name of a result")
)

// MaxSize is the size in bytes of the largest result file that is read. An hour at ten samples a
// second takes about 15 MB.
const MaxSize = 1 << 30

// TrashDays is how long a deleted result can be brought back.
const TrashDays = 7

// Store keeps results below one folder. Its methods may be called from any goroutine.
type Store struct {
	results, trash, journals string
	locks                    platform.Locker
	rooms                    sync.Mutex // held while a room changes
	notes                    sync.Mutex // held while notes on a result change
	drives                   func(folder string) []platform.Drive
}

// New is the store in a data folder (platform.Folders.Data). It does not touch the disk.
func New(data string, locks platform.Locker) *Store {
	results := filepath.Join(data, "results")
	return &Store{
		results: results, trash: filepath.Join(results, ".trash"), journals: filepath.Join(data, "journal"),
		locks: locks,
	}
}

// FindDrives tells the store how to find the drives below a folder; nil or an empty answer is none. The
// journal of a run that tests the drive it lies on is flushed in the pauses, so that the system does not
// write it while the run measures.
func (s *Store) FindDrives(find func(folder string) []platform.Drive) { s.drives = find }

// Folder is where the results are.
func (s *Store) Folder() string { return s.results }

// Check makes the folders and writes a file in each, as large as a run will want it at least. It fails
// with ErrFolder.
func (s *Store) Check() error {
	if err := errors.Join(try(s.results, roomLeast), try(s.journals, 4096)); err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, err)
	}
	return nil
}

func try(dir string, size int64) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return safefile.Fault("make folder", dir, err)
	}
	f, err := os.CreateTemp(dir, ".check-*.tmp")
	if err != nil {
		return safefile.Fault("write to folder", dir, err)
	}
	return errors.Join(safefile.Fault("write to folder", dir, f.Close()), reserve(f.Name(), 0, size),
		safefile.Fault("write to folder", dir, os.Remove(f.Name())))
}

// path is the file of a result. An ID becomes a file's name, so it must be no more than that.
func path(dir, id, ext string) (string, error) {
	if id == "" || len(id) > 128 || id[0] == '.' || strings.ContainsFunc(id, func(r rune) bool {
		return r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r)
	}) {
		return "", &platform.OpError{Op: "name a result", Object: strconv.Quote(id), Reason: ErrName}
	}
	return filepath.Join(dir, id+ext), nil
}

// Save keeps a result for good, in the room that its journal holds. A result of the same ID is replaced.
func (s *Store) Save(r bench.Result) error {
	p, err := path(s.results, r.ID, ".json")
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := Encode(&b, r); err != nil {
		return &platform.OpError{Op: "write", Object: p, Err: err}
	}
	s.rooms.Lock()
	defer s.rooms.Unlock()
	return safefile.WriteOver(s.room(r.ID), p, b.Bytes(), safefile.Private)
}

// Load reads a result. It fails with ErrDamaged, ErrNewer, ErrTooBig or platform.ErrNotExist.
func (s *Store) Load(id string) (bench.Result, error) {
	p, err := path(s.results, id, ".json")
	if err != nil {
		return bench.Result{}, err
	}
	f, err := openFile(p)
	if err != nil {
		return bench.Result{}, err
	}
	return read(f, p)
}

// LoadFile reads a result from a file that the user names, or from a pipe. It fails as Load does.
func LoadFile(p string) (bench.Result, error) {
	info, err := os.Stat(p)
	if err != nil {
		return bench.Result{}, safefile.Fault("open result", p, err)
	}
	if err := tooBig(p, info); err != nil {
		return bench.Result{}, err
	}
	f, err := os.Open(p)
	if err != nil {
		return bench.Result{}, safefile.Fault("open result", p, err)
	}
	return read(f, p)
}

// read reads a result and closes its file.
func read(f *os.File, p string) (bench.Result, error) {
	r, err := Decode(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return bench.Result{}, &platform.OpError{Op: "open result", Object: p, Err: err}
	}
	return r, nil
}

func tooBig(p string, info fs.FileInfo) error {
	if info.Size() <= MaxSize {
		return nil
	}
	return &platform.OpError{Op: "open result", Object: p, Err: ErrTooBig}
}

// openFile opens a plain file of no more than MaxSize for reading. A pipe, say, would hold up the reader
// for ever.
func openFile(p string) (*os.File, error) {
	info, err := os.Stat(p)
	if err != nil {
		return nil, safefile.Fault("open result", p, err)
	}
	if !info.Mode().IsRegular() {
		return nil, &platform.OpError{Op: "open result", Object: p, Err: ErrDamaged}
	}
	if err := tooBig(p, info); err != nil {
		return nil, err
	}
	f, err := os.Open(p)
	return f, safefile.Fault("open result", p, err)
}

// Import reads a result that Encode wrote and saves it. One that is here already, with the same ID, is
// left as it is; added says whether it was new.
func (s *Store) Import(from io.Reader) (r bench.Result, added bool, err error) {
	r, err = Decode(from)
	if err != nil {
		return r, false, err
	}
	return s.Add(r)
}

// Add saves a result that is not here yet. One of the same ID is left as it is and given back; added says
// whether there was none.
func (s *Store) Add(r bench.Result) (kept bench.Result, added bool, err error) {
	p, err := path(s.results, r.ID, ".json")
	if err != nil {
		return r, false, err
	}
	if _, err := os.Stat(p); err == nil {
		old, err := s.Load(r.ID)
		return old, false, err
	} else if !errors.Is(err, fs.ErrNotExist) {
		return r, false, safefile.Fault("open result", p, err)
	}
	return r, true, s.Save(r)
}

// Delete moves a result to the trash, whatever is in the file.
func (s *Store) Delete(id string) error {
	if err := os.MkdirAll(s.trash, 0o755); err != nil {
		return safefile.Fault("make folder", s.trash, err)
	}
	if err := s.move(id, s.results, s.trash, "delete result"); err != nil {
		return err
	}
	p, err := path(s.trash, id, ".json")
	if err != nil {
		return err
	}
	now := time.Now() // from here on TrashDays count
	err = os.Chtimes(p, now, now)
	if errors.Is(err, fs.ErrNotExist) { // a link that leads nowhere: its own age counts
		return nil
	}
	return safefile.Fault("delete result", p, err)
}

// Restore undoes Delete.
func (s *Store) Restore(id string) error {
	return s.move(id, s.trash, s.results, "restore result")
}

func (s *Store) move(id, from, to, op string) error {
	src, err := path(from, id, ".json")
	if err != nil {
		return err
	}
	dst, err := path(to, id, ".json")
	if err != nil {
		return err
	}
	if err := os.Rename(src, dst); err != nil {
		return safefile.Fault(op, src, err)
	}
	return safefile.SyncFolder(to)
}

// Tidy removes for good what lies in the trash for more than TrashDays, and temporary files of a day
// ago and more. Folders that are not there yet are tidy.
func (s *Store) Tidy(now time.Time) error {
	const day = 24 * time.Hour
	return errors.Join(
		sweep(s.trash, "*.json", now.Add(-TrashDays*day)),
		sweep(s.results, safefile.TempPattern, now.Add(-day)),
		sweep(s.journals, safefile.TempPattern, now.Add(-day)),
	)
}

// sweep removes the files of a folder that match a pattern and are older than before.
func sweep(dir, pattern string, before time.Time) error {
	names, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return safefile.Fault("tidy", dir, err)
	}
	var faults []error
	for _, n := range names {
		match, err := filepath.Match(pattern, n.Name())
		if !match || err != nil {
			faults = append(faults, err)
			continue
		}
		info, err := n.Info()
		if err == nil && info.ModTime().Before(before) {
			err = os.Remove(filepath.Join(dir, n.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // someone else was faster
			faults = append(faults, safefile.Fault("tidy", filepath.Join(dir, n.Name()), err))
		}
	}
	return errors.Join(faults...)
}
