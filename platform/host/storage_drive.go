package host

import (
	"cmp"
	"errors"
	"strings"

	"cachecliff/platform"
	"cachecliff/platform/ata"
	"cachecliff/platform/nvme"
	"cachecliff/platform/winapi"
)

// identity asks for what names a drive and for its size. Only the driver is asked, which knows both; a drive
// that sleeps goes on sleeping.
func (s storage) identity(name string) (platform.Drive, error) {
	return with(s, name, accessNone, func(dev device) (platform.Drive, error) {
		d := platform.Drive{Name: name}
		about, err := property(dev, winapi.PropertyDevice, winapi.DecodeDevice)
		if lost(err) {
			return d, err
		}
		d.Model, d.Serial, d.Firmware, d.Bus = about.Model(), about.Serial, about.Revision, about.PlatformBus()
		if err == nil {
			d.Removable = platform.TriOf(about.Removable)
		}
		d.Key = key(dev, d, about.EUI)
		size, err := s.size(dev, name)
		if err != nil {
			return d, err
		}
		d.Capacity, d.LogicalSector = size.Size, size.Sector
		return d, nil
	})
}

// key is a name that stays over reboots, and the same that Linux gives: the drive's own in the whole world if
// it has one.
func key(dev device, d platform.Drive, eui string) string {
	ids, err := property(dev, winapi.PropertyDeviceID, winapi.DecodeIdentifiers)
	if wwn := winapi.WorldWideName(ids); err == nil && wwn != "" {
		return wwn
	}
	switch {
	case eui != "":
		return "eui." + eui
	case d.Serial != "":
		return strings.TrimPrefix(d.Model+":"+d.Serial, ":")
	}
	return d.Name
}

// size asks for the size. A drive without a medium is an error; one that does not tell its size has 0.
func (s storage) size(dev device, name string) (winapi.Geometry, error) {
	g, err := fetch(dev, winapi.CodeGeometry, nil, answerSize, winapi.DecodeGeometry)
	switch {
	case lost(err):
		return g, err
	case err == nil && g.Size == 0:
		return g, &platform.OpError{Op: "read the size of", Object: name, Reason: platform.ErrNoMedium}
	case err == nil:
		return g, nil
	}
	// Another question for the same, which needs rights.
	bytes, err := with(s, name, accessRead, func(full device) (int64, error) {
		return fetch(full, winapi.CodeLength, nil, 8, winapi.DecodeLength)
	})
	if err != nil {
		bytes = 0 // not known
	}
	return winapi.Geometry{Size: bytes}, nil
}

// lost says whether an error means that there is no drive to ask further.
func lost(err error) bool {
	return errors.Is(err, platform.ErrGone) || errors.Is(err, platform.ErrNotExist) || errors.Is(err, platform.ErrNoMedium)
}

// facts asks for the rest of what can be known of a drive.
func (s storage) facts(d platform.Drive) (platform.Drive, error) {
	return with(s, d.Name, accessNone, func(dev device) (platform.Drive, error) {
		if d.Bus == platform.BusUnknown {
			if a, err := property(dev, winapi.PropertyAdapter, winapi.DecodeAdapter); err == nil {
				d.Bus = winapi.Device{Bus: a.Bus}.PlatformBus()
			}
		}
		if sectors, err := property(dev, winapi.PropertyAlignment, winapi.DecodeAlignment); err == nil {
			d.LogicalSector = cmp.Or(sectors.Logical, d.LogicalSector)
			d.PhysicalSector = sectors.Physical
		}
		if trim, err := property(dev, winapi.PropertyTrim, winapi.DecodeTrim); err == nil {
			d.Trim = trim
		}
		if d.Bus != platform.BusVirtual { // whose answer means nothing
			if turns, err := property(dev, winapi.PropertySeekPenalty, winapi.DecodeSeekPenalty); err == nil {
				d.Rotational = turns
			}
		}
		d.WriteCache = s.writeCache(dev, d.Name)
		if a, err := s.attach(d.Name); err == nil {
			d.Driver = a.Driver
			if d.Bus == platform.BusNVMe {
				d.Link, d.LinkMax = a.PCIe()
			}
		}
		if !dev.asleep() {
			fromDrive(dev, &d)
		}
		return d, nil
	})
}

// writeCache asks for the write cache in both ways; the second needs rights.
func (s storage) writeCache(dev device, name string) string {
	cache, err := property(dev, winapi.PropertyWriteCache, winapi.DecodeWriteCache)
	if err == nil && cache != "" {
		return cache
	}
	cache, err = with(s, name, accessRead, func(full device) (string, error) {
		return fetch(full, winapi.CodeCache, nil, answerSize, winapi.DecodeCache)
	})
	if err != nil {
		return "" // not known
	}
	return cache
}

// fromDrive asks the drive itself for what its driver does not tell: of an NVMe drive the serial number, in
// whose place Windows shows an EUI; of a SATA drive the link, and the serial number as it is.
func fromDrive(dev device, d *platform.Drive) {
	switch d.Bus {
	case platform.BusNVMe:
		b, err := page(dev, winapi.NVMeController)
		if err != nil {
			return
		}
		if c, err := nvme.DecodeController(b); err == nil {
			d.Model, d.Serial, d.Firmware = cmp.Or(c.Model, d.Model), cmp.Or(c.Serial, d.Serial), cmp.Or(c.Firmware, d.Firmware)
		}
	case platform.BusSATA:
		b, err := page(dev, winapi.ATAIdentify)
		if err != nil {
			return
		}
		if id, err := ata.DecodeIdentify(b); err == nil {
			d.Model, d.Serial, d.Firmware = cmp.Or(id.Model, d.Model), cmp.Or(id.Serial, d.Serial), cmp.Or(id.Firmware, d.Firmware)
			d.Link, d.LinkMax = id.Link, id.LinkMax
			d.Rotational, d.Trim = cmp.Or(d.Rotational, id.Rotational), cmp.Or(d.Trim, id.Trim)
			d.PhysicalSector = cmp.Or(d.PhysicalSector, id.PhysicalSector)
			d.WriteCache = cmp.Or(d.WriteCache, id.WriteCache)
		}
	}
}

// instanceOf finds the name that a drive has in the tree of devices: that of the interface through which a
// drive of the same number answers.
func instanceOf(name string, paths []string, open func(path string) (device, error)) (string, error) {
	wanted, _ := driveNumber(name)
	for _, path := range paths {
		dev, err := open(path)
		if err != nil {
			continue // that of another drive, or one that is just going away
		}
		number, err := fetch(dev, winapi.CodeDeviceNumber, nil, 12, winapi.DecodeDeviceNumber)
		if errors.Join(err, dev.close()) != nil || number.Type != winapi.DeviceDisk || number.Number != wanted {
			continue
		}
		if instance, ok := winapi.InstanceOf(path); ok {
			return instance, nil
		}
	}
	return "", &platform.OpError{Op: "find in the tree of devices", Object: name, Reason: platform.ErrUnsupported}
}
