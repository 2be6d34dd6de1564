package condition

import (
	"fmt"
	"slices"
	"strings"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/platform"
)

// Name is a grade in a word.
func Name(w *words.Words, g Grade) string { return w.T("condition.grade-" + string(g)) }

// Advice is what to do about a drive, in full sentences; empty for one that is good.
func Advice(w *words.Words, g Grade) string {
	switch g {
	case Bad:
		return w.T("condition.advice-bad")
	case Caution:
		return w.T("condition.advice-caution")
	}
	return ""
}

// counted are the reasons that are told with a number of things.
var counted = []Code{CodeMediaErrors, CodeReplaced, CodePending, CodeLost, CodeSpinRetries, CodeEndToEnd}

// Sentence says a reason in plain words, without a full stop. The health that it was found in gives attributes
// their names.
func Sentence(w *words.Words, r Reason, h platform.Health, l format.Locale) string {
	if r.Value == nil && w.Has("condition.bare-"+string(r.Code)) {
		return w.T("condition.bare-" + string(r.Code))
	}
	if r.Value != nil && slices.Contains(counted, r.Code) {
		return w.N("condition.count-"+string(r.Code), int(*r.Value))
	}
	id := "condition.reason-" + string(r.Code)
	if !w.Has(id) { // of a newer version
		id = "condition.reason-" + string(CodeWarning)
	}
	return w.T(id, "Value", quantity(r.Code, r.Value, l), "Limit", quantity(r.Code, r.Limit, l), "Attribute", attribute(h, r.Attr, l))
}

// quantity is a number in the unit that a code names.
func quantity(c Code, v *int64, l format.Locale) string {
	if v == nil {
		return format.Unknown
	}
	switch c {
	case CodeTemperature, CodeHot:
		return format.Temperature(int32(*v))
	case CodeSpare, CodeSpareLow, CodeWorn:
		return format.Percent(float64(*v)/100, l)
	}
	return format.Integer(*v, l)
}

// attribute is the number and the name of an attribute: "233 (Media_Wearout_Indicator)".
func attribute(h platform.Health, id int, l format.Locale) string {
	out := format.Integer(int64(id), l)
	for _, a := range h.Attributes {
		if a.ID == id && a.Name != "" {
			return out + " (" + a.Name + ")"
		}
	}
	return out
}

// Refused says in a sentence, without a full stop, why nothing of a drive's health could be read; empty if nobody
// knows.
func Refused(w *words.Words, why platform.Why) string {
	if id := "condition.refused-" + string(why); why != "" && w.Has(id) {
		return w.T(id)
	}
	return ""
}

// PartName is what the field calls a part of Health.
func PartName(w *words.Words, p platform.Part) string {
	return w.T("smart.part-" + strings.ReplaceAll(string(p), "_", "-"))
}

// Absent says for each reason, in a full sentence, which parts are not there.
func Absent(w *words.Words, h platform.Health) []string {
	var reasons []platform.Why
	names := map[platform.Why][]string{}
	for _, a := range h.Absent {
		if a.What == platform.PartThresholds && len(h.Attributes) == 0 {
			continue // nothing that could have them
		}
		if !slices.Contains(reasons, a.Reason) {
			reasons = append(reasons, a.Reason)
		}
		names[a.Reason] = append(names[a.Reason], PartName(w, a.What))
	}
	var out []string
	for _, r := range reasons {
		id := "smart.absent-" + string(r)
		if !w.Has(id) {
			id = "smart.absent-failed"
		}
		out = append(out, w.T(id, "Parts", strings.Join(names[r], ", ")))
	}
	return out
}

// Meaning says in a sentence what an attribute counts; empty if nobody knows.
func Meaning(w *words.Words, a platform.Attribute) string {
	name := strings.ToLower(strings.ReplaceAll(a.Name, "_", "-"))
	if older := sameMeaning[name]; older != "" {
		name = older
	}
	if id := "smart.is-" + name; a.Name != "" && w.Has(id) {
		return w.T(id)
	}
	return ""
}

// mostDecimal is up to where a raw value is most likely one number. Above it several are packed into one, which is
// seen in hexadecimal only.
const mostDecimal = 1 << 40

// Raw is the raw value of an attribute.
func Raw(n uint64, l format.Locale) string {
	if n >= mostDecimal {
		return fmt.Sprintf("0x%012X", n)
	}
	return format.Integer(int64(n), l)
}

// sameMeaning are names of what has an older name.
var sameMeaning = map[string]string{
	"uncorrectable-error-cnt": "reported-uncorrect", "crc-error-count": "udma-crc-error-count", "ecc-error-rate": "hardware-ecc-recovered",
	"unsafe-shutdown-count": "unexpect-power-loss-ct", "por-recovery-count": "unexpect-power-loss-ct",
	"ave-block-erase-count": "wear-leveling-count", "program-fail-cnt-total": "program-fail-count", "erase-fail-count-total": "erase-fail-count",
	"available-reservd-space": "reserve-block-count", "unused-rsvd-blk-cnt-tot": "reserve-block-count", "unused-reserve-nand-blk": "reserve-block-count",
	"used-rsvd-blk-cnt-tot": "used-rsvd-blk-cnt-chip", "case-temperature": "temperature-celsius", "drive-temperature": "temperature-celsius",
	"airflow-temperature-cel": "temperature-celsius", "percent-lifetime-remain": "ssd-life-left", "media-wearout-indicator": "ssd-life-left",
	"total-lbas-written": "host-writes", "host-writes-32mib": "host-writes", "host-writes-gib": "host-writes",
	"total-lbas-read": "host-reads", "host-reads-32mib": "host-reads", "host-reads-gib": "host-reads",
	"read-soft-error-rate": "raw-read-error-rate", "soft-read-error-rate": "raw-read-error-rate",
	"load-retry-count": "load-cycle-count", "nand-writes-32mib": "host-program-page-count", "ftl-program-page-count": "host-program-page-count",
}
