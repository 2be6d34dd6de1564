package bench

import (
	"encoding/json"
	"fmt"
	"time"

	"cachecliff/platform"
)

// Event is one thing that happened in a run. The set is closed. Events come in order, from one
// goroutine, and their payloads are copies. The grammar is
//
//	Started Probed? Preparing* Prepared? (StepStarted Sampled* StepDone)* Probed? Finished
//
// with Warned and Sensed anywhere between; Finished comes exactly once and last.
type Event interface{ eventType() string }

// Started opens a run.
type Started struct {
	ID      string          `json:"id"` // unique and sortable by time; the name of the result's file
	At      time.Time       `json:"at"`
	App     App             `json:"app"`
	Machine platform.System `json:"machine"`
	Plan    Plan            `json:"plan"`
	Comment string          `json:"comment,omitempty"`
}

// App is the program that made a result.
type App struct {
	Version string `json:"version"`
	Method  int    `json:"method"` // MethodVersion
}

// Probed is what the drives said of themselves before or after a run.
type Probed struct {
	Probe Probe `json:"probe"`
}

// Probe is one look at all drives of a target.
type Probe struct {
	At     time.Time    `json:"at"`
	Drives []DriveProbe `json:"drives"`
	Free   int64        `json:"free"`             // bytes free on the volume
	Recent []Written    `json:"recent,omitempty"` // what earlier runs wrote to the same drives; only before a run
}

// Written is what one earlier run of this program wrote, the newest first. It is the least that was written:
// what other programs wrote is not in it.
type Written struct {
	Bytes int64         `json:"bytes"`
	Ago   time.Duration `json:"ago"` // since that run ended
}

// RecentWindow is how far back a run looks for earlier ones.
const RecentWindow = 2 * time.Hour

// DriveProbe is one look at one drive.
type DriveProbe struct {
	Drive   string               `json:"drive"` // platform.Drive.Key
	Sensors *platform.Sensors    `json:"sensors,omitempty"`
	Health  *platform.Health     `json:"health,omitempty"`
	Missing string               `json:"missing,omitempty"` // why there is no health
	Limits  *platform.TempLimits `json:"limits,omitempty"`  // of its temperature; only before a run
}

// Preparing is progress in writing the test file.
type Preparing struct {
	Done  int64 `json:"done"`  // bytes
	Total int64 `json:"total"` //
}

// Prepared says what the test file is.
type Prepared struct {
	File    FileFacts      `json:"file"`
	Ceiling *EngineCeiling `json:"ceiling,omitempty"` // nil if it could not be measured
}

// FileFacts is what is known of the test file.
type FileFacts struct {
	Size   int64            `json:"size"`
	Direct bool             `json:"direct"` // opened past the page cache
	Named  bool             `json:"named,omitempty"`
	Name   string           `json:"name,omitempty"` // of a named file
	Align  int              `json:"align"`
	Layout *platform.Layout `json:"layout,omitempty"` // nil if the file system does not tell
	Cached *int64           `json:"cached,omitempty"` // bytes in the page cache once it was written; nil if not told
	Moved  Moved            `json:"moved"`            // what writing it took
	Took   time.Duration    `json:"took"`             // with the flush at its end
}

// StepStarted opens a step.
type StepStarted struct {
	Step  Step          `json:"step"`
	Began time.Duration `json:"began,omitempty"` // since the run's start
}

// Sensed is what the drives showed while no step measured.
type Sensed struct {
	Drive []DriveReading `json:"drive"`
}

// Sampled is one interval of the running step.
type Sampled struct {
	Step   int    `json:"step"` // Step.Index
	Sample Sample `json:"sample"`
}

// StepDone closes a step. Its Measurement has no Series: those were Sampled before.
type StepDone struct {
	Measurement Measurement `json:"measurement"`
}

// Warned is a doubt about a number or about the whole run.
type Warned struct {
	Warning Warning `json:"warning"`
}

// Warning is a doubt. Its wording lives in app/explain.
type Warning struct {
	Code     WarningCode `json:"code"`
	Workload string      `json:"workload,omitempty"` // its ID; empty means the whole run
	Value    float64     `json:"value,omitempty"`    // in the unit that the code names
	Text     string      `json:"text,omitempty"`     // a name or a system's message, if the code has one
}

// WarningCode names a doubt.
type WarningCode string

// The doubts.
const (
	WarnBuffered       WarningCode = "buffered"        // through the page cache
	WarnUnwritten      WarningCode = "unwritten"       // Value: bytes of the file never written
	WarnLayoutUnknown  WarningCode = "layout-unknown"  // the file system does not tell whether all was written
	WarnNoCounters     WarningCode = "no-counters"     // no counters of a drive that could be compared; Text "silent": there is a drive, and it did not count
	WarnNamedFile      WarningCode = "named-file"      // Text: the file; it stays if the program is killed
	WarnEngineFallback WarningCode = "engine-fallback" // Text: the engine used instead of the best
	WarnSensorsLost    WarningCode = "sensors-lost"    // Text: why temperature or counters stopped
	WarnSpaceChanged   WarningCode = "space-changed"   // Value: bytes free now, below the reserve
	WarnPowerSaving    WarningCode = "power-saving"    // Text: what saves power, "governor powersave, aspm powersave"
	WarnNotRested      WarningCode = "not-rested"      // Value: bytes written shortly before
	WarnSmallSpan      WarningCode = "small-span"      // Value: bytes that were used, no more than the drive's own memory
	WarnThrottled      WarningCode = "throttled"       // Value: highest temperature in °C; Text "counters": the drive itself counted it
	WarnDeduplicated   WarningCode = "deduplicated"    // Text: what deduplicates
	WarnCached         WarningCode = "cached"          // Value: share of the bytes that the drives moved; Text "resident": share of the file that lay in memory, "loop": no share, a loop device works through the page cache
	WarnCloned         WarningCode = "cloned"          // Value: bytes shared with another file
	WarnCopyOnWrite    WarningCode = "copy-on-write"   // Text: the file system
	WarnCompressed     WarningCode = "compressed"      // Text: the file system
	WarnBattery        WarningCode = "battery"         // on battery
	WarnOtherIO        WarningCode = "other-io"        // Value: bytes per second that others moved
	WarnShort          WarningCode = "short"           // Value: I/Os of the shortest loop
	WarnNoisy          WarningCode = "noisy"           // Value: range of the loops as a share of their median
	WarnCPULimited     WarningCode = "cpu-limited"     // Value: share of the time that the busiest thread worked; Text "ceiling": rate as a share of what the engine can submit, "waited": of the time that the threads waited for a processor
	WarnCacheEnded     WarningCode = "cache-ended"     // Value: last loop as a share of the first
	WarnRateMissed     WarningCode = "rate-missed"     // Value: I/Os per second as a share of the rate that was asked for
	WarnPaused         WarningCode = "paused"          // Value: share of the counted time for which the test itself stood still
	WarnLikeCopy       WarningCode = "like-a-copy"     // a filling went through the page cache, as was asked
	WarnFull           WarningCode = "full"            // Value: bytes that were written when the volume was full before the reserve was reached
	WarnSplit          WarningCode = "split"           // Value: bytes of each file, since the file system takes no larger ones
	WarnNotTrimmed     WarningCode = "not-trimmed"     // Value: bytes deleted of which the drives were not told; Text: why
	WarnHeld           WarningCode = "held"            // Value: seconds for which the user held a filling
	WarnNoSensor       WarningCode = "no-sensor"       // a test of the temperature, and no drive told one
	WarnNotSettled     WarningCode = "not-settled"     // a test of the temperature began before the drive had come to rest
	WarnImported       WarningCode = "imported"        // from another program's report; Text: the program and its version, or what its numbers are: "best", "mean" and so on
	WarnImportDoubt    WarningCode = "import-doubt"    // a number of another program's report may be off; Text: why, "together" and so on, or settings of its own
	WarnSkipped        WarningCode = "skipped"         // Value: files of the user's that were not copied; Text: the first of them
	WarnDiffers        WarningCode = "differs"         // Value: copies with other bytes than their source; Text: the first of them
	WarnBadRanges      WarningCode = "bad-ranges"      // Value: bytes of a source that could not be read; Text: where the first begin, bytes from its start
	WarnMounted        WarningCode = "mounted"         // a source that was cloned might be written to meanwhile; Text: mount points
	WarnLate           WarningCode = "late"            // Value: wait for the last I/Os as a share of the counted time
)

// Finished closes a run.
type Finished struct {
	Reason  Reason        `json:"reason"`
	Took    time.Duration `json:"took"`
	Failure *Failure      `json:"failure,omitempty"`
}

// Reason is how a run ended.
type Reason string

// The ways a run ends.
const (
	ReasonDone        Reason = "done"
	ReasonStopped     Reason = "stopped"     // by the user
	ReasonFailed      Reason = "failed"      // Failure says why
	ReasonInterrupted Reason = "interrupted" // the program or the computer died; read back from the journal
)

// Failure is an error as it is stored: what was attempted on what, and why it failed.
type Failure struct {
	Op     string `json:"op,omitempty"`
	Object string `json:"object,omitempty"`
	Reason string `json:"reason"`           // text of the platform error, the key for app/explain
	Detail string `json:"detail,omitempty"` // what the system said
}

func (e Started) eventType() string     { return "started" }
func (e Probed) eventType() string      { return "probed" }
func (e Preparing) eventType() string   { return "preparing" }
func (e Prepared) eventType() string    { return "prepared" }
func (e StepStarted) eventType() string { return "step_started" }
func (e Sensed) eventType() string      { return "sensed" }
func (e Sampled) eventType() string     { return "sampled" }
func (e StepDone) eventType() string    { return "step_done" }
func (e Warned) eventType() string      { return "warned" }
func (e Finished) eventType() string    { return "finished" }

// EncodeEvent writes an event as one line of JSON without the line end; its "type" names the kind.
func EncodeEvent(e Event) ([]byte, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode event %s: %w", e.eventType(), err)
	}
	head := `{"type":"` + e.eventType() + `"`
	if len(body) > 2 {
		head += ","
	}
	return append([]byte(head), body[1:]...), nil
}

// DecodeEvent reads what EncodeEvent wrote.
func DecodeEvent(line []byte) (Event, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, fmt.Errorf("decode event: %w", err)
	}
	for _, decode := range []func(string, []byte) (Event, error){
		decodeAs[Started], decodeAs[Probed], decodeAs[Preparing], decodeAs[Prepared], decodeAs[StepStarted], decodeAs[Sensed],
		decodeAs[Sampled], decodeAs[StepDone], decodeAs[Warned], decodeAs[Finished],
	} {
		if e, err := decode(head.Type, line); e != nil || err != nil {
			return e, err
		}
	}
	return nil, fmt.Errorf("decode event: unknown type %q", head.Type)
}

// decodeAs reads line as an E if that is its type, else it returns nil.
func decodeAs[E Event](kind string, line []byte) (Event, error) {
	var e E
	if e.eventType() != kind {
		return nil, nil
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return nil, fmt.Errorf("decode event %s: %w", kind, err)
	}
	return e, nil
}
