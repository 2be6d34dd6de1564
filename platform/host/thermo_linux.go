package host

import (
	"errors"
	"sync"
	"time"

	"cachecliff/platform"
)

const opWarmth = "read the temperature of"

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
func (h *Host) limits(d platform.Drive) platform.TempLimits {
	h.told.mu.Lock()
	l, ok := h.told.limits[answerKey(d)]
	h.told.mu.Unlock()
	if ok {
		return l
	}
	if l = h.tree().TempLimits(d.Name); !l.Known() && h.languageOf(d) == inNVMe {
		none := func(ataDevice, platform.Drive) (platform.TempLimits, error) { return platform.TempLimits{}, nil }
		stated := func(dev nvmeDevice, d platform.Drive) (platform.TempLimits, error) {
			c, err := nvmeController(dev, d)
			if err != nil {
				return platform.TempLimits{}, err
			}
			return c.Limits, nil
		}
		var err error
		if l, err = inquire(h, "read the temperature limits of", d, query[platform.TempLimits]{stated, none}); err != nil {
			return platform.TempLimits{} // which are asked for again
		}
	}
	h.told.mu.Lock()
	h.told.limits[answerKey(d)] = l
	h.told.mu.Unlock()
	return l
}

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
	switch {
	case err == nil:
		p.worked = true
		return out, nil
	case p.worked, errors.Is(err, platform.ErrAsleep), errors.Is(err, platform.ErrGone), errors.Is(err, platform.ErrStalled):
		return nil, err
	}
	return nil, &platform.OpError{Op: opWarmth, Object: p.drive.Name, Reason: platform.ErrUnsupported, Err: err}
}

func (p *thermo) ask() ([]platform.Reading, error) {
	if p.speaks == speaksNothing {
		return nil, mute(opWarmth, p.drive)
	}
	if !p.open {
		n, err := openNode("/dev/" + p.drive.Name)
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
