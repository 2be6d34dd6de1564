package ui

import (
	"bytes"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cachecliff/app/reference"
	"cachecliff/bench"
	"cachecliff/ui/compare"
	"cachecliff/ui/part"
)

// twoRuns puts two runs of a table into the library: the second is half as fast.
func twoRuns(t *testing.T, b *bed) (first, second string) {
	t.Helper()
	for i, id := range []string{"20260102T030405Z-a", "20260103T030405Z-b"} {
		r := done(t, "cdm-default").Result
		r.ID, r.At = id, r.At.AddDate(0, 0, i)
		r.App.Method, r.Machine.OS = 1, "Linux"
		r.Comment = []string{"with heatsink", "without"}[i]
		if i == 1 {
			for k := range r.Measurements {
				m := &r.Measurements[k]
				for _, tally := range []*bench.Tally{&m.Read, &m.Write} {
					tally.Bytes, tally.Ops = tally.Bytes/2, tally.Ops/2
				}
			}
		}
		b.library.results[id] = r
	}
	return "20260102T030405Z-a", "20260103T030405Z-b"
}

// seen is all that is on the screen, spaces made plain.
func (b *bed) seen() string { return plain(strings.Join(texts(b.win.Content()), "\n")) }

func (b *bed) choose(change func(*compare.Choice)) {
	c := b.state.Compare.Choice
	change(&c)
	b.ChooseCompare(c)
}

// A run is set beside the reference drives, the fastest first, with what the maker rates besides.
func TestCompareShowsBars(t *testing.T) {
	b := open(t, nil)
	first, _ := twoRuns(t, b)
	b.OpenRoom(Results)
	b.Open(first)
	test.Tap(b.button(t, "Compare"))
	b.choose(func(c *compare.Choice) { c.Metric = "seq_read_max" })
	b.wants(t, "Sequential read, maximum · MB/s · higher is better", "Crucial P5 2 TB (with heatsink)", "rated up to 3 400 MB/s", "Rated by their makers, not ranked")
	b.choose(func(c *compare.Choice) { c.Metric = "slc_cache_gb_fill0" })
	all := b.seen()
	if fast, slow := strings.Index(all, "about 650 GB"), strings.Index(all, "about 100 GB"); fast < 0 || slow < fast {
		t.Errorf("not sorted: %d, %d\n%s", fast, slow, all)
	}
	b.choose(func(c *compare.Choice) { c.Share = true })
	b.wants(t, "% · higher is better", "32.5 % (about 650 GB)")
	b.choose(func(c *compare.Choice) { c.Class = reference.ClassHardDisk })
	b.wants(t, "There is nothing to compare: the filter leaves no value.")
	b.lacks(t, "650 GB")
	b.LeaveCompare()
	b.wants(t, "All results")
}

// Lower is better where it is, and then the lowest stands first.
func TestCompareSortsByDirection(t *testing.T) {
	b := open(t, nil)
	b.Compare(nil)
	b.choose(func(c *compare.Choice) { c.Mode, c.Metric = compare.Bars, "vdb_4k_rr_latency_us" })
	b.wants(t, "lower is better")
	all := b.seen()
	if low, high := strings.Index(all, "340.2 µs"), strings.Index(all, "565.9 µs"); low < 0 || high < low {
		t.Errorf("not sorted: %d, %d", low, high)
	}
}

// The own drive is bold, its bar outlined, and under the pointer is who says what.
func TestCompareTellsSources(t *testing.T) {
	b := open(t, nil)
	first, _ := twoRuns(t, b)
	b.Compare([]string{first})
	b.choose(func(c *compare.Choice) { c.Metric = "slc_cache_gb_fill0" })
	h := b.hints()
	if len(h) < 5 {
		t.Fatalf("%d rows explain themselves", len(h))
	}
	b.win.Canvas().Focus(h[1])
	if tip := b.tip(); !strings.Contains(tip, "review:") || !strings.Contains(tip, "measured") || !strings.Contains(tip, "GB ·") {
		t.Errorf("tip %q", tip)
	}
}

// Runs that were made in another way have no rank, and why is said.
func TestUnlikeRunsAreMarked(t *testing.T) {
	b := open(t, nil)
	first, second := twoRuns(t, b)
	r := b.library.results[second]
	r.Machine.OS, r.Plan.Buffered = "Windows", true
	b.library.results[second] = r
	b.Compare([]string{first, second})
	b.choose(func(c *compare.Choice) { c.Metric, c.Only = "rate.seq1m-q8t1-read", true })
	b.wants(t, "Not ranked", "another system, one went through the page cache", "no two values were made in the same way")
	b.choose(func(c *compare.Choice) { c.Mode = compare.Differences })
	b.wants(t, "not alike: another system")
}

func TestCompareDifferences(t *testing.T) {
	b := open(t, nil)
	first, second := twoRuns(t, b)
	b.Compare([]string{first, second})
	b.choose(func(c *compare.Choice) { c.Mode = compare.Differences })
	b.wants(t, "SEQ1M Q8T1", "7 248 MB/s", "3 624 MB/s", "−50.0 %", "A is better, beyond the spread", "label with heatsink / without")
	b.choose(func(c *compare.Choice) { c.A, c.B = "run-"+second, "run-"+first })
	b.wants(t, "+100.0 %", "B is better")
	b.Compare([]string{first})
	b.choose(func(c *compare.Choice) { c.Mode = compare.Differences })
	b.wants(t, "Mark two runs or drives")
	b.MarkDrive("crucial_p5_2tb", true)
	b.wants(t, "not alike: measured by others")
}

// A run becomes a reference drive with one click, is exported and comes back as it was.
func TestReferenceRoundTrip(t *testing.T) {
	b := open(t, nil)
	first, second := twoRuns(t, b)
	b.Compare([]string{first, second})
	test.Tap(b.button(t, "Drives"))
	test.Tap(b.button(t, "Keep as reference"))
	b.wants(t, "Crucial P5 2 TB (with heatsink) is kept as a reference drive.", "yours")
	all, _, err := b.References.Load()
	if err != nil || all[0].ID != "run-"+first || all[0].Label != "with heatsink" {
		t.Fatalf("kept %s, %v", all[0].ID, err)
	}
	b.MarkDrive("run-"+second, false)
	test.Tap(b.button(t, "Export"))
	file := filepath.Join(b.Pictures, "cachecliff-reference-run-"+first+".json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	test.Tap(b.button(t, "Delete"))
	b.wants(t, "Really delete")
	test.Tap(b.button(t, "Really delete"))
	if now, _, _ := b.References.Load(); len(now) != len(all)-1 {
		t.Errorf("%d drives are left of %d", len(now), len(all))
	}
	b.importReference(io.NopCloser(bytes.NewReader(data)))
	b.wants(t, "Crucial P5 2 TB (with heatsink) is now a reference drive.")
	if !slices.Contains(b.state.Compare.Chosen, "run-"+first) {
		t.Error("what was imported is not marked")
	}
	test.Tap(b.button(t, "Export"))
	again, err := os.ReadFile(strings.TrimSuffix(file, ".json") + "-2.json")
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("the round trip changes it: %v", err)
	}
	b.importReference(io.NopCloser(strings.NewReader("{")))
	b.wants(t, "damaged")
}

// Curves of stage values say that they are none that was recorded.
func TestCompareCurves(t *testing.T) {
	b := open(t, nil)
	first, _ := twoRuns(t, b)
	b.win.Resize(fyne.NewSize(1080, 760))
	b.Compare([]string{first})
	b.MarkDrive("crucial_p5_2tb", true)
	b.MarkDrive("crucial_p5_1tb", true)
	b.choose(func(c *compare.Choice) { c.Mode = compare.Curves })
	b.wants(t, "Without such a curve: Crucial P5 2 TB (with heatsink).")
	var chart *part.Explorer
	walk(b.win.Content(), func(o fyne.CanvasObject) {
		if e, ok := o.(*part.Explorer); ok {
			chart = e
		}
	})
	chart.Still(1)
	drawn := chart.Seen()
	if drawn == nil || len(drawn.Series) != 2 {
		t.Fatalf("%+v", drawn)
	}
	for _, s := range drawn.Series {
		if len(s.Dash) == 0 || !strings.Contains(s.Name, "from stage values, not a recorded curve") {
			t.Errorf("%q is drawn as if it had been recorded", s.Name)
		}
	}
}

func TestComparePicture(t *testing.T) {
	b := open(t, nil)
	first, second := twoRuns(t, b)
	b.win.Resize(fyne.NewSize(MinWidth, MinHeight))
	b.Compare([]string{first, second})
	b.SavePicture()
	names, err := filepath.Glob(filepath.Join(b.Pictures, "cachecliff-compare-*.png"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	f, err := os.Open(names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if img, err := png.Decode(f); err != nil || img.Bounds().Dx() < MinWidth {
		t.Errorf("%v", err)
	}
}

// What cannot be compared is told, and the list stays.
func TestCompareOfNothing(t *testing.T) {
	b := open(t, nil)
	first, second := twoRuns(t, b)
	r := b.library.results[second]
	r.Measurements = nil
	b.library.results[second] = r
	b.OpenRoom(Results)
	b.Compare([]string{second})
	b.wants(t, "has no number that could be compared")
	if b.state.Compare.On {
		t.Error("an empty comparison is shown")
	}
	b.Compare([]string{first, second})
	b.wants(t, "has no number that could be compared", "Bars")
	b.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if b.state.Compare.On {
		t.Error("Escape does not lead back")
	}
}

// Runs that would have the same name are told apart by when they were made.
func TestRunsAreToldApart(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	setup := func(hours int) *reference.Setup {
		return &reference.Setup{At: at.Add(time.Duration(hours) * time.Hour)}
	}
	runs := []reference.Drive{{Model: "A", Setup: setup(0)}, {Model: "A", Setup: setup(1)}, {Model: "B", Setup: setup(2)}}
	tell(runs)
	if runs[0].Label != "2026-01-02 03:04:05" || runs[1].Label != "2026-01-02 04:04:05" || runs[2].Label != "" {
		t.Errorf("%q %q %q", runs[0].Label, runs[1].Label, runs[2].Label)
	}
}
