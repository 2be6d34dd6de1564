package platform

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestWhyOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want Why
	}{
		{nil, ""}, {ErrIO, WhyFailed}, {errors.New("other"), WhyFailed}, {ErrStalled, WhyFailed},
		{fmt.Errorf("x: %w", ErrPermission), WhyRights}, {&OpError{Reason: ErrAsleep}, WhyAsleep},
		{&OpError{Reason: ErrUnsupported}, WhyBus}, {&OpError{Reason: ErrUnsupported, Err: ErrBridge}, WhyBridge},
		{&OpError{Reason: ErrUnsupported, Err: ErrSwitchedOff}, WhyNotReported},
	} {
		if got := WhyOf(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

func TestExplain(t *testing.T) {
	used := 3
	h := Health{PercentUsed: &used, Passed: Yes}
	h.Explain(WhyRights, PartThresholds, PartPercentUsed, PartHostReads)
	h.Explain(WhyAsleep, PartHostReads, PartLimits)
	if want := []Absence{{PartHostReads, WhyRights}, {PartThresholds, WhyRights}, {PartLimits, WhyAsleep}}; !slices.Equal(h.Absent, want) {
		t.Errorf("%v, want %v", h.Absent, want)
	}
	for part, want := range map[Part]Why{PartHostReads: WhyRights, PartLimits: WhyAsleep, PartPercentUsed: "", PartSpare: ""} {
		if got := h.Why(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
	h = Health{}
	h.Explain(WhyNotReported)
	h.Explain(WhyFailed)
	for _, a := range h.Absent {
		if a.Reason != WhyNotReported || a.What == PartThresholds {
			t.Errorf("%+v", a)
		}
	}
}

// Each field that may be nil is a part, by its name in JSON.
func TestPartsAreFields(t *testing.T) {
	var h Health
	h.Explain(WhyFailed)
	var fields []string
	for f := range reflect.TypeFor[Health]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Type.Kind() == reflect.Pointer || name == "limits" || name == "passed" {
			fields = append(fields, name)
		}
	}
	var parts []string
	for _, a := range h.Absent {
		parts = append(parts, string(a.What))
	}
	slices.Sort(fields)
	slices.Sort(parts)
	if !slices.Equal(fields, parts) {
		t.Errorf("fields %v\nparts  %v", fields, parts)
	}
	if b, err := json.Marshal(Health{}); err != nil || string(b) != "{}" {
		t.Errorf("nothing known: %s, %v", b, err)
	}
}
