package bench

import (
	"slices"
	"strings"
	"time"
)

// The profiles below are CrystalDiskMark's, as its source has them (version 9.0.1, DiskMarkDlg.cpp:
// UpdateQueuesThreads, SettingsQueuesThreads): 1 GiB, best of 3 loops of 5 s after one discarded loop,
// 5 s between rows, all reads before all writes. The presets "NVMe SSD" and "Flash memory" change the
// rows or the times.

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// row is the part of a Spec that CrystalDiskMark's tables name.
type row struct {
	access  Access
	block   int
	depth   int
	threads int
	unit    Unit
}

var (
	rowsDefault = []row{{Sequential, mib, 8, 1, ""}, {Sequential, mib, 1, 1, ""}, {Random, 4 * kib, 32, 1, ""}, {Random, 4 * kib, 1, 1, ""}}
	rowsNVMe    = []row{{Sequential, mib, 8, 1, ""}, {Sequential, 128 * kib, 32, 1, ""}, {Random, 4 * kib, 32, 16, ""}, {Random, 4 * kib, 1, 1, ""}}
	rowsDemo    = []row{{Sequential, mib, 8, 1, ""}}
	rowsPeak    = threeUnits(row{Sequential, mib, 8, 1, UnitMBs}, row{Random, 4 * kib, 32, 1, ""})
	rowsPeakT16 = threeUnits(row{Sequential, mib, 8, 1, UnitMBs}, row{Random, 4 * kib, 32, 16, ""})
	rowsReal    = threeUnits(row{Sequential, mib, 1, 1, UnitMBs}, row{Random, 4 * kib, 1, 1, ""})
)

// threeUnits is how Peak and Real world show two tests in four lines.
func threeUnits(seq, rnd row) []row {
	out := []row{seq}
	for _, u := range []Unit{UnitMBs, UnitIOPS, UnitUS} {
		rnd.unit = u
		out = append(out, rnd)
	}
	return out
}

// timing is a preset's measuring time and pause.
type timing struct{ measure, rest time.Duration }

var (
	timesNormal = timing{5 * time.Second, 5 * time.Second}
	timesFlash  = timing{time.Second, 30 * time.Second} // spares flash cards and sticks
)

const (
	noteCDM = "CrystalDiskMark 9.0.1"
	mixPct  = 70 // CrystalDiskMark's default mix: 70 % reads
)

// builtin is every test that is shipped, without the mixes, which Builtin adds.
var builtin = []struct {
	id, title string
	rows      []row
	times     timing
}{
	{"cdm-default", "Default", rowsDefault, timesNormal},
	{"cdm-nvme", "NVMe SSD", rowsNVMe, timesNormal},
	{"cdm-flash", "Flash memory", rowsDefault, timesFlash},
	{"cdm-peak", "Peak performance", rowsPeak, timesNormal},
	{"cdm-peak-nvme", "Peak performance, NVMe SSD", rowsPeakT16, timesNormal},
	{"cdm-peak-flash", "Peak performance, flash memory", rowsPeak, timesFlash},
	{"cdm-real", "Real world", rowsReal, timesNormal},
	{"cdm-real-flash", "Real world, flash memory", rowsReal, timesFlash},
	{"cdm-demo", "Demo", rowsDemo, timesNormal},
	{"cdm-demo-flash", "Demo, flash memory", rowsDemo, timesFlash},
}

// Builtin lists the tests that are shipped: each profile, then the same with a mix column.
func Builtin() []Profile {
	var out []Profile
	for _, b := range builtin {
		p := table(b.id, b.title, b.rows, b.times, []int{100, 0})
		out = append(out, p, table(b.id+"+mix", b.title+" [+Mix]", b.rows, b.times, []int{100, 0, mixPct}))
	}
	return out
}

// Long lists the tests that are shipped and take a while: they fill the drive, copy on it, or make it warm.
func Long() []Profile { return slices.Concat(fillings(), copyings(), []Profile{cloning()}, thermals()) }

// ByID finds a shipped test.
func ByID(id string) (Profile, bool) {
	all := append(Builtin(), Long()...)
	i := slices.IndexFunc(all, func(p Profile) bool { return p.ID == id })
	if i < 0 {
		return Profile{}, false
	}
	return all[i], true
}

// table makes a profile of rows and read shares: all rows with the first share, then all with the
// second, so that reads come before writes.
func table(id, title string, rows []row, t timing, shares []int) Profile {
	p := Profile{ID: id, Title: title, Note: noteCDM, FileSize: gib, Loops: 3, Rest: t.rest}
	for _, r := range rows {
		p.Rows = append(p.Rows, Row{Shape: r.spec(t, 0).Shape(), Unit: r.unit})
	}
	for _, share := range shares {
		for _, r := range rows {
			s := r.spec(t, share)
			w := Workload{workloadID(s), s}
			if !slices.Contains(p.Workloads, w) {
				p.Workloads = append(p.Workloads, w)
			}
		}
	}
	return p
}

func (r row) spec(t timing, readPct int) Spec {
	return Spec{Access: r.access, ReadPct: readPct, Block: r.block, Depth: r.depth, Threads: r.threads, Measure: t.measure}
}

// workloadID is the lower-case label with the direction: "rnd4k-q32t1-read".
func workloadID(s Spec) string {
	return strings.ReplaceAll(strings.ToLower(s.Label()), " ", "-") + "-" + string(s.Direction())
}
