package bench

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/bench/hist"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// propertyFile is the size of the file of the property test, in bytes.
const propertyFile = 64 << 20

// property is one case: a random Spec on a random drive, what was measured, and what the drive saw.
type property struct {
	spec   Spec
	host   *platformtest.Host
	t0     time.Duration
	m      Measurement
	series []Sample

	mu   sync.Mutex
	seen map[int][]platformtest.Answer // by queue
	ios  []io                          // all of them
}

// io is one I/O as the drive saw it, a write with the flush that belongs to it.
type io struct {
	op       platform.Op
	at       time.Duration
	took     time.Duration // from the issue
	response time.Duration // from when it was due; took without a rate
	due      time.Duration
}

// randomSpec is a valid Spec that takes at most about a second.
func randomSpec(r *rand.Rand) Spec {
	pick := func(n ...int) int { return n[r.IntN(len(n))] }
	ms := func(lo, hi int) time.Duration { return time.Duration(lo*1000+r.IntN((hi-lo)*1000)) * time.Microsecond }
	for {
		s := Spec{
			Access: []Access{Sequential, Random}[r.IntN(2)], ReadPct: pick(0, 100, r.IntN(101)),
			Block: pick(512, 4<<10, 4<<10, 64<<10, 1<<20), Depth: pick(1, 2, 1+r.IntN(16), 32), Threads: pick(1, 1, 2, 3, 4),
			Fill: []Fill{FillRandom, FillZero}[r.IntN(2)], Flush: []FlushMode{FlushNone, FlushNone, FlushEnd, FlushEach}[r.IntN(4)],
		}
		if r.IntN(2) == 0 {
			s.Span = r.Int64N(propertyFile)
		}
		if r.IntN(4) > 0 {
			s.Measure = ms(10, 600)
			if r.IntN(2) == 0 {
				s.Warmup = ms(0, 250)
			}
		}
		if s.Measure == 0 || r.IntN(4) == 0 {
			s.Limit = r.Int64N(int64(s.Block) * 2000)
		}
		if r.IntN(2) == 0 {
			s.Rate = 1 + r.IntN(pick(50, 1000, 8000))
		}
		timely := s.Measure > 0 || s.Rate == 0 || s.Limit/int64(s.Block) < int64(s.Rate)*2
		if s.Validate() == nil && s.fits(propertyFile) == nil && timely {
			return s
		}
	}
}

// randomDrive is one that takes longer the more is in flight, so that no case has too many I/Os.
func randomDrive(r *rand.Rand, s Spec) platformtest.Model {
	latency := time.Duration(1+r.IntN(5))*time.Millisecond/10 + time.Duration(s.Depth*s.Threads)*100*time.Microsecond
	return platformtest.Model{
		Capacity: 100e9, ReadRate: 50e6 + 500e6*r.Float64(), ReadLatency: latency, WriteLatency: latency / 2,
		CacheRate: 50e6 + 300e6*r.Float64(), CacheBytes: 8 << 20, FoldRate: 40e6, HeatTau: time.Second,
	}
}

// play measures in this bubble.
func (p *property) play(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	p.spec = randomSpec(r)
	p.seen = map[int][]platformtest.Answer{}
	o := platformtest.Options{Model: randomDrive(r, p.spec), Told: func(a platformtest.Answer) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.seen[a.Queue] = append(p.seen[a.Queue], a)
	}}
	if r.IntN(3) == 0 { // a thread that gets no processor now and then
		o.Late = func(now time.Duration) time.Duration { return max(0, now*7919%(3*time.Millisecond)-2*time.Millisecond) }
	}
	p.host = platformtest.New(o)
	target, err := p.host.Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.host.Create(target, platform.CreateOptions{Size: propertyFile})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	job := Job{File: f.Name(), Size: f.Size(), Step: Step{Index: int(seed % 100), Kind: StepLoad, Spec: p.spec, Loop: 1}, Seed: seed}
	p.t0 = p.host.Now()
	p.m, err = Local{Host: p.host}.Measure(t.Context(), job, func(s Sample) { p.series = append(p.series, s) })
	if err != nil || p.m.Stopped {
		t.Fatalf("stopped %v, error %v", p.m.Stopped, err)
	}
	p.recall(t, job)
}

// recall puts together what the drive saw. Which queue belongs to which worker is told by the offsets, which
// a worker of the same job gives once more; and so are the times at which its I/Os were due.
func (p *property) recall(t *testing.T, job Job) {
	c := &crew{host: p.host, job: job}
	span := job.Size
	if p.spec.Span > 0 {
		span = p.spec.Span
	}
	var queues [][]platformtest.Answer
	for _, answers := range p.seen {
		slices.SortFunc(answers, func(a, b platformtest.Answer) int { return cmp.Compare(a.Seq, b.Seq) })
		queues = append(queues, answers)
	}
	var ok bool
	if p.ios, ok = p.assign(c, span, queues, map[int]bool{}); !ok {
		t.Errorf("no workers ask for the offsets that the drive saw")
	}
}

// assign gives each queue a worker of its own; false if that cannot be. Two workers that did little may have
// asked for the same offsets, so that the first one that fits a queue may be another's.
func (p *property) assign(c *crew, span int64, queues [][]platformtest.Answer, taken map[int]bool) ([]io, bool) {
	if len(queues) == 0 {
		return nil, true
	}
	for i := range p.spec.Threads {
		if taken[i] {
			continue
		}
		ios, ok := p.match(c.worker(i, span), queues[0])
		if !ok {
			continue
		}
		taken[i] = true
		if rest, ok := p.assign(c, span, queues[1:], taken); ok {
			return append(ios, rest...), true
		}
		taken[i] = false
	}
	return nil, false
}

// match pairs the answers of a queue with what a worker asks for; it says false if they do not fit.
func (p *property) match(w *worker, answers []platformtest.Answer) ([]io, bool) {
	if p.spec.Rate > 0 {
		w.arrivals.begin(p.t0)
	}
	var out []io
	open := map[int]io{} // writes that wait for their flush, by slot
	for _, a := range answers {
		if a.Op == platform.Flush {
			x := open[a.Slot]
			delete(open, a.Slot)
			due := x.at - x.response
			x.took += a.Took
			x.at, x.response = a.At, x.took
			if p.spec.Rate > 0 {
				x.response = a.At - due
			}
			out = append(out, x)
			continue
		}
		if w.cursor.Next() != a.Off {
			return nil, false
		}
		x := io{op: a.Op, at: a.At, took: a.Took, response: a.Took}
		if p.spec.Rate > 0 {
			x.due = w.arrivals.at
			x.response = a.At - x.due
			if x.response < x.took {
				return nil, false // issued before it was due: another's
			}
			w.arrivals.next()
		}
		if p.spec.Flush == FlushEach && a.Op == platform.Write {
			open[a.Slot] = x
			continue
		}
		out = append(out, x)
	}
	return out, len(open) == 0
}

// exact is a direction of what the drive saw, in a span of time.
type exact struct {
	response, took []time.Duration // sorted
}

func (p *property) exact(op platform.Op, from, until time.Duration) exact {
	var e exact
	for _, x := range p.ios {
		if x.op == op && x.at > from && x.at <= until {
			e.response, e.took = append(e.response, x.response), append(e.took, x.took)
		}
	}
	slices.Sort(e.response)
	slices.Sort(e.took)
	return e
}

// agree compares a tally and its histogram with the exact latencies.
func agree(what string, got Tally, h *hist.H, want []time.Duration, block int) error {
	n := int64(len(want))
	var sum time.Duration
	for _, d := range want {
		sum += d
	}
	if got.Ops != n || got.Bytes != n*int64(block) || got.SumLat != sum {
		return fmt.Errorf("%s: %+v, want %d I/Os, latencies of %d in all", what, got, n, sum)
	}
	if h == nil {
		if n > 0 {
			return fmt.Errorf("%s: no histogram of %d I/Os", what, n)
		}
		return nil
	}
	if n == 0 || h.N() != n || h.Sum() != sum || h.Max() != want[n-1] || got.Max != want[n-1] {
		return fmt.Errorf("%s: histogram of %d in %d up to %d, want %d in %d", what, h.N(), h.Sum(), h.Max(), n, sum)
	}
	for _, q := range []float64{0, 0.01, 0.5, 0.9, 0.99, 0.999, 1} {
		rank := 0
		for float64(rank+1) < q*float64(n) {
			rank++
		}
		value := float64(want[rank])
		if off := float64(h.Quantile(q)) - value; off > 0.016*value+1 || off < -0.016*value-1 {
			return fmt.Errorf("%s: p%g is %d, exactly %d", what, 100*q, h.Quantile(q), want[rank])
		}
	}
	return nil
}

// check says what does not agree.
func (p *property) check() error {
	s, m := p.spec, p.m
	from, until := p.t0+s.Warmup, never
	if s.Measure > 0 && s.Flush != FlushEnd {
		until = from + s.Measure
	}
	read, write := p.exact(platform.Read, from, until), p.exact(platform.Write, from, until)
	for _, err := range []error{
		agree("read", m.Read, m.ReadHist, read.response, s.Block),
		agree("write", m.Write, m.WriteHist, write.response, s.Block),
		p.checkRated(read, write), p.checkMoved(), p.checkTime(from), p.checkSeries(from),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *property) checkRated(read, write exact) error {
	s, r := p.spec, p.m.Rated
	if s.Rate == 0 {
		if r != nil {
			return fmt.Errorf("rated: %+v without a rate", r)
		}
		return nil
	}
	if r == nil || r.Missed == nil {
		return fmt.Errorf("rated: nothing is told")
	}
	if err := agree("read from the issue", r.Read, r.ReadHist, read.took, s.Block); err != nil {
		return err
	}
	if err := agree("write from the issue", r.Write, r.WriteHist, write.took, s.Block); err != nil {
		return err
	}
	var given int64
	for _, x := range p.ios {
		if x.response < x.took {
			return fmt.Errorf("rated: an I/O was issued before it was due")
		}
		if x.due >= p.t0+s.Warmup {
			given++
		}
	}
	left := int64(never)
	asked := int64(float64(s.Rate)*s.Measure.Seconds() + 0.5)
	if s.Limit > 0 {
		left = s.Limit/int64(s.Block) - int64(len(p.ios))
		if s.Measure == 0 {
			asked = s.Limit / int64(s.Block)
		}
	}
	// The bytes are shared by the threads, so that with both limits one may be at its end before the others.
	if want := asked - given; *r.Missed > min(want, left) || s.Limit == 0 && *r.Missed != want {
		return fmt.Errorf("rated: %d missed, asked for %d, issued %d", *r.Missed, asked, given)
	}
	return nil
}

// checkMoved compares with all that the drive saw, by its log and by its counters.
func (p *property) checkMoved() error {
	var want Moved
	for _, x := range p.ios {
		if x.op == platform.Read {
			want = want.Add(Moved{ReadOps: 1, ReadBytes: int64(p.spec.Block)})
		} else {
			want = want.Add(Moved{WriteOps: 1, WriteBytes: int64(p.spec.Block)})
		}
	}
	sensors, err := p.host.Sensors(context.Background(), p.host.Drive())
	if err != nil {
		return err
	}
	c := sensors.Counters
	counted := Moved{int64(c.ReadOps), int64(c.ReadBytes), int64(c.WriteOps), int64(c.WriteBytes)}
	if p.m.Moved != want || counted != want {
		return fmt.Errorf("moved %+v, the drive saw %+v and counted %+v", p.m.Moved, want, counted)
	}
	bytes, limit := want.ReadBytes+want.WriteBytes, p.spec.Limit-p.spec.Limit%int64(p.spec.Block)
	if limit > 0 && (bytes > limit || p.spec.Measure == 0 && bytes != limit) {
		return fmt.Errorf("moved %d bytes, limit %d", bytes, limit)
	}
	return nil
}

// checkTime compares the counted time with what ends it: the clock, or the last I/O and the flush.
func (p *property) checkTime(from time.Duration) error {
	last := p.t0
	for _, x := range p.ios {
		last = max(last, x.at)
	}
	s, m := p.spec, p.m
	byBytes := max(last-from+m.FlushTook, 0)
	byTime := s.Measure
	if s.Flush == FlushEnd {
		byTime = max(last-from, byTime) + m.FlushTook
	}
	want := []time.Duration{byTime}
	if s.Measure == 0 {
		want = []time.Duration{byBytes}
	} else if s.Limit > 0 {
		want = append(want, byBytes)
	}
	if !slices.Contains(want, m.Elapsed) {
		return fmt.Errorf("took %d, want one of %d", m.Elapsed, want)
	}
	if (s.Flush == FlushEnd) != (m.FlushTook > 0) {
		return fmt.Errorf("flush %q took %v", s.Flush, m.FlushTook)
	}
	if end := from + m.Elapsed; m.Drain != max(last-end, 0) {
		return fmt.Errorf("drained for %d, the last I/O was at %d, the end at %d", m.Drain, last, end)
	}
	return nil
}

// checkSeries adds the samples up.
func (p *property) checkSeries(from time.Duration) error {
	var at, counted time.Duration
	var ops, bytes, warm int64
	var sum time.Duration
	for _, s := range p.series {
		if s.At-s.Took != at || s.Took <= 0 {
			return fmt.Errorf("a sample of %d ends at %d, the one before at %d", s.Took, s.At, at)
		}
		at = s.At
		if s.Warm {
			warm += s.Read.Ops + s.Write.Ops
			continue
		}
		counted += s.Took
		ops, bytes = ops+s.Read.Ops+s.Write.Ops, bytes+s.Read.Bytes+s.Write.Bytes
		sum += s.Read.SumLat + s.Write.SumLat
	}
	if o, b, l := p.m.Total(); o != ops || b != bytes || l != sum || counted != p.m.Elapsed {
		return fmt.Errorf("samples have %d I/Os, %d bytes, %d in %d; the step %d, %d, %d in %d", ops, bytes, sum, counted, o, b, l, p.m.Elapsed)
	}
	if want := int64(len(p.exact(platform.Read, -1, from).took) + len(p.exact(platform.Write, -1, from).took)); warm != want {
		return fmt.Errorf("samples have %d I/Os of the warm-up, the drive saw %d", warm, want)
	}
	return nil
}

// Whatever the Spec, all that is told of a step agrees with itself and with what the drive saw.
func TestRandomSpecs(t *testing.T) {
	seeds := []uint64{
		1796640869923967651, // a worker whose bytes were used up before the warm-up was over
		935,                 // two workers that begin with the same offsets
	}
	base := uint64(time.Now().UnixNano())
	for k := range uint64(150) {
		seeds = append(seeds, k, base+k) // half of them are the same each time
	}
	for _, seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			p := &property{}
			defer func() {
				if t.Failed() {
					t.Logf("seed %d: %s", seed, p.spec)
				}
			}()
			p.play(t, seed)
			if err := p.check(); err != nil {
				t.Error(err)
			}
		})
	}
}
