package winapi

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"cachecliff/platform"
)

// Attachment is what the tree of devices tells of the controller that a drive hangs on. 0 and empty are
// unknown.
type Attachment struct {
	Driver             string // name of the service: stornvme, storahci, UASPStor
	Speed, Lanes       uint32 // of the PCI Express link now: DEVPKEY_PciDevice_CurrentLinkSpeed and -Width
	MaxSpeed, MaxLanes uint32 // and at most: DEVPKEY_PciDevice_MaxLinkSpeed and -Width
}

// PCIe is the link now and at most. Windows numbers speeds like the generations of PCI Express.
func (a Attachment) PCIe() (now, most platform.Link) {
	return pcie(a.Speed, a.Lanes), pcie(a.MaxSpeed, a.MaxLanes)
}

func pcie(speed, lanes uint32) platform.Link {
	const newest, widest = 6, 32
	if speed < 1 || speed > newest || lanes < 1 || lanes > widest {
		return platform.Link{}
	}
	return platform.Link{PCIeGen: int(speed), Lanes: int(lanes)}
}

// InstanceOf makes the name of a device in the tree out of the name of one of its interfaces:
// \\?\SCSI#Disk&Ven_NVMe#5&1&0#{53f56307-…} is SCSI\Disk&Ven_NVMe\5&1&0. ok is false for what is no such name.
func InstanceOf(path string) (instance string, ok bool) {
	rest, ok := strings.CutPrefix(path, `\\?\`)
	if !ok {
		return "", false
	}
	parts := strings.Split(rest, "#")
	const wanted = 4 // bus, device, instance, class of the interface
	if len(parts) != wanted || !strings.HasPrefix(parts[wanted-1], "{") {
		return "", false
	}
	for _, p := range parts {
		if p == "" {
			return "", false
		}
	}
	return strings.Join(parts[:wanted-1], `\`), true
}

// DecodeText decodes a property that is text (DEVPROP_TYPE_STRING), up to its first zero.
func DecodeText(b []byte) string {
	var units []uint16
	for ; len(b) >= 2; b = b[2:] {
		u := binary.LittleEndian.Uint16(b)
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return label(string(utf16.Decode(units)))
}

// DecodeNumber decodes a property that is a number (DEVPROP_TYPE_UINT32); 0 for what is none.
func DecodeNumber(b []byte) uint32 {
	if len(b) != 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}

// SplitList takes apart a list of names of which each ends with a zero, and the list with one more.
func SplitList(list []uint16) []string {
	var out []string
	for len(list) > 0 {
		end := 0
		for end < len(list) && list[end] != 0 {
			end++
		}
		if end > 0 {
			out = append(out, string(utf16.Decode(list[:end])))
		}
		list = list[min(end+1, len(list)):]
	}
	return out
}
