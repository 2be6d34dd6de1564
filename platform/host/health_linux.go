package host

import (
	"context"
	"errors"

	"cachecliff/platform"
	"cachecliff/platform/udisks"
)

// Health reads the health log of an NVMe drive, which takes CAP_SYS_ADMIN, or the SMART table of a drive that
// understands ATA commands, which takes CAP_SYS_RAWIO; and for both the right to open its node. Without them, and
// of other drives, it is what UDisks2 tells; where that does not help either it fails with platform.ErrPermission,
// and of others with platform.ErrUnsupported, those behind a USB adapter with platform.ErrBridge beside it. They are
// sent nothing: commands that they do not know make some adapters hang. A drive that sleeps is not woken:
// platform.ErrAsleep.
func (h *Host) Health(ctx context.Context, d platform.Drive) (platform.Health, error) {
	return askFor(ctx, h.asked, healthPatience, "health of "+d.Name, func() (platform.Health, error) {
		out, err := inquire(h, opSMART, d, query[platform.Health]{readNVMe, readATA})
		if !mayHelp(d, err) {
			return out, err
		}
		// Whoever waits may give up; the answer is for all who ask the same.
		out, second := throughUDisks(context.WithoutCancel(ctx), healthPatience, func(s diskService) (platform.Health, error) {
			health, _, err := servedHealth(s, d, udisks.Device{}, 0)
			return health, err
		})
		if second != nil {
			return platform.Health{}, neither(opSMART, d, err, second)
		}
		return out, nil
	})
}

// A query is put to a drive in the language that it speaks.
type query[T any] struct {
	nvme func(nvmeDevice, platform.Drive) (T, error)
	ata  func(ataDevice, platform.Drive) (T, error)
}

// language is what a drive may be asked in; the zero value is none.
type language string

const (
	speaksNothing language = ""
	inNVMe        language = "nvme"
	inATA         language = "ata"
)

func (h *Host) languageOf(d platform.Drive) language {
	switch t := h.tree(); {
	case d.Bus == platform.BusNVMe && t.NVMe(d.Name):
		return inNVMe
	case t.ATA(d.Name):
		return inATA
	}
	return speaksNothing
}

func (q query[T]) put(n driveNode, speaks language, d platform.Drive) (T, error) {
	if speaks == inNVMe {
		return q.nvme(n, d)
	}
	return q.ata(n, d)
}

// inquire opens a drive for one question.
func inquire[T any](h *Host, op string, d platform.Drive, q query[T]) (T, error) {
	var none T
	speaks := h.languageOf(d)
	switch {
	case !h.tree().Present(d.Name):
		return none, &platform.OpError{Op: op, Object: d.Name, Reason: platform.ErrGone}
	case speaks == speaksNothing:
		return none, mute(op, d)
	case h.tree().Asleep(d.Name):
		return none, &platform.OpError{Op: op, Object: d.Name, Reason: platform.ErrAsleep}
	}
	n, err := openNode(d.Name)
	if err != nil {
		return none, about(op, d, err)
	}
	out, err := q.put(n, speaks, d)
	if closeErr := n.close(); err == nil {
		err = closeErr
	}
	return out, about(op, d, err)
}

// about says what was wanted of which drive, unless an error does so already.
func about(op string, d platform.Drive, err error) error {
	var known *platform.OpError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &known):
		return opError(op, d.Name, err)
	case known.Op == op && known.Object == d.Name:
		return err
	}
	return &platform.OpError{Op: op, Object: d.Name, Reason: known.Reason, Err: err}
}
