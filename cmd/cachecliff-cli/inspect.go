package main

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"cachecliff/app/condition"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/platform"
)

// How long a drive may take to tell its temperature and its health. Hosts give up on a drive's health by themselves
// after a little less.
const (
	sensorTime = 2 * time.Second
	healthTime = 12 * time.Second
)

// inspected is what a drive tells of itself just now.
type inspected struct {
	drive     platform.Drive
	milliC    *int32           // thousandths of a degree Celsius; nil if unknown
	noTemp    platform.Why     // why milliC is nil
	health    *platform.Health // nil if none could be read
	noHealth  platform.Why     // why the grade is unknown
	fault     error            // of reading the health
	condition condition.Condition
}

// inspect asks drives for temperature and health, all at once, so that several that do not answer take no longer
// than one. A drive that sleeps is not woken: that is up to the host. It fails only when ctx ends.
func (c *cli) inspect(ctx context.Context, drives []platform.Drive) ([]inspected, error) {
	out := make([]inspected, len(drives))
	var asked sync.WaitGroup
	for i, d := range drives {
		asked.Go(func() { out[i] = c.inspectOne(ctx, d) })
	}
	asked.Wait()
	return out, ctx.Err()
}

func (c *cli) inspectOne(ctx context.Context, d platform.Drive) inspected {
	x := inspected{drive: d, condition: condition.Condition{Grade: condition.Unknown}}
	x.milliC, x.noTemp = c.temperature(ctx, d)
	limited, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	h, err := c.host.Health(limited, d)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		err = &platform.OpError{Op: "wait for", Object: d.Name, Reason: platform.ErrStalled, Err: err}
		fallthrough
	case err != nil:
		x.fault, x.noHealth = err, platform.WhyOf(err)
		return x
	}
	x.health, x.condition = &h, condition.Of(h, d)
	if x.condition.Grade == condition.Unknown {
		x.noHealth = cmp.Or(h.Why(platform.PartThresholds), h.Why(platform.PartPassed), platform.WhyNotReported)
	}
	if x.milliC == nil && h.TempMilliC != nil {
		x.milliC, x.noTemp = h.TempMilliC, ""
	}
	return x
}

// temperature is what a drive's first sensor shows, or why it shows none: a drive without a sensor is common.
func (c *cli) temperature(ctx context.Context, d platform.Drive) (*int32, platform.Why) {
	limited, cancel := context.WithTimeout(ctx, sensorTime)
	defer cancel()
	s, err := c.host.Sensors(limited, d)
	switch {
	case err != nil:
		return nil, platform.WhyOf(err)
	case len(s.Temperatures) > 0:
		return &s.Temperatures[0].MilliC, ""
	case s.Asleep:
		return nil, platform.WhyAsleep
	}
	return nil, cmp.Or(s.NoTemp, platform.WhyNotReported)
}

// told are the faults of reading a drive's health of which more can be said than of their kind.
var told = []error{platform.ErrSwitchedOff, platform.ErrGone, platform.ErrStalled, platform.ErrNoMedium}

// noHealthWords say in full sentences why the grade is unknown.
func (x inspected) noHealthWords() string {
	for _, t := range told {
		if errors.Is(x.fault, t) {
			return explain.Error(english, x.fault).String()
		}
	}
	return condition.Refused(english, x.noHealth) + "."
}

// noTempWords say in a full sentence why there is no temperature.
func (x inspected) noTempWords() string {
	id := "drive.why-" + string(x.noTemp)
	if !english.Has(id) {
		id = "drive.why-" + string(platform.WhyFailed)
	}
	return english.T(id)
}

// reasonWords say why a drive is not good, a sentence each.
func (x inspected) reasonWords() []string {
	var out []string
	for _, r := range x.condition.Reasons {
		out = append(out, condition.Sentence(english, r, *x.health, format.EN)+".")
	}
	return out
}
