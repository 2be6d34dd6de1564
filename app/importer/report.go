package importer

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// report is a text report while it is read.
type report struct {
	kind    *kind
	version string
	zone    *time.Location
	numbers decimals
	section int // share of reads of the rows that follow; -1 before the first head
	rows    []row
	tail    bool // the facts below the table have begun

	profile  string
	size     int64 // bytes of the test file
	loops    int
	interval time.Duration
	measure  time.Duration // 0 is not told
	zeros    bool          // the file held zeros
	target   platform.Target
	at       time.Time
	stamp    string // the date as it was read, for the ID
	os       string
	comment  string
	engine   string
	seen     map[string]bool
}

// row is one line of the table.
type row struct {
	line int
	spec bench.Spec
	rate float64  // bytes per second as the report says
	iops *float64 // nil if there is no such column
	late *float64 // nanoseconds; nil likewise
}

// kind is a program whose reports are read.
type kind struct {
	program string
	head    *regexp.Regexp // of its first line; the group is the version
	accept  func(version string) error
	row     func(r *report, l textLine) (found bool, err error)
	done    func(r *report, out *bench.Result) error // makes the figures, with all that is known of the program
}

func kinds() []*kind { return []*kind{crystalDiskMark(), kDiskMark()} }

var ownText = regexp.MustCompile(`^Cachecliff \S`)

// readReport reads a text report of any kind.
func readReport(text string, zone *time.Location) (bench.Result, error) {
	lines := splitLines(text)
	for i, l := range lines {
		if i > 3 {
			break
		}
		if ownText.MatchString(l.text) {
			return bench.Result{}, unknown("it is a text export of Cachecliff, which has not all of the result: export it as JSON")
		}
		for _, k := range kinds() {
			m := k.head.FindStringSubmatch(l.text)
			if m == nil {
				continue
			}
			if err := k.accept(m[1]); err != nil {
				return bench.Result{}, err
			}
			r := &report{kind: k, version: m[1], zone: zone, section: -1, seen: map[string]bool{}}
			return r.read(lines, i)
		}
		if !isRule(l.text) {
			break
		}
	}
	return bench.Result{}, unknown("the first lines are those of no report that can be read")
}

func isRule(s string) bool { return len(s) > 10 && strings.Trim(s, "-") == "" }

// read reads all lines but the head.
func (r *report) read(lines []textLine, head int) (bench.Result, error) {
	var canonical []byte
	for i, l := range lines {
		canonical = append(append(canonical, l.text...), '\n')
		if i == head || isRule(l.text) {
			continue
		}
		if err := r.line(l); err != nil {
			return bench.Result{}, err
		}
	}
	if len(r.rows) == 0 {
		return bench.Result{}, refuse(0, "the report has no table")
	}
	for _, fact := range []string{"Test", "Date"} {
		if !r.seen[fact] {
			return bench.Result{}, refuse(0, "the line %q is missing at the end: the report is not whole", fact+":")
		}
	}
	out, err := r.result()
	if err != nil {
		return bench.Result{}, err
	}
	name(&out, r.stamp, canonical)
	return finish(out)
}

var (
	sectionForm = regexp.MustCompile(`^\[(Read|Write)\]$`)
	mixForm     = regexp.MustCompile(`^\[Mix\] Read ([0-9]{1,3})%/Write ([0-9]{1,3})%$`)
	factForm    = regexp.MustCompile(`^([A-Z][A-Za-z]{1,14}) ?:(?: (.*))?$`)
	siteForm    = regexp.MustCompile(`^Crystal Dew World ?: https?://`)
	fioForm     = regexp.MustCompile(`^Flexible I/O Tester \(([^()]{1,40})\): https?://`)
	unitForm    = regexp.MustCompile(`^\* (.*?) = (.*?)(?: \[|$)`)
)

// line reads one line, or says that it cannot be one of a report.
func (r *report) line(l textLine) error {
	for _, k := range kinds() {
		if k.head.MatchString(l.text) {
			return refuse(l.n, "another report begins here; import each from a file of its own")
		}
	}
	if m := fioForm.FindStringSubmatch(l.text); m != nil {
		r.engine = m[1]
		return nil
	}
	if siteForm.MatchString(l.text) {
		return nil
	}
	if strings.HasPrefix(l.text, "* ") {
		return unit(l)
	}
	if m := factForm.FindStringSubmatch(l.text); m != nil && r.section >= 0 || m != nil && r.tail {
		return r.fact(l.n, m[1], strings.TrimSpace(m[2]))
	}
	if found, err := r.heading(l); found || err != nil {
		return err
	}
	if found, err := r.kind.row(r, l); found || err != nil {
		return err
	}
	return refuse(l.n, "no report of %s has a line like %.60q", r.kind.program, l.text)
}

// unit makes sure that the report means by MB/s and KiB what all of them do.
func unit(l textLine) error {
	m := unitForm.FindStringSubmatch(l.text)
	if m == nil {
		return refuse(l.n, "a unit that is not explained")
	}
	if m[1] == "MB/s" && m[2] == "1,000,000 bytes/s" || m[1] == "KB" && m[2] == "1000 bytes, KiB = 1024 bytes" {
		return nil
	}
	return refuse(l.n, "%s is %s, which it is in no report", m[1], m[2])
}

// heading reads [Read] and the like.
func (r *report) heading(l textLine) (bool, error) {
	share := -1
	if m := sectionForm.FindStringSubmatch(l.text); m != nil {
		share = map[string]int{"Read": 100, "Write": 0}[m[1]]
	} else if m := mixForm.FindStringSubmatch(l.text); m != nil {
		read, err := count(l.n, "the share of reads", m[1], 1, 99)
		if err != nil {
			return false, err
		}
		if m[2] != strconv.Itoa(100-read) {
			return false, refuse(l.n, "%s %% reads and %s %% writes are not 100 %%", m[1], m[2])
		}
		share = read
	}
	if share < 0 {
		return false, nil
	}
	if key := l.text[:4]; r.seen[key] || r.tail {
		return false, refuse(l.n, "%s is there twice, or below the facts", l.text)
	}
	r.seen[l.text[:4]], r.section = true, share
	return true, nil
}

var tableForm = regexp.MustCompile(`^(SEQ|RND|Sequential|Random) +([0-9]{1,5}) ?(KiB|MiB) \(Q= *([0-9]{1,4}), ?T= *([0-9]{1,3})\): *` +
	`([0-9.,]+) MB/s \[ *([0-9.,]+) IOPS\] < *([0-9.,]+) us>$`)

// tableRow reads a row under a heading: "SEQ    1MiB (Q=  8, T= 1):  5024.997 MB/s [   4792.2 IOPS] <  1667.96 us>".
func (r *report) tableRow(l textLine) (bool, error) {
	m := tableForm.FindStringSubmatch(l.text)
	if m == nil {
		return false, nil
	}
	if r.section < 0 {
		return false, refuse(l.n, "a row of the table above its first heading")
	}
	x := row{line: l.n, spec: bench.Spec{Access: bench.Sequential, ReadPct: r.section}}
	if m[1][0] == 'R' {
		x.spec.Access = bench.Random
	}
	if err := x.load(m[2], m[3], m[4], m[5]); err != nil {
		return false, err
	}
	return true, r.add(x, m[6], m[7], m[8])
}

// load reads block size, queue depth and threads.
func (x *row) load(size, unit, depth, threads string) error {
	n, err := count(x.line, "the block size", size, 1, 1<<16)
	if err != nil {
		return err
	}
	x.spec.Block = n << map[string]int{"KiB": 10, "MiB": 20}[unit]
	if x.spec.Depth, err = count(x.line, "Q", depth, 1, bench.MaxDepth); err != nil {
		return err
	}
	x.spec.Threads, err = count(x.line, "T", threads, 1, bench.MaxThreads)
	return err
}

// add reads the numbers of a row; a text that is empty is a column that is not there.
func (r *report) add(x row, rate, iops, late string) error {
	if r.tail {
		return refuse(x.line, "a row of the table below the facts")
	}
	v, err := r.numbers.number(x.line, rate, 3)
	if err != nil {
		return err
	}
	x.rate = v * 1e6
	if iops != "" {
		n, err := r.numbers.number(x.line, iops, 1)
		if err != nil {
			return err
		}
		x.iops = &n
	}
	if late != "" {
		us, err := r.numbers.number(x.line, late, 2)
		if err != nil {
			return err
		}
		ns := us * 1e3
		x.late = &ns
	}
	if x.rate > bench.MaxFigureRate || x.late != nil && *x.late > bench.MaxFigureLatency {
		return refuse(x.line, "no drive has numbers like these")
	}
	r.rows = append(r.rows, x)
	return nil
}

// off says by how much the rate of a row differs from its I/Os per second, times their size and a factor, beyond
// what rounding explains.
func (x row) off(factor float64) bool {
	block := float64(x.spec.Block)
	// Half of the last place of both, and a thousandth for programs that round on the way.
	slack := 0.051*block + 510*factor + 0.001*x.rate
	diff := *x.iops*block - x.rate*factor
	return diff > slack || diff < -slack
}
