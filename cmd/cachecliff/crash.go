package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// A program of Windows without a console has nowhere to say why it ends by a fault of its own, and one that
// was started from a menu says it to nobody. So what Go then writes goes to a file as well, and the next start
// tells of it.

// The names of the files: one a process while it runs, empty unless it ended by a fault, and one a fault that
// was told of.
const (
	running     = "running-"
	runningName = running + "%d.txt"
	crashName   = "crash-%s.txt"
)

// crashes finds the fault that the last start ended by, and has those of this one written down. What hinders
// it is said on errs: the window can do without.
func crashes(folder string, errs io.Writer) (last string, end func()) {
	last, err := lastCrash(folder)
	if err != nil {
		fmt.Fprintln(errs, "cachecliff:", err)
	}
	done, err := catchCrash(folder)
	if err != nil {
		fmt.Fprintln(errs, "cachecliff:", err)
		return last, func() {}
	}
	return last, func() {
		if err := done(); err != nil {
			fmt.Fprintln(errs, "cachecliff: end the reports of faults:", err)
		}
	}
}

// catchCrash has what is said of a fault written to a file in a folder. End is to be called when the program
// ends in order.
func catchCrash(folder string) (end func() error, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for reports of faults: %w", err)
	}
	name := filepath.Join(folder, fmt.Sprintf(runningName, os.Getpid()))
	f, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make the file for reports of faults: %w", err)
	}
	err = errors.Join(debug.SetCrashOutput(f, debug.CrashOptions{}), f.Close()) // it has a handle of its own
	if err != nil {
		return nil, fmt.Errorf("have faults written to %s: %w", name, err)
	}
	return func() error { return errors.Join(debug.SetCrashOutput(nil, debug.CrashOptions{}), os.Remove(name)) }, nil
}

// lastCrash gives the file of the newest fault that was not told of yet, and notes that all are told of now.
// It is empty if there is none.
func lastCrash(folder string) (string, error) {
	found, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("look for reports of faults: %w", err)
	}
	newest, when := "", ""
	for _, f := range found {
		if !strings.HasPrefix(f.Name(), running) {
			continue
		}
		info, err := f.Info()
		if errors.Is(err, os.ErrNotExist) {
			continue // that one has just ended in order
		}
		if err != nil {
			return "", fmt.Errorf("look for reports of faults: %w", err)
		}
		if info.Size() == 0 {
			continue // of one that runs, or was killed
		}
		at := info.ModTime().Format("2006-01-02T15-04-05.000")
		told := filepath.Join(folder, fmt.Sprintf(crashName, at))
		if err := os.Rename(filepath.Join(folder, f.Name()), told); err != nil {
			return "", fmt.Errorf("keep a report of a fault: %w", err)
		}
		if at >= when {
			newest, when = told, at
		}
	}
	return newest, nil
}
