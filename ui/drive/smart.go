package drive

import (
	"fmt"
	"slices"
	"strings"
	"time"

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
		c.Lead = []part.Span{{Text: explain.Error(w, s.Fault).String()}}
		return c
	case h == nil:
		c.Lead = []part.Span{{Text: w.T("drive.reading")}}
		return c
	}
	c.Big, c.Lead = s.verdict(h)
	c.Rows = s.counters(h)
	c.Notes = s.absent(h)
	if h.Source != "" {
		c.Notes = append(c.Notes, part.Span{Text: w.T("drive.read-from", "Source", h.Source), Tone: part.Dim})
	}
	return c
}

// counters are the fields that the drive reports.
func (s *State) counters(h *platform.Health) []Row {
	w, l := s.Words, s.Locale
	var rows list
	rows.add(s.part(platform.PartPassed), s.passed(h.Passed))
	if h.PercentUsed != nil {
		rows.add(s.part(platform.PartPercentUsed), percent(*h.PercentUsed, l))
	}
	if h.SpareLeft != nil {
		rows.add(s.part(platform.PartSpare), percent(*h.SpareLeft, l))
	}
	if h.SpareThreshold != nil {
		rows.add(s.part(platform.PartSpareThreshold), percent(*h.SpareThreshold, l))
	}
	rows.add(s.part(platform.PartHostWrites), amount(h.HostWrites, l))
	rows.add(s.part(platform.PartHostReads), amount(h.HostReads, l))
	rows.add(s.part(platform.PartWriteCommands), count(h.WriteCommands, l))
	rows.add(s.part(platform.PartReadCommands), count(h.ReadCommands, l))
	rows.add(s.part(platform.PartControllerBusy), minutes(h.ControllerBusyMin, l))
	if h.PowerOnHours != nil {
		rows.add(s.part(platform.PartPowerOnHours), w.T("drive.hours", "Hours", format.Integer(int64(*h.PowerOnHours), l)))
	}
	rows.add(s.part(platform.PartPowerCycles), count(h.PowerCycles, l))
	rows.add(s.part(platform.PartUnsafeShutdowns), count(h.UnsafeShutdowns, l))
	rows.add(s.part(platform.PartMediaErrors), count(h.MediaErrors, l))
	if h.MediaErrors != nil && *h.MediaErrors > 0 {
		rows[len(rows)-1].Tone = part.Bad
	}
	rows.add(s.part(platform.PartErrorLogEntries), count(h.ErrorLogEntries, l))
	rows.add(s.part(platform.PartWarningTemp), minutes(wide(h.WarningTempMin), l))
	rows.add(s.part(platform.PartCriticalTemp), minutes(wide(h.CriticalTempMin), l))
	rows.add(s.part(platform.PartLightThrottles), count(wide(h.LightThrottles), l))
	rows.add(s.part(platform.PartLightSeconds), seconds(h.LightSeconds, l))
	rows.add(s.part(platform.PartHeavyThrottles), count(wide(h.HeavyThrottles), l))
	rows.add(s.part(platform.PartHeavySeconds), seconds(h.HeavySeconds, l))
	return rows
}

// part names a part of Health in the words of the field.
func (s *State) part(p platform.Part) string {
	return s.Words.T("smart.part-" + strings.ReplaceAll(string(p), "_", "-"))
}

func (s *State) passed(t platform.Tri) string {
	switch t {
	case platform.Yes:
		return s.Words.T("drive.passed")
	case platform.No:
		return s.Words.T("drive.failed")
	}
	return ""
}

func percent(n int, l format.Locale) string { return format.Percent(float64(n)/100, l) }

func wide(n *uint32) *uint64 {
	if n == nil {
		return nil
	}
	v := uint64(*n)
	return &v
}

func count(n *uint64, l format.Locale) string {
	if n == nil {
		return ""
	}
	return format.Integer(int64(min(*n, 1<<63-1)), l)
}

func amount(n *uint64, l format.Locale) string {
	if n == nil {
		return ""
	}
	return format.VolumeSize(int64(min(*n, 1<<63-1)), l)
}

// mostMinutes is what a duration can hold.
const mostMinutes = uint64(1<<63-1) / uint64(time.Minute)

func minutes(n *uint64, l format.Locale) string {
	if n == nil {
		return ""
	}
	if *n == 0 {
		return format.Integer(0, l) + "\u00a0min"
	}
	return format.Duration(time.Duration(min(*n, mostMinutes))*time.Minute, l)
}

func seconds(n *uint32, l format.Locale) string {
	if n == nil {
		return ""
	}
	return format.Duration(time.Duration(*n)*time.Second, l)
}

// absent says in a sentence for each reason which parts are not there.
func (s *State) absent(h *platform.Health) []part.Span {
	var reasons []platform.Why
	names := map[platform.Why][]string{}
	for _, a := range h.Absent {
		if a.What == platform.PartThresholds && len(h.Attributes) == 0 {
			continue
		}
		if !slices.Contains(reasons, a.Reason) {
			reasons = append(reasons, a.Reason)
		}
		names[a.Reason] = append(names[a.Reason], s.part(a.What))
	}
	var out []part.Span
	for _, r := range reasons {
		id := "smart.absent-" + string(r)
		if !s.Words.Has(id) {
			id = "smart.absent-failed"
		}
		out = append(out, part.Span{Text: s.Words.T(id, "Parts", strings.Join(names[r], ", ")), Tone: part.Dim})
	}
	return out
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
	for _, a := range h.Attributes {
		limit := format.Unknown
		if a.Threshold != nil {
			limit = format.Integer(int64(*a.Threshold), s.Locale)
		}
		tone := part.Plain
		switch {
		case a.Failing && a.Vital:
			tone = part.Bad
		case a.Failing:
			tone = part.Doubt
		}
		t.Rows = append(t.Rows, []Cell{
			{Text: format.Integer(int64(a.ID), s.Locale), Tone: part.Dim}, {Text: s.attribute(a), Note: s.meaning(a), Tone: tone},
			{Text: format.Integer(int64(a.Normalized), s.Locale), Tone: tone}, {Text: format.Integer(int64(a.Worst), s.Locale)}, {Text: limit},
			{Text: raw(a.Raw, s.Locale)},
		})
	}
	return Section{Title: w.T("smart.attributes"), Table: t, Notes: []part.Span{{Text: w.T("smart.attributes-note"), Tone: part.Dim}}}
}

func (s *State) attribute(a platform.Attribute) string {
	if a.Name == "" {
		return s.Words.T("smart.unnamed")
	}
	return a.Name
}

// meaning says in a sentence what an attribute counts; empty if nobody knows.
func (s *State) meaning(a platform.Attribute) string {
	name := strings.ToLower(strings.ReplaceAll(a.Name, "_", "-"))
	if alias := sameMeaning[name]; alias != "" {
		name = alias
	}
	if id := "smart.is-" + name; a.Name != "" && s.Words.Has(id) {
		return s.Words.T(id)
	}
	return ""
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

// mostDecimal is up to where a raw value is most likely one number. Above it several are packed into one,
// which is seen in hexadecimal only.
const mostDecimal = 1 << 40

func raw(n uint64, l format.Locale) string {
	if n >= mostDecimal {
		return fmt.Sprintf("0x%012X", n)
	}
	return format.Integer(int64(n), l)
}
