package ui

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cachecliff/app/recording"
	"cachecliff/app/words"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// fakeWatcher has drives and records nothing.
type fakeWatcher struct {
	drives  []platform.Drive
	err     error // of Drives and Start
	started []time.Duration
	on      []platform.Drive // of the last Start
	stopped int
	view    recording.View
	trend   *recording.Trend
	tables  []string
}

func (w *fakeWatcher) Drives(context.Context) ([]platform.Drive, error) { return w.drives, w.err }

func (w *fakeWatcher) Start(_ context.Context, drives []platform.Drive, period time.Duration) error {
	if w.err != nil {
		return w.err
	}
	w.started, w.on = append(w.started, period), drives
	h := recording.Header{Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Period: period, Drives: drives}
	w.view, w.trend = recording.View{Running: true, Header: h}, recording.NewTrend(h)
	return nil
}

func (w *fakeWatcher) Stop()                       { w.stopped++; w.view.Running = false }
func (w *fakeWatcher) Close()                      {}
func (w *fakeWatcher) View() recording.View        { return w.view }
func (w *fakeWatcher) Trend(bool) *recording.Trend { return w.trend }
func (w *fakeWatcher) WriteTable(name string) error {
	err := os.WriteFile(name, []byte("time\r\n"), 0o600)
	if err == nil {
		w.tables = append(w.tables, name)
	}
	return err
}

// twoDrives are the target's and a stick.
func twoDrives() []platform.Drive {
	return append(goodTarget().Drives, platform.Drive{Key: "k2", Name: "sda", Model: "Stick"})
}

// now is a view of both of them.
func (w *fakeWatcher) now(samples int) recording.View {
	v := w.view
	v.Samples, v.Length = samples, time.Duration(samples)*time.Second
	milli := int32(41_300)
	v.Drives = []recording.DriveNow{{Drive: twoDrives()[0], MilliC: &milli}, {Drive: twoDrives()[1]}}
	for i := range recording.Headings() {
		v.Drives[0].Values = append(v.Drives[0].Values, float64(i)+1234.9)
		v.Drives[1].Values = append(v.Drives[1].Values, float64(i)/4)
	}
	for i := range recording.CPUHeadings() {
		v.CPU = append(v.CPU, float64(i)*10)
	}
	return v
}

// watching is a window on the page with both drives being watched.
func watching(t *testing.T, change func(*Deps, *bed)) *bed {
	t.Helper()
	b := open(t, func(d *Deps, b *bed) {
		b.watcher.drives = twoDrives()
		if change != nil {
			change(d, b)
		}
	})
	b.OpenRoom(Monitor)
	b.ChooseDrive("k2", true)
	b.StartWatch()
	b.watcher.view = b.watcher.now(12)
	b.showWatch(b.watcher.view)
	return b
}

func TestMonitorBegins(t *testing.T) {
	b := open(t, func(_ *Deps, b *bed) { b.watcher.drives = twoDrives() })
	test.Tap(b.frame.rail[Monitor])
	b.wants(t, "Choose drives and click Start", "nvme0n1 · Crucial P5", "sda · Stick", "every 1 s")
	b.lacks(t, "aqu-sz")
	controls := b.frame.monitor.Controls()
	if !b.button(t, "Save CSV").Disabled() || !b.button(t, "Save picture").Disabled() {
		t.Error("nothing can be saved")
	}
	if got := b.state.Monitor.Watched(); len(got) != 1 || got[0].Key != "k1" {
		t.Errorf("chosen are %v, not the target's drive", got)
	}
	test.Tap(controls["monitor-drive-k1"].(fyne.Tappable))
	if !b.button(t, "Start").Disabled() {
		t.Error("no drive can be watched")
	}
	test.Tap(controls["monitor-drive-k2"].(fyne.Tappable))
	b.SetPeriod(10 * time.Millisecond)
	test.Tap(b.button(t, "Start"))
	if w := b.watcher; len(w.started) != 1 || w.started[0] != 10*time.Millisecond || len(w.on) != 1 || w.on[0].Key != "k2" {
		t.Fatalf("started %v on %v", w.started, w.on)
	}
	b.StartWatch()
	test.Tap(b.button(t, "Stop"))
	if len(b.watcher.started) != 1 || b.watcher.stopped != 1 {
		t.Errorf("started %d times, stopped %d times", len(b.watcher.started), b.watcher.stopped)
	}
}

func TestMonitorShowsColumns(t *testing.T) {
	b := watching(t, nil)
	b.wants(t, "Watching for 12 s · 12 samples", "nvme0n1 · Crucial P5 · 41 °C", "sda · Stick", "/s", "kB/s", "rqm/s", "%rqm", "_await ms", "areq-sz kB",
		"f/s", "f_await ms", "aqu-sz", "%util", "1 235", "1 256", "5.00", "Reads (r)", "Writes (w)", "Discards (d)", "Processors   %user 0.0   %nice 10.0")
	for key := range map[string]bool{"monitor-drive-k1": true, "monitor-period": true} {
		if !b.frame.monitor.Controls()[key].(fyne.Disableable).Disabled() {
			t.Errorf("%s can be changed while it goes on", key)
		}
	}
	v := b.watcher.now(13)
	v.Late = 4
	v.Drives[1].Hole, v.Drives[1].Holes = &recording.Hole{From: 5 * time.Second, To: 9 * time.Second, Why: "failed"}, 3
	b.showWatch(v)
	b.wants(t, "Late or lost samples: 4", "3 × without values, last at 5 s: no answer in time")
	v = b.watcher.now(20)
	v.Running, v.Err = false, &platform.OpError{Op: "watch", Object: "sda", Reason: platform.ErrGone}
	v.Drives[1].Hole = &recording.Hole{From: 19 * time.Second, To: 20 * time.Second, Why: string(recording.WhyGone), Open: true}
	b.showWatch(v)
	b.wants(t, "sda is gone", "gone, since 19 s")
	b.setLanguage(words.German)
	b.wants(t, "sda ist verschwunden", "verschwunden, seit 19 s", "Lesen (r)", "5,00")
	b.lacks(t, "gone")
}

// What goes on in the background does not open the page, and is there when it is opened.
func TestMonitorElsewhere(t *testing.T) {
	b := watching(t, nil)
	b.OpenRoom(Benchmark)
	b.showWatch(b.watcher.now(99))
	b.lacks(t, "99 samples")
	b.OpenRoom(Monitor)
	b.wants(t, "99 samples")
}

func TestMonitorFaults(t *testing.T) {
	b := open(t, func(_ *Deps, b *bed) {
		b.watcher.err = &platform.OpError{Op: "list", Object: "drives", Reason: platform.ErrPermission}
	})
	b.OpenRoom(Monitor)
	b.wants(t, "drives")
	if !b.button(t, "Start").Disabled() {
		t.Error("nothing can be watched")
	}
	b = open(t, nil)
	b.OpenRoom(Monitor)
	b.wants(t, "No drive was found")
	b = open(t, func(_ *Deps, b *bed) { b.watcher.drives = twoDrives() })
	b.OpenRoom(Monitor)
	b.watcher.err = &platform.OpError{Op: "watch", Object: "nvme0n1", Reason: platform.ErrGone}
	b.StartWatch()
	b.wants(t, "nvme0n1 is gone")
	b = watching(t, nil)
	v := b.watcher.now(12)
	v.FileErr = recording.ErrFull
	b.showWatch(v)
	b.wants(t, "Not all of it can be saved as a table")
}

func TestMonitorSaves(t *testing.T) {
	b := watching(t, nil)
	test.Tap(b.button(t, "Save CSV"))
	b.wants(t, "Saved: "+filepath.Join(b.Pictures, "cachecliff-monitor-"))
	b.typedShortcut(shortcutSave)
	b.SaveTable()
	files, err := filepath.Glob(filepath.Join(b.Pictures, "*"))
	if err != nil || len(files) != 3 || len(b.watcher.tables) != 2 || b.watcher.tables[0] == b.watcher.tables[1] {
		t.Fatalf("saved %v, tables %v, %v", files, b.watcher.tables, err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, ".png") {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if img, err := png.Decode(bytes.NewReader(data)); err != nil || img.Bounds().Dx() != 2000 {
				t.Errorf("the picture: %v", err)
			}
		}
	}
	b.watcher.tables = nil
	b.Pictures = filepath.Join(files[0], "no")
	b.SaveTable()
	if len(b.watcher.tables) > 0 {
		t.Error("saved in a file that is no folder")
	}
	b.lacks(t, "Saved: ")
}

// Everything can be read in the smallest window, in both languages.
func TestMonitorIsNotCut(t *testing.T) {
	for _, lang := range words.Languages() {
		b := watching(t, func(d *Deps, _ *bed) { d.Language = lang })
		b.win.Resize(fyne.NewSize(MinWidth, MinHeight))
		v := b.watcher.now(3600 * 30)
		v.Late = 12345
		for i := range v.Drives[0].Values {
			v.Drives[0].Values[i] = 7_321_000
		}
		for i := range v.CPU {
			v.CPU[i] = 100
		}
		v.Drives[0].Hole, v.Drives[0].Holes = &recording.Hole{From: 29*time.Hour + 59*time.Minute, Why: "failed"}, 1234
		v.FileErr = recording.ErrFull
		b.showWatch(v)
		b.whole(t, lang)
		v.Running = false
		b.showWatch(v)
		b.whole(t, lang+", stopped")
	}
}

// TestMonitorForReal has the watcher on the fake drive, in virtual time: the window is told as long as it
// goes on, and of the end.
func TestMonitorForReal(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		gone := errors.Join(platform.ErrGone)
		host := platformtest.New(platformtest.Options{Sensor: func(_ bool, now time.Duration) error {
			if now > 4*time.Second {
				return gone
			}
			return nil
		}})
		real := recording.NewWatcher(host, "1", filepath.Join(dir, "monitor"))
		b := open(t, func(d *Deps, _ *bed) { d.Watcher = real })
		ctx, cancel := context.WithCancel(t.Context())
		go b.pumpMonitor(ctx)
		b.OpenRoom(Monitor)
		b.SetPeriod(10 * time.Millisecond)
		b.StartWatch()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if v := b.state.Monitor.View; !v.Running || v.Samples < 150 {
			t.Errorf("after two seconds: %d samples", v.Samples)
		}
		b.wants(t, "Watching for ", host.Drive().Name)
		time.Sleep(4 * time.Second)
		synctest.Wait()
		b.wants(t, host.Drive().Name+" is gone", "gone, since 4 s")
		b.SaveGraph()
		b.SaveTable()
		b.wants(t, "Saved: ")
		cancel()
		real.Close()
		b.frame.Close()
		synctest.Wait()
	})
}
