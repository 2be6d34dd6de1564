package format

import "testing"

func TestPlain(t *testing.T) {
	for _, c := range []struct{ in, plain, line string }{
		{"", "", ""},
		{"Größe 1\u00a0TB, 4\u202f096 × 日本 🙂", "Größe 1\u00a0TB, 4\u202f096 × 日本 🙂", "Größe 1\u00a0TB, 4\u202f096 × 日本 🙂"},
		{"a\nb\tc", "a\nb\tc", "a b c"},
		{"a\r\nb\rc", "a\ufffd\nb\ufffdc", "a b c"},
		{"\x1b[31mred\x1b]0;title\x07", "\ufffd[31mred\ufffd]0;title\ufffd", "\ufffd[31mred\ufffd]0;title\ufffd"},
		{"\x00\x7f\b", "\ufffd\ufffd\ufffd", "\ufffd\ufffd\ufffd"},
		{"\u009b31m", "\ufffd31m", "\ufffd31m"},             // the same as ESC [
		{"txt.\u202eexe", "txt.\ufffdexe", "txt.\ufffdexe"}, // turns what follows around
		{"a\u2028b", "a\ufffdb", "a\ufffdb"},
		{"\xff\xfe", "\ufffd\ufffd", "\ufffd\ufffd"},
	} {
		if got := Plain(c.in); got != c.plain {
			t.Errorf("Plain(%q) = %q", c.in, got)
		}
		if got := PlainLine(c.in); got != c.line {
			t.Errorf("PlainLine(%q) = %q", c.in, got)
		}
	}
}
