package bench

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"testing"

	"cachecliff/platform"
)

// Each reason that the contract knows can be stored: one that is missing would be shown in the system's own
// words, with advice for another fault.
func TestEveryReasonCanBeStored(t *testing.T) {
	source, err := os.ReadFile("../platform/errors.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\t(Err\w+) += errors\.New\("(.*)"\)`).FindAllSubmatch(source, -1)
	if len(found) < 20 {
		t.Fatalf("only %d reasons are found in the source", len(found))
	}
	for _, m := range found {
		if !slices.ContainsFunc(reasons, func(r error) bool { return r.Error() == string(m[2]) }) {
			t.Errorf("%s is not in the list", m[1])
		}
	}
	huge := &platform.OpError{Op: "get huge pages for", Object: "x", Reason: platform.ErrNoHugePages, Err: errors.New("invalid parameter")}
	if got := NewFailure(huge).Err(); !errors.Is(got, platform.ErrNoHugePages) {
		t.Errorf("a stored %v comes back as %v", huge, got)
	}
}
