// Package platformtest has a fake drive that lives in sleeps, so that a testing/synctest bubble runs
// hours of it in a moment, and the conformance suite that the fake and every real back end pass. It is
// for tests and demonstrations; nothing that measures a real drive uses it.
package platformtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"cachecliff/platform"
)

// Model is how the fake drive behaves. Rates are bytes per second.
type Model struct {
	Capacity     int64
	ReadRate     float64
	ReadLatency  time.Duration // of one I/O on an idle drive, beside its transfer
	WriteLatency time.Duration
	CacheRate    float64 // write rate while the write cache lasts
	CacheBytes   int64   // size of the write cache
	FoldRate     float64 // write rate once the cache is full; it never recovers
	Ambient      float64 // °C
	HeatPerGBps  float64 // °C above ambient at a steady 10^9 bytes per second
	HeatTau      time.Duration
	ThrottleAt   float64 // °C; above it the drive runs at half its rate. 0 is never
}

// Typical is a PCIe 3.0 drive of the middle class: 3.4 GB/s read, 2.4 GB/s into a cache of 40 GB, then
// 800 MB/s, 38 °C idle.
func Typical() Model {
	return Model{
		Capacity: 1000e9, ReadRate: 3.4e9, ReadLatency: 60 * time.Microsecond, WriteLatency: 15 * time.Microsecond,
		CacheRate: 2.4e9, CacheBytes: 40e9, FoldRate: 800e6,
		Ambient: 38, HeatPerGBps: 12, HeatTau: 60 * time.Second, ThrottleAt: 85,
	}
}

// Options are what else a test decides.
type Options struct {
	Model Model
	Keep  bool // keep what is written, so that it can be read back
	Named bool // test files have a name until they are closed
	Lies  bool // takes the flag for direct I/O and goes through the page cache all the same

	Sector int // what I/Os must be aligned to; 0 is 512

	// Fault, if set, is asked for each I/O and may make it fail.
	Fault func(op platform.Op, off int64, now time.Duration) error
	// Late, if set, says how long Wait oversleeps, as a thread does that gets no processor.
	Late func(now time.Duration) time.Duration
	// Stalled, if set, says whether the drive answers nothing for now.
	Stalled func(now time.Duration) bool

	// Counted is what the drive has counted before.
	Counted platform.Counters
	// Narrow has counts wrap as on a 32-bit system.
	Narrow bool
	// Sensor, if set, is asked whenever a Meter reads counters and, with temperature set, temperatures: it
	// may fail, or sleep as long as the drive does not answer.
	Sensor func(temperature bool, now time.Duration) error
	// Told, if set, hears of each answer that a queue gives, with its final times.
	Told func(Answer)

	// Shares has every copy of a file share its blocks, however it is made.
	Shares bool
	// Folders are what folders of a user hold, by their paths.
	Folders map[string][]platform.Entry
	// CopyFault, if set, is asked for each file that is copied or read and may make that fail.
	CopyFault func(path string) error
	// Sources are what can be cloned, by their paths.
	Sources map[string]Source
	// Refuses, if set, says which names an area cannot have.
	Refuses func(name string) bool
	// Spoils, if set, says of which copies a byte is wrong.
	Spoils func(name string) bool

	// Gone, if set, says whether the drive was pulled out: I/O fails as on a broken one, sensors are not there.
	Gone func(now time.Duration) bool
}

// Answer is an I/O that a queue was done with.
type Answer struct {
	Queue int // number of the queue, in the order in which they were made
	Seq   int // number of the I/O, in the order in which the queue was given them
	Off   int64
	platform.Done
}

// Host is a computer with one fake drive.
type Host struct {
	opt   Options
	began time.Time

	mu      sync.Mutex
	free    time.Duration // when the drive has transferred all it was asked for
	written int64
	heat    float64 // °C above ambient
	heatAt  time.Duration
	busy    float64 // bytes since heatAt
	count   platform.Counters
	files   map[string]*data
	serial  int
	queues  int
	trees   map[string]*node // files and folders of areas, by their paths
}

var _ platform.Host = (*Host)(nil)

// New makes a host whose clock starts now.
func New(o Options) *Host {
	if o.Model == (Model{}) {
		o.Model = Typical()
	}
	return &Host{opt: o, began: time.Now(), count: o.Counted, files: map[string]*data{}, trees: map[string]*node{}}
}

// Now implements platform.Host.
func (h *Host) Now() time.Duration { return time.Since(h.began) }

// Drive is the fake drive's identity.
func (h *Host) Drive() platform.Drive {
	return platform.Drive{
		Key: "fake-1", Name: "fake0n1", Model: "Fakedrive 1000", Serial: "SN-SECRET-1", Firmware: "1.0",
		Bus: platform.BusNVMe, Driver: "fake", Link: platform.Link{PCIeGen: 3, Lanes: 4}, LinkMax: platform.Link{PCIeGen: 4, Lanes: 4},
		Capacity: h.opt.Model.Capacity, LogicalSector: 512, PhysicalSector: 4096,
		Rotational: platform.No, Removable: platform.No, Trim: platform.Yes, WriteCache: "write back", Scheduler: "none",
	}
}

// Drives implements platform.Host.
func (h *Host) Drives(context.Context) ([]platform.Drive, error) {
	return []platform.Drive{h.Drive()}, nil
}

// Targets implements platform.Host: one volume that can be used, one that cannot.
func (h *Host) Targets(context.Context) ([]platform.Target, error) {
	return []platform.Target{h.target("/fake"), h.target("/readonly")}, nil
}

// Resolve implements platform.Host. Every path under /fake is a folder.
func (h *Host) Resolve(_ context.Context, path string) (platform.Target, error) {
	if !strings.HasPrefix(path, "/fake") && path != "/readonly" {
		return platform.Target{}, &platform.OpError{Op: "look at", Object: path, Reason: platform.ErrNotExist}
	}
	return h.target(path), nil
}

func (h *Host) target(path string) platform.Target {
	h.mu.Lock()
	defer h.mu.Unlock()
	used := int64(0)
	for _, f := range h.files {
		used += f.size
	}
	for _, n := range h.trees {
		used += n.size
	}
	size := h.opt.Model.Capacity
	t := platform.Target{
		Path: path,
		Volume: platform.Volume{
			Mount: path, Source: "/dev/fake0n1p1", FS: "fakefs", Options: "rw,noatime", Label: "Games",
			Size: size, Used: size*63/100 + used, Free: size*37/100 - used,
		},
		Layers: []platform.Layer{{Kind: platform.LayerPartition, Name: "fake0n1p1"}},
		Drives: []platform.Drive{h.Drive()},
	}
	if path == "/readonly" {
		t.Volume.ReadOnly, t.Refusal = true, platform.RefusedReadOnlyFS
	} else {
		t.Volume.Mount = "/fake"
	}
	return t
}

// Create implements platform.Host.
func (h *Host) Create(t platform.Target, o platform.CreateOptions) (platform.File, error) {
	if o.Size > t.Volume.Free {
		return nil, &platform.OpError{Op: "create test file in", Object: t.Path, Reason: platform.ErrNoSpace}
	}
	if t.Refusal != platform.Usable {
		return nil, &platform.OpError{Op: "create test file in", Object: t.Path, Reason: platform.ErrReadOnly}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.serial++
	d := &data{host: h, name: fmt.Sprintf("%s/fake-%d", t.Path, h.serial), size: o.Size, pages: map[int64][]byte{}, seen: make([]uint64, (o.Size/pageSize+64)/64)}
	h.files[d.name] = d
	return &file{data: d, owner: true, direct: !o.Buffered}, nil
}

// Open implements platform.Host.
func (h *Host) Open(name string, o platform.OpenOptions) (platform.File, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	d, ok := h.files[name]
	if !ok {
		return nil, &platform.OpError{Op: "open test file", Object: name, Reason: platform.ErrNotExist}
	}
	return &file{data: d, direct: !o.Buffered}, nil
}

// Leftovers implements platform.Host.
func (h *Host) Leftovers(platform.Target) ([]string, error) { return nil, nil }

// Files lists the test files, and all that lies in areas, that are there now.
func (h *Host) Files() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for name := range h.files {
		out = append(out, name)
	}
	for name := range h.trees {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Sensors implements platform.Host.
func (h *Host) Sensors(_ context.Context, d platform.Drive) (platform.Sensors, error) {
	if h.gone() {
		return platform.Sensors{}, &platform.OpError{Op: "read the counters of", Object: d.Name, Reason: platform.ErrGone}
	}
	return h.sensors(), nil
}

func (h *Host) gone() bool { return h.opt.Gone != nil && h.opt.Gone(h.Now()) }

func (h *Host) sensors() platform.Sensors {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.Now()
	count := h.count
	if h.opt.Narrow {
		count = narrow(count)
	}
	return platform.Sensors{
		At: now, Source: "fake", Counters: &count,
		Temperatures: []platform.Reading{{Label: "Composite", MilliC: int32(h.temperature(now) * 1000)}},
	}
}

// Health implements platform.Host.
func (h *Host) Health(context.Context, platform.Drive) (platform.Health, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	used, spare, written := 3, 100, uint64(h.written)
	return platform.Health{Source: "fake", PercentUsed: &used, SpareLeft: &spare, HostWrites: &written}, nil
}

// System implements platform.Host.
func (h *Host) System(context.Context) (platform.System, error) {
	return platform.System{OS: "Fake OS 1", Kernel: "1.0", Arch: "fake64", CPU: "Fake CPU", CPUs: 8, Memory: 32 << 30}, nil
}

// Folders implements platform.Host.
func (h *Host) Folders() (platform.Folders, error) {
	return platform.Folders{Data: "/fake-data", Config: "/fake-config", Pictures: "/fake-pictures"}, nil
}
