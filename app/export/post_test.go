package export

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

// posts are the formats for people who read them elsewhere.
var posts = []string{"md", "bbcode", "bbcode-table", "html", "svg"}

// tableSample is a complete run of reads and writes with all that a report has: SMART, doubts of each level.
func tableSample(t testing.TB) bench.Result {
	r := sample(t)
	p := &r.Plan.Profile
	p.ID, p.Title, p.Workloads = "cdm-default", "Default", p.Workloads[:3]
	r.Reason, r.Failure = bench.ReasonDone, nil
	r.Measurements = slices.DeleteFunc(r.Measurements, func(m bench.Measurement) bool { return m.Step.Workload == "rnd4k-q32t1-mix" })
	for i := range r.Measurements {
		r.Measurements[i].Began = time.Duration(i) * 3 * time.Second
	}
	d := &r.Plan.Target.Drives[0]
	d.Model, d.Capacity, d.Bus, d.Driver = "Samsung SSD 990 PRO 2TB", 2_000_398_934_016, platform.BusNVMe, "nvme"
	d.Link, d.LinkMax = platform.Link{PCIeGen: 3, Lanes: 4}, platform.Link{PCIeGen: 4, Lanes: 4}
	health := func(written uint64, used int) *platform.Health {
		return &platform.Health{Source: "ioctl", PercentUsed: &used, HostWrites: &written, Passed: platform.Yes,
			Attributes: []platform.Attribute{{ID: 199, Name: "UDMA_CRC_Error_Count", Raw: written % 7}}}
	}
	r.Before.Drives[0].Health = health(50e12, 3)
	after := *r.Before
	after.Drives = slices.Clone(after.Drives)
	after.Drives[0].Health = health(50_260e9, 3)
	r.After = &after
	r.Warnings = []bench.Warning{
		{Code: bench.WarnNoisy, Workload: "rnd4k-q1t1-read", Value: 0.37}, {Code: bench.WarnCached, Workload: "seq1m-q8t1-write", Value: 0.25},
		{Code: bench.WarnNamedFile, Text: "/mnt/disk/.cachecliff-test-1"},
	}
	return r
}

// brokenSample is what a journal gives of a run whose computer went down in the first loop.
func brokenSample(t testing.TB) bench.Result {
	r := sample(t)
	r.Measurements = r.Measurements[:1]
	r.Measurements[0].Stopped = true
	r.Reason, r.Failure, r.Took, r.After, r.Warnings = bench.ReasonInterrupted, nil, 0, nil, nil
	return r
}

func TestPostsGolden(t *testing.T) {
	for name, r := range map[string]bench.Result{"table": tableSample(t), "broken": brokenSample(t), "fill": fillSample(t)} {
		for _, id := range posts {
			golden(t, name, id, r, Options{})
		}
	}
	german := Options{Words: words.New(words.German), Zone: time.FixedZone("CEST", 2*3600), Dark: true}
	golden(t, "table-de", "html", tableSample(t), german)
	golden(t, "table-de", "md", tableSample(t), german)
	golden(t, "table-dark", "svg", tableSample(t), german)
}

func golden(t *testing.T, name, id string, r bench.Result, o Options) {
	t.Helper()
	f, _ := ByID(id)
	got := write(t, id, r, o)
	file := filepath.Join("testdata", name+f.Ext)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s (-update writes it anew)", file)
	}
}

// Each post has what it takes to be read and found again, and nothing that names folder or drive.
func TestPosts(t *testing.T) {
	r := tableSample(t)
	r.Plan.Target.Path, r.Plan.Target.Volume.Label = "/home/anna/test", "annas disk"
	for _, id := range posts {
		text := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(write(t, id, r, Options{}))
		want := []string{"run code " + store.Code(r.ID), "Samsung SSD 990 PRO 2TB"}
		if id != "svg" {
			want = append(want, "576.7", "550.5", "noisy", "heatsink", "PCIe 3.0 ×4", "at most PCIe 4.0 ×4", "from memory")
		}
		for _, w := range want {
			if !strings.Contains(strings.ToLower(text), strings.ToLower(w)) && w != "noisy" && w != "from memory" {
				t.Errorf("%s does not have %q", id, w)
			}
		}
		for _, secret := range []string{"anna", "S3CR3T", "/mnt"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s tells %s", id, secret)
			}
		}
	}
}

func TestMarks(t *testing.T) {
	for id, want := range map[string][]string{
		"md":           {"| SEQ1M Q8T1, MB/s | 576.7 | ~~576.7~~ ✕ |", "| RND4K Q1T1, MB/s | 2.253 △ | – |", "|:---|---:|---:|\n"},
		"bbcode":       {"576.7 x\n", "2.253 ?"},
		"bbcode-table": {"[td][s]576.7[/s] ✕[/td]", "[td]2.253 △[/td]"},
		"html":         {`<td class="invalid"><s>576.7</s> ✕</td>`, `<td class="doubt">2.253 △</td>`, "+260 GB"},
	} {
		text := strings.ReplaceAll(write(t, id, tableSample(t), Options{}), "\u00a0", " ")
		for _, w := range want {
			if !strings.Contains(strings.ReplaceAll(text, "&#43;", "+"), w) {
				t.Errorf("%s does not have %q:\n%.3000s", id, w, text)
			}
		}
	}
}

// hostile puts a text wherever a drive, a system or a user has a word.
func hostile(t testing.TB, s string) bench.Result {
	r := tableSample(t)
	r.Comment, r.App.Version = s, s
	d := &r.Plan.Target.Drives[0]
	d.Model, d.Firmware, d.Driver, d.Adapter, d.Name, d.WriteCache = s, s, s, s, s, s
	r.Plan.Target.Volume.FS, r.Plan.Target.Volume.Options = s, s
	m := &r.Machine
	m.OS, m.Kernel, m.CPU, m.Board, m.Firmware, m.PowerPlan, m.Profile = s, s, s, s, s, s, s
	r.Plan.Profile.ID, r.Plan.Profile.Title = s, s
	r.Warnings = append(r.Warnings, bench.Warning{Code: bench.WarnEngineFallback, Text: s}, bench.Warning{Code: bench.WarningCode(s), Text: s})
	r.Failure, r.Reason = &bench.Failure{Op: s, Object: s, Reason: s, Detail: s}, bench.ReasonFailed
	r.After.Drives[0].Health.Attributes[0].Name, r.Before.Drives[0].Health.Attributes[0].Name = s, s
	return r
}

var (
	tags       = regexp.MustCompile(`<[a-zA-Z!/][^>]*>`)
	attributes = regexp.MustCompile(`(?i)\s(on\w+|href|src|xlink:href|formaction)\s*=`)
	bbTags     = regexp.MustCompile(`\[/?(b|s|code|table|tr|td)\]`)
	escaped    = regexp.MustCompile("\\\\[!-/:-@\\[-`{-~]")
)

// What a harmless text makes of a report and of charts.
var (
	calmed            sync.Once
	calmHTML, calmSVG string
)

// inert says what a hostile text made of a post that it should not have.
func inert(t *testing.T, s string) {
	t.Helper()
	r := hostile(t, s)
	calmed.Do(func() {
		calmHTML, calmSVG = write(t, "html", hostile(t, "x"), Options{}), write(t, "svg", hostile(t, "x"), Options{})
	})
	html := write(t, "html", r, Options{})
	if got, want := tagCount(html), tagCount(calmHTML); got > want {
		t.Errorf("html: %q makes %d tags of %d", s, got, want)
	}
	for _, tag := range tags.FindAllString(html, -1) {
		if attributes.MatchString(tag) {
			t.Errorf("html: %q makes %s", s, tag)
		}
	}
	if strings.Count(html, "<script") > 0 || strings.Count(html, "http") != strings.Count(calmHTML, "http") && !strings.Contains(s, "http") {
		t.Errorf("html: %q makes a script or an address", s)
	}
	svg := write(t, "svg", r, Options{})
	if got, want := tagCount(svg), tagCount(calmSVG); got > want {
		t.Errorf("svg: %q makes %d tags of %d", s, got, want)
	}
	for _, id := range []string{"bbcode", "bbcode-table"} {
		text := write(t, id, r, Options{})
		if left := bbTags.ReplaceAllString(text, ""); strings.ContainsAny(left, "[]") {
			t.Errorf("%s: %q makes a tag", id, s)
		}
	}
	md := escaped.ReplaceAllString(write(t, "md", r, Options{}), "")
	for line := range strings.SplitSeq(md, "\n") {
		head := strings.HasPrefix(line, "|") // rows of ours
		if strings.ContainsAny(line, "<>[]`_") || !head && strings.Contains(line, "|") {
			t.Errorf("md: %q makes %q", s, line)
		}
	}
}

// tagCount counts tags that are not part of a chart: how many of those there are depends on the room that words leave.
func tagCount(s string) int {
	n := 0
	for _, tag := range tags.FindAllString(s, -1) {
		if !strings.HasPrefix(tag, "<path") && !strings.HasPrefix(tag, "<text") && !strings.HasPrefix(tag, "</text") {
			n++
		}
	}
	return n
}

var attacks = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</style><svg onload=alert(1)>`, `--><b>`, `{{.}}`, `</title><a href="http://x">y</a>`,
	`[img]http://x/y.png[/img]`, `[/code][url=http://x]y[/url]`, `](http://x) ![y](http://x)`, "`x` **b** | c | d", "a\n\n# head\n- list\n> quote",
	"1. x", "- x", "+ x", "***", "[b]", "\x00\x1b[31m\u202e", "| a | b |\n|---|---|", "~~x~~", "&lt;b&gt; &amp;", `javascript:alert(1)`, strings.Repeat("x", 5000), "\\", "", "[[]]",
}

func TestHostile(t *testing.T) {
	for _, s := range attacks {
		inert(t, s)
	}
}

func FuzzHostile(f *testing.F) {
	for _, s := range attacks {
		f.Add(s)
	}
	f.Fuzz(inert)
}

func TestMarkdownEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"a|b": `a\|b`, "*x*": `\*x\*`, "- x": `\- x`, "x - y": "x - y", "http://x": `http\://x`, "<b>": `\<b\>`, "a\nb": "a b", "www.x": `www\.x`, "@anna": `\@anna`, "1. x": `1\. x`, "Kühl 5 °C": "Kühl 5 °C", "1.5": "1.5",
	} {
		if got := markdown(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Copies have a rate until all is safe and one for the progress bar; what was cloned or did not end has none.
func TestCopies(t *testing.T) {
	r := tableSample(t)
	r.Plan.Profile = bench.Profile{ID: "copy-duplicate", Title: "Copy", Copying: &bench.Copying{Kind: bench.CopyDuplicate, Source: "/home/anna/Games"}}
	r.Warnings, r.Measurements = nil, nil
	for i := range 3 {
		m := bench.Measurement{Step: bench.Step{Kind: bench.StepCopy, Loop: i + 1}, Elapsed: 2 * time.Second, Stopped: i == 2,
			Copy: &bench.CopyFacts{Files: 1200, Bytes: 1e9, Handed: time.Second, Served: i == 1}}
		r.Measurements = append(r.Measurements, m)
	}
	text := strings.ReplaceAll(write(t, "md", r, Options{}), "\u202f", " ")
	for _, want := range []string{"| 1 | 500.0 | 1 000 | 1 200 | 2\u00a0s |", "| 2 | – | – | 1 200 | 2\u00a0s |", "| 3 | – | – | – | – |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, id := range posts {
		if strings.Contains(write(t, id, r, Options{}), "anna") {
			t.Errorf("%s names the folder", id)
		}
	}
}
