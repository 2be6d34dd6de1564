package winapi

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"strings"
	"unicode"

	"cachecliff/platform"
)

// Device is what the driver of a drive knows of it. Empty strings are unknown.
type Device struct {
	Vendor, Product, Revision, Serial string
	EUI                               string // hexadecimal, in place of the serial number: see serialOf
	Bus                               Bus
	Removable                         bool // the medium, not the drive
}

// Bus is a STORAGE_BUS_TYPE.
type Bus uint32

// The buses that mean something here.
const (
	BusSCSI    Bus = 1
	BusATA     Bus = 3
	BusUSB     Bus = 7
	BusRAID    Bus = 8 // also NVMe and SATA behind a driver of Intel's or AMD's
	BusSAS     Bus = 10
	BusSATA    Bus = 11
	BusSD      Bus = 12
	BusMMC     Bus = 13
	BusVirtual Bus = 14
	BusVHD     Bus = 15 // file-backed
	BusSpaces  Bus = 16
	BusNVMe    Bus = 17
)

// buses are those that the contract tells apart.
var buses = map[Bus]platform.Bus{
	BusNVMe: platform.BusNVMe, BusSATA: platform.BusSATA, BusATA: platform.BusSATA, BusSAS: platform.BusSAS,
	BusUSB: platform.BusUSB, BusSD: platform.BusMMC, BusMMC: platform.BusMMC,
	BusVirtual: platform.BusVirtual, BusVHD: platform.BusVirtual, BusSpaces: platform.BusVirtual,
}

// virtualMakers are what hypervisors call themselves as vendors of SCSI disks.
var virtualMakers = []string{"qemu", "vmware", "vbox", "msft", "red hat", "virtio", "xensrc", "google", "nutanix"}

// DecodeDevice decodes the answer to PropertyDevice.
func DecodeDevice(b []byte) (Device, error) {
	d, err := decode[deviceDescriptor](b)
	if err != nil {
		return Device{}, err
	}
	out := Device{
		Vendor:    label(stringAt(b, d.VendorIDOffset)),
		Product:   label(stringAt(b, d.ProductIDOffset)),
		Revision:  label(stringAt(b, d.ProductRevisionOffset)),
		Bus:       Bus(d.BusType),
		Removable: d.RemovableMedia != 0,
	}
	out.Serial, out.EUI = serialOf(stringAt(b, d.SerialNumberOffset), out.Bus)
	return out, nil
}

// stringAt reads a string of a descriptor that ends with a zero, or with the descriptor. Offsets of 0 and −1
// stand for none, and so does one outside of it.
func stringAt(b []byte, offset uint32) string {
	if offset == 0 || uint64(offset) >= uint64(len(b)) {
		return ""
	}
	s, _, _ := bytes.Cut(b[offset:], []byte{0})
	return string(s)
}

// label makes a text of a drive fit to be shown: nothing unprintable, single spaces.
func label(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	return strings.Join(strings.Fields(s), " ")
}

// Model is vendor and product as one name. ATA and NVMe drives have no vendor of their own, what stands there
// is the name of the bus.
func (d Device) Model() string {
	vendor := d.Vendor
	if vendor == "ATA" || vendor == "NVMe" || strings.HasPrefix(strings.ToLower(d.Product), strings.ToLower(vendor)) {
		vendor = ""
	}
	return label(vendor + " " + d.Product)
}

// PlatformBus is the bus in the words of the contract. SCSI is what hypervisors show their disks as.
func (d Device) PlatformBus() platform.Bus {
	if d.Bus == BusSCSI {
		for _, maker := range virtualMakers {
			if strings.HasPrefix(strings.ToLower(d.Vendor+" "+d.Product), maker) {
				return platform.BusVirtual
			}
		}
	}
	return buses[d.Bus]
}

// euiSerial is how Windows shows the EUI-64 or the NGUID of an NVMe namespace where other drives have their
// serial number: groups of four digits and a dot.
var euiSerial = regexp.MustCompile(`^(?:[0-9A-Fa-f]{4}_){3}(?:(?:[0-9A-Fa-f]{4}_){4})?[0-9A-Fa-f]{4}\.$`)

// serialOf reads the serial number. Drivers hand it on in several ways: as it is; as an EUI; and that of an
// ATA drive also with the letters of each pair exchanged, as IDENTIFY DEVICE has them, or even that in
// hexadecimal.
func serialOf(raw string, bus Bus) (serial, eui string) {
	if s := label(raw); euiSerial.MatchString(s) {
		return "", strings.ToLower(strings.NewReplacer("_", "", ".", "").Replace(s))
	}
	switch bus {
	case BusATA, BusSATA, BusRAID, BusSCSI:
	default:
		return label(raw), ""
	}
	plain, swapped := raw, swapPairs(raw)
	if text, ok := fromHex(strings.TrimSpace(raw)); ok {
		plain, swapped = swapPairs(text), text // the usual order first
	}
	// A serial number has no spaces within. One of an odd length that was exchanged has, so this finds half of
	// them; for the other half there is no sign.
	if strings.Contains(label(plain), " ") && !strings.Contains(label(swapped), " ") {
		return label(swapped), ""
	}
	return label(plain), ""
}

// fromHex undoes the hexadecimal writing of the 20 letters of an ATA serial number.
func fromHex(s string) (string, bool) {
	text, err := hex.DecodeString(s)
	if err != nil || len(text) != ataSerialSize {
		return "", false
	}
	for _, c := range text {
		if c < ' ' || c > '~' {
			return "", false
		}
	}
	return string(text), true
}

// ataSerialSize is the length of a serial number in IDENTIFY DEVICE.
const ataSerialSize = 20

func swapPairs(s string) string {
	b := []byte(s)
	for i := 0; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}
