package words

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// foreign are words that say nothing to the users of a system, or lead them astray.
var foreign = map[System]*regexp.Regexp{
	Windows: regexp.MustCompile(`(?i)(^|[^\w.])/(mnt|dev|home|media|proc|sys|run|tmp|usr|etc|var)\b|~/|--direct-io|queue/iostats` +
		`|\b(sudo|su|root|chmod|chown|chattr|losetup|ulimit|sysctl|seccomp|udev|polkit|udisks2?|systemd|apt|dnf|modprobe|fstab|fuse` +
		`|governor|io_uring|libaio|u?mount|mount(ed|ing)? (the|it)|binden|eingehängt|einhängen|tmpfs|kernel|linux)\b`),
	Linux: regexp.MustCompile(`(?i)\b[a-z]:\\|\b(explorer|iocp|diskperf|bitlocker|registry|security policy|windows)\b|\.(exe|dll)\b|%\w+%`),
}

// atHome are texts with such words that are right nevertheless, and why.
var atHome = map[string]string{
	"cli.engine-off":                     "only Linux has the engine that it is said of",
	"warning.cached-loop.advice":         "loop devices are of Linux, and so is a result with this doubt",
	"warning.copy-on-write-btrfs.advice": "btrfs is of Linux, and so is a result with this doubt",
	"warning.no-counters-silent.advice":  "a result may be of the other system, so both are named",
	"opening.no-opengl":                  "shown in a box that there is on Windows only",
	"refusal.locked.advice":              "only Windows says that a volume is locked",
}

// Every text that a user of one system can read has words right for it.
func TestNoWordsOfTheOtherSystem(t *testing.T) {
	needed := map[string]bool{}
	for _, lang := range Languages() {
		for system, pattern := range foreign {
			all := load(t, lang)
			for id, m := range all {
				_, replaced := all[id+"."+string(Windows)]
				if system == Windows && replaced || system == Linux && strings.HasSuffix(id, "."+string(Windows)) {
					continue // not shown there
				}
				for _, text := range m {
					if word := pattern.FindString(text); word != "" {
						needed[id] = true
						if atHome[id] == "" {
							t.Errorf("%s %s says %q to users of %s: %s", lang, id, word, system, text)
						}
					}
				}
			}
		}
	}
	for id := range atHome {
		if !needed[id] {
			t.Errorf("%s needs no excuse", id)
		}
	}
}

// A text for one system stands beside one for all, has no other forms and no fields of its own, and says something
// else.
func TestTextsOfASystem(t *testing.T) {
	seen := 0
	for _, lang := range Languages() {
		all := load(t, lang)
		for id, m := range all {
			base, ok := strings.CutSuffix(id, "."+string(Windows))
			if !ok {
				if strings.HasSuffix(id, "."+string(Linux)) {
					t.Errorf("%s: the plain text is the one for Linux", id)
				}
				continue
			}
			seen++
			plain, ok := all[base]
			if !ok {
				t.Errorf("%s %s stands alone", lang, id)
				continue
			}
			for form, text := range m {
				if plain[form] == "" || plain[form] == text {
					t.Errorf("%s %s is %q, and %s is %q", lang, id, text, base, plain[form])
				}
			}
			for _, f := range fields(m) {
				if !slices.Contains(fields(plain), f) {
					t.Errorf("%s %s: nobody gives it the field %s", lang, id, f)
				}
			}
			for system, want := range map[System]string{Linux: plain["other"], Windows: m["other"]} {
				if got := For(lang, system).T(base); !strings.Contains(want, "{{") && got != want {
					t.Errorf("%s on %s: %q", base, system, got)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("there is none: the test does not work")
	}
}

// The program's own sentences, which stand in no translation, are right on both systems too.
func TestNoWordsOfOneSystemInTheProgram(t *testing.T) {
	seen := 0
	for _, u := range uses(t) {
		if u.call || !strings.Contains(u.pos, "cachecliff-cli") || !strings.Contains(u.id, " ") {
			continue
		}
		seen++
		for system, pattern := range foreign {
			if word := pattern.FindString(u.id); word != "" {
				t.Errorf("%s: %q, read on %s: %q", u.pos, word, system, u.id)
			}
		}
	}
	if seen == 0 {
		t.Error("no sentence found: the scan does not work")
	}
}

func TestHere(t *testing.T) {
	if w := New(German); w.System() != Here() || w.Lang() != German {
		t.Errorf("%s, %s", w.System(), w.Lang())
	}
	if w := For("fr", Windows); w.System() != Windows || w.Lang() != English {
		t.Errorf("%s, %s", w.System(), w.Lang())
	}
}
