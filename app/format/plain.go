package format

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain is a text that does nothing to the terminal it is printed on: control characters, those that turn
// the direction of writing, other line ends and bytes that are no text each become U+FFFD. Line ends and
// tabs stay.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if steers(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// PlainLine is Plain for a text of one line: line ends and tabs become spaces.
func PlainLine(s string) string {
	return Plain(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(s))
}

func steers(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case '\u2028', '\u2029', utf8.RuneError:
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
