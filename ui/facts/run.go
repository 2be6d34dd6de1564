package facts

import (
	"strconv"
	"strings"

	"cachecliff/app"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/bench"
)

// ProfileName is what the user knows a profile by: its translated name, or its own title, and the row if
// only one of several was run.
func ProfileName(w *words.Words, p bench.Profile) string {
	if _, ok := bench.ByID(p.ID); !ok {
		return p.Title
	}
	base, mix := CutMix(p.ID)
	name := w.T("profile." + base)
	if mix {
		name += " + " + MixName(w, p)
	}
	return Join(name, store.OneRow(p))
}

const mixSuffix = "+mix"

// CutMix splits a profile's ID into that of the profile without a mix and whether it has one.
func CutMix(id string) (base string, mix bool) { return strings.CutSuffix(id, mixSuffix) }

// MixID is the ID of a profile's variant with a mix.
func MixID(base string) string { return base + mixSuffix }

// MixPct is the share of reads in a profile's mix, percent; 0 if it has none.
func MixPct(p bench.Profile) int {
	for _, load := range p.Workloads {
		if load.Spec.Direction() == bench.DirMix {
			return load.Spec.ReadPct
		}
	}
	return 0
}

// MixName names a profile's mix with its shares: "Mix 70/30".
func MixName(w *words.Words, p bench.Profile) string {
	if share := MixPct(p); share > 0 {
		return w.T("table.mix", "Read", strconv.Itoa(share), "Write", strconv.Itoa(100-share))
	}
	return w.T("direction.mix")
}

// Heads are the heads of a profile's columns.
func Heads(w *words.Words, p bench.Profile) map[bench.Direction]string {
	return map[bench.Direction]string{
		bench.DirRead: w.T("direction.read"), bench.DirWrite: w.T("direction.write"), bench.DirMix: MixName(w, p),
	}
}

// Temperatures is the drives' temperature before a run and the highest in it: "41–58 °C"; empty if
// it is not known.
func Temperatures(r *bench.Result) string {
	first, top, ok := temperatureRange(r)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(format.Temperature(first), "\u00a0°C") + "–" + format.Temperature(top)
}

func temperatureRange(r *bench.Result) (first, top int32, ok bool) {
	see := func(milliC int32) {
		if !ok {
			first, top, ok = milliC, milliC, true
		}
		top = max(top, milliC)
	}
	probe := func(p *bench.Probe) {
		if p == nil {
			return
		}
		for _, d := range p.Drives {
			if d.Sensors != nil && len(d.Sensors.Temperatures) > 0 {
				see(d.Sensors.Temperatures[0].MilliC)
			}
		}
	}
	readings := func(ds []bench.DriveReading) {
		for _, d := range ds {
			if len(d.Temperatures) > 0 {
				see(d.Temperatures[0].MilliC)
			}
		}
	}
	probe(r.Before)
	readings(r.Between)
	for _, m := range r.Measurements {
		for _, s := range m.Series {
			readings(s.Drive)
		}
	}
	probe(r.After)
	return first, top, ok
}

// Access says what was asked for of the way to the drive that is not the usual one; empty if nothing.
func Access(w *words.Words, p *bench.Plan) string {
	if !p.Through {
		return ""
	}
	return w.T("fact.through")
}

// RunLine says of a run when it was, what was tested and under which short code it is known.
func RunLine(w *words.Words, r *bench.Result, l format.Locale) string {
	return Join(r.At.Local().Format(w.T("fact.date")), ProfileName(w, r.Plan.Profile), FileSize(w, r.Plan.Profile.FileSize, r.Plan.Profile.Filling != nil, l), Access(w, &r.Plan),
		Connection(&r.Plan.Target, l), Temperatures(r), r.Comment)
}

// FileSize is the size of the file that a test is made on, or of each of those of a filling: "1 GiB", "Files of 10 GB".
func FileSize(w *words.Words, bytes int64, filling bool, l format.Locale) string {
	if filling {
		return w.T("fact.files", "Size", format.About(bytes, l))
	}
	return format.FileSize(bytes, l)
}

// Verdict says how a run ended; empty while it goes on.
func Verdict(w *words.Words, r *bench.Result, l format.Locale) string {
	took := format.Duration(r.Took, l)
	moved := format.VolumeSize(r.Moved().WriteBytes, l)
	switch r.Reason {
	case bench.ReasonDone:
		return Join(w.T("run.done", "Time", took, "Bytes", moved), Temperatures(r))
	case bench.ReasonStopped:
		if !app.Worth(r) {
			return w.T("run.stopped-early", "Time", took, "Bytes", moved)
		}
		return w.T("run.stopped", "Time", took, "Bytes", moved)
	case bench.ReasonFailed:
		return explain.Failure(w, r.Failure).String()
	case bench.ReasonInterrupted:
		return w.T("run.interrupted")
	}
	return ""
}

// Doubts are the doubts about a run's numbers in sentences, each once.
func Doubts(w *words.Words, r *bench.Result) []string {
	var out []string
	for _, m := range explain.Warnings(w, r.Warnings) {
		out = append(out, m.Title)
	}
	return out
}

// Degrees is a range of temperatures: "41–43 °C", or one of them if both are the same.
func Degrees(low, top int32) string {
	high := format.Temperature(top)
	if first := format.Temperature(low); first != high {
		return strings.TrimSuffix(first, "\u00a0°C") + "–" + high
	}
	return high
}
