package host

import (
	"context"
	"errors"
	"slices"

	"cachecliff/platform"
	"cachecliff/platform/ata"
	"cachecliff/platform/nvme"
	"cachecliff/platform/winapi"
)

const opSMART = "read SMART data of"

// errRights is what stands between this user and a drive's health.
var errRights = errors.New("with administrator rights the drive could be asked for its SMART data")

// health reads the health log of an NVMe drive, and the SMART table of an ATA drive. Neither needs rights;
// what of the latter does is named in Absent. Drives on other buses fail with platform.ErrUnsupported, and
// drives that sleep with platform.ErrAsleep.
func (s storage) health(ctx context.Context, d platform.Drive) (platform.Health, error) {
	if !speaksNVMe(d) && !speaksATA(d) {
		return platform.Health{}, mute(opSMART, d)
	}
	return ask(ctx, s.asked, "health of "+d.Name, func() (platform.Health, error) {
		return with(s, d.Name, accessNone, func(dev device) (platform.Health, error) { return s.healthOf(dev, d) })
	})
}

func (s storage) healthOf(dev device, d platform.Drive) (platform.Health, error) {
	if dev.asleep() {
		return platform.Health{}, &platform.OpError{Op: opSMART, Object: d.Name, Reason: platform.ErrAsleep}
	}
	err := error(errOtherBus)
	if speaksNVMe(d) {
		var h platform.Health
		if h, err = nvmeHealth(dev, d.Name); err == nil || !speaksATA(d) {
			return h, err
		}
	}
	h, ataErr := s.ataHealth(dev, d)
	if ataErr != nil && d.Bus == platform.BusUnknown {
		ataErr = errors.Join(ataErr, err)
	}
	return h, ataErr
}

func nvmeHealth(dev device, name string) (platform.Health, error) {
	b, err := page(dev, winapi.NVMeHealth)
	if err != nil {
		return platform.Health{}, err
	}
	h, err := nvme.DecodeHealth(b)
	if err != nil {
		return platform.Health{}, &platform.OpError{Op: opSMART, Object: name, Reason: platform.ErrIO, Err: err}
	}
	h.Source = sourceNVMe
	controller, err := controllerOf(dev)
	nvme.Complete(&h, controller, platform.WhyOf(err))
	return h, nil
}

// ataHealth reads the SMART table with its thresholds and the device statistics from the drive where this
// user may, and the table alone from the driver where he may not, or where the driver passes on no commands.
func (s storage) ataHealth(dev device, d platform.Drive) (platform.Health, error) {
	h, err := with(s, d.Name, accessWrite, func(full device) (platform.Health, error) { return privilegedHealth(full, d) })
	switch {
	case errors.Is(err, platform.ErrPermission):
		return openHealth(dev, d, true)
	case errors.Is(err, platform.ErrUnsupported):
		return openHealth(dev, d, false)
	}
	return h, err
}

// openHealth is what everybody is shown. more says whether rights would show more.
func openHealth(dev device, d platform.Drive, more bool) (platform.Health, error) {
	p, err := predict(dev, d.Model)
	switch {
	case errors.Is(err, platform.ErrUnsupported) && more:
		return platform.Health{}, &platform.OpError{Op: opSMART, Object: d.Name, Reason: platform.ErrPermission, Err: errRights}
	case err != nil:
		return platform.Health{}, err
	}
	statistics, told := statisticsOf(
		func() ([]byte, error) { return page(dev, winapi.ATAIdentify) },
		func(log, number uint8) ([]byte, error) { return page(dev, winapi.ATALog(log, number)) })
	h := summary(d, p.attributes, statistics, platform.TriOf(!p.failing))
	if more {
		h.Explain(platform.WhyRights, platform.PartThresholds)
		if !told {
			h.Explain(platform.WhyRights, ata.StatisticsParts()...)
		}
	}
	ata.Complete(&h)
	return h, nil
}

// A prediction is what a driver tells everybody of an ATA drive.
type prediction struct {
	failing    bool // the driver expects the drive to fail
	attributes []platform.Attribute
}

func predict(dev device, model string) (prediction, error) {
	return fetch(dev, winapi.CodePredictFailure, nil, winapi.PredictFailureSize, func(b []byte) (prediction, error) {
		failing, data, err := winapi.DecodePredictFailure(b)
		if err != nil {
			return prediction{}, err
		}
		attributes, err := ata.DecodeAttributes(data, nil, model)
		return prediction{failing, attributes}, err
	})
}

// privilegedHealth asks the drive itself.
func privilegedHealth(full device, d platform.Drive) (platform.Health, error) {
	data, err := sector(full, winapi.CommandAttributes)
	if err != nil {
		return platform.Health{}, err
	}
	thresholds, err := sector(full, winapi.CommandThresholds)
	if err != nil {
		thresholds = nil // newer drives have none
	}
	attributes, err := ata.DecodeAttributes(data, thresholds, d.Model)
	if err != nil {
		return platform.Health{}, &platform.OpError{Op: opSMART, Object: d.Name, Reason: platform.ErrIO, Err: err}
	}
	request := winapi.CommandStatus.PassThrough()
	failing, statusErr := fetch(full, winapi.CodeAtaPassThrough, request, len(request), winapi.DecodeStatus)
	verdict := platform.Unknown // its attributes are known all the same
	if statusErr == nil {
		verdict = platform.TriOf(!failing)
	}
	statistics, _ := statisticsOf(
		func() ([]byte, error) { return sector(full, winapi.CommandIdentify) },
		func(log, number uint8) ([]byte, error) { return passed(full, winapi.CommandLog(log, number)) })
	h := summary(d, attributes, statistics, verdict)
	h.Explain(platform.WhyOf(statusErr), platform.PartPassed)
	ata.Complete(&h)
	return h, nil
}

// sector sends a command that reads a sector in both ways that drivers may pass it on.
func sector(full device, c winapi.Command) ([]byte, error) {
	b, err := fetch(full, winapi.CodeSmartReceive, c.SmartReceive(), winapi.SmartReceiveSize, winapi.DecodeSmartReceive)
	if err == nil || lost(err) {
		return b, err
	}
	b, second := passed(full, c)
	if second != nil {
		return nil, errors.Join(second, err)
	}
	return b, nil
}

func passed(full device, c winapi.Command) ([]byte, error) {
	request := c.PassThrough()
	return fetch(full, winapi.CodeAtaPassThrough, request, len(request), c.DecodePassThrough)
}

// statisticsOf reads the device statistics. A drive says before which logs and which pages it has, and is
// asked for no others: a command for what it has not would stand in its list of errors. told is false if the
// drive cannot be asked, so nobody knows whether it has any.
func statisticsOf(identify func() ([]byte, error), read func(log, number uint8) ([]byte, error)) (s ata.Statistics, told bool) {
	b, err := identify()
	if err != nil {
		return s, false
	}
	id, err := ata.DecodeIdentify(b)
	if err != nil {
		return s, false
	}
	if id.Logs == platform.No {
		return s, true
	}
	directory, err := read(ata.DirectoryLog, 0)
	if err != nil {
		return s, false
	}
	if !ata.HasLog(directory, ata.StatisticsLog) {
		return s, true
	}
	list, err := read(ata.StatisticsLog, 0)
	if err != nil {
		return s, false
	}
	has := ata.ListedPages(list)
	for _, number := range ata.StatisticsPages() {
		if !slices.Contains(has, number) {
			continue
		}
		// What a page that fails would have told stays unknown.
		if b, err := read(ata.StatisticsLog, number); err == nil {
			_ = s.Add(b, number, id.LogicalSector)
		}
	}
	return s, true
}

func summary(d platform.Drive, attributes []platform.Attribute, statistics ata.Statistics, passed platform.Tri) platform.Health {
	h := ata.Health(d.Model, attributes, statistics)
	h.Source, h.Passed = sourceSMART, passed
	if passed == platform.No && !slices.Contains(h.Critical, ata.Failing) {
		h.Critical = append(h.Critical, ata.Failing)
	}
	return h
}
