package words

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"cachecliff/assets"
)

// message is an entry of a translation file: one text, or one for each form of a number.
type message map[string]string

func (m *message) UnmarshalJSON(b []byte) error {
	var one string
	if err := json.Unmarshal(b, &one); err == nil {
		*m = message{"other": one}
		return nil
	}
	return json.Unmarshal(b, (*map[string]string)(m))
}

func load(t *testing.T, lang string) map[string]message {
	t.Helper()
	b, err := assets.Translations.ReadFile(path.Join("translations", lang+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]message
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

var fieldPattern = regexp.MustCompile(`\.([A-Za-z]+)`)
var actionPattern = regexp.MustCompile(`{{.*?}}`)

// fields are the names in {{.Name}} of all forms of a message.
func fields(m message) []string {
	set := map[string]bool{}
	for _, text := range m {
		for _, action := range actionPattern.FindAllString(text, -1) {
			for _, f := range fieldPattern.FindAllStringSubmatch(action, -1) {
				set[f[1]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

func TestLanguagesSayTheSame(t *testing.T) {
	en, de := load(t, English), load(t, German)
	for id, m := range en {
		o, ok := de[id]
		if !ok {
			t.Errorf("%s is missing in German", id)
			continue
		}
		if a, b := fields(m), fields(o); !slices.Equal(a, b) {
			t.Errorf("%s has the fields %v in English and %v in German", id, a, b)
		}
		if a, b := slices.Sorted(maps.Keys(m)), slices.Sorted(maps.Keys(o)); !slices.Equal(a, b) {
			t.Errorf("%s has the forms %v in English and %v in German", id, a, b)
		}
	}
	for id := range de {
		if _, ok := en[id]; !ok {
			t.Errorf("%s is missing in English", id)
		}
	}
}

func TestTextsAreWhole(t *testing.T) {
	idPattern := regexp.MustCompile(`^[a-z0-9]+(\.[a-z0-9+-]+)+$`)
	for _, lang := range Languages() {
		for id, m := range load(t, lang) {
			if !idPattern.MatchString(id) {
				t.Errorf("%s: IDs are lower-case words with dots between", id)
			}
			if m["other"] == "" {
				t.Errorf("%s %s: no text, or none for other numbers", lang, id)
			}
			for form, text := range m {
				if form != "one" && form != "other" {
					t.Errorf("%s %s: there is no form %q", lang, id, form)
				}
				if strings.TrimSpace(text) != text || text == "" {
					t.Errorf("%s %s: empty or with space around it: %q", lang, id, text)
				}
				if _, err := template.New("").Parse(text); err != nil {
					t.Errorf("%s %s: %v", lang, id, err)
				}
			}
		}
	}
}

// Sorted keys keep two people's new ones from meeting at the end of the file.
func TestFilesAreSorted(t *testing.T) {
	key := regexp.MustCompile(`(?m)^  "([^"]+)":`)
	for _, lang := range Languages() {
		b, err := assets.Translations.ReadFile(path.Join("translations", lang+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, m := range key.FindAllStringSubmatch(string(b), -1) {
			keys = append(keys, m[1])
		}
		if len(keys) != len(load(t, lang)) {
			t.Errorf("%s: %d lines with a key for %d keys", lang, len(keys), len(load(t, lang)))
		}
		for i := 1; i < len(keys); i++ {
			if keys[i-1] >= keys[i] {
				t.Errorf("%s: %s stands behind %s", lang, keys[i], keys[i-1])
			}
		}
	}
}

func TestText(t *testing.T) {
	en, de := New(English), New(German)
	for _, c := range []struct{ got, want string }{
		{en.T("error.not-exist.title", "Object", "/x"), "/x does not exist"},
		{de.T("error.not-exist.title", "Object", "/x"), "/x gibt es nicht"},
		{en.T("no.such-text"), "no.such-text"},
		{de.T("no.such-text", "A", 1), "no.such-text"},
		{en.N("no.such-text", 2), "no.such-text"},
		{New("fr").T("reason.done"), "complete"},
		{New("fr").Lang(), English},
		{de.Lang(), German},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	if !de.Has("reason.done") || de.Has("no.such-text") {
		t.Error("Has is wrong")
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{nil, English},
		{map[string]string{"LANG": "de_DE.UTF-8"}, German},
		{map[string]string{"LANG": "DE"}, German},
		{map[string]string{"LANG": "de@euro"}, German},
		{map[string]string{"LANG": "den_CA"}, English},
		{map[string]string{"LANG": "fr_FR.UTF-8"}, English},
		{map[string]string{"LANG": "de_DE", "LC_MESSAGES": "en_GB"}, English},
		{map[string]string{"LANG": "en_US", "LC_ALL": "de_AT.UTF-8", "LC_MESSAGES": "en_GB"}, German},
		{map[string]string{"LANG": "en_US", "LANGUAGE": "fr:de:en"}, German},
		{map[string]string{"LANG": "de_DE", "LANGUAGE": "fr:en"}, English},
		{map[string]string{"LANG": "de_DE", "LANGUAGE": "fr"}, German},
		{map[string]string{"LANG": "C.UTF-8", "LANGUAGE": "de"}, English},
		{map[string]string{"LANG": "POSIX", "LANGUAGE": "de"}, English},
		{map[string]string{"LANGUAGE": "de"}, English},
	} {
		if got := Detect(func(k string) string { return c.env[k] }, ""); got != c.want {
			t.Errorf("%v: %q, want %q", c.env, got, c.want)
		}
	}
	for env, want := range map[string]string{"": German, "en_US.UTF-8": English} {
		if got := Detect(func(string) string { return env }, "de-DE"); got != want {
			t.Errorf("environment %q on a German system: %q", env, got)
		}
	}
	if Match("de-CH") != German || Match("") != English {
		t.Error("Match is wrong")
	}
}
