package ui

import (
	"cachecliff/ui/part"
)

// notice is what the last action in a room brought. It stays until the next action, in words of the
// language that is chosen now.
type notice struct {
	words func() string
	tone  part.Tone
}

// say shows a notice in a room.
func (w *Window) say(r Room, tone part.Tone, words func() string) {
	w.notices[r] = notice{words, tone}
	w.wordNotices()
}

// sayMessage shows a message as a notice.
func (w *Window) sayMessage(r Room, tone part.Tone, id string, pairs ...any) {
	w.say(r, tone, func() string { return w.words.T(id, pairs...) })
}

// sayError shows an error as a notice.
func (w *Window) sayError(r Room, tone part.Tone, err error) {
	w.say(r, tone, func() string { return w.sentence(err) })
}

// hush takes back what the last action brought: another one begins.
func (w *Window) hush() {
	clear(w.notices)
	w.state.Results.Damaged = ""
	w.wordNotices()
}

// wordNotices puts the notices into words.
func (w *Window) wordNotices() {
	for r, field := range map[Room]*part.Span{Benchmark: &w.state.Run.Notice, Tests: &w.state.Tests.Notice, Monitor: &w.state.Monitor.Notice, Drive: &w.state.Drive.Notice, Results: &w.state.Results.Notice} {
		*field = part.Span{}
		if n, ok := w.notices[r]; ok {
			*field = part.Span{Text: n.words(), Tone: n.tone}
		}
	}
}
