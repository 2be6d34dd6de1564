package recording

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"cachecliff/app/store"
	"cachecliff/bench/monitor"
	"cachecliff/platform"
)

var update = flag.Bool("update", false, "write the golden files anew")

// testHeader is that of two drives.
func testHeader() Header {
	return Header{
		App: "1.2.3", Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Period: 100 * time.Millisecond,
		System: platform.System{OS: "Test 1", Kernel: "6.1", Arch: "amd64", CPUs: 4},
		Drives: []platform.Drive{
			{Key: "wwid-1", Name: "nvme0n1", Model: "Crucial P5", Serial: "SECRET-1", Capacity: 2e12},
			{Key: "wwid-2", Name: "sda", Model: "Stick", Serial: "SECRET-2", Capacity: 32e9},
		},
	}
}

// testSamples are n of them, 100 ms apart, of a drive that reads 1 MiB each millisecond, and of a stick that
// writes, does not answer in sample 4, and is pulled out before sample 8.
func testSamples(n int) []monitor.Sample {
	var out []monitor.Sample
	for i := range n {
		at := time.Duration(i) * 100 * time.Millisecond
		ms := uint64(at / time.Millisecond)
		nice, wait, steal := time.Duration(0), at/10, time.Duration(0)
		s := monitor.Sample{
			At:  at,
			CPU: &platform.CPUTimes{User: at, Nice: &nice, System: at / 2, IOWait: &wait, Steal: &steal, Idle: 2 * at},
			Drives: []monitor.Reading{
				{At: at, Counters: &platform.Counters{ReadOps: ms, ReadBytes: ms << 20, ReadTicks: ms / 2, BusyTicks: ms / 4, QueueTicks: ms / 2},
					Temperatures: []platform.Reading{{Label: "Composite", MilliC: 41_000 + int32(i)*100}, {Label: "Sensor 1", MilliC: 50_000}}, TempAge: 3 * time.Millisecond},
				{At: at + time.Microsecond, Counters: &platform.Counters{WriteOps: ms / 10, WriteBytes: ms / 10 * 65536, WriteTicks: ms, BusyTicks: ms, QueueTicks: 3 * ms},
					NoTemp: platform.WhyBridge},
			},
		}
		switch {
		case i == 4:
			s.Drives[1] = monitor.Reading{At: at, NoCounters: platform.WhyFailed, NoTemp: platform.WhyBridge}
		case i == 6:
			s.At, s.Late, s.Missed = at+70*time.Millisecond, 70*time.Millisecond, 0
		case i >= 8:
			s.Drives[1] = monitor.Reading{At: at, NoCounters: platform.WhyFailed, Gone: true}
		}
		out = append(out, s)
	}
	return out
}

// written is a whole recording.
func written(t testing.TB, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, testHeader())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range testSamples(n) {
		if err := w.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(End{At: time.Duration(n) * 100 * time.Millisecond, Reason: Stopped}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readAll reads to the end or to the first fault.
func readAll(r io.Reader) (*Reader, []monitor.Sample, error) {
	in, err := NewReader(r)
	if err != nil {
		return nil, nil, err
	}
	var out []monitor.Sample
	for {
		s, err := in.Next()
		if err == io.EOF {
			return in, out, nil
		}
		if err != nil {
			return in, out, err
		}
		out = append(out, s)
	}
}

func TestRoundTrip(t *testing.T) {
	data := written(t, 12)
	if bytes.Contains(data, []byte("SECRET")) || bytes.Contains(data, []byte("wwid")) {
		t.Error("a recording has serial numbers in it")
	}
	in, samples, err := readAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(samples, testSamples(12)) {
		t.Errorf("read %+v", samples)
	}
	h := in.Header
	if h.Version != Version || !h.Started.Equal(testHeader().Started) || h.Period != testHeader().Period || h.Drives[1].Name != "sda" || h.App != "1.2.3" {
		t.Errorf("the header is %+v", h)
	}
	if e := in.End(); e == nil || e.Reason != Stopped || e.At != 1200*time.Millisecond {
		t.Errorf("the end is %+v", e)
	}
}

// A recording that was cut off anywhere is good until there.
func TestCutOff(t *testing.T) {
	data := written(t, 5)
	head := bytes.IndexByte(data, '\n') + 1
	for n := head; n < len(data); n++ {
		in, samples, err := readAll(bytes.NewReader(data[:n]))
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if whole := bytes.Count(data[head:n], []byte("\n")); len(samples) != whole || in.End() != nil {
			t.Fatalf("cut at %d: %d samples of %d, end %v", n, len(samples), whole, in.End())
		}
	}
}

func TestDamaged(t *testing.T) {
	good := string(written(t, 2))
	head := good[:strings.IndexByte(good, '\n')+1]
	for name, tt := range map[string]struct {
		data string
		want error
	}{
		"empty":         {"", ErrDamaged},
		"no end":        {strings.TrimSuffix(head, "\n"), ErrDamaged},
		"no JSON":       {"hello\n", ErrDamaged},
		"another file":  {`{"schema":1,"summary":{}}` + "\n", ErrDamaged},
		"newer":         {strings.Replace(good, `"version":1`, `"version":2`, 1), store.ErrNewer},
		"no drives":     {`{"type":"recording","version":1,"period":1000000000,"drives":[]}` + "\n", ErrDamaged},
		"period":        {strings.Replace(good, `"period":100000000`, `"period":5`, 1), ErrDamaged},
		"other drives":  {head + `{"type":"sample","sample":{"at":0,"drives":[{"at":0}]}}` + "\n", ErrDamaged},
		"no sample":     {head + `{"type":"sample"}` + "\n", ErrDamaged},
		"backwards":     {head + `{"type":"end","end":{"at":-1,"reason":"stopped"}}` + "\n", ErrDamaged},
		"broken inside": {head + "{\n" + good[len(head):], ErrDamaged},
	} {
		if _, _, err := readAll(strings.NewReader(tt.data)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, samples, err := readAll(strings.NewReader(head + `{"type":"note","note":"later"}` + "\n" + good[len(head):]))
	if err != nil || len(samples) != 2 {
		t.Errorf("a line of an unknown type: %d samples, %v", len(samples), err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(written(f, 3))
	f.Add([]byte(`{"type":"recording","version":1,"period":10000000,"drives":[{}]}` + "\n" + `{"type":"sample","sample":{"drives":[{"counters":{}}]}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in, samples, err := readAll(bytes.NewReader(data))
		if in == nil {
			if err == nil {
				t.Fatal("neither a recording nor an error")
			}
			return
		}
		table, tableErr := NewTable(io.Discard, in.Header)
		if tableErr != nil {
			t.Fatal(tableErr)
		}
		trend := NewTrend(in.Header)
		for _, s := range samples { // whatever is read can be shown
			if err := table.Add(s); err != nil {
				t.Fatal(err)
			}
			trend.Add(s)
		}
		var b bytes.Buffer
		w, err := NewWriter(&b, in.Header)
		for _, s := range samples {
			if err == nil {
				err = w.Add(s)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, again, err := readAll(&b); err != nil || len(again) != len(samples) {
			t.Fatalf("written again it has %d samples, not %d: %v", len(again), len(samples), err)
		}
	})
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	table, err := NewTable(&b, testHeader())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range testSamples(10) {
		if err := table.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(b.Bytes(), []byte("\r\n")); n != 1+2*10 {
		t.Errorf("%d lines end in CR LF", n)
	}
	rows, err := csv.NewReader(bytes.NewReader(b.Bytes())).ReadAll()
	if err != nil || len(rows) != 1+2*10 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	golden(t, "table.csv", b.Bytes())
}

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	got = bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")) // as the files are kept
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what it was; see what changed with -update:\n%s", path, got)
	}
}

func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.jsonl")
	f, err := Create(name, testHeader())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range testSamples(13) {
		if err := f.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	count := func() (int, *End) {
		t.Helper()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in, samples, err := readAll(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return len(samples), in.End()
	}
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	if n, end := count(); n != 13 || end != nil || f.Size() == 0 {
		t.Errorf("%d samples are in the file, end %v", n, end)
	}
	if err := f.Close(End{At: 1300 * time.Millisecond, Reason: Gone}); err != nil {
		t.Fatal(err)
	}
	if n, end := count(); n != 13 || end == nil || end.Reason != Gone {
		t.Errorf("%d samples, end %+v", n, end)
	}
	if _, err := Create(filepath.Join(name, "b"), testHeader()); err == nil || !errors.As(err, new(*platform.OpError)) {
		t.Errorf("a file below a file: %v", err)
	}
}
