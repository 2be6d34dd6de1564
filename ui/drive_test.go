package ui

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/part"
)

func (h *fakeHost) System(context.Context) (platform.System, error) {
	return platform.System{OS: "Debian GNU/Linux 12", Kernel: "6.1.0", CPU: "AMD Ryzen 7 5800X", CPUs: 16, PowerPlan: "schedutil"}, nil
}

// pair is a target on two drives.
func pair() platform.Target {
	t := goodTarget()
	t.Drives = append(t.Drives, platform.Drive{Key: "k2", Name: "sdb", Model: "Old disk", Serial: "SECRET-2", Bus: platform.BusSATA})
	return t
}

func TestDriveRoom(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Drive)
	b.wants(t, "Crucial P5", "P4CR311", "PCIe 3.0 ×4", "PCIe 4.0 ×4", "41 °C", "Whole drive", "/home", "ext4", "AMD Ryzen 7 5800X", "schedutil", "Percentage used")
}

// Neither the page, nor pictures, nor the copied text show the serial number, unless the user asks for it on the
// page.
func TestSerialStaysInside(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Drive)
	secret := func() bool { return strings.Contains(strings.Join(texts(b.win.Content()), "\n"), "SECRET-1") }
	if secret() {
		t.Error("the serial number is shown unasked")
	}
	test.Tap(b.button(t, "Show serial number"))
	if !secret() {
		t.Error("the serial number is not shown")
	}
	f := newFrame(part.Keys{}, nobody{})
	f.object.Resize(b.win.Content().Size())
	f.Show(b.pictured())
	pictured := strings.Join(texts(f.object), "\n")
	test.Tap(b.button(t, "Save picture"))
	if names, _ := filepath.Glob(filepath.Join(b.Pictures, "*-window.png")); len(names) != 1 {
		t.Errorf("saved %v", names)
	}
	if !strings.Contains(pictured, "P4CR311") || strings.Contains(pictured, "SECRET-1") {
		t.Errorf("the picture says\n%s", pictured)
	}
	b.wants(t, "Saved in")
	b.shortcut(&fyne.ShortcutCopy{})
	if c := b.App.Clipboard().Content(); !strings.Contains(c, "P4CR311") || strings.Contains(c, "SECRET-1") {
		t.Errorf("copied\n%s", c)
	}
	b.wants(t, "Copied as text")
	test.Tap(b.button(t, "Hide serial number"))
	if secret() {
		t.Error("the serial number is still shown")
	}
	test.Tap(b.button(t, "Show serial number"))
	b.PickTarget()
	b.pickTarget(goodTarget())
	if secret() {
		t.Error("another target brings its serial number along")
	}
}

func TestOneOfTwoDrives(t *testing.T) {
	b := open(t, func(_ *Deps, b *bed) { b.host.targets[0] = pair() })
	b.OpenRoom(Drive)
	b.PickDrive(1)
	b.wants(t, "Old disk", "SATA")
	if d := b.state.Drive; d.Health == nil || d.Watch.Drive != "k2" || d.Reading || len(d.Volumes) != 1 {
		t.Errorf("of the second drive is known: %+v", d)
	}
	if b.state.Now.Health == nil || b.state.Now.MilliC == nil {
		t.Error("the bar forgot the first drive")
	}
	b.pickTarget(goodTarget())
	b.wants(t, "P4CR311")
}

// What belongs to another drive than the one that is shown by now is not shown.
func TestLateAnswers(t *testing.T) {
	b := open(t, func(_ *Deps, b *bed) { b.host.targets[0] = pair() })
	b.OpenRoom(Drive)
	old := b.state.Target.Drives[1]
	b.takeSensors(old, platform.Sensors{Temperatures: []platform.Reading{{Label: "Composite", MilliC: 99_000}}}, nil)
	if b.state.Drive.Watch.Drive != "k1" || *b.state.Now.MilliC != 41_000 {
		t.Error("the temperature of another drive is shown")
	}
}

// A temperature that is not known any more goes.
func TestTemperatureGoes(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Drive)
	d := b.state.Target.Drives[0]
	b.takeSensors(d, platform.Sensors{Asleep: true}, nil)
	b.wants(t, "The drive sleeps and is not woken")
	if all := plain(strings.Join(texts(b.win.Content()), "\n")); strings.Contains(all, "41 °C") {
		t.Error("the old temperature is still there")
	}
}

func TestHealthIsExplained(t *testing.T) {
	b := open(t, func(_ *Deps, b *bed) { b.host.health = nil })
	b.OpenRoom(Drive)
	b.wants(t, "shown the health of this drive")
	h := platform.Health{}
	h.Explain(platform.WhyRights)
	b.host.health = &h
	test.Tap(b.button(t, "Read again"))
	b.wants(t, "Only administrators are shown:")
}

// The health is not asked for while a run goes on.
func TestNoHealthWhileMeasuring(t *testing.T) {
	b := open(t, func(_ *Deps, b *bed) { b.host.health = nil })
	b.showView(running(t, "cdm-default"))
	worn := 50
	b.host.health = &platform.Health{PercentUsed: &worn}
	b.OpenRoom(Drive)
	if b.state.Drive.Health != nil || b.state.Drive.Reading {
		t.Error("the drive was asked while it was measured")
	}
	b.runs.view = done(t, "cdm-default")
	b.showView(b.runs.view)
	if b.state.Drive.Health == nil {
		t.Error("the drive was not asked afterwards")
	}
}

func TestVolumesOfADrive(t *testing.T) {
	home, again, raw, other := goodTarget(), goodTarget(), goodTarget(), refusedTarget()
	again.Path = "/home/anna/folder"
	raw.Path, raw.Volume = "/dev/nvme0n1p3", platform.Volume{Source: "/dev/nvme0n1p3", FS: "ntfs"}
	var got []string
	for _, v := range volumesOn("k1", []platform.Target{home, other, raw, again}) {
		got = append(got, v.Path)
	}
	if want := []string{"/home/anna", "/dev/nvme0n1p3"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The drive is looked at once a second while the page is open, and not while it is closed.
func TestWatchDrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		looks, reads := make(chan bool, 1), 0
		go watchDrive(ctx, looks, func(context.Context) { reads++ })
		count := func(want int, what string) {
			t.Helper()
			<-time.After(9500 * time.Millisecond)
			synctest.Wait()
			if reads != want {
				t.Errorf("%s: %d looks, want %d", what, reads, want)
			}
			reads = 0
		}
		count(0, "never opened")
		looks <- true
		count(10, "open")
		looks <- false
		count(0, "closed")
		looks <- true
		count(10, "open again")
		cancel()
		count(0, "at the end")
	})
}

func TestDriveRoomFitsTheSmallestWindow(t *testing.T) {
	b := open(t, func(_ *Deps, b *bed) { b.host.targets[0] = pair() })
	b.win.Resize(fyne.NewSize(MinWidth, MinHeight))
	for _, lang := range words.Languages() {
		b.setLanguage(lang)
		b.OpenRoom(Drive)
		for _, notice := range []string{"", "drive.copied"} {
			if notice != "" {
				b.copyDrive()
			}
			if m := b.win.Content().MinSize(); m.Width > MinWidth || m.Height > MinHeight {
				t.Errorf("%s, %q: needs %v", lang, notice, m)
			}
		}
	}
}

func TestDriveKeys(t *testing.T) {
	b := open(t, nil)
	b.typedShortcut(shortcutDrive)
	if b.state.Room != Drive {
		t.Error("the shortcut does not open the Drive page")
	}
	b.typedShortcut(shortcutSave)
	if names, _ := filepath.Glob(filepath.Join(b.Pictures, "*.png")); len(names) != 1 {
		t.Errorf("Ctrl+S saved %v", names)
	}
}

// The page tells what the drive counted in the last run on it, which a run that ends becomes.
func TestLastRunOnADrive(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Drive)
	if b.state.Drive.Last != nil {
		t.Error("a run out of nothing")
	}
	told := func(written uint64) *bench.Probe {
		return &bench.Probe{Drives: []bench.DriveProbe{{Drive: "k1", Health: &platform.Health{HostWrites: &written}}}}
	}
	v := done(t, "cdm-default")
	v.Result.Before, v.Result.After = told(100e9), told(350e9)
	other := v.Result
	other.ID = "20260202T030405Z-newer"
	other.Plan.Target = pair()
	other.Plan.Target.Drives = other.Plan.Target.Drives[1:]
	other.Plan.Target.Drives[0].Model = "Crucial P5" // only the key tells them apart
	b.library.results[other.ID], b.library.results[v.Result.ID] = other, v.Result
	b.library.damaged["20260203T000000Z-bad"] = platform.ErrIO
	b.runs.view = v
	b.showView(v)
	b.wants(t, "Last run on this drive: 2026-01-02", "Data written", "250 GB")
}
