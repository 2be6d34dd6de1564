package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"cachecliff/bench"
)

func encoded(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	must(t, Encode(&b, result(t, "a", t0)))
	return b.String()
}

func TestDecodeRefuses(t *testing.T) {
	whole := encoded(t)
	for _, c := range []struct {
		name, old, new string
		want           error
	}{
		{"newer file", `{"schema":1,"summary"`, `{"schema":2,"summary"`, ErrNewer},
		{"newer result", `"result":{"schema":1`, `"result":{"schema":2`, ErrNewer},
		{"no schema", `{"schema":1,"summary"`, `{"summary"`, ErrDamaged},
		{"not a number", `"elapsed":2000000000`, `"elapsed":NaN`, ErrDamaged},
		{"infinite", `"elapsed":2000000000`, `"elapsed":1e999`, ErrDamaged},
		{"negative time", `"elapsed":2000000000`, `"elapsed":-1`, ErrDamaged},
		{"negative count", `"ops":1000`, `"ops":-1000`, ErrDamaged},
		{"no time", `"elapsed":2000000000`, `"elapsed":0`, ErrDamaged},
		{"no time to speak of", `"elapsed":2000000000`, `"elapsed":999`, ErrDamaged},
		{"more I/Os than latencies", `"write":{"ops":1000`, `"write":{"ops":1001`, ErrDamaged},
		{"fewer latencies than I/Os", `,1000]`, `,999]`, ErrDamaged},
		{"no latencies", `"write_hist":{`, `"other":{`, ErrDamaged},
		{"more bytes than the I/Os have moved", `"bytes":1048576000`, `"bytes":1048576001`, ErrDamaged},
		{"negative moved bytes", `"write_bytes":0`, `"write_bytes":-1`, ErrDamaged},
		{"negative sample", `"took":2000000000`, `"took":-5`, ErrDamaged},
		{"endless plan", `"loops":2`, `"loops":2000000000`, ErrDamaged},
		{"unknown workload", `"kind":"load","workload":"seq`, `"kind":"load","workload":"seek`, ErrDamaged},
		{"bad name", `"result":{"schema":1,"id":"a"`, `"result":{"schema":1,"id":"../a"`, ErrDamaged},
		{"bad histogram", `"buckets":[`, `"buckets":[7,`, ErrDamaged},
	} {
		data := strings.Replace(whole, c.old, c.new, 1)
		if data == whole {
			t.Fatalf("%s: %q is not in the file", c.name, c.old)
		}
		if _, err := Decode(strings.NewReader(data)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := decode(strings.NewReader(whole), len(whole)-1); !errors.Is(err, ErrTooBig) {
		t.Errorf("too big: %v", err)
	}
	if _, err := decode(strings.NewReader(whole), len(whole)); err != nil {
		t.Errorf("just large enough: %v", err)
	}
}

func TestDecodeTakesABareResult(t *testing.T) {
	want := result(t, "a", t0)
	b, err := json.Marshal(want)
	must(t, err)
	got, err := Decode(bytes.NewReader(b))
	must(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// Whatever Decode takes can be shown and is written back to the same result.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(encoded(f)))
	f.Add([]byte(`{"schema":1,"result":{"schema":1,"id":"x"}}`))
	f.Add([]byte(`{"schema":1,"id":"x","plan":{"profile":{"id":"a","title":"b","file_size":16777216,"loops":1}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decode(bytes.NewReader(data), 1<<20)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Encode(&b, r); err != nil {
			t.Fatalf("cannot be written back: %v", err)
		}
		var sum Summary
		if _, err := parseHead(bytes.NewReader(b.Bytes()), &sum); err != nil {
			t.Fatalf("cannot be listed: %v", err)
		}
		again, err := Decode(&b)
		if err != nil {
			t.Fatalf("cannot be read back: %v", err)
		}
		if a, b := mustJSON(t, r), mustJSON(t, again); a != b {
			t.Fatalf("changed:\n%s\n%s", a, b)
		}
	})
}

func mustJSON(t *testing.T, r bench.Result) string {
	t.Helper()
	b, err := json.Marshal(r)
	must(t, err)
	return string(b)
}

// A step whose measuring process died has counts from its samples and no histogram.
func TestStepThatLostItsHistogram(t *testing.T) {
	r := result(t, "a", t0)
	m := &r.Measurements[len(r.Measurements)-1]
	m.ReadHist, m.WriteHist, m.Stopped = nil, nil, true
	m.Failure = bench.NewFailure(bench.ErrWorkerDied)
	var b bytes.Buffer
	if err := Encode(&b, r); err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(&b); err != nil {
		t.Errorf("a step that was broken off: %v", err)
	}
	m.Stopped, m.Failure = false, nil
	b.Reset()
	if err := Encode(&b, r); err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(&b); err == nil && m.Read.Ops+m.Write.Ops > 0 {
		t.Error("a complete step without its histogram was taken")
	}
}
