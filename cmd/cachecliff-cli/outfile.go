package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cachecliff/app/explain"
	"cachecliff/app/safefile"
	"cachecliff/platform"
)

// writeFile writes a file as a shell would: a link is followed, a device is written to. What could not be
// written in full does not stay, unless something stood there before. The error is an answer, or that nobody reads.
func writeFile(name string, data []byte) error {
	_, before := os.Lstat(name)
	err := os.WriteFile(name, data, 0o644)
	if err != nil && errors.Is(before, fs.ErrNotExist) {
		if e := os.Remove(name); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	if err == nil || nobodyReads(err) {
		return err
	}
	return outFault(name, err)
}

// outFault says why the file of --out could not be written, and what to give instead. What stands in the way is
// looked up where the system has one answer for several causes, and Windows others than Linux.
func outFault(name string, err error) error {
	const other = "name another file with --out."
	if info, e := os.Stat(name); e == nil && info.IsDir() {
		return failf("%s is a folder; name a file in it, such as --out %s.", name, filepath.Join(name, "run.txt"))
	}
	folder := filepath.Dir(name)
	if file := fileOnTheWay(folder); file != "" {
		return failf("%s is a file and not a folder, so nothing can stand in it; %s", file, other)
	}
	if _, e := os.Stat(folder); errors.Is(e, fs.ErrNotExist) {
		return failf("The folder %s does not exist; make it first, or %s", folder, other)
	}
	fault := safefile.Fault("write", name, err)
	title := explain.Error(english, fault).Title
	switch {
	case errors.Is(fault, platform.ErrPermission):
		return failf("You may not write %s; %s", name, other)
	case errors.Is(fault, platform.ErrNoSpace), errors.Is(fault, platform.ErrQuota):
		return failf("%s. Free some space, or %s", title, other)
	case errors.Is(fault, platform.ErrNotExist) || reasonless(fault):
		return failf("%s cannot be written: %s. Check the name, or %s", name, systemWords(err), other)
	}
	return failf("%s; %s", title, other)
}

// fileOnTheWay is the part of a folder's path that is no folder but a file; empty if there is none.
func fileOnTheWay(folder string) string {
	for {
		info, err := os.Stat(folder)
		if err == nil && !info.IsDir() {
			return folder
		}
		up := filepath.Dir(folder)
		if err == nil || up == folder {
			return ""
		}
		folder = up
	}
}

// reasonless says whether an error has no reason that the program knows.
func reasonless(err error) bool {
	var op *platform.OpError
	return errors.As(err, &op) && op.Reason == nil
}

// systemWords are what the system said, without the name of the file that Go puts before them and without the period
// that Windows ends its sentences with.
func systemWords(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return strings.TrimRight(err.Error(), ". ")
}
