package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"cachecliff/app"
	"cachecliff/app/recording"
	"cachecliff/app/reference"
	"cachecliff/app/settings"
	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/assets"
	"cachecliff/bench"
	"cachecliff/bench/worker"
	"cachecliff/platform"
	"cachecliff/platform/host"
	"cachecliff/ui"
)

// id names the program to the desktop.
const id = "io.github.cachecliff.Cachecliff"

// open joins everything and shows the window until it is closed.
func open(h *host.Host, o options, getenv func(string) string, errs io.Writer) (err error) {
	folders, err := foldersOf(h, o.data)
	if err != nil {
		return err
	}
	exe, err := host.Program()
	if err != nil {
		return fmt.Errorf("find this program, which measures in a process of its own: %w", err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // the window then asks for a folder
	}
	results := store.New(folders.Data, h)
	results.FindDrives(func(folder string) []platform.Drive {
		t, err := h.Resolve(context.Background(), folder)
		if err != nil {
			return nil // then the journal is not flushed: a power cut costs half a minute instead of a second
		}
		return t.Drives
	})
	crash, end := crashes(filepath.Join(folders.Data, "faults"), errs)
	defer end()
	fyneapp.SetMetadata(fyne.AppMetadata{
		ID: id, Name: "Cachecliff", Version: version, Migrations: map[string]bool{"fyneDo": true},
	})
	start := begin(errs)
	defer func() {
		if e := start.caught(recover()); e != nil {
			err = e
		}
	}()
	a := fyneapp.NewWithID(id)
	a.Lifecycle().SetOnStarted(func() { start.end(a) })
	a.SetIcon(fyne.NewStaticResource("icon.png", assets.Icon()))
	runner := bench.Runner{Host: h, Measurer: worker.Process{Exe: exe, Setup: host.Apart, Started: host.Tie, Why: host.WhyNot}, App: bench.App{Version: version},
		Recent: func(drives []platform.Drive) []bench.Written { return results.Recent(drives, time.Now()) }}
	w := ui.Open(ui.Deps{
		App: a, Host: h, Results: results, References: reference.New(folders.Data), Memory: settings.New(folders.Config),
		Runs: app.NewSession(func(ctx context.Context, p bench.Plan, order app.Order, sink func(bench.Event)) (bench.Result, error) {
			r := runner
			r.Comment, r.Gate = order.Comment, order.Gate
			return r.Run(ctx, p, sink)
		}, results),
		Watcher: recording.NewWatcher(h, version, filepath.Join(folders.Data, "monitor")),
		Home:    home, Pictures: folders.Pictures, Version: version, Crash: crash,
		Language: o.lang, Theme: settings.Theme(o.theme), Target: o.target, System: words.Detect(getenv, host.Language()),
	})
	if o.layout != "" {
		w.PrintLayout(o.layout)
	}
	w.Run()
	return start.result()
}

// foldersOf is where the program keeps its files: the system's places, or all in one folder.
func foldersOf(h *host.Host, data string) (platform.Folders, error) {
	if data == "" {
		return h.Folders()
	}
	data, err := filepath.Abs(data)
	if err != nil {
		return platform.Folders{}, fmt.Errorf("find the folder %s: %w", data, err)
	}
	return platform.Folders{Data: data, Config: data, Pictures: filepath.Join(data, "pictures")}, nil
}
