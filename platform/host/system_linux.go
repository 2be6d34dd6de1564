package host

import (
	"context"
	"os"
	"runtime"

	"cachecliff/platform"
)

// System describes this computer.
func (h *Host) System(ctx context.Context) (platform.System, error) {
	return ask(ctx, h.asked, "description of the computer", func() (platform.System, error) {
		s := h.tree().System()
		s.Arch, s.CPUs = runtime.GOARCH, runtime.NumCPU()
		s.Administrator = platform.TriOf(os.Geteuid() == 0)
		return s, nil
	})
}
