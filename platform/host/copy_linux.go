package host

import (
	"context"
	"errors"
	"io"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// copying is one file being copied.
type copying struct {
	ctx     context.Context
	in, out int
	size    int64 // of the source when it was opened: one that grows is not followed, or the target might become full
	moved   func(int64)
	sum     int64 // handed to the system so far
}

func (a *area) Copy(ctx context.Context, from, name string, way platform.CopyWay, moved func(int64)) (platform.CopyEngine, error) {
	direct := way == platform.CopyDirect
	in, st, err := openSource(from, directFlag(!direct))
	if err != nil {
		return "", openError("copy", from, err, !direct)
	}
	out := -1
	if err = a.allowed(st.Size); err == nil {
		out, err = openRetry(a.fd, name, unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|directFlag(!direct), 0o600)
	}
	if err != nil {
		err = errors.Join(err, unix.Close(in))
		if !direct {
			return "", nameError("make a copy in", a.object(name), err)
		}
		return "", openError("make a copy in", a.object(name), err, false)
	}
	c := copying{ctx: ctx, in: in, out: out, size: st.Size, moved: moved}
	engine, err := c.run(copyEngines(way, a.clones, a.local))
	err = errors.Join(err, unix.Close(in), unix.Close(out))
	if err != nil && ctx.Err() != nil {
		return engine, ctx.Err()
	}
	return engine, opError("copy", from, err)
}

// nameError is opError where a name is made: a file system that cannot have it answers EINVAL, or EILSEQ where it is
// not UTF-8 (exFAT), which else comes from a drive.
func nameError(op, object string, err error) error {
	if errors.Is(err, unix.EILSEQ) || errors.Is(err, unix.EINVAL) {
		return &platform.OpError{Op: op, Object: object, Reason: platform.ErrUnsupported, Err: err}
	}
	return opError(op, object, err)
}

// run tries the engines one after the other. One that is not there, or not for these two files, has moved nothing.
func (c *copying) run(engines []platform.CopyEngine) (engine platform.CopyEngine, err error) {
	for _, engine = range engines {
		switch engine {
		case platform.CopyByClone:
			err = c.clone()
		case platform.CopyByRange:
			err = c.byRange()
		case platform.CopyByDirect:
			err = c.byDirect()
		default:
			err = c.byLoop()
		}
		if c.sum > 0 || err == nil || !missing(err) && !errors.Is(err, unix.EXDEV) && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ETXTBSY) {
			return engine, err
		}
	}
	return engine, err
}

func (c *copying) tell(n int) {
	c.sum += int64(n)
	c.moved(int64(n))
}

// clone shares all blocks of the source (FICLONE).
func (c *copying) clone() error {
	if err := retry(func() error { return unix.IoctlFileClone(c.out, c.in) }); err != nil {
		return err
	}
	c.tell(int(c.size))
	return nil
}

// left is how much of a piece may still be copied.
func (c *copying) left(piece int) int { return int(min(int64(piece), c.size-c.sum)) }

// byRange has the kernel copy.
func (c *copying) byRange() error {
	for c.ctx.Err() == nil {
		n := c.left(copyPiece)
		if n == 0 {
			return nil
		}
		n, err := again(func() (int, error) { return unix.CopyFileRange(c.in, nil, c.out, nil, n, 0) })
		if err != nil {
			return err
		}
		if n == 0 {
			if c.sum == 0 {
				return unix.EINVAL // a file system that only seems to have the call
			}
			return nil
		}
		c.tell(n)
	}
	return c.ctx.Err()
}

// byLoop reads and writes.
func (c *copying) byLoop() error {
	buf := make([]byte, copyBuffer)
	for c.ctx.Err() == nil {
		n, err := again(func() (int, error) { return unix.Read(c.in, buf[:c.left(copyBuffer)]) })
		if err != nil || n == 0 {
			return err
		}
		if err := writeAll(c.out, buf[:n]); err != nil {
			return err
		}
		c.tell(n)
	}
	return c.ctx.Err()
}

// directUnit is what reads and writes past the page cache are multiples of everywhere, bytes.
const directUnit = 4096

// byDirect reads and writes past the page cache. The last write is longer than the file, which is cut after it.
func (c *copying) byDirect() error {
	buf, err := unix.Mmap(-1, 0, directPiece, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return err
	}
	err = c.directly(buf)
	return errors.Join(err, unix.Munmap(buf))
}

func (c *copying) directly(buf []byte) error {
	for c.ctx.Err() == nil {
		n, err := again(func() (int, error) { return unix.Read(c.in, buf) })
		if err != nil {
			return err
		}
		if n = min(n, c.left(directPiece)); n > 0 {
			whole := (n + directUnit - 1) / directUnit * directUnit
			clear(buf[n:whole])
			if err := writeAll(c.out, buf[:whole]); err != nil {
				return err
			}
			c.tell(n)
		}
		if n%directUnit != 0 || n == 0 { // the end: what follows would not be aligned
			return unix.Ftruncate(c.out, c.sum)
		}
	}
	return c.ctx.Err()
}

func writeAll(fd int, b []byte) error {
	for len(b) > 0 {
		n, err := again(func() (int, error) { return unix.Write(fd, b) })
		if err == nil && n == 0 {
			err = io.ErrShortWrite
		}
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// canClone finds out whether a file system shares blocks between files. Whatever else than that it cannot is
// taken as a yes: then copies are made in a way that never does.
func canClone(dir int) (clones bool, err error) {
	const from, to = "from", "to"
	a, err := openRetry(dir, from, unix.O_CREAT|unix.O_EXCL|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return false, err
	}
	b, err := openRetry(dir, to, unix.O_CREAT|unix.O_EXCL|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err == nil {
		err = writeAll(a, make([]byte, directUnit))
		cerr := retry(func() error { return unix.IoctlFileClone(b, a) })
		clones = cerr == nil || !missing(cerr) && !errors.Is(cerr, unix.EXDEV) && !errors.Is(cerr, unix.EINVAL)
		err = errors.Join(err, unix.Unlinkat(dir, to, 0), unix.Close(b))
	}
	return clones, errors.Join(err, unix.Unlinkat(dir, from, 0), unix.Close(a))
}
