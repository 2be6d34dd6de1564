package platformtest

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"cachecliff/platform"
)

const pageSize = 4096

// data is a fake file. Its host's lock guards it.
type data struct {
	host  *Host
	name  string
	size  int64
	pages map[int64][]byte // what was written, with Options.Keep
	seen  []uint64         // a bit per page that was written

	dropped bool // taken out of the page cache, and not written since
}

// file is one opening of it.
type file struct {
	*data
	owner  bool
	direct bool
	closed bool
}

func (f *file) Name() string { return f.name }
func (f *file) Size() int64  { return f.size }
func (f *file) Align() int   { return max(f.host.opt.Sector, 512) }
func (f *file) Direct() bool { return f.direct }
func (f *file) Named() bool  { return f.host.opt.Named }

func (f *file) fault(op string, reason error) error {
	return &platform.OpError{Op: op, Object: f.name, Reason: reason}
}

func (f *file) Flush() error {
	if f.closed {
		return f.fault("flush", platform.ErrClosed)
	}
	time.Sleep(time.Millisecond)
	return nil
}

func (f *file) Layout() (platform.Layout, error) {
	f.host.mu.Lock()
	defer f.host.mu.Unlock()
	written := int64(0)
	for _, w := range f.seen {
		written += int64(bits.OnesCount64(w)) * pageSize
	}
	return platform.Layout{Extents: 1, Unwritten: max(f.size-written, 0)}, nil
}

func (f *file) Cached() (int64, error) {
	if f.direct && !f.host.opt.Lies {
		return 0, nil
	}
	f.host.mu.Lock()
	defer f.host.mu.Unlock()
	if f.dropped {
		return 0, nil
	}
	return f.size, nil
}

func (f *file) Uncache() error {
	if f.closed {
		return f.fault("uncache", platform.ErrClosed)
	}
	f.host.mu.Lock()
	defer f.host.mu.Unlock()
	f.dropped = true
	return nil
}

func (f *file) Close() error {
	if f.closed {
		return f.fault("close", platform.ErrClosed)
	}
	f.closed = true
	if f.owner {
		f.host.mu.Lock()
		defer f.host.mu.Unlock()
		delete(f.host.files, f.name)
	}
	return nil
}

func (f *file) Queue(o platform.QueueOptions) (platform.Queue, error) {
	if f.closed {
		return nil, f.fault("open queue on", platform.ErrClosed)
	}
	if o.Engine != platform.EngineAuto && o.Engine != platform.EngineFake {
		return nil, f.fault(fmt.Sprintf("open a queue of kind %s on", o.Engine), platform.ErrUnsupported)
	}
	q := &queue{file: f, block: o.Block, bufs: make([]byte, o.Depth*o.Block), due: make([]platform.Done, o.Depth), busy: make([]bool, o.Depth)}
	q.out = make([]platform.Done, 0, o.Depth)
	q.asked = make([]Answer, o.Depth)
	f.host.mu.Lock()
	defer f.host.mu.Unlock()
	q.number = f.host.queues
	f.host.queues++
	return q, nil
}

// queue computes at submission when an I/O will be done and sleeps until then in Wait.
type queue struct {
	file   *file
	block  int
	bufs   []byte
	due    []platform.Done
	busy   []bool
	asked  []Answer // what is known of it at submission
	number int      // of this queue
	given  int      // I/Os so far
	flying int
	out    []platform.Done
	closed bool
}

func (q *queue) Engine() platform.Engine { return platform.EngineFake }
func (q *queue) Registered() bool        { return false }
func (q *queue) Buf(slot int) []byte {
	return q.bufs[slot*q.block : (slot+1)*q.block : (slot+1)*q.block]
}

func (q *queue) Submit(slot int, op platform.Op, off int64, n int) error {
	switch {
	case q.closed:
		return q.file.fault("submit to", platform.ErrClosed)
	case slot < 0 || slot >= len(q.busy) || q.busy[slot]:
		return q.file.fault(fmt.Sprintf("submit on slot %d to", slot), platform.ErrBusy)
	}
	q.busy[slot] = true
	q.flying++
	q.asked[slot] = Answer{Queue: q.number, Seq: q.given, Off: off}
	q.given++
	h := q.file.host
	now := h.Now()
	d := platform.Done{Slot: slot, Op: op, Bytes: n}
	d.At, d.Err = h.move(q.file.data, op, off, q.Buf(slot)[:n], now)
	if d.Err != nil {
		d.Bytes = 0
	}
	d.Took = d.At - now
	q.due[slot] = d
	return nil
}

func (q *queue) Wait(until time.Duration) ([]platform.Done, error) {
	if q.closed {
		return nil, q.file.fault("wait for", platform.ErrClosed)
	}
	q.out = q.out[:0]
	h := q.file.host
	first := time.Duration(math.MaxInt64)
	for slot, busy := range q.busy {
		if busy {
			first = min(first, q.due[slot].At)
		}
	}
	time.Sleep(min(first, until) - h.Now())
	if h.opt.Late != nil {
		time.Sleep(h.opt.Late(h.Now()))
	}
	now := h.Now()
	for slot, busy := range q.busy {
		if busy && q.due[slot].At <= now {
			q.busy[slot] = false
			q.flying--
			q.out = append(q.out, q.due[slot])
		}
	}
	for i := range q.out { // one stamp a batch, as the real queues have it
		q.out[i].Took += now - q.out[i].At
		q.out[i].At = now
		if h.opt.Told != nil {
			a := q.asked[q.out[i].Slot]
			a.Done = q.out[i]
			h.opt.Told(a)
		}
	}
	return q.out, nil
}

func (q *queue) Close() error {
	if q.closed {
		return q.file.fault("close queue on", platform.ErrClosed)
	}
	const patience = 2 * time.Second
	end := q.file.host.Now() + patience
	for q.flying > 0 && q.file.host.Now() < end {
		if _, err := q.Wait(end); err != nil {
			return err
		}
	}
	q.closed = true
	if q.flying > 0 {
		return q.file.fault("close queue on", platform.ErrStalled)
	}
	return nil
}

// move does an I/O in the model: it says when it will be done, and moves the bytes at once.
func (h *Host) move(d *data, op platform.Op, off int64, buf []byte, now time.Duration) (time.Duration, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.opt.Stalled != nil && h.opt.Stalled(now) {
		return math.MaxInt64, nil
	}
	if op == platform.Flush {
		return max(now, h.free) + 100*time.Microsecond, nil
	}
	var err error
	switch {
	case h.opt.Gone != nil && h.opt.Gone(now):
		err = &platform.OpError{Op: "access", Object: d.name, Reason: platform.ErrIO}
	case h.opt.Fault != nil:
		err = h.opt.Fault(op, off, now)
	}
	if err == nil && (off < 0 || off+int64(len(buf)) > d.size || off%512 != 0 || len(buf)%512 != 0) {
		err = &platform.OpError{Op: "access", Object: d.name, Reason: platform.ErrIO}
	}
	if err != nil {
		return now + 100*time.Microsecond, err
	}
	d.store(op, off, buf, h.opt.Keep)
	return h.transfer(op, len(buf), now), nil
}

// transfer moves n bytes in the model and says when they will be there. The caller has the lock.
func (h *Host) transfer(op platform.Op, n int, now time.Duration) time.Duration {
	rate, latency := h.opt.Model.ReadRate, h.opt.Model.ReadLatency
	if op == platform.Write {
		rate, latency = h.opt.Model.CacheRate, h.opt.Model.WriteLatency
		if h.written >= h.opt.Model.CacheBytes {
			rate = h.opt.Model.FoldRate
		}
		h.written += int64(n)
		h.count.WriteOps++
		h.count.WriteBytes += uint64(n)
	} else {
		h.count.ReadOps++
		h.count.ReadBytes += uint64(n)
	}
	if at := h.opt.Model.ThrottleAt; at > 0 && h.temperature(now) > at {
		rate /= 2
	}
	h.busy += float64(n)
	h.free = max(h.free, now) + time.Duration(float64(n)/rate*1e9)
	return h.free + latency
}

// temperature is the drive's temperature in °C: it goes towards a level that the load decides, with
// the time constant of the model.
func (h *Host) temperature(now time.Duration) float64 {
	m := h.opt.Model
	if dt := (now - h.heatAt).Seconds(); dt >= 0.1 {
		level := h.busy / dt / 1e9 * m.HeatPerGBps
		h.heat = level + (h.heat-level)*math.Exp(-dt/max(m.HeatTau.Seconds(), 1e-3))
		h.heatAt, h.busy = now, 0
	}
	return m.Ambient + h.heat
}

// store moves the bytes between buf and the file, a page at a time.
func (d *data) store(op platform.Op, off int64, buf []byte, keep bool) {
	for len(buf) > 0 {
		page, in := off/pageSize, int(off%pageSize)
		n := min(len(buf), pageSize-in)
		if op == platform.Write {
			d.dropped = false
			d.seen[page/64] |= 1 << (page % 64)
		}
		if keep {
			p := d.pages[page]
			if op == platform.Write {
				if p == nil {
					p = make([]byte, pageSize)
					d.pages[page] = p
				}
				copy(p[in:], buf[:n])
			} else if p == nil {
				clear(buf[:n])
			} else {
				copy(buf[:n], p[in:])
			}
		}
		off += int64(n)
		buf = buf[n:]
	}
}

// Engines are the engines that the fake takes, for the conformance suite.
func (h *Host) Engines() []platform.Engine {
	return slices.Clone([]platform.Engine{platform.EngineFake})
}
