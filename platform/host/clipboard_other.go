//go:build !linux && !windows

package host

import "cachecliff/platform"

// CopyPicture puts a PNG picture into the clipboard, which is not known how here.
func CopyPicture([]byte) error {
	return &platform.OpError{Op: copyOp, Object: "a picture", Reason: platform.ErrUnsupported}
}
