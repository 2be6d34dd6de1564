package card

import (
	"os"
	"testing"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

func TestLook(t *testing.T) {
	p, _ := bench.ByID("cdm-default+mix")
	r := &bench.Result{ID: "20261130-abc", At: time.Now(), Machine: platform.System{CPU: "AMD Ryzen 7 5800X 8-Core Processor", OS: "Debian GNU/Linux 12 (bookworm)", Kernel: "6.1.0-18-amd64"}, App: bench.App{Version: "0.1.0"}}
	r.Plan = bench.Plan{Profile: p, Target: platform.Target{Path: "/home", Volume: platform.Volume{Mount: "/home", FS: "ext4", Size: 1e12, Free: 4e11}, Drives: []platform.Drive{{Model: "Crucial P5", Capacity: 2_000_398_934_016, Firmware: "P4CR311", Bus: platform.BusNVMe, Driver: "nvme", Link: platform.Link{PCIeGen: 3, Lanes: 4}, LinkMax: platform.Link{PCIeGen: 4, Lanes: 4}}}}}
	rate := int64(7e9)
	for _, w := range p.Workloads {
		for l := 1; l <= 3; l++ {
			b := rate * 5 * int64(100-l) / 100
			tl := bench.Tally{Ops: b / int64(w.Spec.Block), Bytes: b, SumLat: 5 * time.Second * time.Duration(w.Spec.Depth)}
			m := bench.Measurement{Step: bench.Step{Kind: bench.StepLoad, Workload: w.ID, Spec: w.Spec, Loop: l}, Elapsed: 5 * time.Second}
			if w.Spec.ReadPct > 0 {
				m.Read = tl
			} else {
				m.Write = tl
			}
			r.Measurements = append(r.Measurements, m)
		}
		rate = rate * 6 / 10
	}
	f, _ := os.Create("/tmp/ui-work/card.png")
	if err := Write(f, r, Options{Words: words.New("de"), Locale: format.DE, Unit: bench.UnitMBs, Dark: true}); err != nil {
		t.Fatal(err)
	}
	f.Close()
}
