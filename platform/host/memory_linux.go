package host

import (
	"errors"

	"golang.org/x/sys/unix"
)

// mapMemory is n zeroed bytes, page aligned and present, outside the Go heap: the kernel keeps
// addresses of it while the runtime may do as it likes.
func mapMemory(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_POPULATE)
}

// hugePage is the size of a transparent huge page, in bytes (x86-64; arm64 with pages of 4 KiB).
const hugePage = 2 << 20

// mapBuffers maps memory for the buffers of a queue: mem is what they lie in, and region what has to be
// unmapped. In pages of 4 KiB each buffer of 1 MiB is 256 pieces for the drive's controller; where it
// takes fewer (127 and 128 are common) the kernel splits the request. In huge pages it stays whole.
func mapBuffers(n int, huge bool) (region, mem []byte, err error) {
	if !huge {
		mem, err = mapMemory(n)
		return mem, mem, err
	}
	n = (n + hugePage - 1) / hugePage * hugePage
	region, err = unix.Mmap(-1, 0, n+hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return nil, nil, err
	}
	skip := int(-addressOf(region) & (hugePage - 1))
	mem = region[skip : skip+n : skip+n]
	err = unix.Madvise(mem, unix.MADV_HUGEPAGE)
	if err == nil {
		clear(mem) // brings the pages in
		// Makes huge pages of what did not become one, or says that it cannot (Linux 6.1).
		err = unix.Madvise(mem, unix.MADV_COLLAPSE)
	}
	if err != nil {
		return nil, nil, errors.Join(err, unix.Munmap(region))
	}
	return region, mem, nil
}
