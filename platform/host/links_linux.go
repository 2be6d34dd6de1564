package host

import (
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// maxLinks is how many symbolic links the kernel follows in one path.
const maxLinks = 40

// followLinks resolves the symbolic links of an absolute path. It follows those of root and of this user;
// a link of anyone else could lead the test file to a place that this user never named, and fails with
// platform.ErrForeignLink.
func followLinks(name string) (string, error) {
	done, todo := "/", strings.Split(name, "/")
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			done = path.Dir(done)
			continue
		}
		next := path.Join(done, part)
		st, err := again(func() (st unix.Stat_t, err error) { err = unix.Lstat(next, &st); return st, err })
		if err != nil {
			return "", &fs.PathError{Op: "lstat", Path: next, Err: err}
		}
		if st.Mode&unix.S_IFMT != unix.S_IFLNK {
			done = next
			continue
		}
		if !trusted(st.Uid) {
			return "", &platform.OpError{Op: "follow", Object: next, Reason: platform.ErrForeignLink}
		}
		if links++; links > maxLinks {
			return "", &platform.OpError{Op: "follow", Object: name, Reason: platform.ErrNotExist, Err: unix.ELOOP}
		}
		to, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if path.IsAbs(to) {
			done = "/"
		}
		todo = append(strings.Split(to, "/"), todo...)
	}
	return done, nil
}

// trusted says whether links of a user are followed.
func trusted(uid uint32) bool { return uid == 0 || int(uid) == os.Geteuid() }

// openFolder opens a folder by a path in which no link is left, and makes sure that this is so still.
func openFolder(name string) (int, error) {
	const flags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	how := unix.OpenHow{Flags: flags, Resolve: unix.RESOLVE_NO_SYMLINKS}
	fd, err := again(func() (int, error) { return unix.Openat2(unix.AT_FDCWD, name, &how) })
	if missing(err) { // before 5.6
		return openRetry(unix.AT_FDCWD, name, flags, 0)
	}
	return fd, err
}
