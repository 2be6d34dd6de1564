package recording

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"cachecliff/bench/monitor"
	"cachecliff/platform"
)

// Beside is where the log of a run lies in the folder of its result.
func Beside(folder, id string) string { return filepath.Join(folder, id+"-log"+Extension) }

// Log records drives and processors in a file from now on, each drive once, until stop is called, which waits for the
// end. A log that could not be kept is told by stop; it disturbs nothing. Header.Drives are those that are watched.
func Log(host platform.Host, h Header, name string) (stop func() error, err error) {
	drives := h.Drives
	h.Drives = nil
	for _, d := range drives {
		if !slices.ContainsFunc(h.Drives, func(o platform.Drive) bool { return o.Name == d.Name }) {
			h.Drives = append(h.Drives, d)
		}
	}
	if len(h.Drives) == 0 {
		return nil, &platform.OpError{Op: "watch", Object: "drives", Reason: platform.ErrNotExist}
	}
	file, err := Create(name, h)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var fault error
	var last time.Duration
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := monitor.Run(ctx, host, monitor.Config{Drives: h.Drives, Period: h.Period}, func(s monitor.Sample) {
			if last = s.At; fault == nil {
				fault = file.Add(s)
			}
		})
		fault = errors.Join(fault, err, file.Close(End{At: last, Reason: ReasonOf(err)}))
	}()
	var once sync.Once
	return func() error {
		once.Do(cancel)
		<-done
		return fault
	}, nil
}
