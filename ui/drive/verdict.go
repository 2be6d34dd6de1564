package drive

import (
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
)

// verdict says how the drive is, and why.
func (s *State) verdict(h *platform.Health) (big part.Span, why []part.Span) {
	tone := part.Plain
	if len(h.Critical) > 0 || h.Passed == platform.No {
		tone = part.Bad
	}
	return part.Span{}, []part.Span{{Text: facts.Health(s.Words, h, s.Locale), Tone: tone}}
}
