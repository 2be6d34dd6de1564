package winapi

import (
	"fmt"
	"unsafe"
)

// A Command is an ATA command that reads one sector, or only the registers. Commands are told to the drive as
// they are, which takes administrator rights.
type Command struct {
	name      string
	command   uint8
	feature   uint8
	log, page uint8
	sectors   int // 0 for a command that answers in registers
	extended  bool
	smart     bool // has the key in its registers without which no SMART command is obeyed
}

// The commands (ATA Command Set; SMART commands from before ACS-4).
var (
	CommandIdentify   = Command{name: "IDENTIFY DEVICE", command: 0xEC, sectors: 1}
	CommandAttributes = Command{name: "SMART READ DATA", command: opSmart, feature: 0xD0, sectors: 1, smart: true}
	CommandThresholds = Command{name: "SMART READ THRESHOLDS", command: opSmart, feature: 0xD1, sectors: 1, smart: true}
	CommandStatus     = Command{name: "SMART RETURN STATUS", command: opSmart, feature: 0xDA, smart: true}
)

// CommandLog reads one page of a general purpose log (READ LOG EXT).
func CommandLog(log, page uint8) Command {
	return Command{name: "READ LOG EXT", command: 0x2F, log: log, page: page, sectors: 1, extended: true}
}

const (
	opSmart = 0xB0
	// The key in the cylinder registers, and what RETURN STATUS leaves there when the drive expects to fail.
	keyMid, keyHigh         = 0x4F, 0xC2
	failingMid, failingHigh = 0xF4, 0x2C

	deviceRegister = 0xA0 // bits that old drives want set
	deviceLBA      = 0x40

	statusError, statusFault = 0x01, 0x20 // bits of the status register

	// SectorSize is how many bytes a page of SMART data has.
	SectorSize = 512
	// commandSeconds is how long a drive may take; Windows resets it after that.
	commandSeconds = 5
)

func (c Command) String() string { return c.name }

// registers are what the command is told with.
func (c Command) registers() ataTaskFile {
	r := ataTaskFile{Features: c.feature, Count: uint8(c.sectors), Device: deviceRegister, Command: c.command}
	if c.smart {
		r.LBAMid, r.LBAHigh = keyMid, keyHigh
	}
	if c.extended {
		r.LBALow, r.LBAMid = c.log, c.page
		r.Device |= deviceLBA
	}
	return r
}

// SmartReceive is the request of CodeSmartReceive for a command that reads a sector: SENDCMDINPARAMS. It has
// no room for an extended command.
func (c Command) SmartReceive() []byte {
	r := c.registers()
	return encode(sendCmdInParams{
		BufferSize: SectorSize,
		Registers: ideRegs{Features: r.Features, SectorCount: r.Count, SectorNumber: 1, CylinderLow: r.LBAMid,
			CylinderHigh: r.LBAHigh, DriveHead: r.Device, Command: r.Command},
	})
}

// SmartReceiveSize is the length of the answer to SmartReceive.
const SmartReceiveSize = int(unsafe.Sizeof(sendCmdOutParams{})) + SectorSize

// DecodeSmartReceive takes the sector out of the answer to SmartReceive.
func DecodeSmartReceive(b []byte) ([]byte, error) {
	d, err := decode[sendCmdOutParams](b)
	if err != nil {
		return nil, err
	}
	rest := b[unsafe.Sizeof(d):]
	switch {
	case d.DriverError != 0:
		return nil, fmt.Errorf("the drive refused the command: driver error %d, error register %#x", d.DriverError, d.IDEError)
	case len(rest) < SectorSize:
		return nil, ErrShort
	}
	return rest[:SectorSize], nil
}

// PassThrough is the request of CodeAtaPassThrough, an ATA_PASS_THROUGH_EX; the answer comes into room of the
// same length.
func (c Command) PassThrough() []byte {
	const dataIn, ready, extended = 0x02, 0x01, 0x08 // ATA_FLAGS_*
	head := ataPassThroughEx{
		Length: uint16(unsafe.Sizeof(ataPassThroughEx{})), Flags: ready, TimeOutValue: commandSeconds,
		Current: c.registers(),
	}
	if c.sectors > 0 {
		head.Flags |= dataIn
		head.DataTransferLength = uint32(c.sectors * SectorSize)
		head.DataBufferOffset = uint64(unsafe.Sizeof(head))
	}
	if c.extended {
		head.Flags |= extended
	}
	return append(encode(head), make([]byte, c.sectors*SectorSize)...)
}

// DecodePassThrough takes the sector out of the answer to PassThrough.
func (c Command) DecodePassThrough(b []byte) ([]byte, error) {
	d, err := c.answer(b)
	if err != nil {
		return nil, err
	}
	size := uint64(c.sectors * SectorSize)
	switch {
	case d.DataBufferOffset < uint64(unsafe.Sizeof(d)):
		return nil, ErrStrange
	case uint64(d.DataTransferLength) < size, d.DataBufferOffset > uint64(len(b)), uint64(len(b))-d.DataBufferOffset < size:
		return nil, ErrShort
	}
	return b[d.DataBufferOffset : d.DataBufferOffset+size], nil
}

// answer reads the registers after a command.
func (c Command) answer(b []byte) (ataPassThroughEx, error) {
	d, err := decode[ataPassThroughEx](b)
	if err == nil && d.Current.Command&(statusError|statusFault) != 0 {
		err = fmt.Errorf("the drive refused %s: status register %#x, error register %#x", c.name, d.Current.Command, d.Current.Features)
	}
	return d, err
}

// DecodeStatus says whether the drive expects to fail soon, from the answer to PassThrough of CommandStatus.
func DecodeStatus(b []byte) (failing bool, err error) {
	d, err := CommandStatus.answer(b)
	if err != nil {
		return false, err
	}
	switch [2]uint8{d.Current.LBAMid, d.Current.LBAHigh} {
	case [2]uint8{keyMid, keyHigh}:
		return false, nil
	case [2]uint8{failingMid, failingHigh}:
		return true, nil
	}
	return false, fmt.Errorf("%w: registers %#x and %#x after %s", ErrStrange, d.Current.LBAMid, d.Current.LBAHigh, CommandStatus)
}

// PredictFailureSize is the length of the answer to CodePredictFailure, bytes.
const PredictFailureSize = int(unsafe.Sizeof(storagePredictFailure{}))

// DecodePredictFailure decodes the answer to CodePredictFailure: whether the driver expects the drive to fail,
// and what of ATA drives is the sector of SMART READ DATA. It needs no rights.
func DecodePredictFailure(b []byte) (failing bool, page []byte, err error) {
	d, err := decode[storagePredictFailure](b)
	if err != nil {
		return false, nil, err
	}
	return d.PredictFailure != 0, d.VendorSpecific[:], nil
}
