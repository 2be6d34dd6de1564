package main

import (
	"strings"
	"testing"
	"testing/synctest"

	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// A copy test is run from the command line, told before and after, kept, listed and shown.
func TestRunCopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := stageOn(t, platformtest.Options{})
		if status := s.run(t.Context(), line("run copy-duplicate-quick --target /fake --size 1GiB")...); status != exitDone {
			t.Fatalf("status %d: %s", status, s.stderr.String())
		}
		golden(t, "copy-text", masked(s, s.stdout.String()))
		golden(t, "copy-notes", masked(s, s.stderr.String()))
		s.nothingLeft(t)
		for name, args := range map[string]string{"copy-results": "results", "copy-text": "show latest"} {
			if status := s.run(t.Context(), strings.Fields(args)...); status != exitDone || s.stderr.Len() > 0 {
				t.Errorf("%s: status %d, standard error %q", args, status, s.stderr.String())
			}
			golden(t, name, masked(s, s.stdout.String()))
		}
	})
}

// What was not copied, or is a folder of the user's, is told in so many words.
func TestRunCopySays(t *testing.T) {
	file := platform.Entry{Name: "a", Kind: platform.EntryFile, Size: 8 << 20, Stored: 8 << 20, Links: 1}
	folders := map[string][]platform.Entry{
		"/fake-mine": {file, {Name: "locked", Err: &platform.OpError{Op: "look at", Object: "locked", Reason: platform.ErrPermission}}},
	}
	for args, want := range map[string]string{
		"run copy-read-file --target /fake --size 64MiB":               "through a ring of memory of 64",
		"run copy-write-file --target /fake --size 64MiB":              "writing from memory",
		"run copy-duplicate --target /fake --source /fake-mine":        "1 files were left out, the first is locked",
		"run copy-duplicate --target /fake --size 64MiB --verify":      "Verified",
		"run copy-duplicate --target /fake --size 64MiB --way clone":   "cloned, not copied",
		"run copy-duplicate --target /fake --size 64MiB --way manager": "cloned, not copied",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := stageOn(t, platformtest.Options{Folders: folders, Shares: strings.Contains(args, "--way")})
			status := s.run(t.Context(), line(args)...)
			if got := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s.stdout.String()); status != exitDone || !strings.Contains(got, want) {
				t.Errorf("%s: status %d, %q is missing in\n%s%s", args, status, want, got, s.stderr.String())
			}
		})
	}
}

// The options of a copy change its plan.
func TestCopyOptions(t *testing.T) {
	o := runOptions{pause: -1}
	rest, err := parseArgs(o.options(), strings.Fields("copy-duplicate-quick --target /fake --source /x --way DIRECT --verify --loops 2"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := o.profile(rest)
	want := bench.Copying{Kind: bench.CopyDuplicate, Tree: true, Way: platform.CopyDirect, Source: "/x", Verify: true}
	if err != nil || *p.Copying != want || p.Loops != 2 {
		t.Errorf("%+v, %v", p.Copying, err)
	}
}

// What a copy does not take is refused in a sentence, and so are its options elsewhere.
func TestCopyOptionsRefused(t *testing.T) {
	for args, want := range map[string]string{
		"run copy-duplicate --target /fake --time 5s":                 "takes none of --time",
		"run copy-duplicate --target /fake --buffered":                "takes none of --time",
		"run copy-duplicate --target /fake --way magic":               "--way takes manager, direct or clone",
		"run copy-duplicate --target /fake --source /x --size 1GiB":   "with --source the folder decides",
		"run copy-write-file --target /fake --verify":                 "only a duplicate",
		"run cdm-default --target /fake --verify":                     "begin with copy",
		"run copy-duplicate --target /fake --size 512GiB":             "What this test copies does not fit into /fake",
		"run copy-duplicate --target /fake --source /none":            "/none",
		"run copy-duplicate --target /fake --source /fake":            "lies in",
		"run copy-duplicate --target /fake --source /fake-empty":      "nothing to copy",
		"run copy-read-folder --target /fake --way clone --loops one": "--loops takes a number",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := stageOn(t, platformtest.Options{Folders: map[string][]platform.Entry{"/fake": {}, "/fake-empty": {}}})
			status := s.run(t.Context(), line(args)...)
			if status == exitDone || !strings.Contains(s.stderr.String(), want) {
				t.Errorf("%s: status %d, %q is missing in %q", args, status, want, s.stderr.String())
			}
		})
	}
}
