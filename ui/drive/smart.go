package drive

import (
	"slices"

	"cachecliff/app/condition"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/platform"
	"cachecliff/ui/part"
)

// health is what the drive tells of its own state.
func (s *State) health() Section {
	d, w, h := s.Drive(), s.Words, s.Health
	if d == nil {
		return Section{}
	}
	c := Section{Title: w.T("drive.health")}
	switch {
	case h == nil && s.Fault != nil:
		c.Lead = []part.Span{{Text: s.refused()}}
		return c
	case h == nil:
		c.Lead = []part.Span{{Text: w.T("drive.reading")}}
		return c
	}
	c.Big, c.Lead = s.verdict(*h, *d)
	for _, f := range condition.Facts(w, *h, s.Locale) {
		if f.Part != platform.PartTemperature && f.Part != platform.PartLimits { // they have a section of their own
			c.Rows = append(c.Rows, Row{Label: f.Name, Value: f.Text})
		}
	}
	for _, t := range condition.Absent(w, s.wanting(*h)) {
		c.Notes = append(c.Notes, part.Span{Text: t, Tone: part.Dim})
	}
	if h.Source != "" {
		c.Notes = append(c.Notes, part.Span{Text: w.T("drive.read-from", "Source", h.Source), Tone: part.Dim})
	}
	return c
}

// wanting is a drive's health without the remark that it does not tell what the section of temperatures shows
// all the same, from another source.
func (s *State) wanting(h platform.Health) platform.Health {
	h.Absent = slices.DeleteFunc(slices.Clone(h.Absent), func(a platform.Absence) bool {
		return a.What == platform.PartTemperature && s.Watch.Milli() != nil || a.What == platform.PartLimits && s.Limits.Known()
	})
	return h
}

// refused says why nothing of the drive's health is known.
func (s *State) refused() string {
	if t := condition.Refused(s.Words, platform.WhyOf(s.Fault)); t != "" {
		return t + "."
	}
	return explain.Error(s.Words, s.Fault).String()
}

// verdict says how the drive is, why, and what to do about it.
func (s *State) verdict(h platform.Health, d platform.Drive) (big part.Span, why []part.Span) {
	c, w := condition.Of(h, d), s.Words
	for _, r := range c.Reasons {
		why = append(why, part.Span{Text: condition.Sentence(w, r, h, s.Locale) + ".", Tone: tone(r.Grade)})
	}
	if a := condition.Advice(w, c.Grade); a != "" {
		why = append(why, part.Span{Text: a})
	}
	return part.Span{Text: upper(condition.Name(w, c.Grade)), Tone: tone(c.Grade)}, why
}

// attributes is the SMART table of an ATA drive.
func (s *State) attributes() Section {
	h, w := s.Health, s.Words
	if s.Drive() == nil || h == nil || len(h.Attributes) == 0 {
		return Section{}
	}
	t := Table{Columns: []Column{
		{Title: w.T("smart.id"), Right: true}, {Title: w.T("smart.attribute"), Wide: true}, {Title: w.T("smart.value"), Right: true},
		{Title: w.T("smart.worst"), Right: true}, {Title: w.T("smart.threshold"), Right: true}, {Title: w.T("smart.raw"), Right: true},
	}}
	reasons := condition.Of(*h, *s.Drive()).Reasons
	for _, a := range h.Attributes {
		limit := format.Unknown
		if a.Threshold != nil {
			limit = format.Integer(int64(*a.Threshold), s.Locale)
		}
		name := a.Name
		if name == "" {
			name = w.T("smart.unnamed")
		}
		mark := part.Plain
		if i := slices.IndexFunc(reasons, func(r condition.Reason) bool { return r.Attr == a.ID }); i >= 0 {
			mark = tone(reasons[i].Grade)
		}
		t.Rows = append(t.Rows, []Cell{
			{Text: format.Integer(int64(a.ID), s.Locale), Tone: part.Dim}, {Text: name, Note: condition.Meaning(w, a), Tone: mark},
			{Text: format.Integer(int64(a.Normalized), s.Locale), Tone: mark}, {Text: format.Integer(int64(a.Worst), s.Locale)}, {Text: limit},
			{Text: condition.Raw(a.Raw, s.Locale), Tone: mark},
		})
	}
	return Section{Title: w.T("smart.attributes"), Table: t, Notes: []part.Span{{Text: w.T("smart.attributes-note"), Tone: part.Dim}}}
}
