package host

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// TestUncache writes a file through the page cache and takes it out again. Another file stays in.
func TestUncache(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	dir := t.TempDir()
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		t.Fatal(err)
	}
	inMemory := st.Type == unix.TMPFS_MAGIC
	var files [2]platform.File
	for i := range files {
		f, err := thisHost(t).Create(platform.Target{Path: dir}, platform.CreateOptions{Size: 1 << 20, Buffered: true})
		if err != nil {
			t.Fatal(err)
		}
		closeLater(t, f)
		q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Submit(0, platform.Write, 0, 1<<20); err != nil {
			t.Fatal(err)
		}
		waitAll(t, q, 1)
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Flush(); err != nil {
			t.Fatal(err)
		}
		files[i] = f
	}
	if err := files[0].Uncache(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{0, 1 << 20} {
		if inMemory {
			want = 1 << 20
		}
		if n, err := files[i].Cached(); n != want || err != nil {
			t.Errorf("file %d: %d bytes cached, want %d, error %v", i, n, want, err)
		}
	}
}
