package host

import (
	"errors"
	"sync"
	"time"

	"cachecliff/platform"
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
	err      error
}

func answerKey(d platform.Drive) string { return d.Name + " " + d.Key }

// readings asks for temperatures in both languages.
var readings = query[[]platform.Reading]{nvmeReadings, ataReadings}

// warmth asks a drive itself for its temperature, or gives what it said within the last second.
func (h *Host) warmth(d platform.Drive) ([]platform.Reading, string, time.Duration, error) {
	const often = time.Second
	h.told.mu.Lock()
	last, ok := h.told.warm[answerKey(d)]
	h.told.mu.Unlock()
	if !ok || h.Now()-last.at >= often {
		last.readings, last.err = inquire(h, opWarmth, d, readings)
		last.at = h.Now()
		h.told.mu.Lock()
		h.told.warm[answerKey(d)] = last
		h.told.mu.Unlock()
	}
	source := ""
	if len(last.readings) > 0 {
		source = string(h.languageOf(d))
	}
	return last.readings, source, last.at, last.err
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
		if l, err = inquire(h, opLimits, d, query[platform.TempLimits]{nvmeLimits, ataLimits}); err != nil {
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

// thermo reads the temperature of a drive that hwmon shows none of, from the drive itself. It opens the drive when
// it is first read.
type thermo struct {
	drive  platform.Drive
	speaks language
	open   bool
	node   driveNode
	worked bool // it was seen to work
}

func (h *Host) thermometer(d platform.Drive) *thermo {
	return &thermo{drive: d, speaks: h.languageOf(d)}
}

// source is where the readings come from; empty if there can be none.
func (p *thermo) source() string { return string(p.speaks) }

// read fails with platform.ErrUnsupported where it was never seen to work, for whatever reason: that is no fault
// of the drive.
func (p *thermo) read() ([]platform.Reading, error) {
	out, err := p.ask()
	err = about(opWarmth, p.drive, err)
	switch {
	case err == nil:
		p.worked = true
		return out, nil
	case p.worked, errors.Is(err, platform.ErrAsleep), errors.Is(err, platform.ErrGone), errors.Is(err, platform.ErrStalled):
		return nil, err
	}
	return nil, inVain{err}
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
