package reference

import (
	"slices"
	"time"

	"cachecliff/bench"
)

// Schema is the version of the stored form of a Drive.
const Schema = 1

// Class is a class of drives that reviews compare with each other; empty if it is none of them.
type Class string

// The classes, the fastest first.
const (
	ClassUnknown  Class = ""
	ClassPCIe5    Class = "pcie5"
	ClassPCIe4    Class = "pcie4"
	ClassPCIe3    Class = "pcie3"
	ClassExternal Class = "external"
	ClassSATA     Class = "sata_ssd"
	ClassHardDisk Class = "hdd"
)

// Classes lists all of them but ClassUnknown.
func Classes() []Class {
	return []Class{ClassPCIe5, ClassPCIe4, ClassPCIe3, ClassExternal, ClassSATA, ClassHardDisk}
}

// Kind says whether a value was measured or is what the maker promises.
type Kind string

// The kinds.
const (
	Measured Kind = "measured"
	Rated    Kind = "rated"
)

// Qualifier is how exactly a value was given.
type Qualifier string

// The qualifiers.
const (
	Exactly  Qualifier = "eq"     // as it was printed
	About    Qualifier = "approx" // printed as about, or read from a sentence
	MoreThan Qualifier = "gt"
	LessThan Qualifier = "lt"
	UpTo     Qualifier = "upto" // printed as "up to"
)

// Quality is what kind of source a source is.
type Quality string

// The qualities, the best first. A retail catalogue and a review that was posted elsewhere are weaker than a review.
const (
	QualityOwn    Quality = "own" // a run of this program
	QualityReview Quality = "review"
	QualityReader Quality = "reader_test"
	QualityRepost Quality = "review_repost"
	QualityPress  Quality = "press"
	QualityRetail Quality = "retail_catalogue"
)

// Drive is a drive with all values that are known of it, or one run on it.
type Drive struct {
	Schema     int               `json:"schema"`
	ID         string            `json:"id"` // unique, and the name of its file
	Model      string            `json:"model"`
	CapacityGB float64           `json:"capacity_gb,omitempty"` // 10^9 bytes; 0 if it is not known, or of a whole series
	Class      Class             `json:"class,omitempty"`
	Label      string            `json:"label,omitempty"` // what tells several runs of one drive apart: "with heatsink"
	Note       string            `json:"note,omitempty"`
	Setup      *Setup            `json:"setup,omitempty"` // only of a run of this program
	Sources    map[string]Source `json:"sources"`
	Values     []Value           `json:"values"`
	Curves     []Curve           `json:"curves,omitempty"`

	Shipped bool `json:"-"` // it is built into the program
}

// Source is who said something.
type Source struct {
	Title   string  `json:"title"`
	Address string  `json:"address"` // of the page, or publisher and title where there is none
	Quality Quality `json:"quality"`
}

// Value is one number with all that decides what it may be compared with.
type Value struct {
	Metric     string    `json:"metric"` // ID of a Metric
	Value      float64   `json:"value"`
	Unit       string    `json:"unit"`
	Kind       Kind      `json:"kind"`
	Qualifier  Qualifier `json:"qualifier"`
	Source     string    `json:"source"` // key of Drive.Sources
	Conditions string    `json:"conditions"`

	// What is known of a run of this program besides.

	Loops   *Loops              `json:"loops,omitempty"`   // nil if there was only one number
	Spec    *bench.Spec         `json:"spec,omitempty"`    // of the load
	Span    int64               `json:"span,omitempty"`    // bytes of the file that were touched; 0 if that is not what was measured
	Start   *float64            `json:"start,omitempty"`   // share of the volume that was used before, 0 to 1
	Doubts  []bench.WarningCode `json:"doubts,omitempty"`  // of the levels doubt and invalid
	Invalid bool                `json:"invalid,omitempty"` // it is not the drive's
}

// Loops is the range of the loops of which a value is the median, in the value's unit.
type Loops struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
	N  int     `json:"n"`
}

// Setup is how a run of this program was made. Nothing in it names a serial number or a folder.
type Setup struct {
	Run      string    `json:"run"` // ID of the result
	At       time.Time `json:"at"`
	Test     string    `json:"test"`              // ID of the profile
	Method   int       `json:"method"`            // 0 of another program's
	Program  string    `json:"program,omitempty"` // that measured, if it was not this one
	App      string    `json:"app"`               // version of this program
	OS       string    `json:"os"`
	Kernel   string    `json:"kernel,omitempty"`
	CPU      string    `json:"cpu,omitempty"`
	Firmware string    `json:"firmware,omitempty"`
	Driver   string    `json:"driver,omitempty"`
	Link     string    `json:"link,omitempty"`   // "PCIe 4.0 x4"
	FS       string    `json:"fs,omitempty"`     //
	Layers   []string  `json:"layers,omitempty"` // between volume and drive, such as luks; partitions left out
	Power    string    `json:"power,omitempty"`  // plan or governor
	Fill     *float64  `json:"fill,omitempty"`   // share of the volume that was used before, 0 to 1
	Buffered bool      `json:"buffered,omitempty"`
	Through  bool      `json:"write_through,omitempty"`
}

// Curve is a series of a run, made short enough to be kept and drawn.
type Curve struct {
	Kind  CurveKind `json:"kind"`
	Loop  int       `json:"loop,omitempty"`
	Pass  int       `json:"pass,omitempty"`  // of a fill
	Start float64   `json:"start,omitempty"` // of a fill: share of the volume that was used before, 0 to 1
	X     []float64 `json:"x"`
	Y     []float64 `json:"y"`
}

// CurveKind says what the axes of a curve are.
type CurveKind string

// The kinds of curves.
const (
	CurveFill        CurveKind = "fill"        // MB/s over GB written; X is the end of each stretch
	CurveThermalRate CurveKind = "rate"        // MB/s over seconds, in a test of the temperature
	CurveTemperature CurveKind = "temperature" // °C over seconds
)

// Title is model, capacity and label, without a word of any language: "Crucial P5 2 TB (with heatsink)".
func (d Drive) Title() string {
	out := d.Model
	if size := d.Size(); size != "" {
		out += " " + size
	}
	if d.Label != "" {
		out += " (" + d.Label + ")"
	}
	return out
}

// Of lists the values of a metric, those that were measured first.
func (d Drive) Of(metric string) []Value {
	var out []Value
	for _, kind := range []Kind{Measured, Rated} {
		for _, v := range d.Values {
			if v.Metric == metric && v.Kind == kind {
				out = append(out, v)
			}
		}
	}
	return out
}

// Find is the first value of a metric and kind.
func (d Drive) Find(metric string, kind Kind) (Value, bool) {
	i := slices.IndexFunc(d.Values, func(v Value) bool { return v.Metric == metric && v.Kind == kind })
	if i < 0 {
		return Value{}, false
	}
	return d.Values[i], true
}
