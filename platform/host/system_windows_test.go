package host

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"cachecliff/platform"
)

func TestSystemHere(t *testing.T) {
	s, err := thisHost(t).System(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", s)
	if !strings.HasPrefix(s.OS, "Windows") || !regexp.MustCompile(`^\d+\.\d+\.\d+`).MatchString(s.Kernel) {
		t.Errorf("system %q, kernel %q", s.OS, s.Kernel)
	}
	if s.Arch != runtime.GOARCH || s.CPUs < 1 || s.CPU == "" || s.Memory < 1<<26 || s.Administrator == platform.Unknown {
		t.Errorf("%+v", s)
	}
	if again, err := thisHost(t).System(t.Context()); err != nil || again != s {
		t.Errorf("the second time %+v, %v", again, err)
	}
}

func TestFoldersHere(t *testing.T) {
	f, err := thisHost(t).Folders()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", f)
	local, roaming := os.Getenv("LOCALAPPDATA"), os.Getenv("APPDATA")
	if !strings.EqualFold(f.Data, local+`\Cachecliff`) || !strings.EqualFold(f.Config, roaming+`\Cachecliff`) || !strings.HasSuffix(f.Pictures, `\Cachecliff`) {
		t.Errorf("%+v, want them below %s and %s", f, local, roaming)
	}
}
