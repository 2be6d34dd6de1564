// Command checkreport opens reports in Chromium and looks whether they are what they should be: no request but that
// for the file itself, nothing on the console, no script, nothing wider than the page; light, dark, on a phone and in
// print. It leaves pictures and a PDF of each to be looked at.
//
//	checkreport -out FOLDER REPORT.html...
package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("out", ".", "where pictures go")
	program := flag.String("chromium", "chromium", "the browser")
	flag.Parse()
	if err := check(*program, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// look is one way to look at a page.
type look struct {
	name          string
	width, height int
	scheme, media string
}

var looks = []look{
	{"light", 1100, 900, "light", "screen"}, {"dark", 1100, 900, "dark", "screen"}, {"phone", 390, 844, "light", "screen"}, {"print", 794, 1123, "dark", "print"},
}

func check(program, out string, files []string) error {
	if len(files) == 0 {
		return errors.New("checkreport: name a report")
	}
	profile, err := os.MkdirTemp("", "checkreport-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	b, err := start(program, profile)
	if err != nil {
		return err
	}
	var faults []error
	for _, file := range files {
		for _, l := range looks {
			found, err := b.look(file, l, out)
			if err != nil {
				return errors.Join(err, b.cmd.Process.Kill())
			}
			for _, f := range found {
				faults = append(faults, fmt.Errorf("FAILED %s, %s: %s", file, l.name, f))
			}
			if len(found) == 0 {
				fmt.Printf("ok     %s, %s\n", file, l.name)
			}
		}
	}
	return errors.Join(append(faults, b.close())...)
}

// look opens a report in one way and says what is wrong with it.
func (b *browser) look(file string, l look, out string) (faults []string, err error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	url := "file://" + filepath.ToSlash(path)
	loaded := false
	b.seen = func(method string, params json.RawMessage) {
		loaded = loaded || method == "Page.loadEventFired"
		if f := fault(method, params, url); f != "" {
			faults = append(faults, f)
		}
	}
	if err := b.page(); err != nil {
		return nil, err
	}
	for method, params := range map[string]any{
		"Emulation.setDeviceMetricsOverride": map[string]any{"width": l.width, "height": l.height, "deviceScaleFactor": 1, "mobile": false},
		"Emulation.setEmulatedMedia":         map[string]any{"media": l.media, "features": []map[string]string{{"name": "prefers-color-scheme", "value": l.scheme}}},
	} {
		if err := b.call(method, params, nil); err != nil {
			return nil, err
		}
	}
	if err := b.call("Page.navigate", map[string]any{"url": url}, nil); err != nil {
		return nil, err
	}
	if !loaded {
		if _, err := b.until(func(reply) bool { return loaded }); err != nil {
			return nil, err
		}
	}
	more, err := b.measure()
	if err != nil {
		return nil, err
	}
	faults = append(faults, more...)
	return faults, b.keep(filepath.Join(out, strings.TrimSuffix(filepath.Base(file), ".html")+"-"+l.name), l)
}

// fault says what an event tells against a report; empty if nothing.
func fault(method string, params json.RawMessage, url string) string {
	var p struct {
		Request struct {
			URL string `json:"url"`
		} `json:"request"`
		Entry struct {
			Text string `json:"text"`
		} `json:"entry"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err.Error()
	}
	switch {
	case method == "Network.requestWillBeSent" && p.Request.URL != url && p.Request.URL != "about:blank":
		return "asks for " + p.Request.URL
	case method == "Log.entryAdded":
		return "the console says: " + p.Entry.Text
	case method == "Runtime.consoleAPICalled", method == "Runtime.exceptionThrown":
		return "a script ran: " + string(params)
	}
	return ""
}

// measure looks at the page as it was laid out.
func (b *browser) measure() (faults []string, err error) {
	for _, m := range []struct {
		expression, fault string
		most              int
	}{
		{"document.scripts.length", "scripts", 0},
		{"[...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => /^(on|src|href|xlink:href)/i.test(a.name))).length", "elements that ask or act", 0},
		{"document.documentElement.scrollWidth - document.documentElement.clientWidth", "pixels wider than the page", 0},
		{"document.body.innerText.trim().length > 200 ? 0 : 1", "page without text", 0},
		{"[...document.querySelectorAll('figure')].filter(f => [...f.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().height > 50).length != 1).length", "figures that do not show one chart", 0},
	} {
		n, err := b.number(m.expression)
		if err != nil {
			return nil, err
		}
		if n > m.most {
			faults = append(faults, fmt.Sprintf("%d %s", n, m.fault))
		}
	}
	return faults, nil
}

// keep leaves a picture of the page, and a PDF of the printed one.
func (b *browser) keep(name string, l look) error {
	var shot, pdf struct {
		Data string `json:"data"`
	}
	if err := b.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}, &shot); err != nil {
		return err
	}
	if err := save(name+".png", shot.Data); err != nil || l.media != "print" {
		return err
	}
	if err := b.call("Page.printToPDF", map[string]any{"printBackground": false, "preferCSSPageSize": true, "paperWidth": 8.27, "paperHeight": 11.69}, &pdf); err != nil {
		return err
	}
	return save(name+".pdf", pdf.Data)
}

func save(name, data string) error {
	bytes, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return err
	}
	return os.WriteFile(name, bytes, 0o644)
}
