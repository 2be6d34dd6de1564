package ata

// SGHeader is Linux's struct sg_io_hdr (include/scsi/sg.h), 88 bytes where an address has 8. What the addresses
// point to must not move.
type SGHeader struct {
	InterfaceID  int32
	Direction    int32
	CommandLen   uint8
	SenseRoom    uint8
	IovecCount   uint16
	DataLen      uint32
	Data         uintptr
	Command      uintptr
	Sense        uintptr
	TimeoutMS    uint32
	Flags        uint32
	PackID       int32
	User         uintptr
	Status       uint8
	MaskedStatus uint8
	MsgStatus    uint8
	SenseLen     uint8
	HostStatus   uint16
	DriverStatus uint16
	Residual     int32
	Duration     uint32
	Info         uint32
}

// IoctlSG is SG_IO.
const IoctlSG = 0x2285

// SenseRoom is more than any sense data has.
const SenseRoom = 64

// timeoutMS is how long the drive may take. The kernel has as much patience with reads and writes; after that it
// resets the drive, which must not come of a question that one has merely grown tired of.
const timeoutMS = 30_000

// Header is the request to send a command: the addresses are those of its CDB, of room for SenseRoom bytes, and
// of room for what the drive answers.
func (c Command) Header(cdb, sense, data uintptr) SGHeader {
	const none, fromDevice = -1, -3
	h := SGHeader{InterfaceID: 'S', Direction: none, CommandLen: CDBSize, SenseRoom: SenseRoom, Command: cdb, Sense: sense, TimeoutMS: timeoutMS}
	if c.sectors > 0 {
		h.Direction, h.DataLen, h.Data = fromDevice, uint32(c.Size()), data
	}
	return h
}

// Result is how the command ended; sense is what was at its address.
func (h *SGHeader) Result(sense []byte) Result {
	return Result{Status: h.Status, Host: h.HostStatus, Driver: h.DriverStatus, Residual: int(h.Residual), Sense: sense[:min(int(h.SenseLen), len(sense))]}
}
