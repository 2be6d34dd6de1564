package ui

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"cachecliff/app/recording"
	"cachecliff/app/safefile"
	"cachecliff/ui/part"
)

// watchPause is the time between two frames of the live table: a few a second, however often drives are read.
const watchPause = 250 * time.Millisecond

// readyMonitor sets what the Monitor page shows before anything was watched.
func (w *Window) readyMonitor() {
	s := &w.state.Monitor
	s.Period, s.Trend = recording.Periods()[0], w.Watcher.Trend
}

// findDrives looks which drives can be watched.
func (w *Window) findDrives() {
	s := &w.state.Monitor
	if s.View.Running || s.Busy || s.Looking {
		return
	}
	s.Looking = true
	w.withPatience(func(ctx context.Context) func() {
		drives, err := w.Watcher.Drives(ctx)
		return func() {
			s.Looking, s.Fault = false, ""
			if err != nil {
				s.Fault = w.sentence(err)
			} else {
				s.Drives = drives
				w.chooseFirst()
			}
			w.show()
		}
	})
}

// chooseFirst chooses the drives of the target if none is chosen, or else the first of all.
func (w *Window) chooseFirst() {
	s := &w.state.Monitor
	if len(s.Drives) == 0 || len(s.Watched()) > 0 {
		return
	}
	if t := w.state.Target; t != nil {
		for _, d := range t.Drives {
			s.Chosen = append(s.Chosen, d.Key)
		}
	}
	if len(s.Watched()) == 0 {
		s.Chosen = []string{s.Drives[0].Key}
	}
}

// ChooseDrive implements monitor.Actions.
func (w *Window) ChooseDrive(key string, on bool) {
	s := &w.state.Monitor
	s.Chosen = slices.DeleteFunc(slices.Clone(s.Chosen), func(k string) bool { return k == key })
	if on {
		s.Chosen = append(s.Chosen, key)
	}
	w.show()
}

// SetPeriod implements monitor.Actions.
func (w *Window) SetPeriod(d time.Duration) {
	w.state.Monitor.Period = d
	w.show()
}

// SetRecent implements monitor.Actions.
func (w *Window) SetRecent(on bool) {
	w.state.Monitor.Recent = on
	w.show()
}

// StartWatch implements monitor.Actions.
func (w *Window) StartWatch() {
	s := &w.state.Monitor
	drives, period := s.Watched(), s.Period
	if s.Busy || s.View.Running || len(drives) == 0 {
		return
	}
	w.hush()
	s.Busy = true
	w.withPatience(func(ctx context.Context) func() {
		err := w.Watcher.Start(ctx, drives, period)
		return func() {
			s.Busy = false
			if err != nil {
				w.sayError(Monitor, part.Bad, err)
			}
			w.showWatch(w.Watcher.View())
			select {
			case w.watched <- struct{}{}:
			default: // it will look anyway
			}
		}
	})
	w.show()
}

// StopWatch implements monitor.Actions.
func (w *Window) StopWatch() {
	w.Watcher.Stop()
	w.showWatch(w.Watcher.View())
}

// pumpMonitor hands views of recordings to the window, until ctx ends. Frames may be left out, the last of a
// recording never is.
func (w *Window) pumpMonitor(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.watched:
		}
		for running := true; running; {
			v := w.Watcher.View()
			running = v.Running
			shown := make(chan struct{})
			fyne.Do(func() {
				defer close(shown)
				w.showWatch(v)
			})
			select { // a busy window gets no queue of frames
			case <-shown:
			case <-ctx.Done():
				return
			}
			select {
			case <-time.After(watchPause):
			case <-ctx.Done():
				return
			}
		}
	}
}

// showWatch takes a new view of the recording.
func (w *Window) showWatch(v recording.View) {
	w.state.Monitor.View = v
	w.wordWatch()
	if w.state.Room == Monitor {
		w.show()
	}
}

// wordWatch puts into words what went wrong with the recording.
func (w *Window) wordWatch() {
	s := &w.state.Monitor
	s.Ended, s.Lost = "", ""
	if v := &s.View; v.Err != nil && !v.Running {
		s.Ended = w.sentence(v.Err)
	}
	if s.View.FileErr != nil {
		s.Lost = w.sentence(s.View.FileErr)
	}
}

// SaveTable implements monitor.Actions.
func (w *Window) SaveTable() { w.saveWatch(".csv", w.Watcher.WriteTable) }

// SaveGraph implements monitor.Actions.
func (w *Window) SaveGraph() {
	s := w.state.Monitor
	look := recording.Look{Words: s.Words, Locale: s.Locale, Dark: part.Dark(), Recent: s.Recent, Zone: time.Local}
	w.saveWatch(".png", func(name string) error {
		data, err := w.Watcher.Trend(s.Recent).Picture(look)
		if err != nil {
			return err
		}
		return safefile.Write(name, data, safefile.Shared)
	})
}

// saveWatch saves something of the recording in the folder of pictures.
func (w *Window) saveWatch(ext string, write func(name string) error) {
	s := &w.state.Monitor
	if s.Saving || s.View.Samples == 0 {
		return
	}
	w.hush()
	s.Saving = true
	name := filepath.Join(w.Pictures, "cachecliff-monitor-"+s.View.Header.Started.Local().Format("20060102-150405")+ext)
	w.Go(func() {
		path, err := freeName(name)
		if err == nil {
			err = write(path)
		}
		fyne.Do(func() {
			s.Saving = false
			if err != nil {
				w.sayError(Monitor, part.Bad, err)
			} else {
				w.sayMessage(Monitor, part.Plain, "monitor.saved", "Path", path)
			}
			w.show()
		})
	})
	w.show()
}

// saveRoom saves a picture of the room that is open.
func (w *Window) saveRoom() {
	if w.state.Room == Monitor {
		w.SaveGraph()
		return
	}
	w.SavePicture()
}

// watchable keeps the interface of the window and the watcher together.
var _ Watcher = (*recording.Watcher)(nil)
