package importer

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"cachecliff/app/store"
	"cachecliff/bench"
)

// Each report is spoiled in one place. The line is that of the place.
func TestRefused(t *testing.T) {
	all := good(t)
	for _, c := range []struct {
		file, old, new string
		line           int
		want           string
	}{
		{"cdm9-default.txt", " 3412.871 MB/s", " 3412.8x1 MB/s", 9, "no report of CrystalDiskMark has a line like"},
		{"cdm9-default.txt", " 3412.871 MB/s", " 3412871 MB/s", 9, "is not a number with 3 decimals"},
		{"cdm9-default.txt", " 3412.871 MB/s", "3,412.871 MB/s", 9, "is not a number with 3 decimals"},
		{"cdm9-default.txt", " 3412.871 MB/s", " 3412,871 MB/s", 9, "has another decimal sign"},
		{"cdm9-default.txt", " 3412.871 MB/s", " 3412.87 MB/s", 9, "is not a number with 3 decimals"},
		{"cdm9-default.txt", " 3412.871 MB/s", "-3412.871 MB/s", 9, "no report of"},
		{"cdm9-default.txt", " 3412.871 MB/s", "      nan MB/s", 9, "no report of"},
		{"cdm9-default.txt", " 3412.871 MB/s", " 3.412e3 MB/s", 9, "no report of"},
		{"cdm9-default.txt", " 3412.871 MB/s", " 4412.871 MB/s", 9, "are not 3254.8 I/Os of 1048576 bytes"},
		{"cdm9-default.txt", " 3412.871 MB/s", "    0.000 MB/s", 9, "are not 3254.8 I/Os"},
		{"cdm9-default.txt", " 3412.871 MB/s", " 3412.871 GB/s", 9, "no report of"},
		{"cdm9-default.txt", " 3412.871 MB/s", "999999999999.999 MB/s", 9, "no drive has numbers like these"},
		{"cdm9-default.txt", "3254.8 IOPS", "3254.80 IOPS", 9, "is not a number with 1 decimals"},
		{"cdm9-default.txt", "(Q=  8, T= 1):  3412", "(Q=  0, T= 1):  3412", 9, "Q is \"0\""},
		{"cdm9-default.txt", "(Q=  8, T= 1):  3412", "(Q=  8, T=99):  3412", 9, "T is \"99\""},
		{"cdm9-default.txt", "SEQ    1MiB (Q=  8, T= 1):  3412", "SEQ    0MiB (Q=  8, T= 1):  3412", 9, "the block size is \"0\""},
		{"cdm9-default.txt", "SEQ    1MiB (Q=  1, T= 1):  2134", "SEQ    1MiB (Q=  8, T= 1):  2134", 10, "the same test is in the table twice"},
		{"cdm9-default.txt", "[Write]", "[Read]", 14, "[Read] is there twice"},
		{"cdm9-default.txt", "[Write]", "[Schreiben]", 14, "no report of"},
		{"cdm9-default.txt", "[Read]\r\n", "", 8, "above its first heading"},
		{"cdm9-default.txt", "1,000,000 bytes/s [", "1,048,576 bytes/s [", 5, "which it is in no report"},
		{"cdm9-default.txt", "KiB = 1024 bytes", "KiB = 1000 bytes", 6, "which it is in no report"},
		{"cdm9-default.txt", "Test: 1 GiB (x3)", "Test: 1 GiB", 21, "have the loops"},
		{"cdm9-default.txt", "Test: 1 GiB (x3)", "Test: 1 GiB (x0)", 21, "the number of loops"},
		{"cdm9-default.txt", "Test: 1 GiB (x3)", "Test: 0 GiB (x3)", 21, "the size is \"0\""},
		{"cdm9-default.txt", "Test: 1 GiB (x3)", "Test: 1 GB (x3)", 21, "does not begin with a size"},
		{"cdm9-default.txt", "50% (100/200GiB)", "90% (100/200GiB)", 21, "are not 90 %"},
		{"cdm9-default.txt", "50% (100/200GiB)", "50% (300/200GiB)", 21, "are not 50 %"},
		{"cdm9-default.txt", "2025/06/19 8:55:53", "19.06.2025 8:55:53", 24, "is not a date"},
		{"cdm9-default.txt", "2025/06/19 8:55:53", "2025/02/30 8:55:53", 24, "is not a date"},
		{"cdm9-default.txt", "2025/06/19 8:55:53", "1999/06/19 8:55:53", 24, "is not a date"},
		{"cdm9-default.txt", "Measure 5 sec", "Measure 9999 sec", 23, "a time is \"9999\""},
		{"cdm9-default.txt", "Interval 5 sec", "Interval 120 min", 23, "too long"},
		{"cdm9-default.txt", "     OS: Windows", "   Date: Windows", 25, "\"Date:\" is there twice"},
		{"cdm9-default.txt", "   Date: 2025/06/19 8:55:53\r\n", "", 0, "\"Date:\" is missing"},
		{"cdm9-default.txt", "Comment: K", "  SEQ    1MiB (Q=  2, T= 1):  2134.502 MB/s [   2035.6 IOPS] <   490.80 us>\r\nComment: K", 26, "below the facts"},
		{"cdm9-default.txt", "Comment: K", "CrystalDiskMark 9.0.1 x64 (C)\r\nComment: K", 26, "another report begins here"},
		{"cdm9-default.txt", "Comment: K", "Comment: \x1b[31mK", 26, "a byte that is no text"},
		{"cdm9-default.txt", "Comment: K", "Comment: \xff\xffK", 26, "a byte that is no text"},
		{"cdm8-mix-comma.txt", "Read 70%/Write 30%", "Read 70%/Write 40%", 20, "are not 100 %"},
		{"cdm8-mix-comma.txt", "Read 70%/Write 30%", "Read 0%/Write 100%", 20, "the share of reads"},
		{"cdm6-comma.txt", " Random Read 4KiB (Q=  8,T= 8)", "Random Read (Q=  8,T= 8)", 10, "random tests have a size"},
		{"kdm16.txt", "3332.882 MB/s [   3254.8", "3332.882 MB/s [   3054.8", 8, "are not 3054.8 I/Os"},
		{"kdm16.txt", "2084.475 MB/s", "2134.502 MB/s", 9, "another unit than in the rows above"},
		{"fio-json.json", `"bw_bytes": 1731612557`, `"bw_bytes": 1831612557`, 14, "the rate is not its bytes by its time"},
		{"fio-json.json", `"iops": 1651.394422`, `"iops": 9651.394422`, 14, "IOPS are not its I/Os by its time"},
		{"fio-json.json", `"iops": 1651.394422`, `"iops": "1651.394422"`, 30, "is a string"},
		{"fio-json.json", `"iops": 1651.394422`, `"iops": 1651.39.4`, 30, "not JSON"},
		{"fio-json.json", `"iops": 1651.394422`, `"iops": NaN`, 30, "not JSON"},
		{"fio-json.json", `"iops": 1651.394422`, `"iop": 1651.394422`, 14, "has not all numbers"},
		{"fio-json.json", `"total_ios": 1658`, `"total_ios": -1658`, 14, "cannot be"},
		{"fio-json.json", `"timestamp": 1796645139`, `"timestamp": 12`, 0, "not of the time since fio 3"},
		{"fio-json.json", `"rw": "read"`, `"rw": "trim"`, 14, "neither reading nor writing"},
		{"fio-json.json", `"bs": "1m"`, `"bs": "4k-64k"`, 14, "has blocks of"},
		{"fio-json.json", `"bs": "1m"`, `"bs": "3k"`, 0, "block size"},
		{"fio-json.json", `"iodepth": "8"`, `"iodepth": "0"`, 14, "has iodepth"},
		{"fio-json.json", `"iodepth": "8"`, `"iodepth": 8`, 14, "is not a text"},
		{"fio-json.json", `"rwmixread": "70"`, `"rwmixread": "170"`, 194, "a mix that is not"},
		{"fio-json.json", `"99.000000": 15663104`, `"99.000000": 1`, 14, "fall"},
		{"fio-json.json", `"99.000000": 15663104`, `"199.000000": 15663104`, 14, "a percentile"},
		{"fio-json-plus.json", `"626688": 1`, `"626688": 2`, 14, "hold 1716 latencies of 1715"},
		{"fio-json-plus.json", `"626688": 1`, `"626688": -1`, 14, "a bin"},
	} {
		data := all[c.file]
		if !bytes.Contains(data, []byte(c.old)) {
			t.Errorf("%s has no %q", c.file, c.old)
			continue
		}
		_, err := Read(bytes.NewReader(bytes.Replace(data, []byte(c.old), []byte(c.new), 1)), nil)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !errors.Is(err, ErrRefused) || syntax.Line != c.line || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q: %v, want line %d: %s", c.file, c.new, err, c.line, c.want)
		}
	}
}

// A report that ends too early is never taken for a whole one, and gives no number that the whole has not.
func TestCutOff(t *testing.T) {
	for name, data := range good(t) {
		whole := read(t, data)
		for cut := 0; cut < len(data); cut += 1 + len(data)/997 {
			r, err := Read(bytes.NewReader(data[:cut]), nil)
			if err == nil && !reflect.DeepEqual(r.Imported, whole.Imported) {
				t.Errorf("%s, %d of %d bytes: read as %s", name, cut, len(data), parsed(r))
			}
		}
	}
}

func TestReportWithoutNumbers(t *testing.T) {
	text := string(good(t)["cdm9-demo.txt"])
	for _, n := range []string{"3412.871", "3254.8", "2451.33", "2988.040", "2849.6", "2801.90"} {
		zero := strings.Map(func(r rune) rune {
			if r == '.' {
				return r
			}
			return '0'
		}, n)
		text = strings.Replace(text, n, zero, 1)
	}
	if _, err := Read(strings.NewReader(text), nil); err == nil || !strings.Contains(err.Error(), "no test of the report has a number") {
		t.Error(err)
	}
}

// Results of this program: from the store, exported, and as run and show print them.
func TestOwnResults(t *testing.T) {
	stored, err := os.ReadFile(filepath.Join("..", "export", "testdata", "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := store.Decode(bytes.NewReader(stored))
	if err != nil {
		t.Fatal(err)
	}
	var line bytes.Buffer
	for _, e := range []bench.Event{
		bench.Started{ID: want.ID, At: want.At, App: want.App, Machine: want.Machine, Plan: want.Plan, Comment: want.Comment},
		bench.Warned{Warning: bench.Warning{Code: bench.WarnBattery}},
	} {
		b, err := bench.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		line.Write(append(b, '\n'))
	}
	events := line.String()
	body := resultOf(t, want)
	for name, c := range map[string]struct {
		data string
		same bool
	}{
		"stored":          {string(stored), true},
		"with a BOM":      {"\ufeff" + string(stored), true},
		"bare":            {body, true},
		"show --json":     {`{"type":"result","result":` + body + "}\n", true},
		"run --json":      {events + `{"type":"result","result":` + body + "}\n", true},
		"events, cut off": {events, false},
	} {
		got, err := Read(strings.NewReader(c.data), nil)
		if err != nil || got.ID != want.ID || c.same != (resultOf(t, got) == body) {
			t.Errorf("%s: %v, %s", name, err, got.ID)
		}
		if !c.same && got.Reason != bench.ReasonInterrupted {
			t.Errorf("%s: ended as %s", name, got.Reason)
		}
	}
	for name, c := range map[string]struct {
		data, want string
		is         error
	}{
		"newer":      {`{"schema":99,"summary":{},"result":{}}`, "schema 99", store.ErrNewer},
		"cut off":    {string(stored[:len(stored)/2]), "ends too early", ErrRefused},
		"other":      {events + `{"type":"weather"}`, "line 3: it is not an event", ErrRefused},
		"damaged":    {events + `{"type":`, "line 3: this is not JSON", ErrRefused},
		"no events":  {`{"type":"warned","warning":{}}`, "", store.ErrDamaged},
		"bad inside": {`{"type":"result","result":{"schema":1,"id":"../x"}}`, "line 1", store.ErrDamaged},
	} {
		if _, err := Read(strings.NewReader(c.data), nil); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func resultOf(t *testing.T, r bench.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := store.Encode(&b, r); err != nil {
		t.Fatal(err)
	}
	_, body, ok := strings.Cut(b.String(), `"result":`)
	if !ok {
		t.Fatal("no result")
	}
	return strings.TrimSuffix(body, "}\n")
}

// Nothing crashes a reader, and what it reads can be kept and holds numbers that a drive can have.
func FuzzRead(f *testing.F) {
	for _, data := range good(f) {
		f.Add(data)
	}
	f.Add([]byte(`{"type":"started","id":"a"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(bytes.NewReader(data), time.UTC)
		if err != nil || r.Imported == nil {
			return
		}
		kept(t, "fuzzed", r)
		for _, o := range r.Outcomes() {
			for _, e := range []bench.Estimate{o.Bytes, o.IOPS, o.Latency} {
				if e.N > 0 && !(e.Best > 0 && e.Best <= 1e13) || math.IsNaN(e.Best) {
					t.Errorf("%s: %+v", o.Workload.ID, e)
				}
			}
		}
	})
}

// A text is a number only if it is written as one, and then it is that number.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1.000", "1,000", "12.34", "-1.000", "1e5", "0x1.000", "1_0.000", "١.000", "1.000 ", "", ".000", "NaN"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, places int) {
		places = 1 + (places%3+3)%3
		v, err := (&decimals{}).number(1, text, places)
		want, bad := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		digits := strings.Trim(text, "0123456789")
		if err == nil && (bad != nil || v != want || digits != "." && digits != ",") {
			t.Errorf("%q is read as %v", text, v)
		}
	})
}
