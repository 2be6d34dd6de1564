package host

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/ata"
	"cachecliff/platform/udisks"
)

// diskService is UDisks2.
type diskService interface {
	objects() (udisks.Objects, error)
	properties(d udisks.Device) (udisks.Properties, error) // anew
	attributes(d udisks.Device) (any, error)               // of when the drive was last asked
	update(d udisks.Device) error                          // asks the drive, if it is awake
}

// mayHelp says whether UDisks2 may know what a drive did not tell us: it has the rights, and other ways through USB
// adapters.
func mayHelp(d platform.Drive, err error) bool {
	return d.Bus != platform.BusVirtual && !errors.Is(err, platform.ErrSwitchedOff) &&
		(errors.Is(err, platform.ErrPermission) || errors.Is(err, platform.ErrUnsupported))
}

// neither is the error where UDisks2 did not help either: the direct way's, which says what a user can do, with why
// the other one failed. That a drive sleeps only UDisks2 may have seen.
func neither(op string, d platform.Drive, direct, second error) error {
	if errors.Is(second, platform.ErrAsleep) {
		return &platform.OpError{Op: op, Object: d.Name, Reason: platform.ErrAsleep, Err: second}
	}
	reason, inner := error(platform.ErrUnsupported), direct
	if errors.Is(direct, platform.ErrPermission) {
		reason = platform.ErrPermission
	}
	var known *platform.OpError
	if errors.As(direct, &known) && known.Op == op {
		inner = cmp.Or(known.Err, known.Reason)
	}
	// The second's reason must not be taken for that of all.
	return &platform.OpError{Op: op, Object: d.Name, Reason: reason, Err: fmt.Errorf("%w; %s: %v", inner, udisks.Source, second)}
}

// A served drive is one that UDisks2 knows.
type served struct {
	udisks.Device
	now   bool          // it was asked as late as was wanted
	since time.Duration // it was asked
}

// serve finds a drive, or takes one that was found before, and has it asked if the service did so longer than within
// ago. One that this user may not have asked is what it was. Behind a USB adapter a drive is only asked if the service
// has done so by itself: commands that they do not know make some adapters hang.
func serve(s diskService, d platform.Drive, found udisks.Device, within time.Duration) (served, error) {
	out := served{Device: found}
	var err error
	if found.Path == "" {
		var all udisks.Objects
		if all, err = s.objects(); err == nil {
			out.Device, err = udisks.Find(all, d.Name)
		}
	} else {
		out.Properties, err = s.properties(found)
	}
	if err != nil {
		return out, err
	}
	age, asked := out.Age(time.Now())
	switch {
	case asked && age < within:
		out.now, out.since = true, age
		return out, nil
	case !asked && d.Bus == platform.BusUSB:
		return out, &platform.OpError{Op: opAsk, Object: d.Name, Reason: platform.ErrUnsupported, Err: platform.ErrBridge}
	}
	switch err := s.update(out.Device); {
	case asked && errors.Is(err, platform.ErrPermission):
		out.since = age
		return out, nil
	case err != nil:
		return out, err
	}
	out.now = true
	out.Properties, err = s.properties(out.Device)
	return out, err
}

// servedHealth is what UDisks2 knows of a drive's health, asked for anew if this user may: less than within ago.
func servedHealth(s diskService, d platform.Drive, found udisks.Device, within time.Duration) (platform.Health, served, error) {
	drive, err := serve(s, d, found, within)
	if err != nil {
		return platform.Health{}, drive, err
	}
	answer, err := s.attributes(drive.Device)
	if err != nil {
		return platform.Health{}, drive, err
	}
	var h platform.Health
	if drive.NVMe() {
		a, ok := answer.(map[string]any)
		if !ok {
			err = &platform.OpError{Op: opSMART, Object: d.Name, Reason: platform.ErrIO, Err: fmt.Errorf("UDisks2 answered with %T", answer)}
			return h, drive, err
		}
		h = drive.NVMeHealth(a)
	} else {
		h = servedATA(d, drive.DecodeATA(answer))
	}
	if !drive.now {
		h = udisks.Outdated(h)
	}
	return h, drive, nil
}

// servedATA reads the attributes like those that a drive told us itself. What stands in the drive's logs the service
// keeps to itself.
func servedATA(d platform.Drive, a udisks.ATA) platform.Health {
	const attrTemperature = 194
	marks := slices.Clone(a.Attributes)
	if c := a.TempMilliC; c != nil && *c > 0 {
		i := slices.IndexFunc(marks, func(m platform.Attribute) bool { return m.ID == attrTemperature })
		if i < 0 {
			i, marks = len(marks), append(marks, platform.Attribute{ID: attrTemperature})
		}
		marks[i].Raw = uint64(*c / 1000) // as an attribute, so that it is not believed of models that are wrong about it
	}
	h := summary(d, marks, ata.Statistics{PowerOnHours: a.PowerOnHours}, a.Passed)
	h.Source, h.Attributes = udisks.Source, udisks.Told(a.Attributes)
	ata.Rename(h.Attributes, d.Model)
	if h.TempMilliC != nil {
		h.Temperatures = []platform.Reading{{Label: ataSensor, MilliC: *h.TempMilliC}}
	}
	h.Explain(platform.WhyRights, ata.StatisticsParts()...)
	h.Explain(platform.WhyRights, platform.PartErrorLogEntries)
	ata.Complete(&h)
	return h
}

// warmWithin is how old temperatures from UDisks2 may be. Asking anew costs it several commands, and everybody who
// shows drives is told of the answer.
const warmWithin = 5 * time.Second

// servedReadings are the temperatures that UDisks2 has of a drive, and how long ago they were read: not long.
func servedReadings(s diskService, d platform.Drive, found udisks.Device) ([]platform.Reading, served, error) {
	h, drive, err := servedHealth(s, d, found, warmWithin)
	switch {
	case err != nil:
		return nil, drive, err
	case !drive.now:
		return nil, drive, &platform.OpError{Op: opAsk, Object: d.Name, Reason: platform.ErrPermission,
			Err: fmt.Errorf("this user may not have the drive asked, which was done %v ago", drive.since.Round(time.Second))}
	case len(h.Temperatures) == 0:
		return nil, drive, &platform.OpError{Op: opAsk, Object: d.Name, Reason: platform.ErrUnsupported,
			Err: errors.New("the drive tells no temperature")}
	}
	return h.Temperatures, drive, nil
}

const opAsk = "ask"

// servedLimits are the limits of the temperature that an NVMe controller states, from when it was last asked.
func servedLimits(s diskService, d platform.Drive) (platform.TempLimits, error) {
	all, err := s.objects()
	if err != nil {
		return platform.TempLimits{}, err
	}
	drive, err := udisks.Find(all, d.Name)
	if err != nil || !drive.NVMe() {
		return platform.TempLimits{}, err
	}
	answer, err := s.attributes(drive)
	a, _ := answer.(map[string]any)
	return udisks.NVMeLimits(a), err
}
