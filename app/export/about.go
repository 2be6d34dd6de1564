package export

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cachecliff/app/format"
	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

// teller tells of a run in a language.
type teller struct {
	w *words.Words
	l format.Locale
	r *bench.Result
	o Options
}

// fact is a name and what it is.
type fact struct{ Name, Text string }

func newTeller(r *bench.Result, o Options) *teller {
	t := &teller{w: o.Words, l: format.EN, r: r, o: o}
	if t.w == nil {
		t.w = words.New(words.English)
	}
	if t.w.Lang() == words.German {
		t.l = format.DE
	}
	return t
}

// between stands between facts in a line.
const between = " · "

// model names the drives with their capacity, a target without drives by its file system.
func (t *teller) model() string {
	var names []string
	for _, d := range t.r.Plan.Target.Drives {
		names = append(names, t.driveName(d))
	}
	switch {
	case len(names) == 0 && t.r.Imported != nil:
		return t.r.Imported.String()
	case len(names) == 0:
		return t.r.Plan.Target.Volume.FS
	case len(names) > 1 && len(slices.Compact(slices.Clone(names))) == 1:
		return fmt.Sprintf("%d × %s", len(names), names[0])
	}
	return strings.Join(names, " + ")
}

func (t *teller) driveName(d platform.Drive) string {
	name := d.Model
	if name == "" {
		name = d.Name
	}
	size := format.VolumeSize(d.Capacity, t.l)
	plain := func(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }
	if d.Capacity <= 0 || strings.Contains(plain(name), plain(size)) { // some makers put it into the model
		return name
	}
	return name + " " + size
}

// busNames are the buses that have a name of their own.
var busNames = map[platform.Bus]string{platform.BusNVMe: "NVMe", platform.BusSATA: "SATA", platform.BusSAS: "SAS", platform.BusUSB: "USB", platform.BusMMC: "MMC"}

// connection is how a drive is attached, and how it could be at most if that is more.
func (t *teller) connection(d platform.Drive) string {
	now, most := t.link(d.Link, d.Bus), t.link(d.LinkMax, d.Bus)
	switch {
	case now == "":
		return busNames[d.Bus]
	case most != "" && most != now:
		return t.w.T("card.link-max", "Link", now, "Max", most)
	}
	return now
}

func (t *teller) link(k platform.Link, b platform.Bus) string {
	switch {
	case k.PCIeGen > 0 && k.Lanes > 0:
		return fmt.Sprintf("PCIe %d.0 ×%d", k.PCIeGen, k.Lanes)
	case k.PCIeGen > 0:
		return fmt.Sprintf("PCIe %d.0", k.PCIeGen)
	case k.BitRate >= 1e9:
		return strings.TrimSpace(busNames[b] + " " + format.Tick(math.Round(float64(k.BitRate)/1e8)/10, t.l) + "\u00a0Gbit/s")
	case k.BitRate > 0:
		return strings.TrimSpace(busNames[b] + " " + format.Tick(math.Round(float64(k.BitRate)/1e6), t.l) + "\u00a0Mbit/s")
	}
	return ""
}

// fileSystem is its name, and whether a layer below it encrypts.
func (t *teller) fileSystem() string {
	fs := t.r.Plan.Target.Volume.FS
	for _, k := range t.r.Plan.Target.Layers {
		if k.Kind == platform.LayerLUKS || k.Kind == platform.LayerBitLocker || k.Kind == platform.LayerEFS {
			return strings.TrimSpace(fs + " " + t.w.T("card.encrypted"))
		}
	}
	return fs
}

// filling is the fill level before and after the run; empty if it is not known.
func (t *teller) filling() string {
	v := t.r.Plan.Target.Volume
	level := func(free int64) string {
		share, ok := v.Fill(free)
		if !ok {
			return ""
		}
		return format.Percent(share, t.l)
	}
	before := level(v.Free)
	if t.r.Before != nil && t.r.Before.Free > 0 {
		before = level(t.r.Before.Free)
	}
	if t.r.After == nil || t.r.After.Free <= 0 || level(t.r.After.Free) == before {
		return before
	}
	return before + " – " + level(t.r.After.Free)
}

// temperatures is that before the run and the highest in it; empty if none was read.
func (t *teller) temperatures() string {
	var first, top *int32
	see := func(all []platform.Reading) {
		if len(all) == 0 {
			return
		}
		v := all[0].MilliC
		if first == nil {
			first, top = &v, &v
		} else if v > *top {
			top = &v
		}
	}
	probe := func(p *bench.Probe) {
		for i := 0; p != nil && i < len(p.Drives); i++ {
			if s := p.Drives[i].Sensors; s != nil {
				see(s.Temperatures)
			}
		}
	}
	probe(t.r.Before)
	for _, d := range t.r.Readings() {
		see(d.Temperatures)
	}
	probe(t.r.After)
	switch {
	case first == nil:
		return ""
	case format.Temperature(*first) == format.Temperature(*top):
		return format.Temperature(*first)
	}
	return strings.TrimSuffix(format.Temperature(*first), "\u00a0°C") + "–" + format.Temperature(*top)
}

// profile is what the user knows the test by.
func (t *teller) profile() string {
	p := t.r.Plan.Profile
	if _, ok := bench.ByID(p.ID); !ok {
		return p.Title
	}
	base, mix := strings.CutSuffix(p.ID, "+mix")
	name := p.Title
	if id := "profile." + base; t.w.Has(id) {
		name = t.w.T(id)
	}
	if mix {
		name += " + " + t.head(bench.DirMix)
	}
	return join(between, name, store.OneRow(p))
}

// head is the head of a direction's column.
func (t *teller) head(d bench.Direction) string {
	if d == bench.DirMix {
		for _, x := range t.r.Plan.Profile.Workloads {
			if pct := x.Spec.ReadPct; x.Spec.Direction() == d {
				return t.w.T("table.mix", "Read", pct, "Write", 100-pct)
			}
		}
	}
	return t.w.T("direction." + string(d))
}

// method is what was run: test, size of the file, loops.
func (t *teller) method() string {
	p := t.r.Plan.Profile
	if t.r.Imported != nil {
		return t.givenMethod()
	}
	size, loops := format.FileSize(p.FileSize, t.l), t.w.T("card.best", "Loops", p.Loops)
	if p.Loops == 1 {
		loops = t.w.T("card.single")
	}
	if p.Filling != nil { // it has no test file and no best loop
		size, loops = "", ""
	}
	through := ""
	if t.r.Plan.Through {
		through = t.w.T("fact.through")
	}
	return join(between, t.profile(), size, loops, through)
}

// drive is what is said of the drive in one line, behind its name.
func (t *teller) drive() string {
	var connection, firmware, full string
	if d := t.r.Plan.Target.Drives; len(d) > 0 {
		connection = t.connection(d[0])
		if d[0].Firmware != "" {
			firmware = t.w.T("card.firmware", "Name", d[0].Firmware)
		}
	}
	if s := t.filling(); s != "" {
		full = t.w.T("fact.full", "Share", s)
	}
	return join(between, connection, firmware, t.fileSystem(), full, t.temperatures())
}

// foot is when, on what and by what the run was made, and the code by which it is found again.
func (t *teller) foot() string {
	made := strings.TrimSpace("Cachecliff " + t.r.App.Version)
	return join(between, t.date(), t.r.Machine.CPU, t.r.Machine.OS, made, t.code())
}

func (t *teller) date() string {
	if t.r.At.IsZero() {
		return ""
	}
	return t.r.At.In(t.o.Zone).Format(t.w.T("fact.date"))
}

// code is the run code in words.
func (t *teller) code() string { return t.w.T("report.code", "Code", store.Code(t.r.ID)) }
