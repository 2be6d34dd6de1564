package main

import (
	"errors"
	"fmt"

	"cachecliff/bench"
)

// usageError says in one sentence what is wrong with the command line.
type usageError struct{ sentence string }

func (e *usageError) Error() string { return e.sentence }

// usagef makes a usageError. Unlike other errors it is a whole sentence, since it is made right where
// the user is answered.
func usagef(text string, args ...any) error { return &usageError{fmt.Sprintf(text, args...)} }

// isUsage says whether the command line is to blame.
func isUsage(err error) bool {
	var usage *usageError
	var spec *bench.SpecError
	return errors.As(err, &usage) || errors.As(err, &spec)
}

// outputError says that standard output could not be written.
type outputError struct{ err error }

func (e *outputError) Error() string { return fmt.Sprintf("write standard output: %v", e.err) }
func (e *outputError) Unwrap() error { return e.err }

// sentence is an error as the user reads it.
func sentence(err error) string { return err.Error() }
