package recording

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// A log has each drive once and a sample for each second, and ends when it is stopped.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := platformtest.New(platformtest.Options{})
		name := Beside(t.TempDir(), "run")
		stop, err := Log(host, Header{Started: time.Now(), Period: time.Second, Drives: []platform.Drive{host.Drive(), host.Drive()}}, name)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(4500 * time.Millisecond)
		if err := errors.Join(stop(), stop()); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, samples, err := readAll(f)
		if err != nil || len(samples) != 5 || len(r.Header.Drives) != 1 || r.End() == nil || r.End().Reason != Stopped {
			t.Errorf("%v, %d samples, end %+v", err, len(samples), r.End())
		}
	})
	if _, err := Log(platformtest.New(platformtest.Options{}), Header{Period: time.Second}, "x"); !errors.Is(err, platform.ErrNotExist) {
		t.Errorf("no drive: %v", err)
	}
	host := platformtest.New(platformtest.Options{})
	if _, err := Log(host, Header{Period: time.Second, Drives: []platform.Drive{host.Drive()}}, filepath.Join(t.TempDir(), "none", "x")); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("no folder: %v", err)
	}
}
