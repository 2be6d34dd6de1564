package ui

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

func TestLeftoversAreRemovedOnlyIfTheUserAgrees(t *testing.T) {
	for answer, stays := range map[string]bool{"Remove": false, "Keep": true} {
		t.Run(answer, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), ".cachecliff-test-X.tmp")
			if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			b := open(t, func(_ *Deps, b *bed) { b.host.left = []string{path} })
			top := b.win.Canvas().Overlays().Top()
			if top == nil {
				t.Fatal("nothing is asked")
			}
			named := false
			var button *widget.Button
			walk(top, func(o fyne.CanvasObject) {
				switch x := o.(type) {
				case *widget.Button:
					if x.Text == answer {
						button = x
					}
				case *widget.Label:
					named = named || len(x.Text) > len(path) && x.Text[len(x.Text)-len(path):] == path
				}
			})
			if button == nil || !named {
				t.Fatalf("button %v, file named: %v", button, named)
			}
			test.Tap(button)
			if _, err := os.Stat(path); os.IsNotExist(err) == stays {
				t.Errorf("after %s: %v", answer, err)
			}
			b.setTarget(b.state.Target)
			if b.win.Canvas().Overlays().Top() != nil {
				t.Error("the same folder is asked about twice")
			}
		})
	}
}
