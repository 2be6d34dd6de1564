package host

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapMemory is n zeroed bytes, page aligned and present, outside the Go heap: the kernel keeps
// addresses of it while the runtime may do as it likes.
func mapMemory(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_POPULATE)
}

// roundUp is n rounded up to whole pages.
func roundUp(n int) int {
	page := os.Getpagesize()
	return (n + page - 1) / page * page
}
