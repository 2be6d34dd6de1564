package host

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"time"

	"cachecliff/platform"
)

// copyPatience is how long a program may take to take a picture over. It goes on in the background then.
const copyPatience = 10 * time.Second

// CopyPicture puts a PNG picture into the clipboard. X11 and Wayland have no clipboard that keeps what is put into it:
// a program serves it for as long as it is wanted, here one that is made for that. It fails with
// platform.ErrNoClipboard where there is none.
func CopyPicture(picture []byte) error {
	c, path, err := findCopier(os.Getenv, exec.LookPath)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), copyPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, c.args...)
	cmd.Stdin = bytes.NewReader(picture) // its outputs are closed: what serves the clipboard would hold them open
	if err := cmd.Run(); err != nil {
		return &platform.OpError{Op: copyOp, Object: c.name, Err: err}
	}
	return nil
}
