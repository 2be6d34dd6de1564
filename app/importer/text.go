package importer

import (
	"encoding/binary"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// decodeText turns a text file into UTF-8. CrystalDiskMark up to 7 saves UTF-16 with a byte order mark, later ones
// and others UTF-8.
func decodeText(data []byte) (string, error) {
	order := binary.ByteOrder(binary.LittleEndian)
	switch {
	case len(data) >= 2 && data[0] == 0xFF && data[1] == 0xFE:
	case len(data) >= 2 && data[0] == 0xFE && data[1] == 0xFF:
		order = binary.BigEndian
	default:
		text := strings.TrimPrefix(string(data), "\ufeff")
		return checkText(text)
	}
	if len(data)%2 != 0 {
		return "", refuse(0, "the text ends in half a character")
	}
	units := make([]uint16, 0, len(data)/2-1)
	for i := 2; i < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	return checkText(string(utf16.Decode(units)))
}

// checkText refuses what is no text.
func checkText(text string) (string, error) {
	for i, r := range text {
		bad := r == utf8.RuneError || unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
		if !bad {
			continue
		}
		if i < 64 { // no text from the start on
			return "", unknown("it is neither text nor JSON")
		}
		return "", refuse(1+strings.Count(text[:i], "\n"), "a byte that is no text")
	}
	return text, nil
}

// textLine is one line of a report without the blanks around it.
type textLine struct {
	n    int // from 1 on
	text string
}

// splitLines gives the lines that are not empty. Line ends are LF, CR LF or CR.
func splitLines(text string) []textLine {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	var out []textLine
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, textLine{n, line})
		}
	}
	return out
}

// decimals reads the numbers of a report. All of them have the same decimal sign.
type decimals struct{ sign byte }

// numberForm is digits, a decimal sign and decimals, as C's %f writes them.
var numberForm = regexp.MustCompile(`^[0-9]{1,12}[.,][0-9]{1,3}$`)

// number reads a number that has exactly so many decimals. Since that is known, 1,234 is never mistaken: with
// three decimals it is one and a quarter or so, and a sign for thousands does not occur.
func (d *decimals) number(line int, text string, places int) (float64, error) {
	at := len(text) - places - 1
	if !numberForm.MatchString(text) || at < 1 || text[at] != '.' && text[at] != ',' {
		return 0, refuse(line, "%q is not a number with %d decimals", text, places)
	}
	if d.sign == 0 {
		d.sign = text[at]
	}
	if text[at] != d.sign {
		return 0, refuse(line, "%q has another decimal sign than the numbers above", text)
	}
	v, err := strconv.ParseFloat(text[:at]+"."+text[at+1:], 64)
	if err != nil {
		return 0, refuse(line, "%q is not a number", text)
	}
	return v, nil
}

// count reads a whole number from lo to hi.
func count(line int, what, text string, lo, hi int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < lo || n > hi {
		return 0, refuse(line, "%s is %q, which is not a number from %d to %d", what, text, lo, hi)
	}
	return n, nil
}
