package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"

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

// testNameOf is a name of a test file in which a word can be read.
func testNameOf(word string) string {
	return testPrefix + strings.ToUpper(word) + strings.Repeat("A", 26-len(word)) + testSuffix
}

// fileMode asks how a file was opened (FileModeInformation): as FILE_* options of NtCreateFile.
func fileMode(t *testing.T, handle windows.Handle) uint32 {
	t.Helper()
	const modeInformation = 16
	var mode uint32
	var status windows.IO_STATUS_BLOCK
	if err := windows.NtQueryInformationFile(handle, &status, (*byte)(ptr(&mode)), 4, modeInformation); err != nil {
		t.Fatal(err)
	}
	return mode
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	f := made(t, dir)
	if f.Named() || filepath.Dir(f.Name()) != dir || !isTestName(filepath.Base(f.Name())) || f.Size() != 1<<20 {
		t.Errorf("named %t, name %q, %d bytes", f.Named(), f.Name(), f.Size())
	}
	if !f.Direct() || f.Align() < 512 || f.Align()&(f.Align()-1) != 0 {
		t.Errorf("direct %t, aligned to %d", f.Direct(), f.Align())
	}
	if mode := fileMode(t, f.handle); mode&windows.FILE_NO_INTERMEDIATE_BUFFERING == 0 || mode&windows.FILE_WRITE_THROUGH != 0 {
		t.Errorf("opened with %#x: not past the page cache, or through all caches", mode)
	}
	_, info, err := identify(f.handle)
	if err != nil || info.FileSizeLow != 1<<20 || info.FileAttributes&(windows.FILE_ATTRIBUTE_COMPRESSED|windows.FILE_ATTRIBUTE_SPARSE_FILE) != 0 {
		t.Errorf("%+v, %v", info, err)
	}
	var flags uint32
	if err := getHandleInformation(f.handle, &flags); err != nil || flags&windows.HANDLE_FLAG_INHERIT != 0 {
		t.Errorf("flags %#x, %v: children get the handle", flags, err)
	}
	if err := os.Remove(f.Name()); !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		t.Errorf("others can remove it: %v", err)
	}
	if err := os.Rename(f.Name(), filepath.Join(dir, "x")); !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		t.Errorf("others can rename it: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	empty(t, dir)
}

// TestQueueHandles: each queue opens the file as it was asked for.
func TestQueueHandles(t *testing.T) {
	for _, buffered := range []bool{false, true} {
		f, err := thisHost(t).Create(platform.Target{Path: t.TempDir()}, platform.CreateOptions{Size: 1 << 20, Buffered: buffered})
		if err != nil {
			t.Fatal(err)
		}
		closeLater(t, f)
		again, err := thisHost(t).Open(f.Name(), platform.OpenOptions{Buffered: buffered})
		if err != nil {
			t.Fatal(err)
		}
		closeLater(t, again)
		for _, f := range []platform.File{f, again} {
			for _, through := range []bool{false, true} {
				q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 4096, WriteThrough: through})
				if err != nil {
					t.Fatal(err)
				}
				want := uint32(0)
				if through {
					want |= windows.FILE_WRITE_THROUGH
				}
				if !buffered {
					want |= windows.FILE_NO_INTERMEDIATE_BUFFERING
				}
				const asked = windows.FILE_SYNCHRONOUS_IO_ALERT | windows.FILE_SYNCHRONOUS_IO_NONALERT | windows.FILE_WRITE_THROUGH | windows.FILE_NO_INTERMEDIATE_BUFFERING
				if mode := fileMode(t, q.(*iocpQueue).file); mode&asked != want || f.Direct() == buffered {
					t.Errorf("buffered %t, through %t: opened with %#x, want %#x; direct %t", buffered, through, mode, want, f.Direct())
				}
				if err := q.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// TestKill kills a process that has a test file open: nothing stays.
func TestKill(t *testing.T) {
	if dir := os.Getenv(helperTask); dir != "" {
		f := made(t, dir)
		fmt.Println(f.Name())
		hang()
	}
	dir := t.TempDir()
	name, kill := helper(t, "TestKill", dir)
	if left, err := thisHost(t).Leftovers(platform.Target{Path: dir}); err != nil || len(left) != 0 {
		t.Errorf("files in use are listed: %q, error %v", left, err)
	}
	again, err := thisHost(t).Open(name, platform.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if again.Size() != 1<<20 {
		t.Errorf("%d bytes", again.Size())
	}
	kill()
	if left, err := thisHost(t).Leftovers(platform.Target{Path: dir}); err != nil || len(left) != 0 {
		t.Errorf("a file that is open here is listed: %q, error %v", left, err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	empty(t, dir)
}

// TestLeftovers: what lost its program without the system's help is found, and nothing else.
func TestLeftovers(t *testing.T) {
	h, dir := thisHost(t), t.TempDir()
	at := func(word string) string { return filepath.Join(dir, testNameOf(word)) }
	err := errors.Join(os.WriteFile(at("left"), nil, 0o600), os.WriteFile(at("open"), nil, 0o600), os.WriteFile(at("linked"), nil, 0o600),
		os.Mkdir(at("folder"), 0o700), os.WriteFile(filepath.Join(dir, testPrefix+"thesis"+testSuffix), nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	open, err := os.Open(at("open"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{at("folder"), at("left")} // a run that copies has a folder
	if err := os.Link(at("linked"), filepath.Join(dir, "another-name")); err != nil {
		t.Logf("no second name here: %v", err)
		if err := os.Remove(at("linked")); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := h.Leftovers(platform.Target{Path: dir}); err != nil || !slices.Equal(left, want) {
		t.Errorf("%q, error %v, want %q", left, err, want)
	}
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	want = append(want, at("open"))
	if left, err := h.Leftovers(platform.Target{Path: dir}); err != nil || !slices.Equal(left, want) {
		t.Errorf("%q, error %v, want %q", left, err, want)
	}
	for _, name := range want {
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := h.Leftovers(platform.Target{Path: filepath.Join(dir, "none")}); !errors.Is(err, platform.ErrNotExist) {
		t.Errorf("no such folder: %v", err)
	}
}

// TestLeftoversOfOthers: a file that this user must not remove is no error and not his.
func TestLeftoversOfOthers(t *testing.T) {
	dir := t.TempDir()
	f := made(t, dir)
	q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 4096})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil { // it is being removed, but the queue has it open
		t.Fatal(err)
	}
	if left, err := thisHost(t).Leftovers(platform.Target{Path: dir}); err != nil || len(left) != 0 {
		t.Errorf("%q, error %v", left, err)
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
	empty(t, dir)
}

func TestCreateFails(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "file")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		size       int64
		want       []error
	}{
		{"no such folder", filepath.Join(dir, "none"), 1 << 20, []error{platform.ErrNotExist}},
		{"no such drive", `Q:\none`, 1 << 20, []error{platform.ErrNotExist}},
		{"not a folder", plain, 1 << 20, []error{platform.ErrNotExist}},
		{"a device", `\\.\PhysicalDrive0`, 1 << 20, []error{platform.ErrNotExist}},
		{"a name that cannot be", `C:\a|b`, 1 << 20, []error{platform.ErrNotExist}},
		{"larger than any file", dir, 1<<63 - 1, []error{platform.ErrTooLarge, platform.ErrNoSpace, windows.ERROR_INVALID_PARAMETER}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := thisHost(t).Create(platform.Target{Path: c.path}, platform.CreateOptions{Size: c.size})
			if err == nil {
				closeLater(t, f)
			}
			if !slices.ContainsFunc(c.want, func(want error) bool { return errors.Is(err, want) }) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if err != nil && (!strings.Contains(err.Error(), c.path) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("%q is not one line that names %s", err, c.path)
			}
		})
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(word string) string { return filepath.Join(dir, testNameOf(word)) }
	err := errors.Join(os.WriteFile(filepath.Join(dir, "thesis"), nil, 0o600), os.WriteFile(at("real"), make([]byte, 512), 0o600),
		os.Mkdir(at("folder"), 0o700), os.WriteFile(at("linked"), nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]error{
		filepath.Join(dir, "thesis"):        platform.ErrNotOurs,
		at("folder"):                        platform.ErrNotOurs,
		at("real") + ":stream":              platform.ErrNotOurs,
		`\\.\PhysicalDrive0`:                platform.ErrNotOurs,
		`\\.\pipe\` + testNameOf("pipe"):    platform.ErrNotExist,
		at("missing"):                       platform.ErrNotExist,
		filepath.Join(dir, "none", "thing"): platform.ErrNotOurs,
	}
	// Wine makes links that it cannot find itself.
	if err := os.Symlink(filepath.Join(dir, "thesis"), at("link")); err == nil && !underWine() {
		refused[at("link")] = platform.ErrNotOurs
	}
	if err := os.Link(at("linked"), filepath.Join(dir, "another-name")); err == nil {
		refused[at("linked")] = platform.ErrNotOurs
	}
	for path, want := range refused {
		if f, err := thisHost(t).Open(path, platform.OpenOptions{}); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", path, err, want)
			if err == nil {
				closeLater(t, f)
			}
		}
	}
	f, err := thisHost(t).Open(at("real"), platform.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(at("real")); err != nil {
		t.Error("closing a file that was only opened removed it")
	}
}

// TestQueueOfAnotherFile: the name leads elsewhere than it did.
func TestQueueOfAnotherFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, testNameOf("first"))
	if err := os.WriteFile(name, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := thisHost(t).Open(name, platform.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	closeLater(t, f)
	if err := os.Rename(name, filepath.Join(dir, "moved")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("thesis"), 0o600); err != nil {
		t.Fatal(err)
	}
	q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 4096})
	if err == nil {
		err = q.Close()
	}
	if !errors.Is(err, platform.ErrNotOurs) {
		t.Errorf("error %v", err)
	}
}

// TestNames makes test files where paths are long, foreign or of another form.
func TestNames(t *testing.T) {
	root := t.TempDir()
	long := root
	for len(long) < 400 {
		long = filepath.Join(long, strings.Repeat("long ", 10)+"folder")
	}
	for name, dir := range map[string]string{
		"long":       long,
		"letters":    filepath.Join(root, "größe 測試 テスト 🧪"),
		"verbatim":   `\\?\` + filepath.Join(root, "verbatim"),
		"slashes":    strings.ReplaceAll(filepath.Join(root, "slashes", "x"), `\`, "/"),
		"with dots":  root + `\with\..\dots`,
		"percent":    filepath.Join(root, "100% & more"),
		"long again": `\\?\` + long + ` again`,
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			moves(t, dir)
		})
	}
}

// moves writes and reads a file in a folder through a second file object, and looks that it goes away.
func moves(t *testing.T, dir string) {
	t.Helper()
	f := made(t, dir)
	again, err := thisHost(t).Open(f.Name(), platform.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range []platform.File{f, again} {
		q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 4096})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			copy(q.Buf(0), "what was written")
		}
		if err := q.Submit(0, []platform.Op{platform.Write, platform.Read}[i], 8192, 4096); err != nil {
			t.Fatal(err)
		}
		waitAll(t, q, 1)
		if got := string(q.Buf(0)[:16]); got != "what was written" {
			t.Errorf("read back %q", got)
		}
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := errors.Join(again.Close(), f.Close()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(f.Name()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there after it was closed: %v", err)
	}
}

// TestShare makes a test file on a server: this computer.
func TestShare(t *testing.T) {
	dir := t.TempDir()
	unc := `\\localhost\` + dir[:1] + `$` + dir[2:]
	if underWine() { // there a share is a link in the folder of its settings
		prefix := os.Getenv("WINEPREFIX")
		if prefix == "" {
			t.Skip("not under Wine without WINEPREFIX")
		}
		share := `Z:` + strings.ReplaceAll(prefix, "/", `\`) + `\dosdevices\unc\cachecliff-test\share`
		if err := os.MkdirAll(share, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(filepath.Dir(share)) })
		unc = `\\cachecliff-test\share`
	}
	if _, err := os.Stat(unc); err != nil {
		t.Skipf("no share: %v", err)
	}
	moves(t, unc)
}

// TestReadingLeavesNoTrace: a drive that is only read must not be written to because it is read.
func TestReadingLeavesNoTrace(t *testing.T) {
	notUnderWine(t, "it does not know that a time is to be left as it is")
	f := made(t, t.TempDir())
	old := windows.NsecToFiletime(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano())
	if err := windows.SetFileTime(f.handle, nil, &old, nil); err != nil {
		t.Fatal(err)
	}
	again, err := thisHost(t).Open(f.Name(), platform.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	closeLater(t, again)
	q, err := again.Queue(platform.QueueOptions{Depth: 1, Block: 4096})
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Submit(0, platform.Read, 0, 4096); err != nil {
		t.Fatal(err)
	}
	waitAll(t, q, 1)
	if err := q.Close(); err != nil {
		t.Error(err)
	}
	_, info, err := identify(f.handle)
	if err != nil || info.LastAccessTime != old {
		t.Errorf("last read at %+v, %v", info.LastAccessTime, err)
	}
}

// TestCompressedFolder: what is made in a folder whose files are compressed is not.
func TestCompressedFolder(t *testing.T) {
	dir := t.TempDir()
	handle, err := openPath(dir, windows.GENERIC_READ|windows.GENERIC_WRITE, shareAll, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS)
	if err != nil {
		t.Fatal(err)
	}
	err = setCompression(handle, compressionDefault)
	if e := windows.CloseHandle(handle); e != nil {
		t.Fatal(e)
	}
	if missing(err) {
		t.Skipf("the file system does not compress: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, info, err := identify(made(t, dir).handle)
	if err != nil || info.FileAttributes&windows.FILE_ATTRIBUTE_COMPRESSED != 0 {
		t.Errorf("attributes %#x, %v", info.FileAttributes, err)
	}
}

// TestSector: both ways to ask for the sector agree.
func TestSector(t *testing.T) {
	f := made(t, t.TempDir())
	sector, cluster, err := piecesOf(f.Name())
	if err != nil || sector != int64(f.Align()) || cluster < sector || cluster&(cluster-1) != 0 {
		t.Errorf("the volume has sectors of %d bytes and clusters of %d, %v; the file sectors of %d", sector, cluster, err, f.Align())
	}
}

func TestOpenError(t *testing.T) {
	for _, c := range []struct {
		err      error
		buffered bool
		want     error
	}{
		{windows.ERROR_INVALID_PARAMETER, false, platform.ErrNoDirectIO},
		{windows.ERROR_INVALID_PARAMETER, true, nil},
		{windows.ERROR_ACCESS_DENIED, false, platform.ErrPermission},
		{errors.Join(platform.ErrNotOurs, windows.ERROR_ACCESS_DENIED), false, platform.ErrNotOurs},
	} {
		var op *platform.OpError
		if err := openError("open", "x", c.err, c.buffered); !errors.As(err, &op) || op.Reason != c.want {
			t.Errorf("%v, buffered %t: %v, want %v", c.err, c.buffered, err, c.want)
		}
	}
}
