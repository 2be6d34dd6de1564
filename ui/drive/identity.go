package drive

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
)

// list collects rows; those without a value are left out.
type list []Row

func (l *list) add(label, value string) {
	if value != "" {
		*l = append(*l, Row{Label: label, Value: value})
	}
}

// identity is what the drive is.
func (s *State) identity() Section {
	d, w := s.Drive(), s.Words
	if d == nil {
		return s.nothing()
	}
	var rows list
	rows.add(w.T("drive.model"), d.Model)
	if d.Serial != "" {
		serial := w.T("drive.serial-hidden")
		if s.Serial {
			serial = d.Serial
		}
		rows.add(w.T("drive.serial"), serial)
	}
	rows.add(w.T("drive.firmware"), d.Firmware)
	rows.add(w.T("drive.capacity"), s.capacity(d))
	rows.add(w.T("drive.kind"), s.kind(d))
	rows.add(w.T("drive.sectors"), s.sectors(d))
	rows.add(w.T("drive.removable"), s.yes(d.Removable))
	rows.add(w.T("drive.trim"), s.yes(d.Trim))
	rows.add(w.T("drive.name"), d.Name)
	return Section{Title: facts.Model(&platform.Target{Drives: []platform.Drive{*d}}, s.Locale), Rows: rows}
}

// nothing says why no drive is shown.
func (s *State) nothing() Section {
	text := s.Words.T("top.none")
	switch {
	case s.Looking:
		text = s.Words.T("top.looking")
	case s.Target != nil && s.Target.Refusal != platform.Usable:
		text = explain.Refusal(s.Words, *s.Target).String()
	case s.Target != nil:
		text = s.Words.T("drive.none", "Place", facts.Place(s.Target), "FS", s.Target.Volume.FS)
	}
	return Section{Lead: []part.Span{{Text: text}}}
}

func (s *State) capacity(d *platform.Drive) string {
	if d.Capacity <= 0 {
		return ""
	}
	return s.Words.T("drive.bytes", "Size", format.VolumeSize(d.Capacity, s.Locale), "Bytes", format.Integer(d.Capacity, s.Locale))
}

// kind says whether the drive turns.
func (s *State) kind(d *platform.Drive) string {
	switch {
	case d.Rotational == platform.Yes && d.RPM > 0:
		return s.Words.T("drive.kind-disk-rpm", "RPM", format.Integer(int64(d.RPM), s.Locale))
	case d.Rotational == platform.Yes:
		return s.Words.T("drive.kind-disk")
	case d.Bus == platform.BusVirtual:
		return s.Words.T("drive.kind-virtual")
	case d.Rotational == platform.No:
		return s.Words.T("drive.kind-flash")
	}
	return ""
}

func (s *State) sectors(d *platform.Drive) string {
	if d.LogicalSector <= 0 {
		return ""
	}
	logical := format.Integer(int64(d.LogicalSector), s.Locale)
	if d.PhysicalSector <= 0 || d.PhysicalSector == d.LogicalSector {
		return s.Words.T("drive.sectors-same", "Logical", logical)
	}
	return s.Words.T("drive.sectors-both", "Logical", logical, "Physical", format.Integer(int64(d.PhysicalSector), s.Locale))
}

func (s *State) yes(t platform.Tri) string {
	switch t {
	case platform.Yes:
		return s.Words.T("drive.yes")
	case platform.No:
		return s.Words.T("drive.no")
	}
	return ""
}

// connection is how the drive is attached and driven.
func (s *State) connection() Section {
	d, w := s.Drive(), s.Words
	if d == nil {
		return Section{}
	}
	var rows list
	rows.add(w.T("drive.bus"), s.bus(d))
	rows.add(w.T("drive.link"), s.link(d))
	if d.LinkMax != (platform.Link{}) {
		rows.add(w.T("drive.link-max"), facts.Link(d.LinkMax, d.Bus, s.Locale))
	}
	rows.add(w.T("drive.adapter"), facts.Join(d.Adapter, d.USBID))
	rows.add(w.T("drive.driver"), d.Driver)
	rows.add(w.T("drive.write-cache"), s.writeCache(d))
	rows.add(w.T("drive.scheduler"), d.Scheduler)
	rows.add(w.T("drive.apst"), s.apst(d))
	rows.add(w.T("drive.link-power"), d.LinkPower)
	rows.add(w.T("drive.runtime-power"), s.yes(d.RuntimePower))
	c := Section{Title: w.T("drive.connection"), Rows: rows}
	if id := slower(d); id != "" {
		c.Notes = []part.Span{{Text: w.T("drive.slow-" + id), Tone: part.Doubt}}
	}
	return c
}

func (s *State) bus(d *platform.Drive) string {
	if d.Bus == platform.BusVirtual {
		return s.Words.T("drive.bus-virtual")
	}
	return facts.Bus(d.Bus)
}

// link is the present speed of the connection, and the slot's if that is another.
func (s *State) link(d *platform.Drive) string {
	now := facts.Link(d.Link, d.Bus, s.Locale)
	if now == "" || d.LinkSlot.PCIeGen == 0 || d.LinkSlot == d.Link {
		return now
	}
	slot := fmt.Sprintf("%d.0", d.LinkSlot.PCIeGen)
	if d.LinkSlot.Lanes > 0 && d.LinkSlot.Lanes != d.Link.Lanes {
		slot += fmt.Sprintf(" ×%d", d.LinkSlot.Lanes)
	}
	return s.Words.T("drive.link-slot", "Link", now, "Slot", slot)
}

// slower says what holds the link back: the slot, or nothing that is known; empty if the drive has what it
// can use.
func slower(d *platform.Drive) string {
	less := func(a, b platform.Link) bool {
		return a.PCIeGen > 0 && b.PCIeGen > 0 && (a.PCIeGen < b.PCIeGen || a.Lanes > 0 && a.Lanes < b.Lanes) ||
			a.BitRate > 0 && a.BitRate < b.BitRate
	}
	switch {
	case !less(d.Link, d.LinkMax):
		return ""
	case less(d.LinkSlot, d.LinkMax) && !less(d.Link, d.LinkSlot):
		return "slot"
	}
	return "link"
}

func (s *State) writeCache(d *platform.Drive) string {
	switch d.WriteCache {
	case "write back":
		return s.Words.T("drive.cache-on")
	case "write through":
		return s.Words.T("drive.cache-off")
	}
	return d.WriteCache
}

func (s *State) apst(d *platform.Drive) string {
	switch d.APST {
	case "":
		return ""
	case "off":
		return s.Words.T("drive.apst-off")
	case "any":
		return s.Words.T("drive.apst-any")
	}
	micros, err := strconv.ParseInt(d.APST, 10, 32)
	if err != nil {
		return d.APST
	}
	return s.Words.T("drive.apst-wake", "Time", format.Duration(time.Duration(micros)*time.Microsecond, s.Locale))
}

// volumes is what lies on the drive.
func (s *State) volumes() Section {
	d, w := s.Drive(), s.Words
	if d == nil || len(s.Volumes) == 0 {
		return Section{}
	}
	t := Table{Columns: []Column{
		{Title: w.T("drive.volume"), Wide: true}, {Title: w.T("drive.fs")}, {Title: w.T("drive.size"), Right: true},
		{Title: w.T("drive.free"), Right: true}, {Title: w.T("drive.full"), Right: true}, {Title: w.T("drive.encrypted")},
	}}
	for i := range s.Volumes {
		v := &s.Volumes[i]
		full := ""
		if share, ok := facts.Used(v.Volume); ok {
			full = format.Percent(share, s.Locale)
		}
		t.Rows = append(t.Rows, []Cell{
			{Text: s.place(v), Note: strings.TrimSpace(s.layers(v) + "\n" + v.Volume.Options)},
			{Text: v.Volume.FS}, {Text: size(v.Volume.Size, s.Locale)}, {Text: size(v.Volume.Free, s.Locale)}, {Text: full},
			s.encrypted(v),
		})
	}
	return Section{Title: w.T("drive.volumes"), Table: t}
}

func size(n int64, l format.Locale) string {
	if n <= 0 {
		return ""
	}
	return format.VolumeSize(n, l)
}

// place is where a volume is mounted, or its name if it is not.
func (s *State) place(t *platform.Target) string {
	where := t.Volume.Mount
	if where == "" {
		where = t.Path
	}
	return facts.Join(where, t.Volume.Label)
}

// layers are the steps from the volume to its drives.
func (s *State) layers(t *platform.Target) string {
	var out []string
	for _, k := range t.Layers {
		out = append(out, k.Name)
	}
	if t.Volume.Source != "" && !slices.Contains(out, strings.TrimPrefix(t.Volume.Source, "/dev/")) {
		out = slices.Insert(out, 0, t.Volume.Source)
	}
	return strings.Join(out, " → ")
}

func (s *State) encrypted(t *platform.Target) Cell {
	names := map[platform.LayerKind]string{platform.LayerLUKS: "LUKS", platform.LayerBitLocker: "BitLocker", platform.LayerEFS: "EFS"}
	for _, k := range t.Layers {
		if n := names[k.Kind]; n != "" {
			return Cell{Text: n}
		}
	}
	if t.Refusal == platform.RefusedLocked {
		return Cell{Text: s.Words.T("drive.locked")}
	}
	return Cell{Text: s.Words.T("drive.no"), Tone: part.Dim}
}

// system is the computer that the drive is in.
func (s *State) system() Section {
	y, w := s.System, s.Words
	if y == nil {
		return Section{}
	}
	var rows list
	rows.add(w.T("drive.cpu"), y.CPU)
	if y.CPUs > 0 {
		rows.add(w.T("drive.cpus"), format.Integer(int64(y.CPUs), s.Locale))
	}
	rows.add(w.T("drive.board"), facts.Join(y.Board, y.Firmware))
	if y.Memory > 0 {
		rows.add(w.T("drive.memory"), format.FileSize(y.Memory, s.Locale))
	}
	rows.add(w.T("drive.os"), facts.Join(y.OS, y.Arch))
	rows.add(w.T("drive.kernel"), y.Kernel)
	rows.add(w.T("drive.power-plan"), y.PowerPlan)
	rows.add(w.T("drive.power-profile"), y.Profile)
	rows.add(w.T("drive.aspm"), y.ASPM)
	rows.add(w.T("drive.battery"), s.yes(y.OnBattery))
	rows.add(w.T("drive.administrator"), s.yes(y.Administrator))
	return Section{Title: w.T("drive.system"), Rows: rows}
}
