// Package condition judges a drive by what it says of itself: good, caution, bad or unknown, with the reasons; and
// says what its counters did between two readings. The rules are tables of pure functions. Wording is in words.go.
package condition

import (
	"slices"

	"cachecliff/platform"
)

// Grade is how well a drive is.
type Grade string

// The grades. Unknown is for a drive of which nothing was read that a verdict can rest on.
const (
	Unknown Grade = "unknown"
	Good    Grade = "good"
	Caution Grade = "caution" // worn, hot, or with errors behind it: it works, and wants watching
	Bad     Grade = "bad"     // it fails or is about to
)

// grades are in order, the worst last.
var grades = []Grade{Unknown, Good, Caution, Bad}

// Code names a reason; it is kept in files and read by scripts.
type Code string

// The reasons, with the unit of Value and Limit. A reason of an attribute names its number in Attr.
const (
	CodeFailing     Code = "failing"           // the drive says of itself that it is about to fail
	CodeReliability Code = "reliability"       // the drive says that errors have made it unreliable
	CodeReadOnly    Code = "read-only"         // the drive takes no more data
	CodeBackup      Code = "backup"            // what saves its memory when the power goes has failed
	CodeMemory      Code = "persistent-memory" // its persistent memory has become read-only or unreliable
	CodeWarning     Code = "warning"           // another warning
	CodeSpare       Code = "spare"             // less spare than the drive needs: percent
	CodeSpareLow    Code = "spare-low"         // spare is down to what the drive needs: percent
	CodeTemperature Code = "temperature"       // outside of its limits, as it says: thousandths of a degree Celsius
	CodeHot         Code = "hot"               // at the limit that the drive states, or above: the same
	CodeWorn        Code = "worn"              // rated endurance is used up: percent
	CodeMediaErrors Code = "media-errors"      // data that could not be read or kept: errors
	CodeBelow       Code = "below-threshold"   // an attribute's mark is at its threshold or below: marks
	CodeWasBelow    Code = "was-below"         // it was so in the past: marks, the lowest one
	CodeReplaced    Code = "sectors-replaced"  // sectors
	CodePending     Code = "sectors-pending"   // sectors that wait for a decision after they could not be read
	CodeLost        Code = "sectors-lost"      // sectors that a check by the drive itself could not read
	CodeSpinRetries Code = "spin-retries"      // starts of the motor that had to be tried again
	CodeEndToEnd    Code = "end-to-end"        // errors on the way through the drive's own memory
)

// Reason is why a drive is not good.
type Reason struct {
	Code  Code   `json:"code"`
	Grade Grade  `json:"grade"`           // what it makes of the drive
	Value *int64 `json:"value,omitempty"` // in the unit that the code names; nil if the drive does not tell
	Limit *int64 `json:"limit,omitempty"` // what Value was held against, if not 0
	Attr  int    `json:"attr,omitempty"`  // number of the attribute
}

// Condition is a verdict on a drive.
type Condition struct {
	Grade   Grade    `json:"grade"`
	Reasons []Reason `json:"reasons,omitempty"` // the worst first; none for good and unknown
}

// Of judges what was read of a drive. Of the drive only Rotational matters.
func Of(h platform.Health, d platform.Drive) Condition {
	var all []Reason
	for _, r := range rules {
		all = append(all, r(h, d)...)
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return rank(b.Grade) - rank(a.Grade) })
	switch {
	case len(all) > 0:
		return Condition{all[0].Grade, all}
	case decisive(h):
		return Condition{Grade: Good}
	}
	return Condition{Grade: Unknown}
}

func rank(g Grade) int { return slices.Index(grades, g) }

// decisive says whether something was read whose silence means that the drive is well: its own verdict,
// thresholds that attributes keep to, or the health log of an NVMe drive, of which older results hold no verdict.
// Attributes without thresholds are no verdict: each maker marks them as it likes. Nor is the wear of a drive that
// has attributes and kept them back.
func decisive(h platform.Health) bool {
	thresholds := slices.ContainsFunc(h.Attributes, func(a platform.Attribute) bool { return a.Threshold != nil })
	log := h.PercentUsed != nil && len(h.Attributes) == 0 && h.Why(platform.PartThresholds) == ""
	return h.Passed != platform.Unknown || thresholds || log
}
