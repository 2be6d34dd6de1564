package condition

import (
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/platform"
)

// Name is what the field calls the counter. The health that it was found in gives attributes their names.
func (d Delta) Name(w *words.Words, h platform.Health, l format.Locale) string {
	if d.Attr != 0 {
		return attribute(h, d.Attr, l)
	}
	return PartName(w, d.Part)
}

// Text is how far the counter went, in its unit; empty if that is not known.
func (d Delta) Text(l format.Locale) string {
	if d.By == nil {
		return ""
	}
	unit := units[d.Part]
	switch {
	case *d.By < 0:
		return "−" + format.Integer(-*d.By, l)
	case unit == nil:
		return format.Integer(*d.By, l)
	}
	return unit(*d.By, l)
}
