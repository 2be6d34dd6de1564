package host

// The kernel's structures, laid out by hand; abi_test.go pins sizes and offsets. They hold no Go
// pointers: all addresses in them are of memory that the garbage collector does not know.

// uringParams is struct io_uring_params.
type uringParams struct {
	sqEntries, cqEntries, flags uint32
	sqThreadCPU, sqThreadIdle   uint32
	features, wqFd              uint32
	_                           [3]uint32
	sqOff                       sqOffsets
	cqOff                       cqOffsets
}

// sqOffsets is struct io_sqring_offsets.
type sqOffsets struct {
	head, tail, mask, entries, flags, dropped, array uint32
	_                                                uint32
	_                                                uint64
}

// cqOffsets is struct io_cqring_offsets.
type cqOffsets struct {
	head, tail, mask, entries, overflow, cqes, flags uint32
	_                                                uint32
	_                                                uint64
}

// uringSQE is struct io_uring_sqe, a request.
type uringSQE struct {
	opcode, flags uint8
	ioprio        uint16
	fd            int32
	off, addr     uint64
	len, opFlags  uint32
	userData      uint64
	bufIndex      uint16
	personality   uint16
	spliceFd      int32
	_             [2]uint64
}

// uringCQE is struct io_uring_cqe, an answer.
type uringCQE struct {
	userData uint64
	res      int32
	flags    uint32
}

// kernelTimespec is struct __kernel_timespec.
type kernelTimespec struct{ sec, nsec int64 }

// kernelIovec is struct iovec on a 64-bit system.
type kernelIovec struct{ base, len uint64 }

const (
	uringOpFsync         = 3
	uringOpReadFixed     = 4
	uringOpWriteFixed    = 5
	uringOpTimeout       = 11
	uringOpTimeoutRemove = 12
	uringOpRead          = 22
	uringOpWrite         = 23

	uringFixedFile     = 1 << 0 // sqe flags
	uringFsyncDatasync = 1 << 0
	uringTimeoutAbs    = 1 << 0

	uringGetEvents      = 1 << 0 // enter flags
	uringRegisteredRing = 1 << 4

	uringSetupCoopTaskrun  = 1 << 8
	uringSetupSingleIssuer = 1 << 12
	uringSetupDeferTaskrun = 1 << 13

	uringFeatSingleMmap = 1 << 0
	uringFeatRWCurPos   = 1 << 3 // came with IORING_OP_READ and IORING_OP_WRITE in 5.6

	uringRegisterBuffers = 0
	uringRegisterFiles   = 2
	uringUnregisterFiles = 3

	uringRegisterRingFDs   = 20
	uringUnregisterRingFDs = 21

	uringOffSQRing = 0
	uringOffSQEs   = 0x10000000
)

// uringRingFD is struct io_uring_rsrc_update, as it registers a ring with its thread.
type uringRingFD struct {
	offset, _ uint32
	data      uint64
}

// aioIocb is struct iocb.
type aioIocb struct {
	data         uint64
	key, rwFlags uint32
	opcode       uint16
	reqprio      int16
	fildes       uint32
	buf, nbytes  uint64
	offset       int64
	_            uint64
	flags, resfd uint32
}

// aioEvent is struct io_event.
type aioEvent struct {
	data, obj uint64
	res, res2 int64
}

// aioRing is struct aio_ring, the head of the completion ring that the kernel maps into the process;
// events follow it. It is not in the kernel's published headers, which is what magic and
// incompat are for.
type aioRing struct {
	id, nr, head, tail                 uint32
	magic, compat, incompat, headerLen uint32
}

const (
	aioCmdPread  = 0
	aioCmdPwrite = 1
	aioCmdFdsync = 3

	aioRingMagic = 0xa10a10a1
)

// fiemapHead is struct fiemap without its extents.
type fiemapHead struct {
	start, length           uint64
	flags, mapped, count, _ uint32
}

// fiemapExtent is struct fiemap_extent.
type fiemapExtent struct {
	logical, physical, length uint64
	_                         [2]uint64
	flags                     uint32
	_                         [3]uint32
}

// fiemapBatch is how many extents are asked for at a time.
const fiemapBatch = 512

// fiemapBatched is struct fiemap with its extents. The kernel writes to it in place; it holds no
// addresses.
type fiemapBatched struct {
	fiemapHead
	extents [fiemapBatch]fiemapExtent
}

const (
	fsIocFiemap = 0xc020660b // _IOWR('f', 11, struct fiemap)

	fiemapFlagSync        = 0x1
	fiemapExtentLast      = 0x1
	fiemapExtentUnknown   = 0x2
	fiemapExtentEncoded   = 0x8
	fiemapExtentEncrypted = 0x80
	fiemapExtentUnwritten = 0x800
	fiemapExtentShared    = 0x2000
)
