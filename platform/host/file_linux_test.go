package host

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// made is a test file of 1 MiB that is closed with the test.
func made(t *testing.T, dir string) *file {
	t.Helper()
	f, err := thisHost(t).Create(platform.Target{Path: dir}, platform.CreateOptions{Size: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	closeLater(t, f)
	return f.(*file)
}

func TestCreateWithoutName(t *testing.T) {
	dir := t.TempDir()
	f := made(t, dir)
	empty(t, dir)
	if f.Named() || !isProcLink(f.Name()) || f.Size() != 1<<20 {
		t.Errorf("named %v, name %q, %d bytes", f.Named(), f.Name(), f.Size())
	}
	var st unix.Stat_t
	if err := unix.Fstat(f.fd, &st); err != nil {
		t.Fatal(err)
	}
	if st.Blocks*512 < 1<<20 || st.Mode&0o777 != 0o600 {
		t.Errorf("%d bytes reserved, mode %o", st.Blocks*512, st.Mode)
	}
	flags, err := unix.FcntlInt(uintptr(f.fd), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_DIRECT == 0 {
		t.Errorf("flags %#x, error %v: not past the page cache", flags, err)
	}
	if flags, err = unix.FcntlInt(uintptr(f.fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("flags %#x, error %v: children get the descriptor", flags, err)
	}
}

// TestCreateWays takes each way to make a file, also those that no file system here needs.
// A drive that is only read must not be written to because it is read.
func TestReadingLeavesNoTrace(t *testing.T) {
	f := made(t, t.TempDir())
	again, err := thisHost(t).Open(f.Name(), platform.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	closeLater(t, again)
	flags, err := unix.FcntlInt(uintptr(again.(*file).fd), unix.F_GETFL, 0)
	if err != nil || flags&(unix.O_NOATIME|unix.O_DIRECT) != unix.O_NOATIME|unix.O_DIRECT {
		t.Errorf("the file is open with %#x, %v", flags, err)
	}
}

func TestCreateWays(t *testing.T) {
	for name, way := range map[string]func(*Host, int, string, bool) (*file, error){
		"unnamed": (*Host).unnamed, "unlinked": (*Host).unlinked, "kept name": (*Host).keptName,
	} {
		t.Run(name, func(t *testing.T) {
			h, dir := thisHost(t), t.TempDir()
			fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			f, err := way(h, fd, dir, false)
			if err != nil {
				t.Fatal(err)
			}
			closeLater(t, f)
			entries, err := os.ReadDir(dir)
			if err != nil || f.Named() != (len(entries) == 1) {
				t.Errorf("named %v, but %d files, error %v", f.Named(), len(entries), err)
			}
			again, err := h.Open(f.Name(), platform.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
			left, err := h.Leftovers(platform.Target{Path: dir})
			if err != nil || len(left) != 0 {
				t.Errorf("a file in use is listed: %q, error %v", left, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			empty(t, dir)
		})
	}
}

// TestCloseRemovesOnlyItsOwn puts another file in the place of the test file.
func TestCloseRemovesOnlyItsOwn(t *testing.T) {
	h, dir := thisHost(t), t.TempDir()
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	f, err := h.keptName(fd, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(f.Name()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Name(), []byte("thesis"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); !errors.Is(err, platform.ErrNotOurs) {
		t.Errorf("close: %v", err)
	}
	if b, err := os.ReadFile(f.Name()); err != nil || string(b) != "thesis" {
		t.Errorf("the other file is gone: %q, %v", b, err)
	}
}

// TestKill kills a process that has test files open.
func TestKill(t *testing.T) {
	if dir := os.Getenv(helperTask); dir != "" {
		helpKill(t, dir)
	}
	dir := t.TempDir()
	line, kill := helper(t, "TestKill", dir)
	h := thisHost(t)
	left, err := h.Leftovers(platform.Target{Path: dir})
	if err != nil || len(left) != 0 {
		t.Errorf("files in use are listed: %q, error %v", left, err)
	}
	kill()
	left, err = h.Leftovers(platform.Target{Path: dir})
	if err != nil || len(left) != 1 || left[0] != line {
		t.Errorf("left is %q, error %v, want %q", left, err, line)
	}
	if err := os.Remove(line); err != nil {
		t.Error(err)
	}
	empty(t, dir) // nothing of the files without a name
}

// testNameOf is a name of a test file in which a word can be read.
func testNameOf(word string) string {
	return testPrefix + strings.ToUpper(word) + strings.Repeat("A", 26-len(word)) + testSuffix
}

// TestLeftoversAreOurs: nothing is listed that another user or another program has made.
func TestLeftoversAreOurs(t *testing.T) {
	for _, c := range []struct {
		fs     string
		listed []string
	}{
		{"", []string{"ours"}},
		{"vfat", []string{"copy", "ours"}}, // it keeps no marks, and all files are of the user who mounted it
	} {
		t.Run(cmp.Or(c.fs, "here"), func(t *testing.T) {
			h, dir := thisHost(t), t.TempDir()
			if c.fs != "" {
				dir = mounted(t, c.fs, 64<<20)
			}
			at := func(word string) string { return filepath.Join(dir, testNameOf(word)) }
			err := errors.Join(
				os.WriteFile(at("copy"), nil, 0o600), os.Mkdir(at("folder"), 0o700),
				os.WriteFile(filepath.Join(dir, testPrefix+"thesis"+testSuffix), nil, 0o600))
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range []string{"ours", "foreign", "linked"} {
				if c.fs != "" && word != "ours" {
					continue
				}
				folder, err := openFolder(dir)
				if err != nil {
					t.Fatal(err)
				}
				fd, made, err := createLocked(folder)
				if err = errors.Join(err, unix.Close(fd), unix.Close(folder)); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(filepath.Join(dir, made), at(word)); err != nil {
					t.Fatal(err)
				}
			}
			if c.fs == "" {
				if _, err := unix.Getxattr(at("ours"), mark, nil); errors.Is(err, unix.EOPNOTSUPP) {
					t.Skip("no attributes here")
				}
				if os.Geteuid() == 0 {
					err = os.Chown(at("foreign"), 65534, 65534)
				} else {
					err = os.Remove(at("foreign"))
				}
				if err = errors.Join(err, os.Link(at("linked"), filepath.Join(dir, "another-name"))); err != nil {
					t.Fatal(err)
				}
			}
			left, err := h.Leftovers(platform.Target{Path: dir})
			for i, word := range c.listed {
				c.listed[i] = at(word)
			}
			if err != nil || !slices.Equal(left, c.listed) {
				t.Errorf("%q, error %v, want %q", left, err, c.listed)
			}
		})
	}
}

// helpKill makes a file in each way, writes to them, tells the one that has a name, and hangs.
func helpKill(t *testing.T, dir string) {
	h := thisHost(t)
	for _, way := range []func(*Host, int, string, bool) (*file, error){(*Host).unnamed, (*Host).unlinked, (*Host).keptName} {
		fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		f, err := way(h, fd, dir, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := reserve(f.fd, 1<<20); err != nil {
			t.Fatal(err)
		}
		if f.Named() {
			fmt.Println(f.Name())
		}
	}
	hang()
}

func TestCreateFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		path func(t *testing.T) string
		size int64
		want error
	}{
		{"no such folder", func(*testing.T) string { return dir + "/none" }, 1 << 20, platform.ErrNotExist},
		{"not a folder", func(*testing.T) string { return dir + "/file" }, 1 << 20, platform.ErrNotExist},
		{"larger than any file", func(*testing.T) string { return dir }, 1 << 62, platform.ErrTooLarge},
		{"full tmpfs", func(t *testing.T) string { return mounted(t, "tmpfs", 8<<20) }, 64 << 20, platform.ErrNoSpace},
		{"full ext4", func(t *testing.T) string { return mounted(t, "ext4", 32<<20) }, 64 << 20, platform.ErrNoSpace},
		{"full btrfs", func(t *testing.T) string { return mounted(t, "btrfs", 128<<20) }, 1 << 30, platform.ErrNoSpace},
		{"read-only", func(t *testing.T) string { return mounted(t, "tmpfs", 8<<20, "ro") }, 1 << 20, platform.ErrReadOnly},
		{"no direct I/O", func(t *testing.T) string { return mounted(t, "ramfs", 0) }, 1 << 20, platform.ErrNoDirectIO},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := c.path(t)
			f, err := thisHost(t).Create(platform.Target{Path: path}, platform.CreateOptions{Size: c.size})
			if err == nil {
				closeLater(t, f)
			}
			if !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if err != nil && (!strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("%q is not one line that names %s", err, path)
			}
			if path != dir && filepath.Dir(path) != dir {
				empty(t, path)
			}
		})
	}
}

// TestLimitOfFileSize: going over it would end the process with SIGXFSZ.
func TestLimitOfFileSize(t *testing.T) {
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	low := old
	low.Cur = 1 << 19
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &low); err != nil {
		t.Fatal(err)
	}
	_, err := thisHost(t).Create(platform.Target{Path: t.TempDir()}, platform.CreateOptions{Size: 1 << 20})
	if e := unix.Setrlimit(unix.RLIMIT_FSIZE, &old); e != nil {
		t.Fatal(e)
	}
	if !errors.Is(err, platform.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

// TestBufferedWhereDirectIsNot makes the file that TestCreateFails could not.
func TestBufferedWhereDirectIsNot(t *testing.T) {
	f, err := thisHost(t).Create(platform.Target{Path: mounted(t, "ramfs", 0)}, platform.CreateOptions{Size: 1 << 20, Buffered: true})
	if err != nil {
		t.Fatal(err)
	}
	closeLater(t, f)
	if f.Direct() || f.Align() != 1 {
		t.Errorf("direct %v, alignment %d", f.Direct(), f.Align())
	}
}

// TestTmpfsIsNotDirect: it takes the flag, but there is nothing behind the page cache.
func TestTmpfsIsNotDirect(t *testing.T) {
	if f := made(t, mounted(t, "tmpfs", 8<<20)); f.Direct() {
		t.Error("a file in memory says that it passes the page cache")
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, testNameOf(s)) }
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.WriteFile(dir+"/thesis", nil, 0o600))
	check(os.Symlink(dir+"/thesis", name("link")))
	check(unix.Mkfifo(name("fifo"), 0o600))
	check(os.Mkdir(name("folder"), 0o700))
	other, err := os.Create(name("real"))
	check(err)
	defer other.Close()
	for path, want := range map[string]error{
		dir + "/thesis":          platform.ErrNotOurs,
		name("link"):             platform.ErrNotOurs,
		name("fifo"):             platform.ErrNotOurs,
		name("folder"):           platform.ErrNotOurs,
		linkTo(int(other.Fd())):  platform.ErrNotOurs, // it has a name, so it is opened by that
		"/dev/null":              platform.ErrNotOurs,
		name("missing"):          platform.ErrNotExist,
		"/proc/self/fd/99999999": platform.ErrNotExist,
	} {
		if f, err := thisHost(t).Open(path, platform.OpenOptions{}); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", path, err, want)
			if err == nil {
				closeLater(t, f)
			}
		}
	}
	f, err := thisHost(t).Open(name("real"), platform.OpenOptions{})
	check(err)
	if !f.Named() {
		t.Error("a file opened by its name says that it has none")
	}
	check(f.Close())
	if _, err := os.Stat(name("real")); err != nil {
		t.Error("closing a file that was only opened removed it")
	}
}

// TestLayoutBeforeWriting: what is only allocated must not look written.
func TestLayoutBeforeWriting(t *testing.T) {
	for _, fs := range []string{"ext4", "xfs", "btrfs", "tmpfs"} {
		t.Run(fs, func(t *testing.T) {
			f := made(t, mounted(t, fs, 128<<20))
			l, err := f.Layout()
			if err != nil {
				t.Fatal(err)
			}
			if fs != "tmpfs" && l.Unwritten != f.Size() { // tmpfs counts allocated pages as data
				t.Errorf("%+v of %d bytes", l, f.Size())
			}
		})
	}
}

func TestHoles(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/f")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const part = 1 << 20
	for _, at := range []int64{part, 3 * part} {
		if _, err := f.WriteAt(make([]byte, part), at); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Truncate(5 * part); err != nil {
		t.Fatal(err)
	}
	l, err := holes(int(f.Fd()), 5*part)
	if want := (platform.Layout{Unwritten: 3 * part}); err != nil || l != want {
		t.Errorf("%+v, error %v, want %+v", l, err, want)
	}
}

// TestClockIsTheKernels: timers of the kernel are set by it.
func TestClockIsTheKernels(t *testing.T) {
	h := thisHost(t)
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		t.Fatal(err)
	}
	if d := h.Now() - time.Duration(ts.Nano()); d < -time.Millisecond || d > time.Second {
		t.Errorf("now is %v after CLOCK_MONOTONIC", d)
	}
}

// TestWriteThrough: only the queue that asks for it writes through all caches, and past the page cache still.
func TestWriteThrough(t *testing.T) {
	f := made(t, t.TempDir())
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, through := range []bool{true, false} {
		made, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 4096, Engine: platform.EngineThreads, WriteThrough: through})
		if err != nil {
			t.Fatal(err)
		}
		q := made.(*threadQueue)
		flags, err := unix.FcntlInt(uintptr(q.fd), unix.F_GETFL, 0)
		if err != nil || flags&unix.O_DSYNC != 0 != through || flags&unix.O_DIRECT == 0 {
			t.Errorf("through %t: opened with %#x, %v", through, flags, err)
		}
		if flags, err = unix.FcntlInt(uintptr(q.fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
			t.Errorf("flags %#x, error %v: children get the descriptor", flags, err)
		}
		if err := q.Submit(0, platform.Write, 0, 4096); err != nil {
			t.Fatal(err)
		}
		waitAll(t, q, 1)
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	}
}
