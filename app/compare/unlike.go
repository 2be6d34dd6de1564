package compare

import (
	"math"

	"cachecliff/app/reference"
)

// Reason is why two values are not alike, or a value is not ranked.
type Reason string

// The reasons.
const (
	ReasonSpec     Reason = "spec"     // another load
	ReasonMethod   Reason = "method"   // another version of the method
	ReasonProgram  Reason = "program"  // another program
	ReasonTest     Reason = "test"     // another test, such as the short form of a long one
	ReasonSpan     Reason = "span"     // another span of the file
	ReasonLevel    Reason = "level"    // the drive was fuller or emptier when a fill began
	ReasonOS       Reason = "os"       // another system
	ReasonBuffered Reason = "buffered" // one went through the page cache
	ReasonThrough  Reason = "through"  // one had each write on the medium before it counted
	ReasonSource   Reason = "source"   // they are from different sources, or measured under other conditions
	ReasonKind     Reason = "kind"     // one is rated
	ReasonInvalid  Reason = "invalid"  // one is not the drive's
)

// levelOff is how far apart the levels may be at which two fills began, as a share of the volume.
const levelOff = 0.05

// Unlike says why two values of one metric may not be compared as if they were made in the same way. It is empty if
// they may.
func Unlike(a, b reference.Drive, va, vb reference.Value) []Reason {
	var out []Reason
	add := func(unlike bool, r Reason) {
		if unlike {
			out = append(out, r)
		}
	}
	add(va.Kind != vb.Kind, ReasonKind)
	add(va.Invalid || vb.Invalid, ReasonInvalid)
	if va.Kind == reference.Rated {
		return out // what makers promise has no conditions that decide anything
	}
	if a.Setup == nil || b.Setup == nil {
		same := a.Setup == nil && b.Setup == nil && a.Sources[va.Source].Address == b.Sources[vb.Source].Address && va.Conditions == vb.Conditions
		add(!same, ReasonSource)
		return out
	}
	add((va.Spec == nil) != (vb.Spec == nil) || va.Spec != nil && *va.Spec != *vb.Spec, ReasonSpec)
	add(a.Setup.Program != b.Setup.Program, ReasonProgram)
	add(a.Setup.Program == b.Setup.Program && a.Setup.Method != b.Setup.Method, ReasonMethod)
	_, table := workload(va.Metric)
	add(!table && va.Span == 0 && a.Setup.Test != b.Setup.Test, ReasonTest)
	add(va.Span != vb.Span, ReasonSpan)
	add(va.Start != nil && vb.Start != nil && math.Abs(*va.Start-*vb.Start) > levelOff, ReasonLevel)
	add(a.Setup.OS != b.Setup.OS, ReasonOS)
	add(a.Setup.Buffered != b.Setup.Buffered, ReasonBuffered)
	add(a.Setup.Through != b.Setup.Through, ReasonThrough)
	return out
}

// workload is the ID of the load of a metric of a table.
func workload(metric string) (string, bool) {
	m, _ := reference.MetricByID(metric)
	_, id := m.Workload()
	return id, id != ""
}
