package ata

import (
	"errors"
	"fmt"

	"cachecliff/platform"
)

// A Command is an ATA command that reads one sector, or answers in registers only, as it is told to a drive
// behind a layer of SCSI: ATA PASS-THROUGH (16) of the SCSI / ATA Translation standard.
type Command struct {
	name      string
	opcode    uint8
	feature   uint8
	log, page uint8
	sectors   uint8 // 0 for a command that answers in registers
	extended  bool
	smart     bool // has the key in its registers without which no SMART command is obeyed
}

// The commands (ATA Command Set; SMART commands from before ACS-4). None changes anything in the drive.
var (
	CommandPower      = Command{name: "CHECK POWER MODE", opcode: 0xE5}
	CommandIdentify   = Command{name: "IDENTIFY DEVICE", opcode: 0xEC, sectors: 1}
	CommandAttributes = Command{name: "SMART READ DATA", opcode: opSmart, feature: 0xD0, sectors: 1, smart: true}
	CommandThresholds = Command{name: "SMART READ THRESHOLDS", opcode: opSmart, feature: 0xD1, sectors: 1, smart: true}
	CommandErrors     = Command{name: "SMART READ LOG of errors", opcode: opSmart, feature: 0xD5, log: 0x01, sectors: 1, smart: true}
	CommandSCT        = Command{name: "SMART READ LOG of SCT status", opcode: opSmart, feature: 0xD5, log: 0xE0, sectors: 1, smart: true}
	CommandStatus     = Command{name: "SMART RETURN STATUS", opcode: opSmart, feature: 0xDA, smart: true}
)

// CommandLog reads one page of a general purpose log (READ LOG EXT).
func CommandLog(log, page uint8) Command {
	return Command{name: fmt.Sprintf("READ LOG EXT of log %d, page %d", log, page), opcode: 0x2F, log: log, page: page, sectors: 1, extended: true}
}

const (
	opSmart = 0xB0
	// The key in the cylinder registers, and what RETURN STATUS leaves there when the drive expects to fail.
	keyMid, keyHigh         = 0x4F, 0xC2
	failingMid, failingHigh = 0xF4, 0x2C
)

func (c Command) String() string { return c.name }

// Size is how many bytes the drive answers with.
func (c Command) Size() int { return int(c.sectors) * PageSize }

// CDBSize is the length of ATA PASS-THROUGH (16).
const CDBSize = 16

// CDB is the command in ATA PASS-THROUGH (16).
func (c Command) CDB() [CDBSize]byte {
	const (
		passThrough         = 0x85
		noData, dataIn      = 3 << 1, 4 << 1 // protocols
		extend              = 1
		registers           = 0x20 // have the registers in the sense data in any case
		fromDevice, inCount = 0x08, 0x06
		lba                 = 0x40
	)
	cdb := [CDBSize]byte{0: passThrough, 1: noData, 2: registers, 4: c.feature, 6: c.sectors, 8: c.log, 14: c.opcode}
	if c.sectors > 0 {
		cdb[1], cdb[2] = dataIn, fromDevice|inCount // as many blocks as the count says
	}
	if c.smart {
		cdb[10], cdb[12] = keyMid, keyHigh
	}
	if c.extended {
		cdb[1] |= extend
		cdb[10], cdb[13] = c.page, lba
	}
	return cdb
}

// Registers are what a drive leaves behind of itself when a command is done.
type Registers struct {
	Error, Status, Count, Low, Mid, High uint8
}

// Bits of the registers.
const (
	statusError, statusFault, statusReady = 0x01, 0x20, 0x40
	errorAbort                            = 0x04
)

// Result is how a SCSI command ended, in Linux's terms (include/scsi/sg.h).
type Result struct {
	Status   uint8  // SCSI status
	Host     uint16 // what the adapter says, DID_*
	Driver   uint16 // what the driver says, DRIVER_*
	Residual int    // bytes that did not come
	Sense    []byte
}

// What came of a command that came to nothing.
var (
	errRefused   = errors.New("the drive refuses the command")
	errNotPassed = errors.New("what is in between does not pass the command on")
)

// Judge turns the end of a command into the drive's registers, or into an error. The registers are zero where
// they are not told, which is no error for a command that reads. It fails with platform.ErrGone,
// platform.ErrStalled, platform.ErrBusy, with platform.ErrUnsupported where the drive or what is in between
// does not know the command, else with platform.ErrIO.
func (c Command) Judge(r Result) (Registers, error) {
	fail := func(reason, err error) (Registers, error) {
		return Registers{}, &platform.OpError{Op: "send", Object: c.name, Reason: reason, Err: err}
	}
	const (
		noConnect, timeOut, badTarget = 0x01, 0x03, 0x04 // DID_*
		driverTimeout, driverMask     = 0x06, 0x0F       // DRIVER_*
		good, check, busy, conflict   = 0x00, 0x02, 0x08, 0x18
	)
	switch {
	case r.Host == noConnect || r.Host == badTarget:
		return fail(platform.ErrGone, fmt.Errorf("no device answers, host status %#x", r.Host))
	case r.Host == timeOut || r.Driver&driverMask == driverTimeout:
		return fail(platform.ErrStalled, fmt.Errorf("time is up, host status %#x", r.Host))
	case r.Host != 0:
		return fail(platform.ErrIO, fmt.Errorf("host status %#x", r.Host))
	case r.Status == busy || r.Status == conflict:
		return fail(platform.ErrBusy, fmt.Errorf("SCSI status %#x", r.Status))
	case r.Status != good && r.Status != check:
		return fail(platform.ErrIO, fmt.Errorf("SCSI status %#x", r.Status))
	}
	registers, err := c.senseOf(r)
	switch {
	case err != nil:
		return registers, err
	case c.sectors > 0 && r.Residual != 0:
		return fail(platform.ErrIO, fmt.Errorf("%d of %d bytes did not come", r.Residual, c.Size()))
	}
	return registers, nil
}

// senseOf looks at the sense data of a command that came as far as the device.
func (c Command) senseOf(r Result) (Registers, error) {
	sense, ok := decodeSense(r.Sense)
	if !ok {
		if r.Status == 0 {
			return Registers{}, nil
		}
		return Registers{}, &platform.OpError{Op: "send", Object: c.name, Reason: platform.ErrIO, Err: errors.New("no sense data")}
	}
	const (
		noSense, recovered, notReady, illegal, aborted = 0x0, 0x1, 0x2, 0x5, 0xB
		noMedium                                       = 0x3A
	)
	var reason error
	var why error
	switch reg := sense.registers; {
	case reg.Status&(statusError|statusFault) != 0 && reg.Error&errorAbort != 0:
		reason, why = platform.ErrUnsupported, errRefused
	case reg.Status&(statusError|statusFault) != 0:
		reason, why = platform.ErrIO, fmt.Errorf("status register %#x, error register %#x", reg.Status, reg.Error)
	case sense.key == illegal:
		reason, why = platform.ErrUnsupported, errNotPassed
	case sense.key == notReady && sense.code == noMedium:
		reason, why = platform.ErrNoMedium, errNotPassed
	case sense.key != noSense && sense.key != recovered:
		reason, why = platform.ErrIO, fmt.Errorf("sense key %#x, code %#x/%#x", sense.key, sense.code, sense.qualifier)
	default:
		return reg, nil
	}
	return Registers{}, &platform.OpError{Op: "send", Object: c.name, Reason: reason, Err: why}
}

// sense is what a device says of a command that did not simply succeed (SCSI Primary Commands, "Sense data").
type sense struct {
	key, code, qualifier uint8
	registers            Registers // zero if they are not told
}

// decodeSense reads sense data of both formats. With descriptors the registers are in one of their own; in the
// fixed format they are in the fields for information (SCSI / ATA Translation, "ATA Status Return Descriptor",
// "Fixed format sense data").
func decodeSense(b []byte) (sense, bool) {
	const (
		fixed, descriptors = 0x70, 0x72 // and one more each for errors of earlier commands
		fixedSize          = 14
		informed           = 0x1D // ATA pass through information available
	)
	if len(b) < 8 {
		return sense{}, false
	}
	switch b[0] & 0x7E {
	case descriptors:
		s := sense{key: b[1] & 0xF, code: b[2], qualifier: b[3]}
		s.registers = returned(b[8:min(len(b), 8+int(b[7]))])
		return s, true
	case fixed:
		if len(b) < fixedSize {
			return sense{}, false
		}
		s := sense{key: b[2] & 0xF, code: b[12], qualifier: b[13]}
		if s.code == 0 && s.qualifier == informed {
			s.registers = Registers{Error: b[3], Status: b[4], Count: b[6], Low: b[9], Mid: b[10], High: b[11]}
		}
		return s, true
	}
	return sense{}, false
}

// returned finds the descriptor with the registers.
func returned(b []byte) Registers {
	const kind, size = 0x09, 14
	for len(b) >= 2 {
		n := 2 + int(b[1])
		if n > len(b) {
			break
		}
		if b[0] == kind && n >= size {
			return Registers{Error: b[3], Count: b[5], Low: b[7], Mid: b[9], High: b[11], Status: b[13]}
		}
		b = b[n:]
	}
	return Registers{}
}

// told says whether registers are those of a drive that is ready, and not merely zeros.
func (r Registers) told() bool { return r.Status&statusReady != 0 }

// Sleeps says whether the answer to CommandPower means that the drive's motor stands still, so that another
// command would start it.
func (r Registers) Sleeps() bool {
	const standby, standbyY = 0x00, 0x01
	return r.told() && (r.Count == standby || r.Count == standbyY)
}

// Passed is the drive's own verdict, out of the answer to CommandStatus.
func (r Registers) Passed() platform.Tri {
	switch {
	case r.Mid == keyMid && r.High == keyHigh && r.told():
		return platform.Yes
	case r.Mid == failingMid && r.High == failingHigh:
		return platform.No
	}
	return platform.Unknown
}
