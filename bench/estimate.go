package bench

import (
	"time"

	"cachecliff/platform"
)

// PlanEstimate is what a run will cost, before it starts.
type PlanEstimate struct {
	Time       time.Duration // about
	WrittenMax int64         // bytes at most, if the drive is as fast as its connection
}

// Estimate says how long a plan takes and how many bytes it writes at the most. Steps end by time, so
// a fast drive writes more in them: the bound is the speed of the connection, and for small blocks one
// I/O per queue slot each 10 µs, which no flash drive undercuts.
func (p Plan) Estimate() PlanEstimate {
	ceiling := Ceiling(p.Target)
	if p.Profile.Filling != nil {
		return p.fillEstimate(ceiling)
	}
	if p.Profile.Copying != nil {
		return p.copyEstimate(ceiling)
	}
	if p.Profile.Cloning != nil {
		return p.cloneEstimate(ceiling)
	}
	size := p.Profile.FileSize
	e := PlanEstimate{
		Time:       time.Duration(float64(size)/(ceiling/2)*float64(time.Second)) + time.Second,
		WrittenMax: size,
	}
	for _, s := range p.Steps() {
		e.Time += s.Estimate(ceiling)
		if s.Kind == StepLoad {
			e.WrittenMax += s.writtenMax(ceiling)
		}
	}
	return e
}

// fillEstimate is that of a filling: it writes its passes and no more, at best as fast as the connection.
func (p Plan) fillEstimate(ceiling float64) PlanEstimate {
	var e PlanEstimate
	for _, s := range p.Steps() {
		e.Time += s.Estimate(ceiling)
		if s.Kind == StepFill {
			e.WrittenMax += s.Bytes
		}
	}
	return e
}

// Estimate is how long a step takes on a drive that moves ceiling bytes a second.
func (s Step) Estimate(ceiling float64) time.Duration {
	switch s.Kind {
	case StepRest:
		return s.Rest
	case StepDelete:
		return discardWait
	case StepMake, StepCopy, StepClone: // half of what the connection carries: it is read and written, or made and written
		return time.Duration(float64(s.Bytes) / (ceiling / 2) * float64(time.Second))
	case StepFill:
		return time.Duration(float64(s.Bytes) / s.Spec.rateMax(ceiling) * float64(time.Second))
	}
	if s.Spec.Measure > 0 {
		return s.Spec.Warmup + s.Spec.Measure
	}
	return s.Spec.Warmup + time.Duration(float64(s.Spec.Limit)/s.Spec.rateMax(ceiling)*float64(time.Second))
}

// writtenMax is the bytes a step writes at most.
func (s Step) writtenMax(ceiling float64) int64 {
	share := float64(100-s.Spec.ReadPct) / 100
	moved := s.Spec.rateMax(ceiling) * (s.Spec.Warmup + s.Spec.Measure).Seconds()
	if limit := float64(s.Spec.Limit); s.Spec.Limit > 0 && (s.Spec.Measure == 0 || limit < moved) {
		moved = limit
	}
	return int64(moved * share)
}

// fastestIO is the shortest time that an I/O through an operating system takes on flash.
const fastestIO = 10 * time.Microsecond

// rateMax is the bytes per second that a Spec can reach at most.
func (s Spec) rateMax(ceiling float64) float64 {
	inFlight := float64(s.Depth*s.Threads) * float64(s.Block)
	rate := min(ceiling, inFlight/fastestIO.Seconds())
	if s.Rate > 0 {
		rate = min(rate, float64(s.Rate)*float64(s.Block))
	}
	return rate
}

// pcieLane is the payload of one PCIe lane in bytes per second by generation: transfer rate times line
// code (8b/10b up to 2.0, 128b/130b after; 6.0 has 242/256 FLITs), PCI-SIG base specifications.
var pcieLane = map[int]float64{1: 250e6, 2: 500e6, 3: 985e6, 4: 1969e6, 5: 3938e6, 6: 7563e6}

// Ceilings in bytes per second where the link is not known.
const (
	ceilingNVMe    = 14e9  // PCIe 5.0 ×4
	ceilingSATA    = 600e6 // 6 Gbit/s, 8b/10b
	ceilingUSB     = 2.5e9 // 20 Gbit/s
	ceilingHDD     = 300e6
	ceilingUnknown = 8e9  // a virtual drive
	ceilingMemory  = 50e9 // no drive at all: memory or a network
)

// Ceiling is what the connection of a target's drives can carry, bytes per second; drives add up.
func Ceiling(t platform.Target) float64 {
	if len(t.Drives) == 0 {
		return ceilingMemory
	}
	var sum float64
	for _, d := range t.Drives {
		sum += driveCeiling(d)
	}
	return sum
}

func driveCeiling(d platform.Drive) float64 {
	lane := pcieLane[d.Link.PCIeGen]
	switch {
	case d.Rotational == platform.Yes:
		return ceilingHDD
	case lane > 0 && d.Link.Lanes > 0:
		return lane * float64(d.Link.Lanes)
	case d.Link.BitRate > 0:
		return float64(d.Link.BitRate) / 8
	case d.Bus == platform.BusNVMe:
		return ceilingNVMe
	case d.Bus == platform.BusSATA:
		return ceilingSATA
	case d.Bus == platform.BusUSB:
		return ceilingUSB
	}
	return ceilingUnknown
}
