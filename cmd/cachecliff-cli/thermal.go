package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cachecliff/app"
	"cachecliff/app/format"
	"cachecliff/app/store"
	"cachecliff/bench"
)

// thermalOptions are the options of the tests of the temperature.
func thermalOptions(o *bench.ThermalOverrides) []option {
	idle := time.Duration(0)
	wait := timeTo(&idle, "idle", 0, bench.MaxRest, "thermal: wait at most so long until the temperature does not change any more, such as 5m (15m)")
	set := wait.set
	wait.set = func(v string) error {
		err := set(v)
		if err == nil {
			o.Idle = &idle
		}
		return err
	}
	return []option{
		flagTo(&o.Steady, "until-steady", fmt.Sprintf("thermal: end once the temperature does not change any more, at the latest after --time (%s)", format.Duration(bench.SteadyMost, format.EN))),
		wait,
	}
}

// checkThermalOptions refuses options that a test does not have, and gives --most to the test it is for.
func (o *runOptions) checkThermalOptions(p bench.Profile) error {
	if p.Thermal == nil {
		if o.change.Thermal.Set() {
			return usagef("--until-steady and --idle are options of thermal-read and thermal-write.")
		}
		return nil
	}
	if o.pause >= 0 {
		return usagef("%s has no pause; --idle is how long it waits for a steady temperature.", p.ID)
	}
	o.change.Thermal.Most, o.change.Fill.Most = o.change.Fill.Most, nil
	return nil
}

// thermalWords is a test of the temperature in a few words.
func thermalWords(p bench.Profile) string {
	s := p.Workloads[0].Spec
	load := fmt.Sprintf("%s %s for %s", s.Label(), s.Direction(), format.Duration(s.Measure, format.EN))
	if p.Thermal.Steady {
		load = fmt.Sprintf("%s %s until the temperature is steady, at most %s", s.Label(), s.Direction(), format.Duration(s.Measure, format.EN))
	}
	if p.Loops > 1 {
		load += fmt.Sprintf(", %d times", p.Loops)
	}
	return load + ", file of " + format.FileSize(p.FileSize, format.EN)
}

// thermalFacts are what a test of the temperature will do, before it does it.
func (c *cli) thermalFacts(ctx context.Context, p bench.Plan, fact func(name, value string)) {
	cost, v := p.Estimate(), p.Target.Volume
	fact("Sensors", c.sensorWords(ctx, p))
	fact("Waits", fmt.Sprintf("until the temperature does not change any more, at most %s", format.Duration(p.Profile.Thermal.Idle, format.EN)))
	writes := "at most " + format.About(cost.WrittenMax, format.EN)
	if most := p.Profile.Thermal.Most; most > 0 && p.Profile.Has(bench.DirWrite) {
		writes += fmt.Sprintf(", the load at most %d %% of the capacity", most)
	}
	fact("Writes", writes)
	fact("Takes", "at most "+format.Duration(cost.Time, format.EN)+", and the time to write the test file")
	fact("Free", fmt.Sprintf("%s, with the test file %s", format.VolumeSize(v.Free, format.EN), format.VolumeSize(v.Free-p.Profile.FileSize, format.EN)))
}

// sensorWords is what the sensors of the drives show now.
func (c *cli) sensorWords(ctx context.Context, p bench.Plan) string {
	var all []string
	for _, d := range p.Target.Drives {
		s, err := c.host.Sensors(ctx, d)
		if err != nil {
			continue
		}
		for _, t := range s.Temperatures {
			all = append(all, strings.TrimSpace(t.Label+" "+format.Temperature(t.MilliC)))
		}
	}
	if len(all) == 0 {
		return "none that can be read: only the rate over time will be shown"
	}
	return strings.Join(all, ", ")
}

// thermalProgress says what a test of the temperature does.
func thermalProgress(v *app.View) string {
	words := stepWords(*v.Step)
	if loops := v.Result.Plan.Profile.Loops; loops > 1 {
		words = fmt.Sprintf("%s %d/%d", words, v.Step.Loop, loops)
	}
	if v.Phase == app.PhaseResting {
		return "waiting for a steady temperature"
	}
	return words
}

// warmWords is how warm a drive got, in a few words.
func warmWords(s store.ThermalSummary) string {
	words := "no sensor"
	if s.Top != nil && s.Idle != nil {
		words = fmt.Sprintf("%s (+%s)", format.Temperature(*s.Top), format.Kelvin(*s.Top, *s.Idle))
	}
	if s.Throttled {
		words += ", throttled"
	}
	return words
}
