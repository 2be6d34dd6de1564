package condition

import (
	"math"
	"slices"

	"cachecliff/platform"
)

// A rule looks for one kind of reason.
type rule func(h platform.Health, d platform.Drive) []Reason

var rules = []rule{warnings, verdict, spare, heat, wear, mediaErrors, thresholds, counts}

// warningGrades are the warnings of an NVMe drive ("critical warning" of the SMART / Health Information log, NVM
// Express Base Specification) and that of an ATA drive. CrystalDiskInfo, too, calls a drive with one bad, but heat
// is no lasting fault. Spare is looked at by a rule of its own.
var warningGrades = map[string]struct {
	code  Code
	grade Grade
}{
	"failing":           {CodeFailing, Bad},
	"reliability":       {CodeReliability, Bad},
	"read-only":         {CodeReadOnly, Bad},
	"backup":            {CodeBackup, Bad},
	"persistent-memory": {CodeMemory, Bad},
	warningHot:          {CodeTemperature, Caution},
}

// Warnings that more than one rule knows.
const (
	warningSpare = "spare"
	warningHot   = "temperature"
)

func warnings(h platform.Health, _ platform.Drive) []Reason {
	var out []Reason
	for _, name := range h.Critical {
		w, known := warningGrades[name]
		switch {
		case name == warningSpare:
			continue
		case !known:
			out = append(out, Reason{Code: CodeWarning, Grade: Bad})
		case w.code == CodeTemperature:
			out = append(out, Reason{Code: w.code, Grade: w.grade, Value: whole(h.TempMilliC)})
		default:
			out = append(out, Reason{Code: w.code, Grade: w.grade})
		}
	}
	return out
}

// verdict is for a drive that says no and not why.
func verdict(h platform.Health, _ platform.Drive) []Reason {
	if h.Passed != platform.No || len(h.Critical) > 0 {
		return nil
	}
	return []Reason{{Code: CodeFailing, Grade: Bad}}
}

// spare compares with the threshold that the drive names; at the threshold it is a caution, as in CrystalDiskInfo,
// unless the threshold is all that there can be.
func spare(h platform.Health, _ platform.Drive) []Reason {
	left, least := whole(h.SpareLeft), whole(h.SpareThreshold)
	r := Reason{Value: left, Limit: least}
	known := left != nil && least != nil
	switch {
	case slices.Contains(h.Critical, warningSpare), known && *left < *least:
		r.Code, r.Grade = CodeSpare, Bad
	case known && *left == *least && *left < 100:
		r.Code, r.Grade = CodeSpareLow, Caution
	default:
		return nil
	}
	return []Reason{r}
}

// heat compares with the limit at which the drive says that it warns, else with that of danger.
func heat(h platform.Health, _ platform.Drive) []Reason {
	limit := h.Limits.WarnMilliC
	if limit == nil {
		limit = h.Limits.CritMilliC
	}
	if slices.Contains(h.Critical, warningHot) || h.TempMilliC == nil || limit == nil || *h.TempMilliC < *limit {
		return nil
	}
	return []Reason{{Code: CodeHot, Grade: Caution, Value: whole(h.TempMilliC), Limit: whole(limit)}}
}

// usedUp is the share of the rated endurance, in percent, at which a drive has done what its maker vouches for. It
// goes on working: the NVM Express Base Specification says of "Percentage Used" that 100 need not mean a failure.
const usedUp = 100

func wear(h platform.Health, _ platform.Drive) []Reason {
	if h.PercentUsed == nil || *h.PercentUsed < usedUp {
		return nil
	}
	return []Reason{{Code: CodeWorn, Grade: Caution, Value: whole(h.PercentUsed), Limit: new(int64(usedUp))}}
}

// attrUncorrectable counts the errors that an ATA drive could not correct and reported.
const attrUncorrectable = 187

func mediaErrors(h platform.Health, _ platform.Drive) []Reason {
	if h.MediaErrors == nil || *h.MediaErrors == 0 {
		return nil
	}
	r := Reason{Code: CodeMediaErrors, Grade: Caution, Value: whole(h.MediaErrors)}
	if slices.ContainsFunc(h.Attributes, func(a platform.Attribute) bool { return a.ID == attrUncorrectable }) {
		r.Attr = attrUncorrectable
	}
	return []Reason{r}
}

// warmth are the attributes whose mark falls as it gets warm and rises again. Of heat in the past nothing is left,
// and heat now is no fault; CrystalDiskInfo leaves them out, too.
var warmth = []int{190, 194}

// thresholds are the marks of attributes against what the maker calls failing. Only marks from 1 to 253, and
// thresholds likewise, are ones (SFF-8035i).
func thresholds(h platform.Health, _ platform.Drive) []Reason {
	var out []Reason
	for _, a := range h.Attributes {
		warm := slices.Contains(warmth, a.ID)
		r := Reason{Attr: a.ID, Limit: whole(a.Threshold)}
		switch {
		case a.Failing:
			r.Code, r.Grade, r.Value = CodeBelow, Bad, new(int64(a.Normalized))
			if warm {
				r.Grade = Caution
			}
		case a.Threshold != nil && mark(*a.Threshold) && mark(a.Worst) && a.Worst <= *a.Threshold && !warm:
			r.Code, r.Grade, r.Value = CodeWasBelow, Caution, new(int64(a.Worst))
		default:
			continue
		}
		out = append(out, r)
	}
	return out
}

func mark(v int) bool { return v >= 1 && v <= 253 }

// countRules are the attributes of hard disks whose count should be 0. Backblaze (2016, "What SMART Stats Tell Us
// About Hard Drives") found 5, 187, 197 and 198 to foretell failures; 10 and 184 are in the lists of vital
// attributes of most tools. Flash replaces blocks as it wears, and its spare and its marks say how far that is;
// some of it counts 197 up and down in passing. So CrystalDiskInfo asks them of hard disks alone, and so is it
// here. 5 and 10 may hold a second count above the first 16 bits (smartmontools, drivedb.h: raw16(raw16)).
var countRules = map[int]struct {
	code Code
	bits int
}{
	5:   {CodeReplaced, 16},
	10:  {CodeSpinRetries, 16},
	184: {CodeEndToEnd, 48},
	197: {CodePending, 48},
	198: {CodeLost, 48},
}

// mostCounted is more than a drive can have counted; beyond it the number means something else, or is all ones.
const mostCounted = 100_000_000

func counts(h platform.Health, d platform.Drive) []Reason {
	if !turns(h, d) {
		return nil
	}
	var out []Reason
	for _, a := range h.Attributes {
		c, ok := countRules[a.ID]
		n := a.Raw & (1<<c.bits - 1)
		if ok && n > 0 && n <= mostCounted && a.Raw != 1<<32-1 && a.Raw != 1<<48-1 {
			out = append(out, Reason{Code: c.code, Grade: Caution, Value: new(int64(n)), Attr: a.ID})
		}
	}
	return out
}

// motor are the attributes that only what turns has: the time to spin up, errors while seeking, starts tried again.
var motor = []int{3, 7, 10}

// turns says whether a drive is a hard disk. What is behind a USB adapter is known by its attributes alone.
func turns(h platform.Health, d platform.Drive) bool {
	if d.Rotational != platform.Unknown {
		return d.Rotational == platform.Yes
	}
	return slices.ContainsFunc(h.Attributes, func(a platform.Attribute) bool { return slices.Contains(motor, a.ID) })
}

// whole takes a number that may not be known to the type of Reason.Value.
func whole[T int | int32 | uint32 | uint64](v *T) *int64 {
	if v == nil {
		return nil
	}
	n := int64(*v)
	if *v > 0 && n < 0 { // beyond what fits
		n = math.MaxInt64
	}
	return &n
}
