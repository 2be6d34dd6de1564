// Package facts writes what is known of a target as short texts, for the top bar, the lists and the
// card. What is not known is left out, never guessed.
package facts

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

// Between stands between facts in a line.
const Between = " · "

// Model names the drives of a target with their capacity: "Crucial P5 2 TB", "2 × Crucial P5 2 TB". A
// target without drives is named by its file system.
func Model(t *platform.Target, l format.Locale) string {
	if len(t.Drives) == 0 {
		return t.Volume.FS
	}
	first := driveName(t.Drives[0], l)
	for _, d := range t.Drives[1:] {
		if driveName(d, l) != first {
			names := []string{first}
			for _, d := range t.Drives[1:] {
				names = append(names, driveName(d, l))
			}
			return strings.Join(names, " + ")
		}
	}
	if n := len(t.Drives); n > 1 {
		return fmt.Sprintf("%d × %s", n, first)
	}
	return first
}

func driveName(d platform.Drive, l format.Locale) string {
	name := d.Model
	if name == "" {
		name = d.Name
	}
	size := format.VolumeSize(d.Capacity, l)
	if d.Capacity <= 0 || strings.Contains(plain(name), plain(size)) { // some makers put it into the model
		return name
	}
	return name + " " + size
}

// plain is a text without spaces, in upper case, for comparing.
func plain(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }

// Connection is how the first drive is attached: "PCIe 3.0 ×4", "SATA 6 Gbit/s", "USB 10 Gbit/s".
func Connection(t *platform.Target, l format.Locale) string {
	if len(t.Drives) == 0 {
		return ""
	}
	d := t.Drives[0]
	if s := Link(d.Link, d.Bus, l); s != "" {
		return s
	}
	return Bus(d.Bus)
}

// ConnectionMax is what the first drive's connection could be at most; empty if it is not known or not
// more than it is now.
func ConnectionMax(t *platform.Target, l format.Locale) string {
	if len(t.Drives) == 0 || t.Drives[0].LinkMax == t.Drives[0].Link {
		return ""
	}
	return Link(t.Drives[0].LinkMax, t.Drives[0].Bus, l)
}

// Link is the speed of a connection; empty if it is not known.
func Link(k platform.Link, b platform.Bus, l format.Locale) string {
	switch {
	case k.PCIeGen > 0 && k.Lanes > 0:
		return fmt.Sprintf("PCIe %d.0 ×%d", k.PCIeGen, k.Lanes)
	case k.PCIeGen > 0:
		return fmt.Sprintf("PCIe %d.0", k.PCIeGen)
	case k.BitRate > 0:
		return strings.TrimSpace(Bus(b) + " " + bitRate(k.BitRate, l))
	}
	return ""
}

// bitRate is a line rate as it is known: "6 Gbit/s", "1.5 Gbit/s", "480 Mbit/s".
func bitRate(n int64, l format.Locale) string {
	if n < 1e9 {
		return format.Tick(math.Round(float64(n)/1e6), l) + "\u00a0Mbit/s"
	}
	return format.Tick(math.Round(float64(n)/1e8)/10, l) + "\u00a0Gbit/s"
}

// Bus is the name of a bus; empty if it has none.
func Bus(b platform.Bus) string {
	switch b {
	case platform.BusNVMe:
		return "NVMe"
	case platform.BusSATA:
		return "SATA"
	case platform.BusSAS:
		return "SAS"
	case platform.BusUSB:
		return "USB"
	case platform.BusMMC:
		return "MMC"
	}
	return ""
}

// Used is the share of a volume that is taken; ok is false if its size is not known.
func Used(v platform.Volume) (fraction float64, ok bool) { return v.Fill(v.Free) }

// Place is where a target is: its label or mount point, and the folder if that is another.
func Place(t *platform.Target) string {
	where := t.Volume.Mount
	if where == "" {
		return t.Path
	}
	if t.Path != "" && filepath.Clean(t.Path) != filepath.Clean(where) {
		where = t.Path
	}
	if t.Volume.Label != "" && t.Volume.Label != filepath.Base(where) {
		return t.Volume.Label + " (" + where + ")"
	}
	return where
}

// Now is what a drive shows of itself at the moment. A nil field is not known.
type Now struct {
	MilliC         *int32
	Warn, Critical *int32 // limits of the temperature, thousandths of a degree Celsius
	Health         *platform.Health
}

// Title is the strong line of the top bar: drive and place.
func Title(t *platform.Target, l format.Locale) string {
	return Join(Model(t, l), Place(t))
}

// Detail is the small line of the top bar.
func Detail(w *words.Words, t *platform.Target, now Now, l format.Locale) string {
	parts := []string{Connection(t, l)}
	if used, ok := Used(t.Volume); ok {
		parts = append(parts, w.T("fact.full", "Share", format.Percent(used, l)))
		parts = append(parts, w.T("fact.free", "Bytes", format.VolumeSize(t.Volume.Free, l)))
	}
	if h := now.Health; h != nil {
		parts = append(parts, used(w, h, l), withheld(w, h))
	}
	return Join(parts...)
}

func used(w *words.Words, h *platform.Health, l format.Locale) string {
	if h.PercentUsed == nil {
		return ""
	}
	return w.T("fact.used", "Share", format.Percent(float64(*h.PercentUsed)/100, l))
}

// withheld says what the rights of an administrator would add.
func withheld(w *words.Words, h *platform.Health) string {
	if h.Why(platform.PartThresholds) == platform.WhyRights {
		return w.T("fact.withheld")
	}
	return ""
}

// Item is a target in a list: "Crucial P5 2 TB · /home · 734 GB free".
func Item(w *words.Words, t *platform.Target, l format.Locale) string {
	return Join(Model(t, l), Place(t), w.T("fact.free", "Bytes", format.VolumeSize(t.Volume.Free, l)))
}

// Encrypted says whether a layer of a target encrypts.
func Encrypted(t *platform.Target) bool {
	for _, k := range t.Layers {
		switch k.Kind {
		case platform.LayerLUKS, platform.LayerBitLocker, platform.LayerEFS:
			return true
		}
	}
	return false
}

// Filling is the fill level before and after a run: "63 %" or "63–64 %"; empty if not known.
func Filling(r *bench.Result, l format.Locale) string {
	v := r.Plan.Target.Volume
	if _, ok := v.Fill(v.Free); !ok {
		return ""
	}
	share := func(free int64) string {
		f, _ := v.Fill(free) // known, as was seen above
		return format.Percent(f, l)
	}
	before := share(v.Free)
	if r.Before != nil {
		before = share(r.Before.Free)
	}
	if r.After == nil || share(r.After.Free) == before {
		return before
	}
	return before + " – " + share(r.After.Free)
}

// Join joins facts to a line and leaves out what is empty.
func Join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(s string) bool { return s == "" }), Between)
}
