package recording

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// watched runs a test with a watcher of the fake drive, in virtual time.
func watched(t *testing.T, o platformtest.Options, each func(t *testing.T, w *Watcher, drives []platform.Drive, dir string)) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "monitor")
	synctest.Test(t, func(t *testing.T) {
		w := NewWatcher(platformtest.New(o), "1.2.3", dir)
		drives, err := w.Drives(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		each(t, w, drives, dir)
		w.Close()
		if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
}

func TestWatcher(t *testing.T) {
	watched(t, platformtest.Options{}, func(t *testing.T, w *Watcher, drives []platform.Drive, dir string) {
		if v := w.View(); v.Running || v.Samples != 0 || w.Trend(false) != nil {
			t.Errorf("before the first: %+v", v)
		}
		if err := w.Start(t.Context(), drives, 10*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5*time.Minute + 5*time.Millisecond)
		v := w.View()
		if !v.Running || v.Samples != 30_001 || v.Length != 5*time.Minute || v.FileErr != nil || len(v.Drives) != 1 || len(v.Drives[0].Values) != len(Headings()) || len(v.CPU) != len(CPUHeadings()) || v.Drives[0].MilliC == nil {
			t.Fatalf("after five minutes: %+v", v)
		}
		recent := w.Trend(true)
		if x, _ := recent.Curve(0, ReadRate); len(x) == 0 || x[0] > 240 || x[0] < 100 || x[len(x)-1] < 299 {
			t.Errorf("the last minute begins at %v", x[0])
		}
		table := filepath.Join(filepath.Dir(dir), "out", "a.csv")
		if err := w.WriteTable(table); err != nil { // while it goes on
			t.Fatal(err)
		}
		if data, err := os.ReadFile(table); err != nil || bytes.Count(data, []byte("\r\n")) != 30_002 {
			t.Errorf("the table has %d lines, %v", bytes.Count(data, []byte("\r\n")), err)
		}
		w.Stop()
		synctest.Wait()
		if v := w.View(); v.Running || v.Stopping || v.Err != nil || v.Samples != 30_001 {
			t.Errorf("stopped: %+v", v)
		}
		if err := w.WriteTable(table); err != nil {
			t.Errorf("after the end: %v", err)
		}
		if err := w.Start(t.Context(), drives, time.Second); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 1 || w.View().Samples != 1 {
			t.Errorf("a second one: files %v, %+v", files, w.View())
		}
	})
}

// A drive that is pulled out ends the recording, which keeps what there was, and the hole with its reason.
func TestWatcherGone(t *testing.T) {
	o := platformtest.Options{Sensor: func(_ bool, now time.Duration) error {
		if now > 3*time.Second {
			return platform.ErrGone
		}
		return nil
	}}
	watched(t, o, func(t *testing.T, w *Watcher, drives []platform.Drive, _ string) {
		if err := w.Start(t.Context(), drives, 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		v := w.View()
		if v.Running || !errors.Is(v.Err, platform.ErrGone) || v.Samples < 25 {
			t.Fatalf("%+v", v)
		}
		if h := v.Drives[0].Hole; h == nil || h.Why != string(WhyGone) || !h.Open || v.Drives[0].MilliC != nil {
			t.Errorf("the hole is %+v", v.Drives[0])
		}
	})
}

// Where nothing can be written, it can be watched all the same.
func TestWatcherWithoutFile(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := NewWatcher(platformtest.New(platformtest.Options{}), "", filepath.Join(blocked, "x"))
		drives, err := w.Drives(t.Context())
		if err == nil {
			err = w.Start(context.Background(), drives, time.Second)
		}
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2500 * time.Millisecond)
		if v := w.View(); !v.Running || v.Samples != 3 || v.FileErr == nil {
			t.Errorf("%+v", v)
		}
		if err := w.WriteTable(filepath.Join(t.TempDir(), "a.csv")); err == nil {
			t.Error("a table of nothing")
		}
		w.Close()
	})
}
