package nvme

// AdminCommand is Linux's struct nvme_passthru_cmd (include/uapi/linux/nvme_ioctl.h), 72 bytes.
type AdminCommand struct {
	Opcode      uint8
	Flags       uint8
	Reserved    uint16
	NSID        uint32
	CDW2        uint32
	CDW3        uint32
	Metadata    uint64
	Addr        uint64 // of the buffer, which must not move
	MetadataLen uint32
	DataLen     uint32 // bytes
	CDW10       uint32
	CDW11       uint32
	CDW12       uint32
	CDW13       uint32
	CDW14       uint32
	CDW15       uint32
	TimeoutMS   uint32
	Result      uint32
}

// AdminCommand64 is struct nvme_passthru_cmd64, 80 bytes: the result of the other is not in use here.
type AdminCommand64 struct {
	AdminCommand
	Result64 uint64
}

// IoctlAdmin is NVME_IOCTL_ADMIN_CMD: _IOWR('N', 0x41, struct nvme_passthru_cmd). IoctlAdmin64 is
// NVME_IOCTL_ADMIN64_CMD, which takes an AdminCommand64.
const (
	IoctlAdmin   = 0xC0484E41
	IoctlAdmin64 = 0xC0504E47
)

const (
	opGetLogPage  = 0x02
	opIdentify    = 0x06
	allNamespaces = 0xFFFFFFFF
	cnsController = 0x01

	// timeoutMS is how long the drive may take. After it the controller is reset, which must not come of a
	// question that one has merely grown tired of: the kernel has as much patience with reads and writes.
	timeoutMS = 30_000
)

// GetHealth is the command that has the drive write its health log to the HealthSize bytes at addr.
func GetHealth(addr uint64) AdminCommand {
	return AdminCommand{
		Opcode:    opGetLogPage,
		NSID:      allNamespaces,
		Addr:      addr,
		DataLen:   HealthSize,
		CDW10:     HealthPage | (HealthSize/4-1)<<16, // the length is in 32-bit words, less one
		TimeoutMS: timeoutMS,
	}
}

// GetController is the command that has the controller say what it is, in the ControllerSize bytes at addr.
func GetController(addr uint64) AdminCommand {
	return AdminCommand{Opcode: opIdentify, Addr: addr, DataLen: ControllerSize, CDW10: cnsController, TimeoutMS: timeoutMS}
}

// Unknown says whether the status of a command means that the drive does not know it, or not this page.
func Unknown(status uint16) bool {
	const mask, opcode, field, logPage = 0x7FF, 0x001, 0x002, 0x109
	switch status & mask {
	case opcode, field, logPage:
		return true
	}
	return false
}
