package host

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
	"cachecliff/platform/winapi"
)

func TestCopyConformance(t *testing.T) {
	dir := t.TempDir()
	engine := platform.CopyByFile2
	if procCopyFile2.Find() != nil { // Wine before 9
		engine = platform.CopyByFileEx
	}
	platformtest.CopyConformance(t, thisHost(t), platform.Target{Path: dir}, platformtest.CopyOptions{
		NoExtents: underWine(), Engines: []platform.CopyEngine{engine},
	})
	empty(t, dir)
}

// TestAreaLeftover: the folder of a killed run is found, that of one which goes on is not.
func TestAreaLeftover(t *testing.T) {
	dir := t.TempDir()
	h, target := thisHost(t), platform.Target{Path: dir}
	made, err := h.Area(target)
	if err != nil {
		t.Fatal(err)
	}
	a := made.(*area)
	if err := os.WriteFile(filepath.Join(a.path, "file"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if left, err := h.Leftovers(target); err != nil || len(left) > 0 {
		t.Errorf("left %v, error %v while the run goes on", left, err)
	}
	if err := windows.CloseHandle(a.handle); err != nil { // as the end of the process does
		t.Fatal(err)
	}
	a.handle = windows.InvalidHandle
	if left, err := h.Leftovers(target); err != nil || !slices.Equal(left, []string{a.path}) {
		t.Errorf("left %v, error %v, want %s", left, err, a.path)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	empty(t, dir)
}

// TestCopyAnswers: messages are told to the copy that they are about, and one that is over or stopped is cancelled.
func TestCopyAnswers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var sum int64
	c := &copying{ctx: ctx, moved: func(n int64) { sum += n }}
	number := copies.last.Add(1)
	copies.Store(number, c)
	defer copies.Delete(number)
	say := func(kind uint32, moved uint64, number uintptr) uintptr {
		return answerCopy(&winapi.CopyMessage{Type: kind, TotalMoved: moved}, number)
	}
	if say(winapi.CopyChunkFinished, 100, number) != winapi.CopyGoOn || say(winapi.CopyChunkFinished, 250, number) != winapi.CopyGoOn || say(4, 9999, number) != winapi.CopyGoOn || sum != 250 {
		t.Errorf("%d bytes told of 250", sum)
	}
	if say(winapi.CopyChunkFinished, 300, number+1) != winapi.CopyCancel || sum != 250 {
		t.Error("a copy that nobody knows goes on")
	}
	cancel()
	if say(winapi.CopyChunkFinished, 300, number) != winapi.CopyCancel {
		t.Error("a copy goes on after its end")
	}
}
