package explain

import (
	"slices"
	"strings"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/bench/stages"
)

const (
	// game is a large game, bytes.
	game = int64(100e9)
	// download is what a line of a gigabit per second brings, less what Ethernet, IP and TCP add: 118 MB/s, about.
	download = 120e6
)

// Fill says in two or three sentences what a fill test showed: how much can be written fast, what comes then, and
// what that means; and a short one for each further pass and for repeats that disagree. It is empty before the first
// byte.
func Fill(w *words.Words, r *bench.Result) string {
	passes := r.FillPasses()
	if len(passes) == 0 || passes[0].Found.Bytes == 0 {
		return ""
	}
	l := locale(w)
	out := []string{FillPass(w, passes[0], bench.Capacity(r.Plan.Target))}
	for i, c := range bench.Caches(passes) {
		least, most, disagree := c.Disagree()
		switch level := format.Percent(start(passes, c.Pass), l); {
		case disagree && i == 0:
			out = append(out, w.T("verdict.fill-disagree", "Least", format.About(least, l), "Most", format.About(most, l), "Runs", len(c.Sizes)))
		case i == 0 && len(c.Sizes) > 0 && len(c.Unseen) > 0:
			out = append(out, w.T("verdict.fill-mixed", "Runs", len(c.Unseen), "All", len(c.Unseen)+len(c.Sizes), "Bytes", format.About(c.UpTo(), l)))
		case i == 0:
		case disagree:
			out = append(out, w.T("verdict.fill-level-disagree", "Level", level, "Least", format.About(least, l), "Most", format.About(most, l)))
		case len(c.Sizes) > 0:
			border, _ := c.Size()
			out = append(out, w.T("verdict.fill-level", "Level", level, "Cache", format.About(border.At, l)))
		case len(c.Unseen) > 0:
			out = append(out, w.T("verdict.fill-level-unseen", "Level", level, "Bytes", format.About(c.UpTo(), l)))
		case c.Dirty > 0:
			out = append(out, w.T("verdict.fill-level-dirty", "Level", level))
		}
	}
	return strings.Join(out, " ")
}

// start is the share of the volume that was used when a pass began first.
func start(passes []bench.FillPass, pass int) float64 {
	for _, p := range passes {
		if p.Pass == pass {
			return p.Start
		}
	}
	return 0
}

// FillPass says the same of a single pass on a drive of so many bytes.
func FillPass(w *words.Words, p bench.FillPass, capacity int64) string {
	if p.Found.Bytes == 0 {
		return ""
	}
	v := fillVerdict{w: w, l: locale(w), p: p, f: p.Found, capacity: capacity}
	border, ended := p.Found.Cache()
	heat := v.first(stages.CauseHeat)
	unknown := v.first(stages.CauseUnknown)
	switch {
	case p.Dirty:
		v.say("verdict.fill-dirty", "Bytes", v.bytes(v.f.Bytes), "Rate", v.rate(v.f.Mean()))
		return v.text()
	case ended:
		v.cache(border)
		if heat != nil {
			v.say("verdict.fill-also-hot")
		}
	case heat != nil:
		v.drop("verdict.fill-heat", *heat)
		v.game(0)
		v.say("verdict.fill-cool")
	case unknown != nil:
		v.drop("verdict.fill-unknown", *unknown)
		v.game(0)
	case !p.Whole:
		v.say("verdict.fill-early", "Bytes", v.bytes(v.f.Bytes), "Rate", v.rate(v.f.Mean()))
		return v.text()
	default:
		v.say("verdict.fill-none", "Bytes", v.bytes(v.f.Bytes), "Rate", v.rate(v.f.Mean()))
		v.game(0)
	}
	if !p.Whole {
		v.say("verdict.fill-stopped", "Bytes", v.bytes(v.f.Bytes))
	}
	return v.text()
}

// fillVerdict collects the sentences about a pass.
type fillVerdict struct {
	w         *words.Words
	l         format.Locale
	p         bench.FillPass
	f         stages.Stages
	capacity  int64
	sentences []string
}

func (v *fillVerdict) say(id string, pairs ...any) {
	v.sentences = append(v.sentences, v.w.T(id, pairs...))
}

func (v *fillVerdict) text() string { return strings.Join(v.sentences, " ") }

func (v *fillVerdict) bytes(n int64) string { return format.About(n, v.l) }

func (v *fillVerdict) rate(r float64) string { return format.AboutRate(r, v.l) }

// first is the index of the first border of a cause, or nil.
func (v *fillVerdict) first(c stages.Cause) *int {
	for i, b := range v.f.Borders {
		if b.Cause == c {
			return &i
		}
	}
	return nil
}

// cache tells of a write cache that ended, and what that means.
func (v *fillVerdict) cache(border stages.Border) {
	fast := float64(border.At) / v.f.Time(border.At).Seconds()
	then := v.f.Stages[1+slices.Index(v.f.Borders, border):]
	slow, last := then[0], then[len(then)-1]
	pairs := []any{"Cache", v.bytes(border.At), "Fast", v.rate(fast), "Slow", v.rate(slow.Rate), "Then", v.bytes(last.From), "Last", v.rate(last.Rate)}
	if len(then) > 1 && last.Rate < slow.Rate {
		v.say("verdict.fill-stages", pairs...)
	} else {
		v.say("verdict.fill-cache", pairs...)
	}
	v.game(border.At)
	if slowest := min(slow.Rate, last.Rate); slowest > download {
		v.say("verdict.fill-download", "Line", v.rate(download))
	} else {
		v.say("verdict.fill-download-slow", "Line", v.rate(download))
	}
}

// drop tells of a border that was not the end of the cache.
func (v *fillVerdict) drop(id string, border int) {
	before, after := v.f.Stages[border], v.f.Stages[border+1]
	v.say(id, "At", v.bytes(v.f.Borders[border].At), "Fast", v.rate(before.Rate), "Slow", v.rate(after.Rate), "Bytes", v.bytes(v.f.Bytes))
}

// game tells how long a large game takes: on a drive with a cache of so many bytes, or one of which no end was seen,
// which is 0.
func (v *fillVerdict) game(cache int64) {
	if v.capacity < game {
		return
	}
	took := v.f.Time(game)
	pairs := []any{"Game", v.bytes(game), "Time", aboutTime(took, v.l)}
	switch {
	case cache >= game:
		v.say("verdict.fill-game-fits", pairs...)
	case cache > 0:
		fast := time.Duration(float64(v.f.Time(cache)) * float64(game) / float64(cache))
		v.say("verdict.fill-game-larger", append(pairs, "Fast", aboutTime(fast, v.l))...)
	case v.f.Bytes < game:
		v.say("verdict.fill-game-if", pairs...)
	default:
		v.say("verdict.fill-game", pairs...)
	}
}

// aboutTime is a time with no more digits than an estimate has.
func aboutTime(d time.Duration, l format.Locale) string {
	switch {
	case d < 10*time.Second:
	case d < time.Minute:
		d = d.Round(time.Second)
	case d < 10*time.Minute:
		d = d.Round(5 * time.Second)
	default:
		d = d.Round(time.Minute)
	}
	return format.Duration(d, l)
}
