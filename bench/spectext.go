package bench

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// DefaultMeasure is the measuring time of a Spec whose text names none, as CrystalDiskMark has it.
const DefaultMeasure = 5 * time.Second

// Label is the short form that a table shows: "RND4K Q32T16", "RND4K Q32T16 RATE=5000".
func (s Spec) Label() string {
	if s.Rate != 0 {
		return s.load() + " RATE=" + strconv.Itoa(s.Rate)
	}
	return s.load()
}

// load is what is in flight at most.
func (s Spec) load() string {
	return fmt.Sprintf("%s%s Q%dT%d", strings.ToUpper(string(s.Access)), shortSize(int64(s.Block)), s.Depth, s.Threads)
}

// String is the whole Spec in the notation of the screen and of the command line, for example
// "RND4K Q32T4 R70" or "SEQ1M Q8T1 R0 TIME=60s FLUSH=end". What has its default value is left out;
// ParseSpec reads it back to an equal Spec.
func (s Spec) String() string {
	parts := []string{s.load(), "R" + strconv.Itoa(s.ReadPct)}
	add := func(key, value string) { parts = append(parts, key+"="+value) }
	if s.Rate != 0 {
		add("RATE", strconv.Itoa(s.Rate))
	}
	if s.Span != 0 {
		add("SPAN", shortSize(s.Span))
	}
	if s.Fill != FillRandom {
		add("FILL", string(s.Fill))
	}
	if s.Flush != FlushNone {
		add("FLUSH", string(s.Flush))
	}
	if s.Warmup != 0 {
		add("WARM", s.Warmup.String())
	}
	if s.Measure != DefaultMeasure {
		add("TIME", s.Measure.String())
	}
	if s.Limit != 0 {
		add("LIMIT", shortSize(s.Limit))
	}
	return strings.Join(parts, " ")
}

// ParseSpec reads the notation that String writes. Upper and lower case are the same; Q and T may
// stand together or apart; without R it reads only. It reports every fault it finds, joined.
func ParseSpec(text string) (Spec, error) {
	s := Spec{ReadPct: 100, Depth: 1, Threads: 1, Measure: DefaultMeasure}
	fields := strings.Fields(strings.ToUpper(text))
	if len(fields) == 0 {
		return Spec{}, &SpecError{"test", `something like "RND4K Q32T4 R70"`}
	}
	var faults []error
	seen := map[string]bool{}
	for i, f := range fields {
		var err error
		if i == 0 {
			err = s.parseHead(f)
		} else if key, value, ok := strings.Cut(f, "="); ok {
			err = cmp.Or(once(seen, key), s.parseSetting(key, value))
		} else {
			err = s.parseCounts(f, seen)
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	if len(faults) == 0 {
		if err := s.Validate(); err != nil {
			faults = append(faults, err)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return Spec{}, err
	}
	return s, nil
}

// parseHead reads "SEQ1M" or "RND4K".
func (s *Spec) parseHead(f string) error {
	for _, a := range []Access{Sequential, Random} {
		rest, ok := strings.CutPrefix(f, strings.ToUpper(string(a)))
		if !ok {
			continue
		}
		n, err := ParseSize(rest)
		if err != nil || n > MaxBlock {
			return &SpecError{"block size", fmt.Sprintf("a size such as 4K or 1M after %s, not %q", strings.ToUpper(string(a)), rest)}
		}
		s.Access, s.Block = a, int(n)
		return nil
	}
	return &SpecError{"test", fmt.Sprintf(`SEQ or RND with a block size first, as in "RND4K Q32T1 R70", not %q`, f)}
}

// once keeps what stands twice from being taken by its last value in silence.
func once(seen map[string]bool, name string) error {
	if seen[name] {
		return &SpecError{"test", fmt.Sprintf("%s only once", name)}
	}
	seen[name] = true
	return nil
}

// parseCounts reads "Q32T4", "Q32", "T4" or "R70".
func (s *Spec) parseCounts(f string, seen map[string]bool) error {
	for rest := f; rest != ""; {
		end := 1
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(rest[1:end])
		if err != nil {
			return &SpecError{"test", fmt.Sprintf("Q, T or R with a number, not %q", f)}
		}
		if err := once(seen, rest[:1]); err != nil {
			return err
		}
		switch rest[0] {
		case 'Q':
			s.Depth = n
		case 'T':
			s.Threads = n
		case 'R':
			s.ReadPct = n
		default:
			return &SpecError{"test", fmt.Sprintf("Q, T or R with a number, not %q", f)}
		}
		rest = rest[end:]
	}
	return nil
}

// parseSetting reads "SPAN=1G" and the like; both are in upper case.
func (s *Spec) parseSetting(key, value string) error {
	var err error
	switch key {
	case "SPAN":
		s.Span, err = ParseSize(value)
	case "LIMIT":
		s.Limit, err = ParseSize(value)
	case "RATE":
		s.Rate, err = strconv.Atoi(value)
		if err == nil && s.Rate == 0 {
			err = strconv.ErrRange // no rate is given by leaving it out
		}
	case "WARM":
		s.Warmup, err = time.ParseDuration(strings.ToLower(value))
	case "TIME":
		s.Measure, err = time.ParseDuration(strings.ToLower(value))
	case "FILL":
		s.Fill = Fill(strings.ToLower(strings.Replace(value, "RANDOM", "", 1)))
	case "FLUSH":
		s.Flush = FlushMode(strings.ToLower(strings.Replace(value, "NONE", "", 1)))
	default:
		return &SpecError{"test", fmt.Sprintf("RATE, SPAN, FILL, FLUSH, WARM, TIME or LIMIT before %q, not %q", "="+value, key)}
	}
	if err != nil {
		return &SpecError{strings.ToLower(key), fmt.Sprintf("a value such as SPAN=1G, TIME=5s or RATE=5000, not %q", value)}
	}
	return nil
}

// sizeUnits are binary, as block and file sizes are in this field.
var sizeUnits = []struct {
	letter string
	bytes  int64
}{{"T", 1 << 40}, {"G", 1 << 30}, {"M", 1 << 20}, {"K", 1 << 10}}

// ParseSize reads a binary size: "4096", "4K", "4KiB", "1.5G". Units are powers of 1024; the result is
// a whole number of bytes.
func ParseSize(text string) (int64, error) {
	t := strings.ToUpper(strings.TrimSpace(text))
	t = strings.TrimSuffix(strings.TrimSuffix(t, "B"), "I")
	mul := int64(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(t, u.letter); ok {
			t, mul = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	if n, err := strconv.ParseInt(t, 10, 64); err == nil {
		if n < 0 || n > (1<<62)/mul {
			return 0, &SpecError{"size", fmt.Sprintf("0 to 4 EiB, not %q", text)}
		}
		return n * mul, nil
	}
	f, err := strconv.ParseFloat(t, 64)
	n := f * float64(mul)
	if err != nil || !(n >= 0 && n < 1<<62) || n != float64(int64(n)) {
		return 0, &SpecError{"size", fmt.Sprintf("a size such as 512M or 1GiB, not %q", text)}
	}
	return int64(n), nil
}

// shortSize is a size in the notation of a Spec: the largest unit that leaves a whole number.
func shortSize(n int64) string {
	for _, u := range sizeUnits {
		if n != 0 && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.letter
		}
	}
	return strconv.FormatInt(n, 10)
}
