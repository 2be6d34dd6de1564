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

// IoctlAdmin is NVME_IOCTL_ADMIN_CMD: _IOWR('N', 0x41, struct nvme_passthru_cmd).
const IoctlAdmin = 0xC0484E41

const (
	opGetLogPage  = 0x02
	allNamespaces = 0xFFFFFFFF
	// healthTimeoutMS is how long the drive may take. The kernel's own limit is a minute, and after it the
	// controller is reset.
	healthTimeoutMS = 5000
)

// GetHealth is the command that has the drive write its health log to the HealthSize bytes at addr.
func GetHealth(addr uint64) AdminCommand {
	return AdminCommand{
		Opcode:    opGetLogPage,
		NSID:      allNamespaces,
		Addr:      addr,
		DataLen:   HealthSize,
		CDW10:     HealthPage | (HealthSize/4-1)<<16, // the length is in 32-bit words, less one
		TimeoutMS: healthTimeoutMS,
	}
}
