// Package drive is the Drive page: what a drive is and how it is connected, what lies on it, how warm it is, what it
// tells of its own health, and the computer that it is in. The page is a function of its State, which is turned
// into sections of plain text first; what the user does goes to Actions.
package drive

import (
	"time"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/platform"
	"cachecliff/ui/part"
)

// State is all that the page shows.
type State struct {
	Words   *words.Words
	Locale  format.Locale
	Looking bool             // targets are being looked for
	Target  *platform.Target // nil while none is known
	Index   int              // which of the target's drives is shown
	Volumes []platform.Target
	System  *platform.System // nil while it is not known
	Health  *platform.Health // nil while it is not known
	Limits  platform.TempLimits
	Fault   error // why there is no health
	Reading bool  // health is being read
	Last    *Last // run on the drive; nil if none is known
	Watch   Watch // of the drive's temperatures
	Now     time.Time
	Serial  bool      // the serial number is shown
	Notice  part.Span // what the last action brought
}

// Drive is the drive that is shown; nil if there is none.
func (s *State) Drive() *platform.Drive {
	if s.Target == nil || s.Index < 0 || s.Index >= len(s.Target.Drives) {
		return nil
	}
	return &s.Target.Drives[s.Index]
}

// Actions is what the user can do on the page. The methods are called on the UI goroutine and return at
// once.
type Actions interface {
	// PickDrive shows another of the target's drives.
	PickDrive(index int)
	// ShowSerial shows or hides the serial number.
	ShowSerial(on bool)
	// ReadAgain reads everything anew.
	ReadAgain()
	// CopyText copies the page as text, without the serial number.
	CopyText()
	// SavePicture saves the window as it looks, without the serial number.
	SavePicture()
}

// Sections are the parts of the page, in their order.
func (s *State) Sections() []Section {
	return []Section{s.identity(), s.connection(), s.temperature(), s.health(), s.since(), s.system(), s.volumes(), s.attributes()}
}

// Text is the page as plain text.
func (s *State) Text() string {
	out := ""
	for _, c := range s.Sections() {
		if t := c.Text(); t != "" {
			out += t + "\n"
		}
	}
	return out
}
