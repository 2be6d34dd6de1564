// Package ui is the window: the frame with its rail, its bar and its rooms, and the controller that
// answers what the user does. It measures nothing and keeps nothing: runs are app.Session's, results
// are the store's.
//
// There is one State. Whatever happens changes the state on the UI goroutine, and frame.Show makes the
// widgets agree with it. A picture of the window is a second frame that shows the same state on a canvas
// in memory.
package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"cachecliff/app"
	"cachecliff/app/recording"
	"cachecliff/app/settings"
	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/compare"
	"cachecliff/ui/drive"
	"cachecliff/ui/facts"
	"cachecliff/ui/monitor"
	"cachecliff/ui/results"
	"cachecliff/ui/run"
	"cachecliff/ui/tests"
)

// Room is a page of the window.
type Room int

// The rooms, in the order of the rail.
const (
	Benchmark Room = iota
	Tests
	Monitor
	Drive
	Results
)

// State is all that the window shows.
type State struct {
	Room    Room
	Run     run.State
	Tests   tests.State
	Monitor monitor.State
	Drive   drive.State
	Results results.State
	Compare compare.State    // in place of the results, if it is on
	Target  *platform.Target // nil while none is known
	Now     facts.Now        // of the target's first drive
	Looking bool             // targets are being looked for
}

// Runs is what the window needs of app.Session.
type Runs interface {
	Start(plan bench.Plan, comment string) error
	Cancel()
	Hold(held bool)
	View() app.View
	Changed() <-chan struct{}
	Wait()
	SetComment(comment string)
	Save() error
	Discard()
	Forget(id string)
}

// Library is what the window needs of the store of results.
type Library interface {
	List() ([]store.Entry, error)
	Load(id string) (bench.Result, error)
	Delete(id string) error
	Restore(id string) error
	// Recover saves what is left of runs that were broken off, and says which.
	Recover() ([]string, error)
	// Tidy removes for good what was deleted long ago.
	Tidy(now time.Time) error
}

// Watcher is what the window needs of recording.Watcher.
type Watcher interface {
	Drives(ctx context.Context) ([]platform.Drive, error)
	Start(ctx context.Context, drives []platform.Drive, period time.Duration) error
	Stop()
	Close()
	View() recording.View
	Trend(recent bool) *recording.Trend
	WriteTable(name string) error
}

// Memory remembers the user's choices.
type Memory interface {
	Load() (settings.Settings, error)
	Save(settings.Settings) error
}

// Host is what the window needs of the operating system.
type Host interface {
	Targets(ctx context.Context) ([]platform.Target, error)
	Resolve(ctx context.Context, path string) (platform.Target, error)
	Sensors(ctx context.Context, d platform.Drive) (platform.Sensors, error)
	Health(ctx context.Context, d platform.Drive) (platform.Health, error)
	System(ctx context.Context) (platform.System, error)
	Leftovers(t platform.Target) ([]string, error)
}

// Deps is everything that the window works with.
type Deps struct {
	App        fyne.App
	Host       Host
	Runs       Runs
	Watcher    Watcher
	Results    Library
	References References
	Memory     Memory
	Home       string // the folder to test if none is remembered
	Pictures   string // where pictures and exports go
	Version    string
	Crash      string // file with what the program said when it ended by a fault of its own; empty if it did not

	Language string         // overrides the remembered one; empty does not
	Theme    settings.Theme // overrides the remembered one; empty does not
	Target   string         // overrides the remembered one; empty does not
	System   string         // language of the system, for who has not chosen one

	// Go runs work off the UI goroutine; nil is a new goroutine. Tests run it at once.
	Go func(func())
}

// patience is how long the system may take to answer about targets and drives.
const patience = 5 * time.Second

// The smallest window, in device-independent pixels.
const (
	MinWidth  = 800
	MinHeight = 600
)
