package host

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// needRoot skips what mounts and throttles, with -short as well.
func needRoot(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("mounting file systems takes long")
	}
	if os.Geteuid() != 0 {
		t.Skip("mounting a file system takes root")
	}
}

func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// loop makes a block device of a file and returns both.
func loop(t *testing.T, size int64) (device string) {
	t.Helper()
	image := filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, size); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("losetup"); err != nil {
		t.Skip("no losetup")
	}
	out, err := exec.Command("losetup", "-f", "--show", image).CombinedOutput()
	if err != nil {
		t.Skipf("no loop device: %v %s", err, out)
	}
	device = strings.TrimSpace(string(out))
	t.Cleanup(func() { command(t, "losetup", "-d", device) })
	return device
}

// mounted makes a file system of size bytes and mounts it until the test ends.
func mounted(t *testing.T, fs string, size int64, options ...string) (dir string) {
	t.Helper()
	needRoot(t)
	source := "none"
	options = append(options, "nosuid")
	switch fs {
	case "tmpfs":
		options = append(options, fmt.Sprintf("size=%d", size))
	case "ramfs":
	default:
		mkfs, err := exec.LookPath("mkfs." + fs)
		if err != nil {
			t.Skipf("no mkfs.%s", fs)
		}
		source = loop(t, max(size, map[string]int64{"xfs": 320 << 20}[fs]))
		command(t, mkfs, source)
	}
	dir = t.TempDir()
	out, err := exec.Command("mount", "-t", fs, "-o", strings.Join(options, ","), source, dir).CombinedOutput()
	if err != nil {
		t.Skipf("%s cannot be mounted: %v %s", fs, err, out)
	}
	// Lazily, since a queue that was abandoned keeps its file until the process ends.
	t.Cleanup(func() { command(t, "umount", "-l", dir) })
	return dir
}

// throttled is a file system on a drive that stall stops: reads move one byte a second.
func throttled(t *testing.T) (dir string, stall func() (release func())) {
	t.Helper()
	const blkio = "/sys/fs/cgroup/blkio"
	if _, err := os.Stat(blkio + "/blkio.throttle.read_bps_device"); err != nil {
		t.Skip("no blkio controller of cgroup 1")
	}
	dir = mounted(t, "ext4", 64<<20)
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err != nil {
		t.Fatal(err)
	}
	group := filepath.Join(blkio, fmt.Sprintf("cachecliff-test-%d", os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skipf("no cgroup: %v", err)
	}
	write := func(path, s string) {
		if err := os.WriteFile(path, []byte(s), 0); err != nil {
			t.Fatal(err)
		}
	}
	write(group+"/cgroup.procs", fmt.Sprint(os.Getpid()))
	t.Cleanup(func() {
		write(blkio+"/cgroup.procs", fmt.Sprint(os.Getpid()))
		if err := os.Remove(group); err != nil {
			t.Error(err)
		}
	})
	limit := func(bytes int) {
		write(group+"/blkio.throttle.read_bps_device", fmt.Sprintf("%d:%d %d", unix.Major(st.Dev), unix.Minor(st.Dev), bytes))
	}
	return dir, func() func() {
		limit(1)
		return func() { limit(0) }
	}
}

// dieWithParent has the kernel end a helper whose test was killed.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
