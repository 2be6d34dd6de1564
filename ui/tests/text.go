package tests

import (
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/ui/facts"
)

// Start is what the button that starts a test says: it names the price, so that a click is a consent.
func Start(w *words.Words, p *bench.Plan, l format.Locale) string {
	if p == nil {
		return w.T("tests.start")
	}
	return w.T("tests.start-writes", "Bytes", format.About(p.Estimate().WrittenMax, l))
}

// Cost is the price of a plan in one line. Nobody knows before how slow the drive is after its cache: what is told is
// the time at the speed of the connection.
func Cost(w *words.Words, p *bench.Plan, l format.Locale) string {
	e := p.Estimate()
	most := int64(0)
	for _, s := range p.Steps() {
		if s.Kind == bench.StepFill {
			most = max(most, s.Bytes)
		}
	}
	return facts.Join(w.T("tests.cost", "Time", format.Duration(e.Time, l), "Bytes", format.About(e.WrittenMax, l),
		"Free", format.VolumeSize(p.Target.Volume.Free-most, l)), facts.Access(w, p))
}

// about is the sentence about the chosen test.
func (s State) about() string { return s.Words.T("tests.about-" + s.Profile.ID) }
