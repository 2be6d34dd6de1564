package part

import (
	"cmp"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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

// Pills shows badges side by side, the worst first, which explain themselves in tips. Those for which there
// is no room stand behind one that counts them.
type Pills struct {
	widget.BaseWidget
	// Grow, if set, is called when there are other badges, which need another width.
	Grow func()

	keys  Keys
	tips  *Tips
	pills []Pill
	shown []badge // one for each pill, and at the end the one that counts
}

// badge is the widgets of one pill.
type badge struct {
	pill *chart.Pill
	hint *Hint
	both fyne.CanvasObject
}

// NewPills makes an empty row of badges, whose tips are shown on a layer.
func NewPills(keys Keys, tips *Tips) *Pills {
	p := &Pills{keys: keys, tips: tips}
	p.ExtendBaseWidget(p)
	return p
}

// Set shows these badges. It costs nothing if nothing changes.
func (p *Pills) Set(pills []Pill) {
	pills = slices.Clone(pills)
	slices.SortStableFunc(pills, func(a, b Pill) int { return cmp.Compare(b.Level, a.Level) })
	if slices.EqualFunc(p.pills, pills, Pill.same) {
		return
	}
	for _, b := range p.shown {
		b.hint.Hide() // with its tip
	}
	p.pills, p.shown = pills, nil
	for range len(pills) + 1 {
		b := badge{pill: chart.NewPill(chart.Note, ""), hint: NewHint(p.keys, p.tips)}
		b.both = container.NewStack(b.pill, b.hint)
		p.shown = append(p.shown, b)
	}
	for i, q := range pills {
		p.shown[i].set(q)
	}
	p.Refresh()
	if p.Grow != nil {
		p.Grow()
	}
}

func (b badge) set(p Pill) {
	b.pill.Set(p.Level, p.Word)
	b.hint.Set(p.Notes)
}

// Words are the words of the badges, also of those for which there is no room.
func (p *Pills) Words() []string {
	var out []string
	for _, q := range p.pills {
		out = append(out, q.Word)
	}
	return out
}

// width is what the first n badges take side by side.
func (p *Pills) width(n int) float32 {
	var sum float32
	for _, b := range p.shown[:n] {
		sum += b.pill.MinSize().Width + badgeGap
	}
	return max(0, sum-badgeGap)
}

// natural is the width of all badges.
func (p *Pills) natural() float32 { return p.width(len(p.pills)) }

const badgeGap = 4

// CreateRenderer implements fyne.Widget.
func (p *Pills) CreateRenderer() fyne.WidgetRenderer { return &pillsRenderer{p} }

type pillsRenderer struct{ p *Pills }

func (r *pillsRenderer) Destroy() {}

func (r *pillsRenderer) Objects() []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for _, b := range r.p.shown {
		out = append(out, b.both)
	}
	return out
}

func (r *pillsRenderer) MinSize() fyne.Size {
	if len(r.p.pills) == 0 {
		return fyne.Size{}
	}
	return fyne.NewSize(0, chart.NewPill(chart.Note, "").MinSize().Height)
}

func (r *pillsRenderer) Refresh() {
	r.Layout(r.p.Size())
	for _, b := range r.p.shown {
		b.both.Refresh()
	}
}

// Layout shows as many badges as fit, at the right end.
func (r *pillsRenderer) Layout(size fyne.Size) {
	p := r.p
	if len(p.shown) == 0 || size.Width <= 0 {
		return
	}
	n, more := len(p.pills), p.shown[len(p.pills)]
	rest := float32(0)
	for n > 0 && p.width(n)+rest > size.Width+0.5 {
		n--
		all := Pill{Level: p.pills[n].Level, Word: "+" + strconv.Itoa(len(p.pills)-n)}
		for _, q := range p.pills[n:] {
			all.Notes = append(all.Notes, q.Notes...)
		}
		more.set(all)
		rest = badgeGap + more.pill.MinSize().Width
	}
	x := size.Width - p.width(n) - rest
	for i, b := range p.shown {
		visible := i < n || b == more && n < len(p.pills)
		ShowIf(b.both, visible)
		if !visible {
			continue
		}
		s := b.pill.MinSize()
		b.both.Move(fyne.NewPos(x, 0))
		b.both.Resize(s)
		x += s.Width + badgeGap
	}
}

// NewStatus puts badges at the end of the first line of a text, which has at least a good third of the width.
func NewStatus(text *Lines, pills *Pills) *fyne.Container {
	return container.New(&status{text, pills}, text, pills)
}

type status struct {
	text  *Lines
	pills *Pills
}

// mostBadges is the share of a line that badges take at most.
const mostBadges = 0.62

// MinSize implements fyne.Layout.
func (s *status) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, max(s.text.MinSize().Height, s.pills.MinSize().Height))
}

// Layout implements fyne.Layout.
func (s *status) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	width := min(s.pills.natural(), size.Width*mostBadges)
	s.pills.Move(fyne.NewPos(size.Width-width, 0))
	s.pills.Resize(fyne.NewSize(width, s.pills.MinSize().Height))
	if width > 0 {
		width += 2 * badgeGap
	}
	s.text.Move(fyne.NewPos(0, 0))
	s.text.Resize(fyne.NewSize(size.Width-width, s.text.MinSize().Height))
}
