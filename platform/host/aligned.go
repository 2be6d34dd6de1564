package host

import "unsafe"

// Buffer implements platform.Imager: memory that begins at a page. Go does not move what it has given.
func (h *Host) Buffer(n int) []byte {
	b := make([]byte, n+pageAlign)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (pageAlign - 1)
	return b[skip : skip+n : skip+n]
}

// pageAlign is what direct I/O asks of memory at most, bytes.
const pageAlign = 4096
