package facts

import (
	"strings"
	"testing"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/look"
)

func spaced(s string) string { return strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(s) }

func check(t *testing.T, what, got, want string) {
	t.Helper()
	if spaced(got) != want {
		t.Errorf("%s: got %q, want %q", what, spaced(got), want)
	}
}

func drive(model string, capacity int64) platform.Drive {
	return platform.Drive{Name: "sda", Model: model, Capacity: capacity}
}

func TestModel(t *testing.T) {
	p5 := drive("Crucial P5", 2_000_398_934_016)
	for want, t1 := range map[string]platform.Target{
		"tmpfs":                        {Volume: platform.Volume{FS: "tmpfs"}},
		"Crucial P5 2 TB":              {Drives: []platform.Drive{p5}},
		"2 × Crucial P5 2 TB":          {Drives: []platform.Drive{p5, p5}},
		"Crucial P5 2 TB + Old 500 GB": {Drives: []platform.Drive{p5, drive("Old", 500e9)}},
		"Samsung SSD 990 PRO 2TB":      {Drives: []platform.Drive{drive("Samsung SSD 990 PRO 2TB", 2_000_398_934_016)}},
		"sda 500 GB":                   {Drives: []platform.Drive{drive("", 500e9)}},
		"Stick":                        {Drives: []platform.Drive{drive("Stick", 0)}},
	} {
		check(t, "model", Model(&t1, format.EN), want)
	}
}

func TestConnection(t *testing.T) {
	for _, c := range []struct {
		d         platform.Drive
		now, most string
	}{
		{platform.Drive{}, "", ""},
		{platform.Drive{Bus: platform.BusNVMe}, "NVMe", ""},
		{platform.Drive{Bus: platform.BusNVMe, Link: platform.Link{PCIeGen: 3, Lanes: 4}, LinkMax: platform.Link{PCIeGen: 4, Lanes: 4}}, "PCIe 3.0 ×4", "PCIe 4.0 ×4"},
		{platform.Drive{Bus: platform.BusNVMe, Link: platform.Link{PCIeGen: 4, Lanes: 4}, LinkMax: platform.Link{PCIeGen: 4, Lanes: 4}}, "PCIe 4.0 ×4", ""},
		{platform.Drive{Bus: platform.BusSATA, Link: platform.Link{BitRate: 6e9}}, "SATA 6 Gbit/s", ""},
		{platform.Drive{Bus: platform.BusSATA, Link: platform.Link{BitRate: 15e8}}, "SATA 1,5 Gbit/s", ""},
		{platform.Drive{Bus: platform.BusUSB, Link: platform.Link{BitRate: 10e9}}, "USB 10 Gbit/s", ""},
		{platform.Drive{Bus: platform.BusUSB, Link: platform.Link{BitRate: 48e7}}, "USB 480 Mbit/s", ""},
	} {
		target := platform.Target{Drives: []platform.Drive{c.d}}
		check(t, "connection", Connection(&target, format.DE), c.now)
		check(t, "connection at most", ConnectionMax(&target, format.DE), c.most)
	}
}

func TestBar(t *testing.T) {
	w := words.New(words.English)
	target := platform.Target{
		Path: "/home/anna", Volume: platform.Volume{Mount: "/home", FS: "ext4", Size: 2000e9, Free: 740e9, Label: "data"},
		Drives: []platform.Drive{{Model: "Crucial P5", Capacity: 2_000_398_934_016, Bus: platform.BusNVMe, Link: platform.Link{PCIeGen: 3, Lanes: 4}}},
	}
	check(t, "title", Title(&target, format.EN), "Crucial P5 2 TB · data (/home/anna)")
	check(t, "nothing known", Detail(w, &platform.Target{}, Now{}, format.EN), "")
	milli, worn := int32(41_200), 3
	check(t, "all known", Detail(w, &target, Now{MilliC: &milli, Health: &platform.Health{PercentUsed: &worn}}, format.EN),
		"PCIe 3.0 ×4 · 63 % full · 740 GB free · 3 % of endurance used")
	check(t, "no wear", Detail(w, &platform.Target{}, Now{Health: &platform.Health{}}, format.EN), "")
	open := platform.Health{Attributes: []platform.Attribute{{ID: 9}}, Absent: []platform.Absence{{What: platform.PartThresholds, Reason: platform.WhyRights}}}
	check(t, "attributes alone", Detail(w, &platform.Target{}, Now{Health: &open}, format.EN), "run as administrator to see whether it is healthy")
}

func TestClass(t *testing.T) {
	nvme := func(gen int) platform.Drive {
		return platform.Drive{Bus: platform.BusNVMe, Link: platform.Link{PCIeGen: gen, Lanes: 4}}
	}
	for _, c := range []struct {
		d    platform.Drive
		want look.Class
	}{
		{nvme(5), look.ClassPCIe5}, {nvme(6), look.ClassPCIe5}, {nvme(4), look.ClassPCIe4}, {nvme(3), look.ClassPCIe3}, {nvme(2), look.ClassPCIe3},
		{nvme(0), look.ClassUnknown}, {platform.Drive{Bus: platform.BusUSB}, look.ClassExternal}, {platform.Drive{Bus: platform.BusSATA}, look.ClassSATA},
		{platform.Drive{Bus: platform.BusSATA, Rotational: platform.Yes}, look.ClassHardDisk}, {platform.Drive{Bus: platform.BusVirtual}, look.ClassUnknown},
	} {
		if got := Class(&platform.Target{Drives: []platform.Drive{c.d}}); got != c.want {
			t.Errorf("%+v: class %v, want %v", c.d, got, c.want)
		}
	}
	if Class(nil) != look.ClassUnknown || Class(&platform.Target{}) != look.ClassUnknown {
		t.Error("no drive has a class")
	}
}

func TestRun(t *testing.T) {
	w := words.New(words.English)
	probe := func(milli int32, free int64) *bench.Probe {
		return &bench.Probe{Free: free, Drives: []bench.DriveProbe{{Sensors: &platform.Sensors{Temperatures: []platform.Reading{{MilliC: milli}}}}}}
	}
	hot := bench.Sample{Drive: []bench.DriveReading{{Sensors: platform.Sensors{Temperatures: []platform.Reading{{MilliC: 58_000}}}}}}
	r := &bench.Result{
		Reason: bench.ReasonDone, Took: 160 * time.Second, Before: probe(41_000, 740e9), After: probe(45_000, 700e9),
		Measurements: []bench.Measurement{{Series: []bench.Sample{hot}, Moved: bench.Moved{WriteBytes: 95e9}}},
	}
	r.Plan.Target.Volume = platform.Volume{Size: 2000e9, Free: 740e9}
	check(t, "temperatures", Temperatures(r), "41–58 °C")
	r.Between = []bench.DriveReading{{Sensors: platform.Sensors{Temperatures: []platform.Reading{{MilliC: 59_000}}}}}
	check(t, "temperatures with a pause", Temperatures(r), "41–59 °C")
	r.Between = nil
	check(t, "filling", Filling(r, format.EN), "63 % – 65 %")
	check(t, "verdict", Verdict(w, r, format.EN), "Done in 2 min 40 s · 95 GB written · 41–58 °C")
	r.After = nil
	check(t, "filling before", Filling(r, format.EN), "63 %")
	check(t, "no temperatures", Temperatures(&bench.Result{}), "")
	kept := platform.Volume{Size: 2000e9, Used: 160e9, Free: 840e9} // half of it is kept for root
	check(t, "filling of what is for users", Filling(&bench.Result{Plan: bench.Plan{Target: platform.Target{Volume: kept}}}, format.EN), "16 %")
	check(t, "no volume", Filling(&bench.Result{}, format.EN), "")
	for reason, want := range map[bench.Reason]string{
		bench.ReasonStopped: "Stopped after 2 min 40 s · 95 GB written · what was measured is kept", bench.ReasonInterrupted: "Broken off: the program or the computer stopped while it ran", "": "",
	} {
		loop := bench.Measurement{Step: bench.Step{Kind: bench.StepLoad, Loop: 1}, Read: bench.Tally{Ops: 1}, Moved: bench.Moved{WriteBytes: 95e9}}
		r.Reason, r.Before, r.Measurements = reason, nil, []bench.Measurement{loop}
		check(t, string(reason), Verdict(w, r, format.EN), want)
	}
	r.Reason, r.Measurements, r.Unfinished = bench.ReasonStopped, nil, 1_215_000_000
	check(t, "stopped while the file was written", Verdict(w, r, format.EN), "Stopped after 2 min 40 s · 1.215 GB written · nothing was measured yet")
	r.Warnings = []bench.Warning{{Code: bench.WarnBuffered}, {Code: bench.WarnBuffered}, {Code: bench.WarnLayoutUnknown}}
	if d := Doubts(w, r); len(d) != 2 {
		t.Errorf("doubts %q", d)
	}
}

func TestProfileName(t *testing.T) {
	w := words.New(words.German)
	for _, p := range bench.Builtin() {
		name := ProfileName(w, p)
		if name == "" || strings.Contains(name, "profile.") {
			t.Errorf("%s is called %q", p.ID, name)
		}
		if _, mix := CutMix(p.ID); mix && !strings.HasSuffix(name, "Mix 70/30") {
			t.Errorf("%s is called %q", p.ID, name)
		}
	}
	check(t, "own profile", ProfileName(w, bench.Profile{ID: "mine", Title: "My own"}), "My own")
}
