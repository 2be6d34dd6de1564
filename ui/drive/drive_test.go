package drive

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// plain is a text with ordinary spaces.
func plain(s string) string { return strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(s) }

func milli(n int32) *int32    { return &n }
func number(n uint64) *uint64 { return &n }

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// full is a state with everything known.
func full(lang string) State {
	worn, spare, limit := 3, 100, 10
	d := platform.Drive{
		Key: "k1", Name: "nvme0n1", Model: "Crucial P5", Serial: "SECRET-1", Firmware: "P4CR311", Bus: platform.BusNVMe, Driver: "nvme",
		Link: platform.Link{PCIeGen: 3, Lanes: 4}, LinkMax: platform.Link{PCIeGen: 4, Lanes: 4}, LinkSlot: platform.Link{PCIeGen: 4, Lanes: 4},
		Capacity: 2_000_398_934_016, LogicalSector: 512, PhysicalSector: 4096, Rotational: platform.No, Removable: platform.No, Trim: platform.Yes,
		WriteCache: "write back", Scheduler: "none", APST: "100000", LinkPower: "L1 L1.2",
	}
	home := platform.Target{
		Path: "/home", Volume: platform.Volume{Mount: "/home", Source: "/dev/mapper/home", FS: "ext4", Options: "rw,relatime", Size: 2000e9, Free: 740e9, Label: "data"},
		Layers: []platform.Layer{{Kind: platform.LayerLUKS, Name: "dm-0"}, {Kind: platform.LayerPartition, Name: "nvme0n1p2"}}, Drives: []platform.Drive{d},
	}
	s := State{
		Words: words.New(lang), Locale: format.EN, Target: &home, Volumes: []platform.Target{home}, Now: began,
		System: &platform.System{OS: "Debian GNU/Linux 12 (bookworm)", Kernel: "6.1.0", Arch: "amd64", CPU: "AMD Ryzen 7 5800X", CPUs: 16, Board: "B550", Memory: 32 << 30, PowerPlan: "schedutil", OnBattery: platform.No},
		Health: &platform.Health{
			Source: "NVMe log page 2", PercentUsed: &worn, SpareLeft: &spare, SpareThreshold: &limit, HostWrites: number(12_300_000_000_000), PowerOnHours: number(4711),
			MediaErrors: number(0), ControllerBusyMin: number(90), Passed: platform.Yes,
		},
		Limits: platform.TempLimits{WarnMilliC: milli(70_000), CritMilliC: milli(85_000)},
	}
	s.Health.Explain(platform.WhyNotReported, platform.PartHeavyThrottles, platform.PartLightThrottles)
	s.Watch = s.Watch.Add("k1", began, readings(41_000, 45_000), nil)
	return s
}

func readings(milli ...int32) platform.Sensors {
	s := platform.Sensors{Source: "hwmon"}
	for i, m := range milli {
		label := "Composite"
		if i > 0 {
			label = fmt.Sprintf("Sensor %d", i)
		}
		s.Temperatures = append(s.Temperatures, platform.Reading{Label: label, MilliC: m})
	}
	return s
}

func wants(t *testing.T, s State, want ...string) {
	t.Helper()
	all := plain(s.Text())
	for _, w := range want {
		if !strings.Contains(all, w) {
			t.Errorf("%q is missing in\n%s", w, all)
		}
	}
}

func lacks(t *testing.T, s State, no ...string) {
	t.Helper()
	for _, n := range no {
		if all := plain(s.Text()); strings.Contains(all, n) {
			t.Errorf("%q is in\n%s", n, all)
		}
	}
}

func TestEverythingKnown(t *testing.T) {
	s := full(words.English)
	wants(t, s, "Crucial P5", "P4CR311", "2 TB (2 000 398 934 016 bytes)", "512 bytes, 4 096 inside", "PCIe 3.0 ×4 in a 4.0 slot", "Drive at most:\tPCIe 4.0 ×4",
		"on (write back)", "none", "TRIM:\tyes", "Solid state", "if it wakes within 100 ms (APST)", "/home · data · /dev/mapper/home → dm-0 → nvme0n1p2 · rw,relatime", "rw,relatime", "LUKS", "63 %", "AMD Ryzen 7 5800X", "32 GiB", "schedutil", "On battery:\tno",
		"41 °C", "70 °C", "85 °C", "read just now · source: hwmon", "Data written:\t12.3 TB", "Power-on hours:\t4 711 h", "Controller busy time:\t1 h 30 min",
		"does not report: Light throttles (TMT1), Heavy throttles (TMT2).", "slower than the drive can")
}

func TestSerialIsShownOnlyWhenAskedFor(t *testing.T) {
	s := full(words.English)
	lacks(t, s, "SECRET-1")
	wants(t, s, "Serial number:\thidden")
	s.Serial = true
	wants(t, s, "SECRET-1")
}

func TestSlowLink(t *testing.T) {
	link := func(gen, lanes int) platform.Link { return platform.Link{PCIeGen: gen, Lanes: lanes} }
	sata := func(rate int64) platform.Link { return platform.Link{BitRate: rate} }
	for _, c := range []struct {
		now, most, slot platform.Link
		want            string
	}{
		{platform.Link{}, platform.Link{}, platform.Link{}, ""}, {link(4, 4), link(4, 4), link(4, 4), ""}, {link(4, 4), link(4, 4), link(5, 16), ""},
		{link(3, 4), link(4, 4), link(3, 4), "slot"}, {link(4, 2), link(4, 4), link(4, 2), "slot"}, {link(3, 4), link(4, 4), link(4, 4), "link"},
		{link(1, 4), link(4, 4), platform.Link{}, "link"}, {link(4, 2), link(4, 4), link(4, 4), "link"},
		{sata(3e9), sata(6e9), platform.Link{}, "link"}, {sata(6e9), sata(6e9), platform.Link{}, ""}, {sata(6e9), platform.Link{}, platform.Link{}, ""},
	} {
		if got := slower(&platform.Drive{Link: c.now, LinkMax: c.most, LinkSlot: c.slot}); got != c.want {
			t.Errorf("%+v of %+v in %+v: %q, want %q", c.now, c.most, c.slot, got, c.want)
		}
	}
}

func TestNoDrive(t *testing.T) {
	s := State{Words: words.New(words.English), Looking: true}
	wants(t, s, "Looking for drives")
	s.Looking = false
	wants(t, s, "No drive chosen")
	s.Target = &platform.Target{Path: "/tmp", Volume: platform.Volume{Mount: "/tmp", FS: "tmpfs"}}
	wants(t, s, "/tmp lies on no drive of this computer (tmpfs)")
}

func TestNoTemperature(t *testing.T) {
	for want, c := range map[string]struct {
		s   platform.Sensors
		err error
	}{
		"The drive sleeps and is not woken":        {platform.Sensors{Asleep: true}, nil},
		"Only administrators are shown":            {platform.Sensors{NoTemp: platform.WhyRights}, nil},
		"The USB adapter does not pass":            {platform.Sensors{NoTemp: platform.WhyBridge}, nil},
		"The drive shows no temperature":           {platform.Sensors{}, nil},
		"could not be read just now":               {platform.Sensors{}, platform.ErrIO},
		"The question for the temperature came to": {platform.Sensors{NoTemp: "news"}, nil},
	} {
		s := full(words.English)
		s.Watch = s.Watch.Add("k1", began, c.s, c.err)
		wants(t, s, want)
		lacks(t, s, "41 °C")
		if s.Watch.Milli() != nil {
			t.Errorf("%s: there is a temperature", want)
		}
	}
}

func TestOldReading(t *testing.T) {
	s := full(words.English)
	s.Now = began.Add(7500 * time.Millisecond)
	wants(t, s, "read 7 s ago")
	s.Watch.Last.TempAge = time.Minute
	wants(t, s, "read 1 min 7 s ago")
}

func TestHotSensorHasATone(t *testing.T) {
	for m, want := range map[int32]part.Tone{69_000: part.Plain, 70_000: part.Doubt, 85_000: part.Bad} {
		s := full(words.English)
		s.Watch = s.Watch.Add("k1", began, readings(m, 99_000), nil)
		c := s.temperature()
		if c.Big.Tone != want || c.Table.Rows[0][1].Tone != want || c.Table.Rows[1][1].Tone != part.Plain {
			t.Errorf("%d: tones %v, %v, %v", m, c.Big.Tone, c.Table.Rows[0][1].Tone, c.Table.Rows[1][1].Tone)
		}
	}
}

// A sensor that never moves is named, sooner if another one of the drive does move.
func TestStillSensor(t *testing.T) {
	for _, c := range []struct {
		name  string
		each  []platform.Sensors
		stood time.Duration
		want  []string
	}{
		{"both move", []platform.Sensors{readings(41_000, 45_000), readings(43_000, 46_000)}, time.Hour, nil},
		{"one stands", []platform.Sensors{readings(41_000, 40_000), readings(43_000, 40_000)}, 2 * time.Minute, []string{"Sensor 1"}},
		{"one stands, too short", []platform.Sensors{readings(41_000, 40_000), readings(43_000, 40_000)}, 30 * time.Second, nil},
		{"all stand in rest", []platform.Sensors{readings(41_000, 40_000), readings(41_000, 40_000)}, 10 * time.Minute, nil},
		{"all stand for long", []platform.Sensors{readings(40_000), readings(40_000)}, 20 * time.Minute, []string{"Composite"}},
	} {
		var w Watch
		w = w.Add("k1", began, c.each[0], nil)
		w = w.Add("k1", began.Add(c.stood), c.each[1], nil)
		var got []string
		for _, r := range c.each[0].Temperatures {
			if _, still := w.Still(r.Label); still {
				got = append(got, r.Label)
			}
		}
		if strings.Join(got, ",") != strings.Join(c.want, ",") {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	s := full(words.English)
	s.Watch = s.Watch.Add("k1", began.Add(5*time.Minute), readings(45_000, 45_000), nil)
	wants(t, s, "Sensor 1 has shown 45 °C for 5 min without a change", "41–45 °C")
	if w := s.Watch.Add("k2", began, readings(30_000), nil); len(w.shown) != 1 || w.Drive != "k2" {
		t.Error("another drive does not begin anew")
	}
}

func TestAttributes(t *testing.T) {
	limit := 36
	s := full(words.English)
	s.Health.Attributes = []platform.Attribute{
		{ID: 5, Name: "Reallocated_Sector_Ct", Normalized: 30, Worst: 30, Threshold: &limit, Raw: 1234, Vital: true, Failing: true},
		{ID: 194, Name: "Drive_Temperature", Normalized: 67, Worst: 50, Raw: 0x2d00140021},
		{ID: 240, Normalized: 100, Worst: 100, Raw: 1 << 41},
	}
	wants(t, s, "5\tReallocated_Sector_Ct · Sectors that failed and were replaced by spare ones\t30\t30\t36\t1 234",
		"194\tDrive_Temperature · Temperature in °C", "\t–\t", "240\tof unknown meaning\t100\t100\t–\t0x020000000000")
	if c := s.attributes(); c.Table.Rows[0][1].Tone != part.Bad || c.Table.Rows[1][1].Tone != part.Plain {
		t.Error("the attribute that fails is not marked")
	}
	wants(t, s, "Bad", "Attribute 5 (Reallocated_Sector_Ct) is at 30", "replace the drive.")
}

func TestVerdict(t *testing.T) {
	s := full(words.English)
	wants(t, s, "Good")
	errors := uint64(2)
	s.Health.MediaErrors = &errors
	wants(t, s, "2 errors that the drive could not correct", "Keep a backup")
	s.Health = &platform.Health{}
	s.Health.Explain(platform.WhyBridge)
	wants(t, s, "Unknown", "The USB adapter does not pass on: ")
}

func TestMarks(t *testing.T) {
	w, d := words.New(words.English), full(words.English).Target
	worn, warm, warn, crit := 3, int32(41_000), int32(70_000), int32(85_000)
	good, bad := &platform.Health{PercentUsed: &worn}, &platform.Health{Critical: []string{"read-only"}}
	for _, c := range []struct {
		name string
		now  facts.Now
		want []part.Mark
	}{
		{"nothing known", facts.Now{}, nil},
		{"warm and well", facts.Now{MilliC: &warm, Health: good}, []part.Mark{{Text: "41 °C"}, {Sign: "✓", Text: "Health: good", Tone: part.Good}}},
		{"hot", facts.Now{MilliC: &warn, Warn: &warn, Critical: &crit}, []part.Mark{{Text: "70 °C", Tone: part.Doubt}}},
		{"too hot", facts.Now{MilliC: &crit, Warn: &warn, Critical: &crit}, []part.Mark{{Text: "85 °C", Tone: part.Bad}}},
		{"failing", facts.Now{Health: bad}, []part.Mark{{Sign: "✕", Text: "Health: bad", Tone: part.Bad}}},
		{"tells nothing", facts.Now{Health: &platform.Health{}}, []part.Mark{{Sign: "○", Text: "Health: unknown", Tone: part.Dim}}},
	} {
		got := Marks(w, d, c.now)
		for i := range got {
			got[i].Text = plain(got[i].Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestHealthThatIsNotThere(t *testing.T) {
	s := full(words.English)
	s.Health, s.Fault = nil, &platform.OpError{Op: "ask", Object: "nvme0n1", Reason: platform.ErrPermission}
	wants(t, s, "shown the health of this drive")
	s.Fault = nil
	wants(t, s, "Reading …")
}

// No text of a section leaves it, overlaps another or is cut where there is room for it.
func TestLayout(t *testing.T) {
	test.NewTempApp(t)
	limit := 36
	for _, lang := range words.Languages() {
		s := full(lang)
		s.Health.Attributes = []platform.Attribute{{ID: 5, Name: "Reallocated_Sector_Ct", Normalized: 100, Worst: 100, Threshold: &limit, Raw: 0xFFFFFFFFFFFF}}
		for i, c := range s.Sections() {
			for _, width := range []float32{380, 640, 1200} {
				if i >= firstOfWide && width < leastWide {
					continue
				}
				set := layOut(&c, width)
				for j, it := range set.items {
					size := part.Measure(it.role, it.text)
					if it.at.X < pad || it.at.X+it.width > width-pad+1 || it.at.Y+size.Height > set.y+1 {
						t.Errorf("%s, section %d at %v: %q leaves it", lang, i, width, it.text)
					}
					if strings.HasSuffix(it.text, "…") && it.text != "…" {
						t.Errorf("%s, section %d at %v: %q is cut", lang, i, width, it.text)
					}
					for _, o := range set.items[:j] {
						if hits(it, o) {
							t.Errorf("%s, section %d at %v: %q and %q overlap", lang, i, width, it.text, o.text)
						}
					}
				}
			}
		}
	}
}

func hits(a, b item) bool {
	left := func(i item) float32 {
		if i.right {
			return i.at.X + i.width - part.Measure(i.role, i.text).Width
		}
		return i.at.X
	}
	ax, bx := left(a), left(b)
	aw, bw := part.Measure(a.role, a.text).Width, part.Measure(b.role, b.text).Width
	ah, bh := a.role.Size, b.role.Size // of the letters: lines may touch
	return ax < bx+bw-0.5 && bx < ax+aw-0.5 && a.at.Y < b.at.Y+bh && b.at.Y < a.at.Y+ah
}

func TestWrap(t *testing.T) {
	test.NewTempApp(t)
	role := look.Label
	for _, s := range []string{"", "word", "some words that need more than one line", strings.Repeat("x", 100), "rw,relatime,compress=zstd:1,space_cache=v2", "ä ö ü ß 你好"} {
		lines := wrap(s, role, 100)
		if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.ReplaceAll(s, " ", "") {
			t.Errorf("%q became %q", s, lines)
		}
		for _, l := range lines {
			if part.Measure(role, l).Width > 101 {
				t.Errorf("%q is too wide", l)
			}
		}
	}
	if got := wrap("ab", role, 1); strings.Join(got, "") == "" {
		t.Errorf("no room: %q", got)
	}
}

// clicks counts what was asked for.
type clicks struct{ got []string }

func (c *clicks) PickDrive(i int)   { c.got = append(c.got, fmt.Sprint("drive ", i)) }
func (c *clicks) ShowSerial(b bool) { c.got = append(c.got, fmt.Sprint("serial ", b)) }
func (c *clicks) ReadAgain()        { c.got = append(c.got, "again") }
func (c *clicks) CopyText()         { c.got = append(c.got, "copy") }
func (c *clicks) SavePicture()      { c.got = append(c.got, "picture") }

func TestPage(t *testing.T) {
	test.NewTempApp(t)
	c := &clicks{}
	p := New(part.Keys{}, c)
	win := test.NewTempWindow(t, p.Object)
	win.Resize(fyne.NewSize(660, 500))
	s := full(words.English)
	p.Show(s)
	for _, b := range []*part.Button{p.serial, p.again, p.text, p.picture} {
		test.Tap(b)
	}
	if got := strings.Join(c.got, ", "); got != "serial true, again, copy, picture" {
		t.Error(got)
	}
	if p.choice.Visible() {
		t.Error("a choice among one drive")
	}
	two := *s.Target
	two.Drives = append(two.Drives, platform.Drive{Key: "k2", Name: "nvme1n1", Model: "Other"})
	s.Target, s.Index = &two, 1
	p.Show(s)
	if !p.choice.Visible() || p.serial.Visible() {
		t.Error("the second drive is not offered")
	}
	wants(t, s, "Other")
}

// The page scrolls by keyboard to its end and not past it, and a wider page is less high.
func TestScroll(t *testing.T) {
	test.NewTempApp(t)
	p := New(part.Keys{}, &clicks{})
	win := test.NewTempWindow(t, p.Object)
	win.Resize(fyne.NewSize(660, 500))
	p.Show(full(words.English))
	key := func(n fyne.KeyName) { p.view.TypedKey(&fyne.KeyEvent{Name: n}) }
	narrow := p.view.content.Size().Height
	if narrow <= p.view.Size().Height {
		t.Fatalf("nothing to scroll: %v in %v", narrow, p.view.Size())
	}
	key(fyne.KeyPageDown)
	if p.view.Offset.Y <= 0 {
		t.Error("Page down does nothing")
	}
	key(fyne.KeyEnd)
	if got, want := p.view.Offset.Y, narrow-p.view.Size().Height; got < want-1 || got > want+1 {
		t.Errorf("the end is at %v, want %v", got, want)
	}
	key(fyne.KeyHome)
	if p.view.Offset.Y != 0 {
		t.Error("Home does not go to the top")
	}
	win.Resize(fyne.NewSize(1900, 500))
	if wider := p.view.content.MinSize().Height; wider >= narrow {
		t.Errorf("%v high when wide, %v when narrow", wider, narrow)
	}
}

// What is laid out or refreshed again keeps its objects: for new ones the window would lay it out again.
func TestPaperKeepsItsObjects(t *testing.T) {
	test.NewTempApp(t)
	s := full(words.English)
	p := newPaper()
	p.show(s.volumes())
	p.Resize(fyne.NewSize(700, p.height(700)))
	r := test.WidgetRenderer(p)
	before := slices.Clone(r.Objects())
	r.Refresh()
	r.Layout(p.Size())
	if !slices.Equal(before, r.Objects()) || len(before) < 10 {
		t.Errorf("%d objects, then others", len(before))
	}
}
