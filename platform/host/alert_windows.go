package host

import (
	"strings"

	"golang.org/x/sys/windows"
)

// Alert shows a text in a box and waits until the user has read it: a program with a window has no
// terminal here that it could write to. It says whether there was a screen to show it on. wrong gives
// the box the sign of an error.
func Alert(title, text string, wrong bool) bool {
	kind := uint32(windows.MB_OK | windows.MB_SETFOREGROUND | windows.MB_ICONINFORMATION)
	if wrong {
		kind = windows.MB_OK | windows.MB_SETFOREGROUND | windows.MB_ICONERROR
	}
	t, err := windows.UTF16PtrFromString(strings.ReplaceAll(text, "\x00", ""))
	if err != nil {
		return false
	}
	c, err := windows.UTF16PtrFromString(strings.ReplaceAll(title, "\x00", ""))
	if err != nil {
		return false
	}
	answer, err := windows.MessageBox(0, t, c, kind)
	return err == nil && answer != 0
}

// Language is the language that the system speaks with the user, such as "de-DE"; empty if it does not
// say.
func Language() string {
	names, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(names) == 0 {
		return ""
	}
	return names[0]
}
