// Package worker measures in a process of its own: the same program started again with a hidden first
// argument. In the window's process the garbage collector and the painting would halve the I/Os per
// second of a fast drive and multiply its tail latency.
//
// The parent writes the Job as one line of JSON to the child's standard input and keeps it open; its
// end tells the child to stop, also when the parent dies. The child answers with one line of JSON per
// sample and one for the measurement.
package worker

import "cachecliff/bench"

// Arg is the first argument that turns a program into the measuring process. A main function looks for it
// before anything else and calls Main.
const Arg = "measure-step"

// message is one line from the child: exactly one field is set.
type message struct {
	Sample *bench.Sample      `json:"sample,omitempty"`
	Done   *bench.Measurement `json:"done,omitempty"` // its Failure says whether the step failed
}
