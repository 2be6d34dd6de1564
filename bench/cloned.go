package bench

import (
	"fmt"
	"strings"
	"time"
)

// ClonedPart is what an image of a Cloning took.
type ClonedPart struct {
	Part   ClonePart
	Facts  CloneFacts
	Took   time.Duration // until all was durable
	Whole  bool          // it ended as planned; else Facts have what is known, and there is no rate
	Failed bool
}

// Rate is bytes per second until all was durable.
func (p ClonedPart) Rate() float64 { return perSecond(float64(p.Facts.Bytes), p.Took) }

// Shown is bytes per second as dd shows them, which does not wait for the drive.
func (p ClonedPart) Shown() float64 { return perSecond(float64(p.Facts.Bytes), p.Facts.Handed) }

// Same says whether an image that was read back has the bytes that were read; false if it was not read back.
func (p ClonedPart) Same() bool { return p.Facts.Wrote != "" && p.Facts.Wrote == p.Facts.ReadHash }

// ClonedParts are the images of a Cloning, in the order in which they were made.
func (r *Result) ClonedParts() []ClonedPart {
	var out []ClonedPart
	for _, m := range r.Measurements {
		if m.Step.Kind != StepClone || r.Plan.Clone == nil {
			continue
		}
		p := ClonedPart{Took: m.Elapsed, Whole: m.Clone != nil && !m.Stopped && m.Failure == nil, Failed: m.Failure != nil}
		for _, part := range r.Plan.Clone.Parts {
			if part.Name == m.Step.Part {
				p.Part = part
			}
		}
		if m.Clone != nil {
			p.Facts = *m.Clone
		}
		out = append(out, p)
	}
	return out
}

// What follows are the doubts about clones.

// cloneBad adds up what could not be read of the source. The text is where it begins.
func cloneBad(r *Result) finding {
	var f finding
	for _, p := range r.ClonedParts() {
		if p.Facts.BadBytes == 0 || len(p.Facts.Bad) == 0 {
			continue
		}
		if !f.hit {
			f.text = fmt.Sprint(p.Facts.Bad[0].Start)
		}
		f.hit, f.value = true, f.value+float64(p.Facts.BadBytes)
	}
	return f
}

// cloneMounted looks for file systems on the source that might be written to while it was read.
func cloneMounted(r *Result) finding {
	if r.Plan.Clone == nil || len(r.Plan.Clone.Written) == 0 {
		return finding{}
	}
	return finding{hit: true, text: strings.Join(r.Plan.Clone.Written, ", ")}
}

// cloneDiffers counts the images that have other bytes than were read.
func cloneDiffers(r *Result) finding {
	var f finding
	for _, p := range r.ClonedParts() {
		if p.Whole && p.Facts.Wrote != "" && !p.Same() {
			if !f.hit {
				f.text = p.Facts.Image
			}
			f.hit, f.value = true, f.value+1
		}
	}
	return f
}
