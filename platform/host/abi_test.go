package host

import (
	"testing"
	"unsafe"
)

// TestABI pins sizes and offsets to the kernel's headers: include/uapi/linux/io_uring.h, aio_abi.h and
// fiemap.h, and fs/aio.c for struct aio_ring.
func TestABI(t *testing.T) {
	var (
		p  uringParams
		s  uringSQE
		c  uringCQE
		i  aioIocb
		e  aioEvent
		r  aioRing
		h  fiemapHead
		x  fiemapExtent
		q  fiemapBatched
		ts kernelTimespec
		v  kernelIovec
		fd uringRingFD
	)
	for _, f := range []struct {
		name      string
		got, want uintptr
	}{
		{"sizeof io_uring_params", unsafe.Sizeof(p), 120},
		{"io_uring_params.flags", unsafe.Offsetof(p.flags), 8},
		{"io_uring_params.features", unsafe.Offsetof(p.features), 20},
		{"io_uring_params.sq_off", unsafe.Offsetof(p.sqOff), 40},
		{"io_uring_params.cq_off", unsafe.Offsetof(p.cqOff), 80},
		{"sizeof io_sqring_offsets", unsafe.Sizeof(p.sqOff), 40},
		{"io_sqring_offsets.array", unsafe.Offsetof(p.sqOff.array), 24},
		{"sizeof io_cqring_offsets", unsafe.Sizeof(p.cqOff), 40},
		{"io_cqring_offsets.cqes", unsafe.Offsetof(p.cqOff.cqes), 20},
		{"sizeof io_uring_sqe", unsafe.Sizeof(s), 64},
		{"io_uring_sqe.fd", unsafe.Offsetof(s.fd), 4},
		{"io_uring_sqe.off", unsafe.Offsetof(s.off), 8},
		{"io_uring_sqe.addr", unsafe.Offsetof(s.addr), 16},
		{"io_uring_sqe.len", unsafe.Offsetof(s.len), 24},
		{"io_uring_sqe.rw_flags", unsafe.Offsetof(s.opFlags), 28},
		{"io_uring_sqe.user_data", unsafe.Offsetof(s.userData), 32},
		{"io_uring_sqe.buf_index", unsafe.Offsetof(s.bufIndex), 40},
		{"io_uring_sqe.personality", unsafe.Offsetof(s.personality), 42},
		{"io_uring_sqe.splice_fd_in", unsafe.Offsetof(s.spliceFd), 44},
		{"sizeof io_uring_cqe", unsafe.Sizeof(c), 16},
		{"io_uring_cqe.res", unsafe.Offsetof(c.res), 8},
		{"sizeof __kernel_timespec", unsafe.Sizeof(ts), 16},
		{"sizeof io_uring_rsrc_update", unsafe.Sizeof(fd), 16},
		{"io_uring_rsrc_update.data", unsafe.Offsetof(fd.data), 8},
		{"sizeof iovec", unsafe.Sizeof(v), 16},
		{"sizeof iocb", unsafe.Sizeof(i), 64},
		{"iocb.aio_lio_opcode", unsafe.Offsetof(i.opcode), 16},
		{"iocb.aio_fildes", unsafe.Offsetof(i.fildes), 20},
		{"iocb.aio_buf", unsafe.Offsetof(i.buf), 24},
		{"iocb.aio_nbytes", unsafe.Offsetof(i.nbytes), 32},
		{"iocb.aio_offset", unsafe.Offsetof(i.offset), 40},
		{"iocb.aio_flags", unsafe.Offsetof(i.flags), 56},
		{"sizeof io_event", unsafe.Sizeof(e), 32},
		{"io_event.res", unsafe.Offsetof(e.res), 16},
		{"sizeof aio_ring", unsafe.Sizeof(r), 32},
		{"aio_ring.tail", unsafe.Offsetof(r.tail), 12},
		{"aio_ring.magic", unsafe.Offsetof(r.magic), 16},
		{"sizeof fiemap", unsafe.Sizeof(h), 32},
		{"fiemap.fm_flags", unsafe.Offsetof(h.flags), 16},
		{"fiemap.fm_mapped_extents", unsafe.Offsetof(h.mapped), 20},
		{"fiemap.fm_extents", unsafe.Offsetof(q.extents), 32},
		{"sizeof fiemap_extent", unsafe.Sizeof(x), 56},
		{"fiemap_extent.fe_flags", unsafe.Offsetof(x.flags), 40},
	} {
		if f.got != f.want {
			t.Errorf("%s is %d, want %d", f.name, f.got, f.want)
		}
	}
}
