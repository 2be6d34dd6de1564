package importer

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

var (
	fioHead    = regexp.MustCompile(`^\{\s*"fio version"\s*:`)
	fioStart   = regexp.MustCompile(`(?m)^\{\s*"fio version"\s*:`)
	fioVersion = regexp.MustCompile(`^fio-([0-9]{1,3})\.[0-9]`)
)

// isFio looks for the head of fio's JSON. Above it fio may have printed messages.
func isFio(data []byte) bool { return fioStart.Match(data[:min(len(data), 1<<20)]) }

// fioFile is what is read of fio's JSON and JSON+.
type fioFile struct {
	Version   string                     `json:"fio version"`
	Timestamp int64                      `json:"timestamp"` // seconds since 1970
	Global    map[string]json.RawMessage `json:"global options"`
	Jobs      []json.RawMessage          `json:"jobs"`
}

// fioJob is one entry of "jobs".
type fioJob struct {
	Name    string                     `json:"jobname"`
	Group   int                        `json:"groupid"`
	Error   int                        `json:"error"`
	Options map[string]json.RawMessage `json:"job options"`
	Read    *fioSide                   `json:"read"`
	Write   *fioSide                   `json:"write"`
	Mixed   *fioSide                   `json:"mixed"` // in place of both, with unified_rw_reporting
	Trim    *fioSide                   `json:"trim"`

	line int
	opts options
	spec bench.Spec
	size int64 // bytes of the file; 0 is not known
}

// readFio reads fio's JSON. Jobs of one group ran at the same time: those that are copies of one (numjobs) are
// added up, others are marked. A group of reports made by group_reporting is one entry already.
func readFio(data []byte, zone *time.Location) (bench.Result, error) {
	start := fioStart.FindIndex(data)[0]
	body := data[start:]
	if len(data) > MaxReport {
		return bench.Result{}, unknown("%d bytes are too much for a report", len(data))
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	var f fioFile
	if err := dec.Decode(&f); err != nil {
		return bench.Result{}, jsonFault(data, int64(start), err)
	}
	if rest := bytes.TrimSpace(body[dec.InputOffset():]); fioHead.Match(rest) {
		return bench.Result{}, refuse(lineAt(data, int64(len(data)-len(rest))), "a second report begins here; import each from a file of its own")
	}
	if v := fioVersion.FindStringSubmatch(f.Version); v == nil || v[1] == "0" || v[1] == "1" || v[1] == "2" {
		return bench.Result{}, unknown("it is of %.40q; JSON of fio 3 and later can be read", f.Version)
	}
	at := time.Unix(f.Timestamp, 0).In(zone)
	if at.Year() < 2017 || at.Year() > 2100 { // fio 3.0 is of 2017
		return bench.Result{}, refuse(0, "the timestamp %d is not of the time since fio 3", f.Timestamp)
	}
	jobs, err := f.jobs(data, start)
	if err != nil {
		return bench.Result{}, err
	}
	r, err := fioResult(f, jobs)
	if err != nil {
		return bench.Result{}, err
	}
	r.At = at
	var canonical bytes.Buffer
	if err := json.Compact(&canonical, body[:dec.InputOffset()]); err != nil {
		return bench.Result{}, jsonFault(data, int64(start), err)
	}
	name(&r, at.UTC().Format("20060102T150405Z"), canonical.Bytes())
	return finish(r)
}

// jobs reads the entries, each with the line in which it begins.
func (f fioFile) jobs(data []byte, start int) ([]fioJob, error) {
	if len(f.Jobs) == 0 || len(f.Jobs) > 1<<12 {
		return nil, refuse(0, "the report has no jobs, or too many")
	}
	var out []fioJob
	at, line := start, lineAt(data, int64(start))
	for _, raw := range f.Jobs {
		if i := bytes.Index(data[at:], raw); i >= 0 {
			line += bytes.Count(data[at:at+i], []byte("\n"))
			at += i
		}
		j := fioJob{line: line}
		if err := json.Unmarshal(raw, &j); err != nil {
			return nil, jsonFault(data, int64(at), err)
		}
		at += len(raw)
		line += bytes.Count(raw, []byte("\n"))
		j.opts = options{}
		for _, all := range []map[string]json.RawMessage{f.Global, j.Options} {
			for key, value := range all {
				var text string
				if json.Unmarshal(value, &text) != nil { // all of fio's options are strings
					return nil, refuse(j.line, "the option %.40q of job %.40q is not a text", key, j.Name)
				}
				j.opts[key] = text
			}
		}
		if err := j.describe(); err != nil {
			return nil, err
		}
		out = append(out, j)
	}
	return out, nil
}

// fioResult makes a result of all jobs.
func fioResult(f fioFile, jobs []fioJob) (bench.Result, error) {
	r := bench.Result{
		Schema: bench.Schema, Reason: bench.ReasonDone, Plan: bench.Plan{Profile: bench.Profile{ID: "imported"}},
		Imported: &bench.Imported{Program: "fio", Version: strings.TrimPrefix(f.Version, "fio-")},
	}
	warn(&r, bench.WarnImported, "", r.Imported.String())
	warn(&r, bench.WarnImported, "", string(bench.StatWhole))
	p := &r.Plan.Profile
	var names []string
	buffered := 0
	for len(jobs) > 0 {
		n, err := copies(jobs)
		if err != nil {
			return r, err
		}
		these := jobs[:n]
		j := these[0]
		jobs = jobs[n:]
		if !addWorkload(p, j.spec) {
			return r, refuse(j.line, "job %.40q is the same test as one above; import each from a file of its own", j.Name)
		}
		names = append(names, j.Name)
		p.FileSize = max(p.FileSize, j.size)
		if !j.opts.direct() {
			buffered++
			warn(&r, bench.WarnBuffered, workload(j.spec), "")
		}
		if err := addJob(&r, these); err != nil {
			return r, err
		}
		if r.Plan.Target.Path == "" {
			r.Plan.Target = platform.Target{Path: j.opts.place()}
		}
	}
	r.Plan.Buffered = buffered == len(p.Workloads)
	together(&r, f, names)
	p.Title = "fio " + strings.Join(names, ", ")
	return r, nil
}

// copies is how many of the first jobs are copies of one, which ran at the same time.
func copies(jobs []fioJob) (int, error) {
	first := jobs[0]
	n := 1
	for n < len(jobs) && jobs[n].Group == first.Group && jobs[n].Name == first.Name && jobs[n].spec == first.spec {
		n++
	}
	if n > 1 && n != first.spec.Threads {
		return 0, refuse(first.line, "%d copies of job %.40q are reported, and numjobs is %d", n, first.Name, first.spec.Threads)
	}
	return n, nil
}

// together marks the workloads of a group that has several.
func together(r *bench.Result, f fioFile, names []string) {
	groups := map[int]map[string]bool{}
	byName := map[string]int{}
	for _, raw := range f.Jobs {
		var j fioJob
		if json.Unmarshal(raw, &j) != nil {
			continue // read before, so this cannot be
		}
		if groups[j.Group] == nil {
			groups[j.Group] = map[string]bool{}
		}
		groups[j.Group][j.Name] = true
		byName[j.Name] = j.Group
	}
	for i, w := range r.Plan.Profile.Workloads {
		if len(groups[byName[names[i]]]) > 1 {
			warn(r, bench.WarnImportDoubt, w.ID, "together")
		}
	}
}

// describe makes the Spec of a job from its options. What an option is not given is fio's default.
func (j *fioJob) describe() error {
	s := bench.Spec{Access: bench.Sequential, Depth: 1, Threads: 1}
	rw, _, _ := strings.Cut(j.opts.first("rw", "readwrite", "read"), ":")
	if strings.HasPrefix(rw, "rand") {
		s.Access = bench.Random
	}
	switch strings.TrimPrefix(rw, "rand") {
	case "read":
		s.ReadPct = 100
	case "write":
		s.ReadPct = 0
	case "rw", "readwrite":
		n, err := j.opts.int("rwmixread", 50)
		if err == nil && j.opts["rwmixwrite"] != "" {
			n, err = j.opts.int("rwmixwrite", 50)
			n = 100 - n
		}
		if err != nil || n < 1 || n > 99 {
			return refuse(j.line, "job %.40q has a mix that is not 1 to 99 %%", j.Name)
		}
		s.ReadPct = n
	default:
		return refuse(j.line, "job %.40q does %.20q, which is neither reading nor writing", j.Name, rw)
	}
	block, err := j.opts.size("bs", "blocksize", "4096")
	if err != nil || block < 1 || block > bench.MaxBlock {
		return refuse(j.line, "job %.40q has blocks of %.40q", j.Name, j.opts.first("bs", "blocksize", "4096"))
	}
	s.Block = int(block)
	depth, err1 := j.opts.int("iodepth", 1)
	threads, err2 := j.opts.int("numjobs", 1)
	if err1 != nil || err2 != nil || depth < 1 || depth > bench.MaxDepth || threads < 1 || threads > bench.MaxThreads {
		return refuse(j.line, "job %.40q has iodepth %.20q and numjobs %.20q", j.Name, j.opts["iodepth"], j.opts["numjobs"])
	}
	s.Depth, s.Threads = depth, threads
	if j.opts.yes("zero_buffers") {
		s.Fill = bench.FillZero
	}
	if j.opts.yes("end_fsync") {
		s.Flush = bench.FlushEnd
	}
	if n, err := j.opts.int("fsync", 0); err == nil && n == 1 {
		s.Flush = bench.FlushEach
	}
	s.Measure, s.Warmup = j.opts.time("runtime"), j.opts.time("ramp_time")
	if s.Measure == 0 {
		s.Warmup = 0
	}
	if size, err := j.opts.size("size", "filesize", "0"); err == nil && size <= bench.MaxFileSize {
		j.size = size
	}
	j.spec = s
	return nil
}

// options are those of a job, its own above the global ones.
type options map[string]string

func (o options) first(key, alias, otherwise string) string {
	for _, k := range []string{key, alias} {
		if v := strings.TrimSpace(o[k]); v != "" {
			return v
		}
	}
	return otherwise
}

func (o options) int(key string, otherwise int) (int, error) {
	if o[key] == "" {
		return otherwise, nil
	}
	return strconv.Atoi(strings.TrimSpace(o[key]))
}

// size reads "4k", "4096B" or "1MiB". With fio's usual kb_base all units are powers of 1024.
func (o options) size(key, alias, otherwise string) (int64, error) {
	text := o.first(key, alias, otherwise)
	if a, b, ok := strings.Cut(text, ","); ok && a == b { // for reading and for writing
		text = a
	}
	if base := o["kb_base"]; base != "" && base != "1024" {
		return 0, strconv.ErrSyntax
	}
	return bench.ParseSize(text)
}

// yes says whether a switch is on: fio prints it as "1", or with nothing where it was only named.
func (o options) yes(key string) bool {
	v, ok := o[key]
	return ok && (v == "" || v == "1" || v == "true")
}

// direct says whether a job goes past the page cache. fio's default is through it.
func (o options) direct() bool {
	if _, ok := o["buffered"]; ok {
		return o["buffered"] == "0"
	}
	return o.yes("direct")
}

// time reads fio's times: "5", "5s", "2m", "500ms"; 0 if there is none, or if it is none that can be used.
func (o options) time(key string) time.Duration {
	text := strings.ToLower(strings.TrimSpace(o[key]))
	if _, err := strconv.Atoi(text); err == nil {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < bench.MinMeasure || d > bench.MaxTime {
		return 0
	}
	return d
}

// place is where a job worked.
func (o options) place() string { return o.first("directory", "filename", "") }

// otherwise are the options of a job that change what is measured and that a Spec has no word for.
func (o options) otherwise() string {
	var out []string
	for _, key := range []string{
		"rate", "rate_iops", "thinktime", "fdatasync", "sync", "fsync", "random_distribution", "percentage_random", "bssplit",
		"verify", "zonemode", "latency_target", "rate_process", "loops", "buffer_compress_percentage", "dedupe_percentage",
	} {
		v := strings.TrimSpace(o[key])
		if v != "" && v != "0" && !(key == "fsync" && v == "1") && !(key == "loops" && v == "1") {
			out = append(out, key+"="+v)
		}
	}
	if _, by, ok := strings.Cut(o.first("rw", "readwrite", "read"), ":"); ok {
		out = append(out, "rw with :"+by)
	}
	return strings.Join(out, ", ")
}
