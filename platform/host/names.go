package host

import (
	"path/filepath"
	"regexp"
	"strings"
)

// Test files that need a name have one that people and Leftovers recognise.
const (
	testPrefix = ".cachecliff-test-"
	testSuffix = ".tmp"
)

// testName is such a name, with what rand.Text gives in the middle. That may become longer one day.
var testName = regexp.MustCompile(`^` + regexp.QuoteMeta(testPrefix) + `[A-Z2-7]{26,}` + regexp.QuoteMeta(testSuffix) + `$`)

func isTestName(base string) bool { return testName.MatchString(base) }

var procLink = regexp.MustCompile(`^/proc/(self|[0-9]+)/fd/[0-9]+$`)

// isProcLink says whether a path is the kernel's link to an open file, which must be followed.
func isProcLink(path string) bool { return procLink.MatchString(path) }

// The file type in st_mode, the same on every architecture of Linux.
const (
	modeType    = 0o170000
	modeRegular = 0o100000
)

// isOurs says whether a file can be a test file: a regular one that has no name any more, or a
// recognisable one. path is where it lies, or what the kernel's link to the open file says. FUSE and
// NFS give an open file that is removed another name until it is closed; FUSE hides that from the
// kernel, NFS names it .nfs. A file that has its name still is opened by that, not by a link.
func isOurs(path string, linked bool, mode uint32, links uint64) bool {
	if mode&modeType != modeRegular {
		return false
	}
	base, deleted := strings.CutSuffix(filepath.Base(path), deletedMark)
	if linked {
		return links == 0 || deleted && isTestName(base) || strings.HasPrefix(base, ".nfs")
	}
	return links == 0 || isTestName(base)
}

// deletedMark is what the kernel puts behind the path of an open file that was removed.
const deletedMark = " (deleted)"

// directAlign is what direct I/O must be aligned to, and whether it is direct, from what statx says
// of a file that took the flag. Where it says nothing (before 6.1, or the file system does not know) a
// page is right everywhere; where it says 0 the file system takes the flag and uses the page cache.
func directAlign(known bool, mem, off uint32) (align int, direct bool) {
	const sector, page = 512, 4096
	switch {
	case !known:
		return page, true
	case mem == 0 || off == 0:
		return page, false
	}
	return int(max(mem, off, sector)), true
}
