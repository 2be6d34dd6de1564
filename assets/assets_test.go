package assets

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/png"
	"os"
	"strings"
	"testing"
)

const id = "io.github.cachecliff.Cachecliff"

func TestIcon(t *testing.T) {
	img, err := png.Decode(bytes.NewReader(Icon()))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != 512 || b.Dy() != 512 {
		t.Errorf("icon is %v", b)
	}
	if _, _, _, a := img.At(0, 0).RGBA(); a != 0 {
		t.Error("the corner of the icon should be transparent")
	}
	if _, _, _, a := img.At(256, 256).RGBA(); a != 0xffff {
		t.Error("the middle of the icon should be opaque")
	}
}

func TestInstalledIcons(t *testing.T) {
	for _, size := range []int{16, 24, 32, 48, 64, 128, 256, 512} {
		f, err := os.Open(fmt.Sprintf("icons/%d.png", size))
		if err != nil {
			t.Fatal(err)
		}
		c, err := png.DecodeConfig(f)
		if err != nil || c.Width != size || c.Height != size {
			t.Errorf("%d: %d × %d, %v", size, c.Width, c.Height, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTranslationsAreEmbedded(t *testing.T) {
	for _, language := range []string{"en", "de"} {
		b, err := Translations.ReadFile("translations/" + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(b) {
			t.Errorf("%s.json is not JSON", language)
		}
	}
}

// The desktop finds window, icon and description of a program by one ID; a typo in one place loses
// them silently.
func TestOneID(t *testing.T) {
	desktop, err := os.ReadFile("linux/" + id + ".desktop")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"Icon=" + id, "Name=Cachecliff", "Exec=cachecliff", "StartupWMClass=Cachecliff"} {
		if !strings.Contains(string(desktop), line+"\n") {
			t.Errorf("desktop file lacks %q", line)
		}
	}
	meta, err := os.ReadFile("linux/" + id + ".metainfo.xml")
	if err != nil {
		t.Fatal(err)
	}
	var component struct {
		ID         string `xml:"id"`
		Launchable string `xml:"launchable"`
	}
	if err := xml.Unmarshal(meta, &component); err != nil {
		t.Fatal(err)
	}
	if component.ID != id || component.Launchable != id+".desktop" {
		t.Errorf("metainfo: %+v", component)
	}
	toml, err := os.ReadFile("../FyneApp.toml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(toml), `ID = "`+id+`"`) {
		t.Error("FyneApp.toml has another ID")
	}
}
