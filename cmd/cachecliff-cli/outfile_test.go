package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOutFault gives --out what cannot be written: each cause has a sentence of its own.
func TestOutFault(t *testing.T) {
	dir := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	if err := os.WriteFile(at("file"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a", 300)
	for _, c := range []struct {
		name string
		err  error // what the system is made to say; nil for what it says
		want string
	}{
		{dir, nil, dir + " is a folder; name a file in it, such as --out " + at("run.txt") + "."},
		{dir + string(filepath.Separator), nil, dir + string(filepath.Separator) + " is a folder; name a file in it, such as --out " + at("run.txt") + "."},
		{at("no", "x.csv"), nil, "The folder " + at("no") + " does not exist; make it first, or name another file with --out."},
		{at("file", "x.csv"), nil, at("file") + " is a file and not a folder, so nothing can stand in it; name another file with --out."},
		{at("file", "deep", "x.csv"), nil, at("file") + " is a file and not a folder, so nothing can stand in it; name another file with --out."},
		{at("x"), &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, "You may not write " + at("x") + "; name another file with --out."},
		{at("x"), syscall.ENOSPC, "No space left on " + at("x") + ". Free some space, or name another file with --out."},
		{at("x"), syscall.EROFS, at("x") + " is read-only; name another file with --out."},
		{at("x"), &fs.PathError{Op: "open", Path: "x", Err: errors.New("It rains.")}, at("x") + " cannot be written: It rains. Check the name, or name another file with --out."},
		{at(long), nil, ""}, // in the words of the system
	} {
		var err error
		if c.err != nil {
			err = outFault(c.name, c.err)
		} else {
			err = writeFile(c.name, []byte("new"))
		}
		if err == nil || c.want != "" && err.Error() != c.want || status(err) != exitFailed {
			t.Errorf("%s, %v: %v, want %q", c.name, c.err, err, c.want)
		}
		if full := errors.Is(c.err, syscall.ENOSPC); err != nil && strings.Contains(err.Error(), "Free some space") != full {
			t.Errorf("%v: advice for a full drive: %v", c.err, err)
		}
	}
	if b, err := os.ReadFile(at("file")); err != nil || string(b) != "old" {
		t.Errorf("%q, %v: a file that stood there was touched", b, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// What the system says of the output is free of Go's name for it, and ends with one period. Only a full drive is
// told to be emptied.
func TestOutputFault(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("It rains."), "Standard output cannot be written: It rains. Send it elsewhere."},
		{syscall.ENOSPC, "Standard output cannot be written: " + syscall.ENOSPC.Error() + ". Free some space, or send it elsewhere."},
		{syscall.EIO, "Standard output cannot be written: " + syscall.EIO.Error() + ". Send it elsewhere."},
		{syscall.EBADF, "Standard output is closed; send it to a file or a program."},
		{os.ErrInvalid, "Standard output is closed; send it to a file or a program."},
	} {
		if got := sentence(&outputError{&fs.PathError{Op: "write", Path: "/dev/stdout", Err: c.err}}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
