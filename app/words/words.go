// Package words finds the text of a message in the user's language. The texts are in
// assets/translations, one flat JSON object a language; an ID is "area.name". Where a text names what one
// system has and another has not (a path, a tool, a right), "area.name.windows" is the text for Windows, and the
// plain ID the one for all others. It does not format numbers (package format) and does not know which errors
// there are (package explain).
package words

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"cachecliff/assets"
)

// The languages there are. Auto is the setting of a user who leaves the choice to the system.
const (
	Auto    = ""
	English = "en"
	German  = "de"
)

// Languages lists them.
func Languages() []string { return []string{English, German} }

// System is a kind of system whose users need texts of their own here and there.
type System string

// The systems that texts are written for. Linux stands for all that are not Windows.
const (
	Linux   System = "linux"
	Windows System = "windows"
)

// Here is the system that the program runs on. How paths are written tells that, without asking for its name.
func Here() System {
	if filepath.Separator == '\\' {
		return Windows
	}
	return Linux
}

// Words are the texts of one language. They may be used from any goroutine.
type Words struct {
	lang      string
	system    System
	localizer *i18n.Localizer
}

// New gives the texts of a language for this system; of English if the language is none of Languages. The texts
// are built into the program and checked by its tests: New panics if they cannot be read.
func New(lang string) *Words { return For(lang, Here()) }

// For is New for a system of one's choice.
func For(lang string, system System) *Words {
	if lang != German {
		lang = English
	}
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	for _, l := range Languages() {
		name := path.Join("translations", l+".json")
		data, err := assets.Translations.ReadFile(name)
		if err == nil {
			err = parse(bundle, data, name, system)
		}
		if err != nil {
			panic(fmt.Sprintf("words: built-in %s: %v", name, err))
		}
	}
	return &Words{lang: lang, system: system, localizer: i18n.NewLocalizer(bundle, lang)}
}

// parse takes the texts of a file, those for the system in place of those for all.
func parse(bundle *i18n.Bundle, data []byte, name string, system System) error {
	file, err := bundle.ParseMessageFileBytes(data, name)
	if err != nil {
		return err
	}
	for _, m := range file.Messages {
		if id, ok := strings.CutSuffix(m.ID, "."+string(system)); ok {
			special := *m
			special.ID = id
			if err := bundle.AddMessages(file.Tag, &special); err != nil {
				return err
			}
		}
	}
	return nil
}

// Lang is the language: English or German.
func (w *Words) Lang() string { return w.lang }

// System is the system that the texts are for.
func (w *Words) System() System { return w.system }

// T is the text of a message. The pairs are names and values of what the text has in {{.Name}}:
// w.T("run.left", "Time", "3 min"). A message that is not there shows as its ID.
func (w *Words) T(id string, pairs ...any) string {
	return w.text(&i18n.LocalizeConfig{MessageID: id, TemplateData: data(pairs)})
}

// N is the text of a message that depends on a number, which it has in {{.Count}}: "1 run", "2 runs".
func (w *Words) N(id string, count int, pairs ...any) string {
	d := data(pairs)
	d["Count"] = count
	return w.text(&i18n.LocalizeConfig{MessageID: id, PluralCount: count, TemplateData: d})
}

// Has says whether there is a message of that ID.
func (w *Words) Has(id string) bool {
	_, err := w.localizer.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: map[string]any{}})
	return err == nil
}

// text falls back to English and then to the ID: a gap in a translation must not hide the rest. That
// there is none is what the tests of this package are for.
func (w *Words) text(c *i18n.LocalizeConfig) string {
	s, err := w.localizer.Localize(c)
	if err != nil && s == "" {
		return c.MessageID
	}
	return s
}

func data(pairs []any) map[string]any {
	d := make(map[string]any, len(pairs)/2+1)
	for i := 0; i+1 < len(pairs); i += 2 {
		d[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return d
}

// Detect is the language of the environment, as the C library reads it for messages: LC_ALL, else
// LC_MESSAGES, else LANG, each of them overruled by the list in LANGUAGE unless it is "C". Where none of
// them is set it is the language for the locale otherwise, of a system that keeps it elsewhere.
func Detect(getenv func(string) string, otherwise string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		locale := getenv(name)
		if locale == "" {
			continue
		}
		if b := base(locale); b == "c" || b == "posix" {
			return English
		}
		for l := range strings.SplitSeq(getenv("LANGUAGE"), ":") {
			if b := base(l); b == English || b == German {
				return b
			}
		}
		return Match(locale)
	}
	return Match(otherwise)
}

// Match is the language for a locale such as "de_AT.UTF-8" or "de-CH".
func Match(locale string) string {
	if base(locale) == German {
		return German
	}
	return English
}

// base is the language of a locale in lower case.
func base(locale string) string {
	if i := strings.IndexAny(locale, "_-.@"); i >= 0 {
		locale = locale[:i]
	}
	return strings.ToLower(locale)
}
