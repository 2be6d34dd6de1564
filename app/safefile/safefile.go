// Package safefile replaces a small file as a whole: after a crash or a power cut there is the old
// file or the new one, never half of one. It knows nothing of what is in the file.
package safefile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cachecliff/platform"
)

// TempPattern matches the names of files that Write was writing when the computer died.
const TempPattern = ".*.tmp"

// Write replaces the file at path, making its folder if need be: it writes a temporary file beside it,
// flushes that to the disk, renames it and flushes the folder. The file gets the permissions perm,
// less what the user's mask takes away. The error is a platform.OpError.
func Write(path string, data []byte, perm fs.FileMode) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Fault("make folder", dir, err)
	}
	name := filepath.Join(dir, "."+filepath.Base(path)+"-"+rand.Text()+".tmp")
	tmp, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
	if err != nil {
		return Fault("write to folder", dir, err)
	}
	err = fill(tmp, data)
	if err == nil {
		err = rename(tmp.Name(), path)
	}
	if err != nil {
		// What is left of the temporary file is of no use to anyone; the first error is what counts.
		return Fault("write", path, errors.Join(err, remove(tmp.Name())))
	}
	return SyncFolder(dir)
}

// WriteOver is Write, but takes the space that the file room holds in the same folder, which becomes the
// file at path. Without a room it is Write; if it fails the room is still there, if perhaps smaller.
func WriteOver(room, path string, data []byte, perm fs.FileMode) error {
	f, err := os.OpenFile(room, os.O_WRONLY, 0)
	if err != nil { // Write says what is wrong with the folder, if that is why
		return Write(path, data, perm)
	}
	err = over(f, data)
	if err != nil { // a file system that never writes in place wants the space back first
		err = f.Truncate(0)
		if err == nil {
			err = over(f, data)
		}
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = rename(room, path)
	}
	if err != nil {
		return Fault("write", path, err)
	}
	return SyncFolder(filepath.Dir(path))
}

// over makes data the content of a file, and flushes it.
func over(f *os.File, data []byte) error {
	_, err := f.WriteAt(data, 0)
	if err == nil {
		err = f.Truncate(int64(len(data)))
	}
	if err == nil {
		err = f.Sync()
	}
	return err
}

// Permissions for Write.
const (
	Private = fs.FileMode(0o600) // results and settings: they may name a drive's serial number
	Shared  = fs.FileMode(0o666) // pictures and exports, made to be handed on
)

// fill writes, flushes and closes a file.
func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// renamePatience is how long a file may be in the hands of another program.
const renamePatience = time.Second

// rename replaces a file by another. On Windows a program that looks into new files, such as a virus
// scanner, keeps them from being renamed for a moment.
func rename(from, to string) error {
	var waited time.Duration
	for pause := time.Millisecond; ; pause *= 2 {
		err := os.Rename(from, to)
		if err == nil || !held(err) || waited >= renamePatience {
			return err
		}
		time.Sleep(pause)
		waited += pause
	}
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncFolder makes the names in a folder durable. Windows opens no folder for that and refuses with
// "access denied"; its file systems keep names by themselves.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err == nil {
		err = errors.Join(d.Sync(), d.Close())
	}
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return Fault("flush folder", dir, err)
	}
	return nil
}

// Fault is an error of package os as a platform.OpError; nil for nil.
func Fault(op, object string, err error) error {
	if err == nil {
		return nil
	}
	e := &platform.OpError{Op: op, Object: object, Err: bare(err)}
	switch {
	case errors.Is(err, fs.ErrPermission):
		e.Reason = platform.ErrPermission
	case errors.Is(err, fs.ErrNotExist):
		e.Reason = platform.ErrNotExist
	default:
		e.Reason = reasonOf(err)
	}
	return e
}

// bare takes the path off an error of package os, since the OpError names it already.
func bare(err error) error {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err
	}
	return err
}
