package hist

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"
)

// Every bucket's bounds lead back to it, buckets join without a gap, and none is wider than 1/128 of
// its smallest value.
func TestBuckets(t *testing.T) {
	next := int64(0)
	for i := range buckets {
		lo, width := bounds(i)
		if lo != next {
			t.Fatalf("bucket %d starts at %d, the one before ends at %d", i, lo, next)
		}
		for _, v := range []int64{lo, lo + width - 1} {
			if got := index(v); got != i {
				t.Fatalf("%d lies in bucket %d, want %d", v, got, i)
			}
		}
		if lo >= sub && width*sub > lo {
			t.Fatalf("bucket %d is %d wide at %d", i, width, lo)
		}
		next = lo + width
	}
	if index(math.MaxInt64) != buckets-1 || index(-5) != 0 {
		t.Error("values out of range are not kept at the edge")
	}
	if h := time.Duration(next); h < 4*time.Hour {
		t.Errorf("the range ends at %v", h)
	}
}

func TestQuantile(t *testing.T) {
	var h H
	if h.Quantile(0.5) != 0 || h.Mean() != 0 || h.Max() != 0 {
		t.Error("an empty histogram has values")
	}
	for i := 1; i <= 10000; i++ {
		h.Record(time.Duration(i) * time.Microsecond)
	}
	for _, c := range []struct {
		p    float64
		want time.Duration
	}{{0.5, 5000 * time.Microsecond}, {0.9, 9000 * time.Microsecond}, {0.99, 9900 * time.Microsecond}, {0.999, 9990 * time.Microsecond}, {1, 10000 * time.Microsecond}} {
		got := h.Quantile(c.p)
		if off := math.Abs(float64(got-c.want)) / float64(c.want); off > 0.008 {
			t.Errorf("p%v is %v, want %v", 100*c.p, got, c.want)
		}
	}
	if h.N() != 10000 || h.Mean() != 5000500*time.Nanosecond || h.Max() != 10*time.Millisecond || h.Quantile(1) > h.Max() {
		t.Errorf("n %d, mean %v, max %v, p100 %v", h.N(), h.Mean(), h.Max(), h.Quantile(1))
	}
}

func TestAll(t *testing.T) {
	var h H
	for _, v := range []time.Duration{5, 300, 5, 301, 90_000} {
		h.Record(v)
	}
	var got []int64
	for at, n := range h.All() {
		if len(got) == 4 {
			break
		}
		got = append(got, int64(at), n)
	}
	if want := []int64{5, 2, 301, 2}; !slices.Equal(got, want) {
		t.Errorf("buckets %v, want %v", got, want)
	}
}

func TestMergeAndStore(t *testing.T) {
	var a, b, both H
	for i := range 1000 {
		d := time.Duration(i*i) * time.Nanosecond
		both.Record(d)
		if i%2 == 0 {
			a.Record(d)
		} else {
			b.Record(d)
		}
	}
	a.Merge(&b)
	if a != both {
		t.Error("merging two halves is not the whole")
	}
	data, err := json.Marshal(&a)
	if err != nil {
		t.Fatal(err)
	}
	var back H
	if err := json.Unmarshal(data, &back); err != nil || back != a {
		t.Errorf("comes back different: %v", err)
	}
	if back.Reset(); back != (H{}) {
		t.Error("something is left after a reset")
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, s := range []string{
		`{"sum":10,"max":7,"buckets":[3,1,7,1]}`, `{"buckets":[99999,1]}`, `{"buckets":[3]}`, `{"buckets":[7,1,3,1]}`, `{"sum":-1}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var h H
		if json.Unmarshal(data, &h) != nil {
			return
		}
		h.Quantile(0.99)
		out, err := json.Marshal(&h)
		if err != nil {
			t.Fatal(err)
		}
		var back H
		if err := json.Unmarshal(out, &back); err != nil || back != h {
			t.Errorf("%s comes back different: %v", data, err)
		}
	})
}

func BenchmarkRecord(b *testing.B) {
	var h H
	b.ReportAllocs()
	for i := range b.N {
		h.Record(time.Duration(i&0xfffff) + 50000)
	}
}

func BenchmarkMerge(b *testing.B) {
	var h, sum H
	for i := range 10000 {
		h.Record(time.Duration(i) * 10 * time.Nanosecond)
	}
	for range b.N {
		sum.Merge(&h)
	}
}

// A value that came many times is the same as the value recorded as often.
func TestRecordN(t *testing.T) {
	var one, many H
	for range 3 {
		one.Record(500)
	}
	one.Record(70000)
	many.RecordN(70000, 1)
	many.RecordN(500, 3)
	many.RecordN(1, 0)
	many.RecordN(1, -5)
	if one.N() != many.N() || one.Sum() != many.Sum() || one.Max() != many.Max() || one.Quantile(0.5) != many.Quantile(0.5) {
		t.Errorf("%d %v %v, want %d %v %v", many.N(), many.Sum(), many.Max(), one.N(), one.Sum(), one.Max())
	}
	many.RecordN(1<<40, 1<<50)
	if many.Sum() < 1<<62 {
		t.Errorf("the sum went over: %v", many.Sum())
	}
}
