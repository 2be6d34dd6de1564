package part

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"cachecliff/ui/chart"
)

// Pill is a badge: what is doubtful, in a word or two.
type Pill struct {
	Level chart.Level
	Word  string
}

// Pills shows badges side by side.
type Pills struct {
	widget.BaseWidget
	box   *fyne.Container
	pills []Pill
}

// NewPills makes an empty row of badges.
func NewPills() *Pills {
	p := &Pills{box: container.New(layout.NewCustomPaddedHBoxLayout(4))}
	p.ExtendBaseWidget(p)
	return p
}

// Set shows these badges. It costs nothing if nothing changes.
func (p *Pills) Set(pills []Pill) {
	if slices.Equal(p.pills, pills) {
		return
	}
	p.pills = slices.Clone(pills)
	p.box.RemoveAll()
	for _, q := range pills {
		p.box.Add(chart.NewPill(q.Level, q.Word))
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
