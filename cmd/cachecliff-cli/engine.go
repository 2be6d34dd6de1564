package main

import (
	"errors"
	"slices"
	"strings"
	"syscall"

	"cachecliff/app/words"
	"cachecliff/platform"
)

// engines are those that --engine can name on a system, the best first.
var engines = map[words.System][]platform.Engine{
	words.Linux:   {platform.EngineURing, platform.EngineAIO, platform.EngineThreads},
	words.Windows: {platform.EngineIOCP},
}

// engineNames lists the engines of this system, but for some: "io_uring, libaio or threads".
func engineNames(without ...platform.Engine) string {
	var names []string
	for _, e := range engines[english.System()] {
		if !slices.Contains(without, e) {
			names = append(names, string(e))
		}
	}
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func (o *runOptions) setEngine(v string) error {
	if !slices.Contains(engines[english.System()], platform.Engine(v)) {
		return errors.New(engineNames() + " on this system")
	}
	o.engine = platform.Engine(v)
	return nil
}

// engineFault says why an engine that was named does not work, and what to take instead.
func engineFault(e platform.Engine, err error) error {
	instead := "leave the option out to take the best that works"
	if others := engineNames(e); others != "" {
		instead = "take " + others + ", or " + instead
	}
	return failf("--engine %s does not work here: %s; %s.", e, engineWhy(e, err), instead)
}

// engineWhy is why an engine does not work. The error may come from the process that measures, of which only the
// system's text is left.
func engineWhy(e platform.Engine, err error) string {
	var op *platform.OpError
	if !errors.As(err, &op) || op.Err == nil {
		return "this system does not have it"
	}
	why := strings.TrimPrefix(systemWords(op.Err), string(e)+": ")
	switch forbidden := why == syscall.EPERM.Error() || why == syscall.EACCES.Error(); {
	case forbidden && e == platform.EngineURing: // it alone can be switched off
		return english.T("cli.engine-off")
	case forbidden:
		return "the system forbids it, as a container may"
	case why == syscall.EAGAIN.Error() && e == platform.EngineAIO:
		return "the system's limit for it is reached (fs.aio-max-nr)"
	case why == syscall.ENOSYS.Error():
		return "this system does not have it"
	}
	return strings.ReplaceAll(why, "\n", ", ")
}
