package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// device is an open drive of Windows. Its errors are platform.OpError.
type device interface {
	// control sends a control code and says how many bytes of the answer were filled in.
	control(code uint32, request, answer []byte) (int, error)
	// asleep says whether the system has the drive sleep. Asking does not wake it.
	asleep() bool
	close() error
}

// access is with what rights a device is opened.
type access uint8

const (
	accessNone  access = iota // everybody may; the codes that need no rights work
	accessRead                // administrators may
	accessWrite               // as accessRead; ATA commands need it although they write nothing
)

// storage asks drives of Windows, by control codes. What it does with the answers is the same wherever they
// come from, so tests replay them on any system.
type storage struct {
	names  func() ([]string, error)                     // everything that can be opened as \\.\NAME
	open   func(name string, a access) (device, error)  // by the same names
	attach func(name string) (winapi.Attachment, error) // how the drive is attached, from the tree of devices
	now    func() time.Duration
	asked  *questions
}

// driveName is what the drive with a number is called.
func driveName(number uint32) string { return "PhysicalDrive" + strconv.FormatUint(uint64(number), 10) }

var driveNames = regexp.MustCompile(`^PhysicalDrive([0-9]{1,9})$`)

// driveNumber is the number of a drive by its name.
func driveNumber(name string) (number uint32, ok bool) {
	m := driveNames.FindStringSubmatch(name)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseUint(m[1], 10, 32)
	return uint32(n), err == nil
}

// drives lists the drives with their facts, in the order of their numbers. Those without a medium are left
// out. One that does not answer in time stays in the list with its name alone.
func (s storage) drives(ctx context.Context) ([]platform.Drive, error) {
	all, err := ask(ctx, s.asked, "list of drives", s.names)
	if err != nil {
		return nil, opError("list drives", "", err)
	}
	var names []string
	for _, name := range all {
		if _, ok := driveNumber(name); ok {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	names = slices.Compact(names)
	found, errs := make([]platform.Drive, len(names)), make([]error, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() { found[i], errs[i] = s.drive(ctx, name) })
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out []platform.Drive
	for i, d := range found {
		if !errors.Is(errs[i], platform.ErrNoMedium) && !errors.Is(errs[i], platform.ErrGone) {
			out = append(out, d)
		}
	}
	return out, nil
}

// drive finds out what can be known of a drive without rights. It fails with platform.ErrNoMedium and
// platform.ErrGone; with every error the drive has its name at least. What is not answered stays unknown.
func (s storage) drive(ctx context.Context, name string) (platform.Drive, error) {
	d, err := ask(ctx, s.asked, "identity of "+name, func() (platform.Drive, error) { return s.identity(name) })
	if err != nil {
		return platform.Drive{Name: name, Key: name}, opError("look at", name, err)
	}
	full, err := ask(ctx, s.asked, "facts about "+name, func() (platform.Drive, error) { return s.facts(d) })
	if err != nil {
		return d, ctx.Err() // its identity is what matters
	}
	return full, nil
}

// openDrive opens a drive. One that is not there is gone.
func (s storage) openDrive(name string, a access) (device, error) {
	if _, ok := driveNumber(name); !ok {
		return nil, &platform.OpError{Op: "open", Object: name, Reason: platform.ErrGone}
	}
	dev, err := s.open(name, a)
	if errors.Is(err, platform.ErrNotExist) {
		return nil, &platform.OpError{Op: "open", Object: name, Reason: platform.ErrGone, Err: err}
	}
	return dev, err
}

// with opens a drive, lets f ask it, and closes it.
func with[T any](s storage, name string, a access, f func(device) (T, error)) (T, error) {
	dev, err := s.openDrive(name, a)
	if err != nil {
		var none T
		return none, err
	}
	v, err := f(dev)
	return v, errors.Join(err, dev.close())
}

// answerSize is more than the answer of any property but pages has.
const answerSize = 4096

// property asks for a property and decodes the answer.
func property[T any](dev device, p winapi.Property, decode func([]byte) (T, error)) (T, error) {
	return fetch(dev, winapi.CodeQueryProperty, winapi.Query(p), answerSize, decode)
}

// fetch sends a control code and decodes the answer, which has room for so many bytes.
func fetch[T any](dev device, code uint32, request []byte, room int, decode func([]byte) (T, error)) (T, error) {
	answer := make([]byte, room)
	n, err := dev.control(code, request, answer)
	if err != nil {
		var none T
		return none, err
	}
	v, err := decode(answer[:min(max(n, 0), room)])
	if err != nil {
		return v, &platform.OpError{Op: "read the answer to", Object: fmt.Sprintf("control code %#x", code), Reason: platform.ErrIO, Err: err}
	}
	return v, nil
}

// page asks for a page in the drive's own protocol, of the device and then of its controller: drivers differ
// in whom they let answer.
func page(dev device, p winapi.Page) ([]byte, error) {
	var errs []error
	for _, property := range []winapi.Property{winapi.PropertyDeviceProtocol, winapi.PropertyAdapterProtocol} {
		request := p.Query(property)
		b, err := fetch(dev, winapi.CodeQueryProperty, request, len(request), p.Decode)
		if err == nil {
			return b, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}
