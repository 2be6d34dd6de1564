package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"cachecliff/app/format"
	"cachecliff/bench"
)

// The errors of this package; tested with errors.Is.
var (
	ErrDamaged = errors.New("the file is damaged or not a reference drive")
	ErrNewer   = errors.New("the reference drive was made by a newer version")
	ErrTooBig  = errors.New("the file is too large for a reference drive")
	ErrTaken   = errors.New("there is another reference drive of this ID")
	ErrNothing = errors.New("the result has no number to compare")
)

// The bounds of a file. The largest shipped one has 8 kB.
const (
	maxFile   = 4 << 20
	maxText   = 2000 // bytes of a text
	maxID     = 120
	maxValues = 2000
	maxCurves = 100
	maxPoints = 2000
	maxNumber = 1e12 // of any unit
)

// Encode writes the stored form: always the same for the same drive.
func Encode(w io.Writer, d Drive) error {
	d.Schema = Schema
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(d); err != nil {
		return fmt.Errorf("encode reference %s: %w", d.ID, err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Decode reads the stored form. It takes no field that it does not know and no number that no drive has. It fails
// with ErrTooBig, ErrNewer, ErrDamaged or the reader's error.
func Decode(from io.Reader) (Drive, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxFile+1))
	if err != nil {
		return Drive{}, err
	}
	if len(data) > maxFile {
		return Drive{}, ErrTooBig
	}
	var head struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Drive{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if head.Schema > Schema {
		return Drive{}, fmt.Errorf("%w: schema %d, this program knows %d", ErrNewer, head.Schema, Schema)
	}
	var d Drive
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return Drive{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := d.validate(); err != nil {
		return Drive{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return d, nil
}

// validate reports all that is wrong, joined.
func (d Drive) validate() error {
	var faults []error
	bad := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if d.Schema != Schema {
		bad("schema %d", d.Schema)
	}
	if !validID(d.ID) {
		bad("ID %q", d.ID)
	}
	if d.Model == "" {
		bad("no model")
	}
	if !number(d.CapacityGB) {
		bad("capacity %v", d.CapacityGB)
	}
	if d.Class != ClassUnknown && !slices.Contains(Classes(), d.Class) {
		bad("class %q", d.Class)
	}
	texts := []string{d.Model, d.Label, d.Note}
	if s := d.Setup; s != nil {
		texts = append(texts, s.Run, s.Test, s.App, s.OS, s.Kernel, s.CPU, s.Firmware, s.Driver, s.Link, s.FS, s.Power, s.Program)
		texts = append(texts, s.Layers...)
		if s.Run == "" || s.Test == "" || s.Method < 0 || (s.Method == 0) != (s.Program != "") || !share(s.Fill) {
			bad("set-up of a run without its ID, test or method")
		}
	}
	for key, s := range d.Sources {
		texts = append(texts, key, s.Title, s.Address)
		if key == "" || s.Title == "" || s.Address == "" || !slices.Contains(qualities, s.Quality) {
			bad("source %q without title, address or quality", key)
		}
	}
	if len(d.Values) == 0 || len(d.Values) > maxValues {
		bad("%d values", len(d.Values))
	}
	for i, v := range d.Values {
		texts = append(texts, v.Conditions)
		if err := v.validate(d); err != nil {
			bad("value %d, %q: %w", i+1, v.Metric, err)
		}
	}
	if len(d.Curves) > maxCurves {
		bad("%d curves", len(d.Curves))
	}
	for i, c := range d.Curves {
		if !c.valid() {
			bad("curve %d", i+1)
		}
	}
	if i := slices.IndexFunc(texts, func(s string) bool { return !plain(s) }); i >= 0 {
		bad("text %.40q", texts[i])
	}
	return errors.Join(faults...)
}

var (
	qualities  = []Quality{QualityOwn, QualityReview, QualityReader, QualityRepost, QualityPress, QualityRetail}
	qualifiers = []Qualifier{Exactly, About, MoreThan, LessThan, UpTo}
)

func (v Value) validate(d Drive) error {
	m, known := MetricByID(v.Metric)
	_, sourced := d.Sources[v.Source]
	switch {
	case !known || len(v.Metric) > maxID || !plain(v.Metric):
		return errors.New("no such metric")
	case v.Unit != m.Unit:
		return fmt.Errorf("unit %q and not %q", v.Unit, m.Unit)
	case !number(v.Value):
		return fmt.Errorf("value %v", v.Value)
	case v.Kind != Measured && v.Kind != Rated:
		return fmt.Errorf("kind %q", v.Kind)
	case !slices.Contains(qualifiers, v.Qualifier):
		return fmt.Errorf("qualifier %q", v.Qualifier)
	case !sourced:
		return fmt.Errorf("no source %q", v.Source)
	case v.Conditions == "":
		return errors.New("no conditions")
	case v.Span < 0 || !share(v.Start):
		return errors.New("a span or level that cannot be")
	case v.Loops != nil && (v.Loops.N < 1 || v.Loops.N > bench.MaxLoops || !number(v.Loops.Lo) || !number(v.Loops.Hi) || v.Loops.Lo > v.Value || v.Loops.Hi < v.Value):
		return errors.New("a value outside its loops")
	case slices.ContainsFunc(v.Doubts, func(c bench.WarningCode) bool { return len(c) > maxID || !plain(string(c)) }):
		return errors.New("a doubt that is none")
	}
	_, workload := m.Workload()
	if v.Spec == nil && workload != "" {
		return errors.New("a number of a table without its load")
	}
	if v.Spec == nil {
		return nil
	}
	if workload != "" && workload != workloadID(*v.Spec) {
		return errors.New("another load than its name says")
	}
	s := *v.Spec
	if s.Measure == 0 && s.Limit == 0 {
		s.Measure = bench.DefaultMeasure // other programs do not tell
	}
	return s.Validate()
}

// workloadID is what package bench calls a load.
func workloadID(s bench.Spec) string {
	return strings.ReplaceAll(strings.ToLower(s.Label()), " ", "-") + "-" + string(s.Direction())
}

// validID says whether an ID can be the name of a file on every system, without its ending.
func validID(id string) bool {
	return id != "" && len(id) <= maxID && !strings.ContainsFunc(id, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-+", r))
	})
}

// plain says whether a text may be shown as it is, in one line.
func plain(s string) bool {
	return len(s) <= maxText && utf8.ValidString(s) && format.PlainLine(s) == s
}

// number says whether a number can be an amount.
func number(v float64) bool { return v >= 0 && v <= maxNumber && !math.IsNaN(v) }

func share(v *float64) bool { return v == nil || *v >= 0 && *v <= 1 }

// valid says whether a curve can be drawn.
func (c Curve) valid() bool {
	if !slices.Contains([]CurveKind{CurveFill, CurveThermalRate, CurveTemperature}, c.Kind) || len(c.X) != len(c.Y) || len(c.X) == 0 ||
		len(c.X) > maxPoints || c.Loop < 0 || c.Pass < 0 || !share(&c.Start) || !slices.IsSorted(c.X) {
		return false
	}
	odd := func(v float64) bool { return !number(v) }
	cold := func(v float64) bool { return v < -60 || v > 150 } // of a temperature, °C
	if c.Kind == CurveTemperature {
		return !slices.ContainsFunc(c.X, odd) && !slices.ContainsFunc(c.Y, cold)
	}
	return !slices.ContainsFunc(c.X, odd) && !slices.ContainsFunc(c.Y, odd)
}
