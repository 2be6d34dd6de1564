package export

import (
	"bytes"
	_ "embed"
	"html/template"
	"slices"
	"strings"
	"time"

	"cachecliff/app/condition"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/plot"
	"cachecliff/app/share"
	"cachecliff/bench"
	"cachecliff/platform"
)

// The report is one file without scripts that asks for nothing from anywhere: its policy forbids a browser even to
// try. Whatever stands in it goes through html/template, which escapes it; the charts come from package plot, which
// escapes the words on them.

//go:embed report.html
var reportText string

var reportPage = template.Must(template.New("report").Parse(reportText))

// report is what the page shows.
type report struct {
	Lang, Title, Lead, Comment, Verdict, Ending, Foot string

	Grids  []grid
	Marks  string // what the signs mean; empty where there are none
	Charts []chart
	Doubts []doubt
	Tables []section // facts
	Smart  []smart

	// Heads of the sections, in the language.
	NumbersHead, ChartsHead, DoubtsHead, SmartHead, NoDoubts string
}

// chart is one for light and one for dark pages.
type chart struct {
	Name        string
	Light, Dark template.HTML
}

type section struct {
	Name  string
	Facts []fact
}

// smart is what a drive said of itself before and after the run.
type smart struct {
	Drive, Before, After, Part, Change string // heads
	Grade                              string // how the drive is, and why
	Missing                            string // why there is nothing; then there are no rows
	Rows                               []smartRow
}

type smartRow struct {
	Part, Before, After, Change string
	Moved                       bool
}

func writeHTML(b *bytes.Buffer, r bench.Result, o Options) error {
	r = share.Public(r)
	t := newTeller(&r, o)
	page := report{
		Lang: t.w.Lang(), Title: plainLine(t.model()), Lead: plainLine(t.drive()), Comment: plainLine(r.Comment),
		Ending: plainLine(t.ending()), Foot: plainLine(t.foot()),
		Doubts: t.doubts(), Tables: []section{{t.w.T("report.method"), t.methodFacts()}},
		NumbersHead: t.w.T("report.numbers"), ChartsHead: t.w.T("report.charts"), DoubtsHead: t.w.T("report.doubts"),
		SmartHead: t.w.T("report.smart"), NoDoubts: t.w.T("report.no-doubts"),
	}
	for _, g := range t.grids() {
		if len(g.Rows) > 0 {
			page.Grids = append(page.Grids, g)
		}
		if slices.ContainsFunc(slices.Concat(g.Rows...), func(c cell) bool { return c.Level != "" }) {
			page.Marks = t.w.T("report.signs")
		}
	}
	if r.Reason == bench.ReasonInterrupted || r.Imported != nil {
		page.NoDoubts = t.w.T("report.unchecked")
	}
	if system := t.systemFacts(); len(system) > 0 {
		page.Tables = append(page.Tables, section{t.w.T("report.system"), system})
	}
	for _, d := range r.Plan.Target.Drives {
		page.Tables = append(page.Tables, section{t.w.T("report.drive"), t.driveFacts(d)})
		page.Smart = append(page.Smart, t.smart(d))
	}
	var err error
	if page.Verdict, err = t.verdict(); err != nil {
		return err
	}
	if page.Charts, err = t.charts(); err != nil {
		return err
	}
	return reportPage.Execute(b, page)
}

// charts draws each chart for light and for dark pages.
func (t *teller) charts() ([]chart, error) {
	light, dark := t.drawings(false), t.drawings(true)
	var out []chart
	for i, d := range light {
		day, err := plot.SVG(d.Chart, chartWidth, d.height)
		if err != nil {
			return nil, err
		}
		night, err := plot.SVG(dark[i].Chart, chartWidth, d.height)
		if err != nil {
			return nil, err
		}
		out = append(out, chart{d.name, template.HTML(day), template.HTML(night)})
	}
	return out, nil
}

// facts leaves out what is not known, and names each once.
func (t *teller) facts(pairs ...string) []fact {
	var out []fact
	for i := 0; i+1 < len(pairs); i += 2 {
		if text := plainLine(pairs[i+1]); text != "" {
			out = append(out, fact{t.w.T(pairs[i]), text})
		}
	}
	return out
}

func (t *teller) methodFacts() []fact {
	p := t.r.Plan.Profile
	if t.r.Imported != nil {
		return t.givenFacts()
	}
	loops, pause, measured := "", "", ""
	if p.Filling == nil {
		loops, measured = format.Integer(int64(p.Loops), t.l), t.measured()
	}
	if p.Rest > 0 {
		pause = format.Duration(p.Rest, t.l)
	}
	took := ""
	if t.r.Took > 0 {
		took = format.Duration(t.r.Took, t.l)
	}
	file := "report.file"
	if p.Filling != nil {
		file = "report.each-file"
	}
	return t.facts("report.test", t.profile(), file, format.FileSize(p.FileSize, t.l), "report.loops", loops, "report.measured", measured,
		"report.pause", pause, "report.access", t.access(), "report.written", format.Written(t.r.Moved().WriteBytes, t.l),
		"report.took", took, "report.date", t.date(), "report.version", join(between, "Cachecliff "+t.r.App.Version, t.w.T("report.method-version", "Version", t.r.App.Method)))
}

// access is by which engines and in which way the drive was reached.
func (t *teller) access() string {
	p := t.r.Plan
	var names []string
	for _, m := range t.r.Measurements {
		if e := string(m.Engine); e != "" && !slices.Contains(names, e) {
			names = append(names, e)
		}
	}
	names = append(names, map[bool]string{true: t.w.T("report.buffered"), false: t.w.T("report.direct")}[p.Buffered || t.r.File != nil && !t.r.File.Direct])
	if p.Through {
		names = append(names, t.w.T("fact.through"))
	}
	if p.Huge {
		names = append(names, t.w.T("report.huge"))
	}
	if c := t.r.Ceiling; c != nil && c.IO > 0 {
		names = append(names, t.w.T("report.ceiling", "Rate", format.IOPS.Value(1/c.IO.Seconds(), t.l)))
	}
	return strings.Join(names, ", ")
}

// measured is the measuring time of a loop; empty if the workloads differ or end by bytes.
func (t *teller) measured() string {
	var all []time.Duration
	for _, w := range t.r.Plan.Profile.Workloads {
		if !slices.Contains(all, w.Spec.Measure) {
			all = append(all, w.Spec.Measure)
		}
	}
	if len(all) != 1 || all[0] == 0 {
		return ""
	}
	return format.Duration(all[0], t.l)
}

func (t *teller) systemFacts() []fact {
	m := t.r.Machine
	memory, battery := "", ""
	if m.Memory > 0 {
		memory = format.FileSize(m.Memory, t.l)
	}
	if m.OnBattery == platform.Yes {
		battery = t.w.T("doubt.battery")
	}
	return t.facts("report.os", join(" ", m.OS, m.Kernel, m.Arch), "report.processor", m.CPU, "report.board", join(between, m.Board, m.Firmware),
		"report.memory", memory, "report.power", join(between, m.PowerPlan, m.Profile, battery))
}

func (t *teller) driveFacts(d platform.Drive) []fact {
	capacity, full := "", t.filling()
	if d.Capacity > 0 {
		capacity = format.VolumeSize(d.Capacity, t.l)
	}
	var layers []string
	for _, k := range t.r.Plan.Target.Layers {
		layers = append(layers, string(k.Kind))
	}
	return t.facts("report.model", join(between, d.Model, d.Name), "report.firmware", d.Firmware, "report.capacity", capacity, "report.connection", t.connection(d),
		"report.adapter", d.Adapter, "report.driver", d.Driver, "report.filesystem", join(between, t.fileSystem(), strings.Join(layers, ", "), t.r.Plan.Target.Volume.Options),
		"report.full", full, "report.temperature", t.temperatures(), "report.write-cache", d.WriteCache)
}

// smart sets what a drive said before and after the run beside each other.
func (t *teller) smart(d platform.Drive) smart {
	s := smart{Drive: plainLine(t.driveName(d)), Part: t.w.T("report.part"), Before: t.w.T("report.before"), After: t.w.T("report.after"), Change: t.w.T("report.change")}
	before, missing := health(t.r.Before, d.Key)
	after, later := health(t.r.After, d.Key)
	if before == nil && after == nil {
		s.Missing = t.w.T("report.no-smart")
		for _, why := range []string{later, missing} {
			if why != "" {
				s.Missing = t.w.T("report.no-smart") + ": " + plainLine(explain.Failure(t.w, &bench.Failure{Reason: why, Object: t.driveName(d)}).Title)
			}
		}
		return s
	}
	latest := after
	if latest == nil {
		latest = before
	}
	c := condition.Of(*latest, d)
	s.Grade = condition.Name(t.w, c.Grade)
	var why []string
	for _, r := range c.Reasons {
		why = append(why, plainLine(condition.Sentence(t.w, r, *latest, t.l)))
	}
	s.Grade = join(": ", s.Grade, strings.Join(why, ", "))
	row := map[platform.Part]int{}
	put := func(h *platform.Health, set func(*smartRow, string)) {
		if h == nil {
			return
		}
		for _, f := range condition.Facts(t.w, *h, t.l) {
			i, ok := row[f.Part]
			if !ok {
				i = len(s.Rows)
				row[f.Part] = i
				s.Rows = append(s.Rows, smartRow{Part: f.Name, Before: format.Unknown, After: format.Unknown})
			}
			set(&s.Rows[i], plainLine(f.Text))
		}
	}
	put(before, func(r *smartRow, text string) { r.Before = text })
	put(after, func(r *smartRow, text string) { r.After = text })
	if before != nil && after != nil {
		t.changes(&s, row, *before, *after)
	}
	return s
}

// changes fills in how far each counter went, and adds the attributes that tell something by their change.
func (t *teller) changes(s *smart, row map[platform.Part]int, before, after platform.Health) {
	raw := func(h platform.Health, id int) string {
		for _, a := range h.Attributes {
			if a.ID == id {
				return condition.Raw(a.Raw, t.l)
			}
		}
		return format.Unknown
	}
	for _, d := range condition.Difference(before, after) {
		text := d.Text(t.l)
		if d.By != nil && *d.By > 0 {
			text = "+" + text
		}
		if d.Attr != 0 {
			s.Rows = append(s.Rows, smartRow{plainLine(d.Name(t.w, after, t.l)), raw(before, d.Attr), raw(after, d.Attr), text, d.Moved()})
		} else if i, ok := row[d.Part]; ok {
			s.Rows[i].Change, s.Rows[i].Moved = text, d.Moved()
		}
	}
}

// health is what a drive said at a look, or why it said nothing.
func health(p *bench.Probe, key string) (h *platform.Health, missing string) {
	for i := 0; p != nil && i < len(p.Drives); i++ {
		if p.Drives[i].Drive == key {
			return p.Drives[i].Health, p.Drives[i].Missing
		}
	}
	return nil, ""
}
