package part

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"cachecliff/ui/chart"
)

// Pill is a badge: what is doubtful, in a word or two, and what there is to say about it.
type Pill struct {
	Level chart.Level
	Word  string
	Notes []Note
}

func (p Pill) same(q Pill) bool {
	return p.Level == q.Level && p.Word == q.Word && slices.Equal(p.Notes, q.Notes)
}

// Pills shows badges side by side, which explain themselves in tips.
type Pills struct {
	widget.BaseWidget
	keys  Keys
	tips  *Tips
	box   *fyne.Container
	pills []Pill
}

// NewPills makes an empty row of badges, whose tips are shown on a layer.
func NewPills(keys Keys, tips *Tips) *Pills {
	p := &Pills{keys: keys, tips: tips, box: container.New(layout.NewCustomPaddedHBoxLayout(4))}
	p.ExtendBaseWidget(p)
	return p
}

// Set shows these badges. It costs nothing if nothing changes.
func (p *Pills) Set(pills []Pill) {
	if slices.EqualFunc(p.pills, pills, Pill.same) {
		return
	}
	p.pills = slices.Clone(pills)
	for _, o := range p.box.Objects { // the tip of a badge that goes
		o.(*fyne.Container).Objects[1].Hide()
	}
	p.box.RemoveAll()
	for _, q := range pills {
		h := NewHint(p.keys, p.tips)
		h.Set(q.Notes)
		p.box.Add(container.NewStack(chart.NewPill(q.Level, q.Word), h))
	}
	p.Refresh()
}

// Words are the words of the badges that are shown.
func (p *Pills) Words() []string {
	var out []string
	for _, q := range p.pills {
		out = append(out, q.Word)
	}
	return out
}

// CreateRenderer implements fyne.Widget.
func (p *Pills) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(p.box) }
