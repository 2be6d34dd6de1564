package host

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/udisks"
)

const (
	opWarmth = "read the temperature of"
	opLimits = "read the temperature limits of"
)

// answers are what drives answered to commands that would warm them or fill their logs if they came often. The
// keys are names of drives with their platform.Drive.Key, since another drive may get the name.
type answers struct {
	mu     sync.Mutex
	warm   map[string]warm
	limits map[string]platform.TempLimits
}

// warm is an answer about the temperature, or a failure.
type warm struct {
	at       time.Duration // on the host's clock
	readings []platform.Reading
	source   string // empty for the drive itself
	err      error
}

// often is how long an answer stands. Where nobody may tell, that hardly changes.
func (w warm) often() time.Duration {
	switch {
	case w.source != "":
		return warmWithin
	case errors.Is(w.err, platform.ErrPermission):
		return 30 * time.Second
	}
	return time.Second
}

func answerKey(d platform.Drive) string { return d.Name + " " + d.Key }

// readings asks for temperatures in both languages.
var readings = query[[]platform.Reading]{nvmeReadings, ataReadings}

// warmth asks a drive itself for its temperature, else UDisks2, or gives what it said shortly before.
func (h *Host) warmth(d platform.Drive) ([]platform.Reading, string, time.Duration, error) {
	h.told.mu.Lock()
	last, ok := h.told.warm[answerKey(d)]
	h.told.mu.Unlock()
	if !ok || h.Now()-last.at >= last.often() {
		last = warm{}
		last.readings, last.err = inquire(h, opWarmth, d, readings)
		last.at = h.Now()
		if mayHelp(d, last.err) {
			last = h.servedWarmth(d, last.err)
		}
		h.told.mu.Lock()
		h.told.warm[answerKey(d)] = last
		h.told.mu.Unlock()
	}
	source := ""
	if len(last.readings) > 0 {
		source = cmp.Or(last.source, string(h.languageOf(d)))
	}
	return last.readings, source, last.at, last.err
}

// servedWarmth asks UDisks2 for the temperature of a drive that told us none for a reason.
func (h *Host) servedWarmth(d platform.Drive, direct error) warm {
	var drive served
	out, err := throughUDisks(context.Background(), patience, func(s diskService) (out []platform.Reading, err error) {
		out, drive, err = servedReadings(s, d, udisks.Device{})
		return out, err
	})
	if err != nil {
		return warm{at: h.Now(), err: neither(opWarmth, d, direct, err)}
	}
	return warm{at: h.Now() - drive.since, readings: out, source: udisks.Source}
}

// limits asks once for the limits of a drive's temperature.
func (h *Host) limits(d platform.Drive) (platform.TempLimits, error) {
	h.told.mu.Lock()
	l, ok := h.told.limits[answerKey(d)]
	h.told.mu.Unlock()
	if ok {
		return l, nil
	}
	if l = h.tree().TempLimits(d.Name); !l.Known() {
		var err error
		if l, err = inquire(h, opLimits, d, query[platform.TempLimits]{nvmeLimits, ataLimits}); mayHelp(d, err) {
			direct := err
			l, err = throughUDisks(context.Background(), patience, func(s diskService) (platform.TempLimits, error) { return servedLimits(s, d) })
			if err != nil || !l.Known() {
				err = neither(opLimits, d, direct, cmp.Or(err, error(platform.ErrUnsupported)))
			}
		}
		if err != nil {
			return l, inVain{err}
		}
	}
	h.told.mu.Lock()
	h.told.limits[answerKey(d)] = l
	h.told.mu.Unlock()
	return l, nil
}

// inVain is the failure of one more way to something that hwmon does not show: that there is no way, for whatever
// reason, is no fault of the drive.
type inVain struct{ error }

func (v inVain) Unwrap() error { return v.error }

// Is has it be platform.ErrUnsupported as well.
func (v inVain) Is(target error) bool { return target == platform.ErrUnsupported }

// thermo reads the temperature of a drive that hwmon shows none of, from the drive itself or, where it may not, from
// UDisks2. It opens the drive when it is first read.
type thermo struct {
	drive  platform.Drive
	speaks language
	open   bool
	node   driveNode
	worked bool // it was seen to work

	help  atomic.Bool // UDisks2 was seen to work, so the drive is not asked
	vain  error       // UDisks2 was seen not to know, so it is not asked again
	found udisks.Device
	at    time.Time // when UDisks2 last told readings
	told  []platform.Reading
}

func (h *Host) thermometer(d platform.Drive) *thermo {
	return &thermo{drive: d, speaks: h.languageOf(d)}
}

// source is where the readings come from; empty if there can be none.
func (p *thermo) source() string {
	if p.help.Load() {
		return udisks.Source
	}
	return string(p.speaks)
}

// read fails with platform.ErrUnsupported where it was never seen to work, for whatever reason: that is no fault
// of the drive.
func (p *thermo) read() ([]platform.Reading, error) {
	if p.help.Load() {
		out, err := p.served()
		if err != nil {
			err = p.excused(neither(opWarmth, p.drive, platform.ErrUnsupported, err))
		}
		return out, err
	}
	out, err := p.ask()
	err = about(opWarmth, p.drive, err)
	switch {
	case err == nil:
		p.worked = true
		return out, nil
	case p.worked:
		return nil, err
	case mayHelp(p.drive, err) && p.vain == nil:
		out, second := p.served()
		if second == nil {
			p.help.Store(true)
			return out, p.close()
		}
		err = neither(opWarmth, p.drive, err, second)
		if !errors.Is(second, platform.ErrAsleep) && !errors.Is(second, platform.ErrStalled) {
			p.vain = second
		}
	case mayHelp(p.drive, err):
		err = neither(opWarmth, p.drive, err, p.vain)
	}
	return nil, p.excused(err)
}

// excused lets pass what is the drive's fault.
func (p *thermo) excused(err error) error {
	switch {
	case err == nil, errors.Is(err, platform.ErrAsleep), errors.Is(err, platform.ErrGone), errors.Is(err, platform.ErrStalled):
		return err
	}
	return inVain{err}
}

// served asks UDisks2, or gives what it said shortly before. A drive with much to do may keep the service waiting.
func (p *thermo) served() ([]platform.Reading, error) {
	const late = 3 * warmWithin
	age := time.Since(p.at)
	if p.told != nil && age < warmWithin {
		return p.told, nil
	}
	var drive served
	out, err := throughUDisks(context.Background(), patience, func(s diskService) (out []platform.Reading, err error) {
		out, drive, err = servedReadings(s, p.drive, p.found)
		return out, err
	})
	if errors.Is(err, platform.ErrStalled) && p.told != nil && age < late {
		return p.told, nil
	}
	p.found, p.told, p.at = drive.Device, out, time.Now().Add(-drive.since)
	return out, err
}

func (p *thermo) ask() ([]platform.Reading, error) {
	if p.speaks == speaksNothing {
		return nil, mute(opWarmth, p.drive)
	}
	if !p.open {
		n, err := openNode(p.drive.Name)
		if err != nil {
			return nil, err
		}
		p.node, p.open = n, true
	}
	return readings.put(p.node, p.speaks, p.drive)
}

func (p *thermo) close() error {
	if !p.open {
		return nil
	}
	p.open = false
	return p.node.close()
}
