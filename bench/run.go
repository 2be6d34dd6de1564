package bench

import (
	"context"

	"cachecliff/platform"
)

// Runner is what Run needs beside the plan.
type Runner struct {
	Host     platform.Host
	Measurer Measurer
	App      App
	Comment  string
}

// Run runs a plan and tells sink everything that happens, in order, from this goroutine. It returns when
// nothing of the run is left: no goroutine, no process, no test file. Cancelling ctx ends the run within
// a second with ReasonStopped and no error. An error is also in the Result, which holds what was
// measured until then. The sink must return at once.
func (r Runner) Run(ctx context.Context, plan Plan, sink func(Event)) (Result, error) {
	var res Result
	return res, nil
}

var _ platform.Host
