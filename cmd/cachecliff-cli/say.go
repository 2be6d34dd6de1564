package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"cachecliff/app"
	"cachecliff/app/explain"
	"cachecliff/app/safefile"
	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

// english are the words of this program: what scripts read does not change with the user's language.
var english = words.New(words.English)

// answer is an error that is a whole sentence already, since it is made right where the user is answered.
type answer struct {
	sentence string
	status   int // exit status
}

func (a *answer) Error() string { return a.sentence }

// usagef says what is wrong with the command line.
func usagef(text string, args ...any) error { return &answer{fmt.Sprintf(text, args...), exitUsage} }

// failf says what went wrong with a command line that is right.
func failf(text string, args ...any) error { return &answer{fmt.Sprintf(text, args...), exitFailed} }

// lostf says that a result could be neither saved nor kept in the journal of its run.
func lostf(save error) error {
	title := explain.Error(english, save).Title
	return failf("%s. The journal of the run is not complete either, so keep what is printed here: nothing else is left of it.", title)
}

// status is the exit status that an error stands for.
func status(err error) int {
	var a *answer
	var spec *bench.SpecError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &a):
		return a.status
	case errors.Is(err, store.ErrDamaged): // the plan in it may be wrong, the command line is not
		return exitFailed
	case errors.As(err, &spec):
		return exitUsage
	}
	return exitFailed
}

// outputError says that standard output could not be written.
type outputError struct{ err error }

func (e *outputError) Error() string { return fmt.Sprintf("write standard output: %v", e.err) }
func (e *outputError) Unwrap() error { return e.err }

// say is the sentence for it: what to do depends on what is wrong with the output.
func (e *outputError) say() string {
	fault := safefile.Fault("write", "standard output", e.err)
	why := systemWords(e.err)
	switch {
	case errors.Is(fault, platform.ErrNoSpace), errors.Is(fault, platform.ErrQuota):
		return fmt.Sprintf("Standard output cannot be written: %s. Free some space, or send it elsewhere.", why)
	case errors.Is(e.err, syscall.EBADF), errors.Is(e.err, os.ErrInvalid):
		return "Standard output is closed; send it to a file or a program."
	}
	return fmt.Sprintf("Standard output cannot be written: %s. Send it elsewhere.", why)
}

// sentence is an error as the user reads it: in one line, the thing and the way out.
func sentence(err error) string {
	var a *answer
	if errors.As(err, &a) {
		return a.sentence
	}
	var out *outputError
	if errors.As(err, &out) {
		return out.say()
	}
	m := explain.Error(english, err)
	// Here the ways out are options and calls, not buttons.
	var save *app.SaveError
	switch {
	case errors.Is(err, platform.ErrNoDirectIO):
		m.Advice = "Choose a folder on another file system, or measure the system's cache on purpose with --buffered."
	case errors.As(err, &save):
		m.Advice = "Put that right: the next call of " + program + " saves it from the journal of the run."
	}
	text := m.String()
	if m.Title == english.T("error.unknown.title") {
		text += " (" + m.Detail + ")" // the details that it speaks of
	}
	return strings.Join(strings.Fields(text), " ")
}
