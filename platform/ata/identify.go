package ata

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"

	"github.com/dswarbrick/smart/ata"

	"cachecliff/platform"
)

// Identity is what a drive says of itself in IDENTIFY DEVICE. What it does not say is empty, 0 or unknown.
type Identity struct {
	Model, Serial, Firmware string
	WWN                     string // "naa.5002538e4034d3fe"
	Capacity                int64  // bytes
	LogicalSector           int    // bytes
	PhysicalSector          int
	Rotational              platform.Tri
	RPM                     int // revolutions per minute; 0 if there are none, or it does not say
	Trim                    platform.Tri
	WriteCache              string // as in platform.Drive
	Smart                   platform.Tri
	Logs                    platform.Tri // general purpose logs can be read
	ErrorLog                platform.Tri // SMART keeps a log of errors
	SCT                     platform.Tri // SMART Command Transport, and with it a status with the temperature
	Link, LinkMax           platform.Link
}

// Words of IDENTIFY DEVICE that the library does not name, or has in the wrong place (the link) (ATA Command
// Set, "IDENTIFY DEVICE data").
const (
	wordSectors28   = 60  // addressable sectors, 2 words
	wordLink        = 76  // what SATA link the drive can have, and which it has, 2 words
	wordSupported82 = 82  // commands and feature sets that are supported, 3 words
	wordEnabled85   = 85  // the same that are switched on
	wordSectors48   = 100 // addressable sectors, 4 words
	wordSectorSize  = 106
	wordLogicalSize = 117 // in words of 2 bytes, 2 words
	wordDataSet     = 169
	wordSCT         = 206
	wordRotation    = 217
	wordIntegrity   = 255
)

// DecodeIdentify decodes the answer of IDENTIFY DEVICE. It fails for one whose checksum is wrong (those of old
// drives have none), and for what is no hard disk or SSD.
func DecodeIdentify(page []byte) (Identity, error) {
	if err := check(page); err != nil {
		return Identity{}, err
	}
	const signature = 0xA5 // in the last word: a checksum stands beside it
	if page[2*wordIntegrity] == signature {
		if err := checkSum(page); err != nil {
			return Identity{}, err
		}
	}
	var d ata.IdentifyDeviceData
	if _, err := binary.Decode(page, binary.LittleEndian, &d); err != nil {
		return Identity{}, err
	}
	if d.GeneralConfig&(1<<15) != 0 {
		return Identity{}, fmt.Errorf("%w: no disk, general configuration %#x", ErrStrange, d.GeneralConfig)
	}
	id := Identity{
		Model: text(d.ModelNumber()), Serial: text(d.SerialNumber()), Firmware: text(d.FirmwareRevision()),
		Rotational: rotational(word(page, wordRotation)),
		Trim:       platform.TriOf(word(page, wordDataSet)&1 != 0),
		SCT:        platform.TriOf(word(page, wordSCT)&1 != 0 && word(page, wordSCT) != 0xFFFF),
	}
	if id.Rotational == platform.Yes {
		id.RPM = int(word(page, wordRotation))
	}
	id.LogicalSector, id.PhysicalSector = sectorSizes(page)
	id.Capacity = capacity(page, id.LogicalSector)
	if d.Word87&0xC100 == 0x4100 { // the word is valid, and there is a name
		id.WWN = fmt.Sprintf("naa.%04x%04x%04x%04x", d.WWNRaw[0], d.WWNRaw[1], d.WWNRaw[2], d.WWNRaw[3])
	}
	id.features(page)
	id.LinkMax.BitRate, id.Link.BitRate = speeds(word(page, wordLink), word(page, wordLink+1))
	return id, nil
}

func text(b []byte) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(b), " "))), " ")
}

func rotational(w uint16) platform.Tri {
	const none, slowest, reserved = 1, 0x0401, 0xFFFF
	switch {
	case w == none:
		return platform.No
	case w >= slowest && w < reserved:
		return platform.Yes
	}
	return platform.Unknown
}

// sectorSizes are 512 bytes unless the drive says otherwise.
func sectorSizes(page []byte) (logical, physical int) {
	const least = 512
	logical = least
	w := word(page, wordSectorSize)
	if w&0xC000 != 0x4000 { // not valid
		return logical, 0
	}
	if w&(1<<12) != 0 {
		words := uint64(word(page, wordLogicalSize)) | uint64(word(page, wordLogicalSize+1))<<16
		if words < least/2 || words > 1<<19 {
			return 0, 0
		}
		logical = int(words) * 2
	}
	physical = logical
	if w&(1<<13) != 0 {
		physical <<= w & 0xF
	}
	return logical, physical
}

// capacity is the number of sectors, in 48 bits if the drive has those, times their size.
func capacity(page []byte, sector int) int64 {
	sectors := uint64(word(page, wordSectors28)) | uint64(word(page, wordSectors28+1))<<16
	if enabled := word(page, wordEnabled85+1); enabled&(1<<10) != 0 {
		sectors = binary.LittleEndian.Uint64(page[2*wordSectors48:])
	}
	const most = 1 << 48
	if sectors > most || sector <= 0 || sectors > (1<<63-1)/uint64(sector) {
		return 0
	}
	return int64(sectors) * int64(sector)
}

func (id *Identity) features(page []byte) {
	const (
		smart, cache = 1 << 0, 1 << 5 // of words 82 and 85
		logs         = 1 << 5         // of word 87
		errorLog     = 1 << 0         // of word 87
		valid, mask  = 0x4000, 0xC000 // of words 83 and 87
	)
	if word(page, wordSupported82+1)&mask != valid || word(page, wordEnabled85+2)&mask != valid {
		return
	}
	supported, enabled := word(page, wordSupported82), word(page, wordEnabled85)
	id.Smart = platform.TriOf(supported&smart != 0 && enabled&smart != 0)
	id.Logs = platform.TriOf(word(page, wordEnabled85+2)&logs != 0)
	id.ErrorLog = platform.TriOf(word(page, wordEnabled85+2)&errorLog != 0)
	id.WriteCache = "write through"
	if supported&cache != 0 && enabled&cache != 0 {
		id.WriteCache = "write back"
	}
}

// speeds are bits per second of the best SATA link that the drive can, and of the one it has; 0 is unknown.
func speeds(can, has uint16) (most, now int64) {
	rates := []int64{0, 1_500_000_000, 3_000_000_000, 6_000_000_000}
	if can == 0xFFFF || can&1 != 0 { // a drive with another interface
		return 0, 0
	}
	for gen := 1; gen < len(rates); gen++ {
		if can&(1<<gen) != 0 {
			most = rates[gen]
		}
	}
	if gen := int(has>>1) & 7; has != 0xFFFF && gen < len(rates) {
		now = rates[gen]
	}
	return most, now
}
