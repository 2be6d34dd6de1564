package platform

import "context"

// Trimmer is what a Host may also be: one that can have the file system tell its drives which blocks are free.
type Trimmer interface {
	// TrimFree tells the drives below a target of all its free blocks and returns how many bytes that were.
	// ErrPermission where this user may not, ErrUnsupported where the file system or a layer does not pass it on.
	TrimFree(ctx context.Context, t Target) (int64, error)
}
