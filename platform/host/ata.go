package host

import (
	"cmp"
	"errors"

	"cachecliff/platform"
	"cachecliff/platform/ata"
)

// ataDevice is an open drive that takes ATA commands.
type ataDevice interface {
	// command gives a command to the drive and waits for its end. data has the size of the command's answer.
	command(c ata.Command, data []byte) (ata.Registers, error)
}

// ataSector reads what a command answers with.
func ataSector(dev ataDevice, c ata.Command) ([]byte, error) {
	data := make([]byte, c.Size())
	_, err := dev.command(c, data)
	return data, err
}

// hopeless says whether no other command will fare better.
func hopeless(err error) bool {
	for _, reason := range []error{platform.ErrPermission, platform.ErrGone, platform.ErrStalled, platform.ErrNoMedium, platform.ErrAsleep} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}

// ataAwake fails with platform.ErrAsleep for a drive whose motor stands still: any command but this would start
// it. A drive that does not know the question is taken to be awake, and one without a motor is not asked.
func ataAwake(dev ataDevice, d platform.Drive) error {
	if d.Rotational == platform.No {
		return nil
	}
	r, err := dev.command(ata.CommandPower, nil)
	switch {
	case err != nil && hopeless(err):
		return err
	case err == nil && r.Sleeps():
		return &platform.OpError{Op: opSMART, Object: d.Name, Reason: platform.ErrAsleep}
	}
	return nil
}

// readATA asks a drive for its SMART table with thresholds, its own verdict and its device statistics.
func readATA(dev ataDevice, d platform.Drive) (platform.Health, error) {
	if err := ataAwake(dev, d); err != nil {
		return platform.Health{}, err
	}
	identify, id, err := ataIdentity(dev, d)
	switch {
	case err != nil:
		return platform.Health{}, err
	case id.Smart == platform.No:
		return platform.Health{}, &platform.OpError{Op: opSMART, Object: d.Name, Reason: platform.ErrUnsupported, Err: platform.ErrSwitchedOff}
	}
	d.Model = cmp.Or(id.Model, d.Model)
	table, err := ataAttributes(dev, d)
	if err != nil {
		return platform.Health{}, err
	}
	registers, verdictErr := dev.command(ata.CommandStatus, nil)
	statistics, told := ataStatistics(dev, identify)
	h := summary(d, table.attributes, statistics, registers.Passed())
	h.Explain(whyNot(table.limitsErr), platform.PartThresholds)
	h.Explain(whyNot(verdictErr), platform.PartPassed)
	ataMore(dev, &h, id, ata.KeepsErrors(id, table.data))
	if !told {
		h.Explain(platform.WhyFailed, ata.StatisticsParts()...)
	}
	ata.Complete(&h)
	return h, nil
}

func ataIdentity(dev ataDevice, d platform.Drive) ([]byte, ata.Identity, error) {
	page, err := ataSector(dev, ata.CommandIdentify)
	if err != nil {
		return nil, ata.Identity{}, passing(d, err)
	}
	id, err := ata.DecodeIdentify(page)
	if err != nil {
		return nil, id, passing(d, &platform.OpError{Op: opSMART, Object: d.Name, Reason: platform.ErrIO, Err: err})
	}
	return page, id, nil
}

// passing takes the failure of the first question to what is behind a USB adapter for one of the adapter.
func passing(d platform.Drive, err error) error {
	if d.Bus != platform.BusUSB || hopeless(err) {
		return err
	}
	return &platform.OpError{Op: opSMART, Object: d.Name, Reason: platform.ErrUnsupported, Err: errors.Join(platform.ErrBridge, err)}
}

// whyNot is why a question came to nothing that a drive of this kind may know.
func whyNot(err error) platform.Why {
	if err == nil || errors.Is(err, platform.ErrUnsupported) {
		return platform.WhyNotReported
	}
	return platform.WhyOf(err)
}

// ataTable is what a drive answers to SMART READ DATA.
type ataTable struct {
	data       []byte
	attributes []platform.Attribute
	limitsErr  error // why they have no thresholds
}

// ataAttributes reads the attributes, and their thresholds if they can be had.
func ataAttributes(dev ataDevice, d platform.Drive) (t ataTable, err error) {
	if t.data, err = ataSector(dev, ata.CommandAttributes); err != nil {
		return t, err
	}
	thresholds, err := ataSector(dev, ata.CommandThresholds)
	if t.limitsErr = err; err == nil {
		if t.attributes, t.limitsErr = ata.DecodeAttributes(t.data, thresholds, d.Model); t.limitsErr == nil {
			return t, nil
		}
	}
	if t.attributes, err = ata.DecodeAttributes(t.data, nil, d.Model); err != nil {
		return t, &platform.OpError{Op: opSMART, Object: d.Name, Reason: platform.ErrIO, Err: err}
	}
	return t, nil
}

// ataMore adds what stands in logs of its own.
func ataMore(dev ataDevice, h *platform.Health, id ata.Identity, keepsErrors bool) {
	var err error
	if keepsErrors {
		h.ErrorLogEntries, err = ataErrors(dev)
		h.Explain(whyNot(err), platform.PartErrorLogEntries)
	}
	if h.TempMilliC == nil && id.SCT == platform.Yes {
		h.TempMilliC, err = ataSCT(dev)
		h.Explain(whyNot(err), platform.PartTemperature)
	}
	if h.TempMilliC != nil {
		h.Temperatures = []platform.Reading{{Label: ataSensor, MilliC: *h.TempMilliC}}
	}
}

// ataSensor is what the only sensor of an ATA drive is called.
const ataSensor = "Drive"

// ataLimits are the limits in the device statistics.
func ataLimits(dev ataDevice, d platform.Drive) (platform.TempLimits, error) {
	if err := ataAwake(dev, d); err != nil {
		return platform.TempLimits{}, err
	}
	identify, _, err := ataIdentity(dev, d)
	if err != nil {
		return platform.TempLimits{}, err
	}
	s, _ := ataStatistics(dev, identify)
	return platform.TempLimits{WarnMilliC: s.WarnMilliC}, nil
}

func ataStatistics(dev ataDevice, identify []byte) (s ata.Statistics, told bool) {
	return statisticsOf(
		func() ([]byte, error) { return identify, nil },
		func(log, number uint8) ([]byte, error) { return ataSector(dev, ata.CommandLog(log, number)) })
}

func ataErrors(dev ataDevice) (*uint64, error) {
	page, err := ataSector(dev, ata.CommandErrors)
	if err != nil {
		return nil, err
	}
	n, err := ata.DecodeErrorCount(page)
	if err != nil {
		return nil, err
	}
	return &n, nil
}

func ataSCT(dev ataDevice) (*int32, error) {
	page, err := ataSector(dev, ata.CommandSCT)
	if err != nil {
		return nil, err
	}
	return ata.DecodeSCT(page)
}

// identified completes what the system says of a drive with the drive's own answer to IDENTIFY DEVICE. That may
// be from when the system found the drive, so what can be switched since is not taken.
func identified(page []byte, d *platform.Drive) {
	id, err := ata.DecodeIdentify(page)
	if err != nil {
		return // the system's own words stand
	}
	d.Model, d.Serial, d.Firmware = cmp.Or(id.Model, d.Model), cmp.Or(id.Serial, d.Serial), cmp.Or(id.Firmware, d.Firmware)
	d.Rotational, d.RPM = cmp.Or(id.Rotational, d.Rotational), id.RPM
	if d.Bus == platform.BusSATA {
		d.Link, d.LinkMax = cmp.Or(d.Link, id.Link), cmp.Or(id.LinkMax, d.LinkMax)
	}
}

// ataReadings asks an ATA drive for its temperature: attribute 194 or 190, else the SCT status. A drive whose
// motor stands still is not asked.
func ataReadings(dev ataDevice, d platform.Drive) ([]platform.Reading, error) {
	if err := ataAwake(dev, d); err != nil {
		return nil, err
	}
	data, err := ataSector(dev, ata.CommandAttributes)
	if err != nil && hopeless(err) {
		return nil, err
	}
	var milli *int32
	if err == nil {
		var attributes []platform.Attribute
		if attributes, err = ata.DecodeAttributes(data, nil, d.Model); err == nil {
			milli = ata.Health(d.Model, attributes, ata.Statistics{}).TempMilliC
		}
	}
	if milli == nil {
		var second error
		if milli, second = ataSCT(dev); second != nil {
			return nil, errors.Join(err, second)
		}
	}
	if milli == nil {
		return nil, &platform.OpError{Op: "read the temperature of", Object: d.Name, Reason: platform.ErrUnsupported}
	}
	return []platform.Reading{{Label: ataSensor, MilliC: *milli}}, nil
}
