// Package cmd_test keeps the layout of the project: which package may import which, where build
// tags may stand, how long a file and a function may be, and what needs a comment.
//
// It reads the sources itself, not the answer of go list for one system, so that a file of any
// system counts, tests included, and so that a cached test result goes stale when a source changes.
package cmd_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "cachecliff"

// The limits that readable code of this kind keeps to by itself. Tests and tables of data are exempt.
const (
	maxFileLines = 400
	maxFuncLines = 60
)

// topFolders hold all Go code.
var topFolders = []string{"app", "assets", "bench", "cmd", "platform", "ui"}

// An importRule says what the packages that fit from may import of this module, and why no more.
type importRule struct {
	from string
	to   []string
	why  string
}

// imports says what a package may import of this module. The first line that fits a package counts;
// "x/..." is x and everything below it. A package may always import itself (from an external test).
var imports = []importRule{
	{"cmd/cachecliff", []string{"ui/...", "app/...", "bench/...", "platform", "platform/host", "assets/..."},
		"the program wires everything, the fake drive is for tests"},
	{"cmd/cachecliff-cli", []string{"ui/card", "app/...", "bench/...", "platform", "platform/host", "assets/..."},
		"the command line builds without cgo and runs without a display: of the window it knows the result card only"},
	{"cmd/dev/...", []string{"cmd/dev/...", "ui/...", "app/...", "bench/...", "platform/...", "assets/..."},
		"the project's own tools may use everything but the programs"},
	{"ui/chart", nil, "a chart draws plain numbers, so it can be tested and used without the rest"},
	{"ui/look", []string{"assets/..."}, "colours and sizes know nothing of what they are used for"},
	{"ui/...", []string{"ui/...", "app/...", "bench", "platform", "assets/..."},
		"the window asks app for what it does, and knows only the types of bench and platform"},
	{"app/words", []string{"assets/..."}, "translations are looked up by everyone, so they know no one"},
	{"app/...", []string{"app/...", "bench/...", "platform", "assets/..."},
		"what a user can do is the same with and without a window, on every system"},
	{"bench/hist", nil, "a histogram counts durations and needs nothing else"},
	{"bench/...", []string{"bench/...", "platform"}, "the engine knows the contract of a system, not a system, and no screen"},
	{"platform/host", []string{"platform", "platform/ata", "platform/nvme", "platform/sysfs", "platform/udisks", "platform/winapi"},
		"a back end fills in the contract and leaves decoding to untagged packages"},
	{"platform", nil, "the contract stands alone"},
	{"platform/...", []string{"platform"}, "decoders and the fake know the contract only"},
	{"assets/...", nil, "assets are data"},
}

// testImports says what the tests of a package may import beyond what the package itself may. All lines
// that fit count.
var testImports = []importRule{
	{"app/...", []string{"platform/platformtest"}, "sessions run on the fake drive"},
	{"bench/...", []string{"platform/platformtest"}, "the engine is tested on the fake drive, in virtual time"},
	{"cmd/...", []string{"platform/platformtest"}, "the programs are tested on the fake drive"},
	{"platform/...", []string{"platform/platformtest"}, "every back end passes the suite"},
	{"ui/...", []string{"platform/platformtest", "bench/hist"}, "pages are shown runs on the fake drive and made-up measurements"},
}

// outside says who may import packages of others (and those of the standard library that matter
// here). Packages not named are free.
var outside = []struct {
	pkg string
	by  []string
	why string
}{
	{"C", nil, "the command line and all tests build without a C compiler"},
	{"fyne.io/fyne/v2/app", []string{"cmd/cachecliff"},
		"it brings in OpenGL and cgo, which every test of the window would then need"},
	{"fyne.io/...", []string{"ui/...", "cmd/cachecliff", "cmd/dev/..."}, "what a user can do does not depend on a toolkit"},
	{"github.com/dswarbrick/smart/...", []string{"platform/..."}, "device pages are read and decoded below the contract"},
	{"github.com/godbus/dbus/...", []string{"platform/host"}, "talking to services of the system stays behind the contract"},
	{"github.com/nicksnyder/go-i18n/...", []string{"app/words"}, "one place turns identifiers into words"},
	{"github.com/wcharczuk/go-chart/...", []string{"app/plot"}, "it hangs and panics on odd data; one wrapper knows how to prevent that"},
	{"golang.org/x/sys/...", []string{"platform/host"}, "system calls stay behind the contract"},
	{"syscall", []string{"platform/host", "app/safefile", "cmd/..."},
		"system calls stay behind the contract; a program may name its signals, the writer of files what its errors mean"},
	{"testing/...", []string{"platform/platformtest"}, "only tests test; the conformance suite is one that others call"},
}

// knownMethods have their contract in the interface that they satisfy, so a comment would repeat it.
var knownMethods = strings.Fields(`Error Is String Unwrap Len Less Swap
	MarshalJSON MarshalText UnmarshalJSON UnmarshalText
	CreateRenderer Destroy Layout MinSize Objects Refresh Resize Move Show Hide
	Color Font Icon Size FocusGained FocusLost TypedKey TypedRune
	Tapped TappedSecondary MouseIn MouseMoved MouseOut Cursor Scrolled Dragged DragEnd`)

// systems are the file name endings that go build reads as a condition.
var systems = strings.Fields(`aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris
	unix wasip1 windows 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm`)

// A source is one parsed Go file.
type source struct {
	path  string // from the root of the project, with slashes
	dir   string
	test  bool
	lines int
	fset  *token.FileSet
	file  *ast.File
}

// A check looks at one file and says what is wrong with it.
type check struct {
	name string
	find func(source) []string
}

var checks = []check{
	{"folder", checkFolder},
	{"own imports", checkOwnImports},
	{"outside imports", checkOutsideImports},
	{"build conditions", checkConditions},
	{"system name", checkSystemName},
	{"file length", checkFileLength},
	{"function length", checkFuncLength},
	{"doc comments", checkDocs},
	{"init", checkInit},
	{"sleeping test", checkSleep},
	{"unfinished", checkUnfinished},
}

func TestLayout(t *testing.T) {
	sources := load(t, os.DirFS(".."))
	if len(sources) < 10 {
		t.Fatalf("only %d Go files found: the test looks in the wrong place", len(sources))
	}
	for _, p := range problems(sources) {
		t.Error(p)
	}
}

// load parses all Go files of a tree.
func load(t *testing.T, tree fs.FS) []source {
	t.Helper()
	var out []source
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() && name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		s := source{path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), fset: token.NewFileSet()}
		s.lines = strings.Count(string(data), "\n")
		s.file, err = parser.ParseFile(s.fset, name, data, parser.ParseComments)
		out = append(out, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// problems runs all checks over all files.
func problems(sources []source) []string {
	var out []string
	for _, s := range sources {
		for _, c := range checks {
			for _, p := range c.find(s) {
				out = append(out, fmt.Sprintf("%s: %s: %s", s.path, c.name, p))
			}
		}
	}
	return append(out, checkPackageComments(sources)...)
}

func checkFolder(s source) []string {
	top, _, _ := strings.Cut(s.path, "/")
	if slices.Contains(topFolders, top) {
		return nil
	}
	return []string{fmt.Sprintf("Go code lives in %s", strings.Join(topFolders, ", "))}
}

func checkOwnImports(s source) []string {
	var out []string
	for _, imp := range s.imports() {
		to, ours := strings.CutPrefix(imp, module+"/")
		if !ours || to == s.dir || s.test && testMay(s.dir, to) {
			continue
		}
		i := slices.IndexFunc(imports, func(r importRule) bool { return match(r.from, s.dir) })
		if i < 0 {
			out = append(out, fmt.Sprintf("no rule says what %s may import; add one to cmd/layout_test.go", s.dir))
		} else if !matchAny(imports[i].to, to) {
			out = append(out, fmt.Sprintf("may not import %s: %s", to, imports[i].why))
		}
	}
	return out
}

// testMay tells whether testImports lets the tests of a package import another.
func testMay(dir, to string) bool {
	return slices.ContainsFunc(testImports, func(r importRule) bool { return match(r.from, dir) && matchAny(r.to, to) })
}

func checkOutsideImports(s source) []string {
	var out []string
	for _, imp := range s.imports() {
		for _, r := range outside {
			if !match(r.pkg, imp) {
				continue
			}
			if !matchAny(r.by, s.dir) && !(s.test && r.pkg == "testing/...") {
				out = append(out, fmt.Sprintf("may not import %s: %s", imp, r.why))
			}
			break
		}
	}
	return out
}

func checkConditions(s source) []string {
	if s.dir == "platform/host" {
		return nil
	}
	var out []string
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(path.Base(s.path), ".go"), "_test"), "_")
	for _, p := range parts[1:] {
		if slices.Contains(systems, p) {
			out = append(out, fmt.Sprintf("the name holds %q, and only platform/host has files for one system", p))
		}
	}
	for _, g := range s.file.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//go:build") && c.Pos() < s.file.Package {
				out = append(out, "only platform/host has build tags; ask the contract what the system can do")
			}
		}
	}
	return out
}

func checkSystemName(s source) []string {
	if s.dir == "platform/host" {
		return nil
	}
	return s.uses("runtime", "GOOS", "only platform/host may ask which system this is; ask the contract what it can do")
}

func checkFileLength(s source) []string {
	if s.data() || s.lines <= maxFileLines {
		return nil
	}
	return []string{fmt.Sprintf("%d lines, more than %d", s.lines, maxFileLines)}
}

func checkFuncLength(s source) []string {
	if s.data() {
		return nil
	}
	var out []string
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		n := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
		if n > maxFuncLines {
			out = append(out, fmt.Sprintf("%s has %d lines, more than %d", f.Name.Name, n, maxFuncLines))
		}
	}
	return out
}

func checkDocs(s source) []string {
	if s.test || s.file.Name.Name == "main" {
		return nil
	}
	var out []string
	missing := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		if !name.IsExported() || slices.ContainsFunc(docs, func(g *ast.CommentGroup) bool { return g != nil }) {
			return
		}
		out = append(out, fmt.Sprintf("%s has no comment", name.Name))
	}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || receiverExported(d) && !slices.Contains(knownMethods, d.Name.Name) {
				missing(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					missing(spec.Name, d.Doc, spec.Doc, spec.Comment)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						missing(name, d.Doc, spec.Doc, spec.Comment)
					}
				}
			}
		}
	}
	return out
}

// receiverExported tells whether a method belongs to an exported type.
func receiverExported(f *ast.FuncDecl) bool {
	typ := f.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			return t.IsExported()
		default:
			return true
		}
	}
}

func checkInit(s source) []string {
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			return []string{"no init functions: what runs is called by someone"}
		}
	}
	return nil
}

func checkSleep(s source) []string {
	if !s.test || slices.Contains(s.imports(), "testing/synctest") {
		return nil
	}
	return s.uses("time", "Sleep", "a test waits in a testing/synctest bubble, never in real time")
}

func checkUnfinished(s source) []string {
	var out []string
	for _, g := range s.file.Comments {
		for _, word := range []string{"TODO", "FIXME", "XXX"} {
			if strings.Contains(g.Text(), word) {
				out = append(out, fmt.Sprintf("line %d says %s", s.fset.Position(g.Pos()).Line, word))
			}
		}
	}
	return out
}

// checkPackageComments wants one package comment for each package.
func checkPackageComments(sources []source) []string {
	commented := map[string]bool{}
	for _, s := range sources {
		if !s.test {
			commented[s.dir] = commented[s.dir] || s.file.Doc != nil
		}
	}
	var out []string
	for dir, ok := range commented {
		if !ok {
			out = append(out, fmt.Sprintf("%s: package comment: no file says what the package is for", dir))
		}
	}
	slices.Sort(out)
	return out
}

// imports lists the import paths of a file.
func (s source) imports() []string {
	var out []string
	for _, i := range s.file.Imports {
		// The parser accepts string literals only, so this cannot fail.
		p, _ := strconv.Unquote(i.Path.Value)
		out = append(out, p)
	}
	return out
}

// data tells whether a file is exempt from the limits of length: tests, and tables of data.
func (s source) data() bool {
	base := path.Base(s.path)
	return s.test || base == "profiles.go" || strings.HasSuffix(base, "_tables.go")
}

// uses reports each use of pkg.name, whatever name the file imports the package under.
func (s source) uses(pkg, name, why string) []string {
	local := ""
	for _, i := range s.file.Imports {
		if i.Path.Value == strconv.Quote(pkg) {
			local = path.Base(pkg)
			if i.Name != nil {
				local = i.Name.Name
			}
		}
	}
	if local == "" {
		return nil
	}
	var out []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != name {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == local {
			out = append(out, fmt.Sprintf("line %d uses %s.%s: %s", s.fset.Position(n.Pos()).Line, pkg, name, why))
		}
		return true
	})
	return out
}

// match tells whether a package fits a pattern: itself, or with "/..." anything below it as well.
func match(pattern, pkg string) bool {
	root, below := strings.CutSuffix(pattern, "/...")
	return pkg == root || below && strings.HasPrefix(pkg, root+"/")
}

func matchAny(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return match(p, pkg) })
}

// TestChecksCanFail runs every check over a file that breaks it, and over one that just keeps it.
func TestChecksCanFail(t *testing.T) {
	long := func(lines int) string { return strings.Repeat("\n", lines) }
	tests := []struct {
		name, path, code string
		want             string // part of the only problem; empty for none
	}{
		{"folder", "tools/x.go", doc + "package tools", "folder: Go code lives in"},
		{"folder, at the root", "x.go", doc + "package x", "folder: Go code lives in"},

		{"platform stands alone", "platform/x.go", doc + imp("platform", "cachecliff/bench"), "may not import bench: the contract"},
		{"decoder knows the contract only", "platform/nvme/x.go", doc + imp("nvme", "cachecliff/platform/sysfs"), "may not import platform/sysfs"},
		{"decoder may", "platform/nvme/x.go", doc + imp("nvme", "cachecliff/platform"), ""},
		{"host, not the fake", "platform/host/x.go", doc + imp("host", "cachecliff/platform/platformtest"), "may not import platform/platformtest"},
		{"host may", "platform/host/x.go", doc + imp("host", "cachecliff/platform/sysfs"), ""},
		{"test may use the fake", "platform/host/x_test.go", imp("host", "cachecliff/platform/platformtest"), ""},
		{"page's test may make histograms", "ui/run/x_test.go", imp("run", "cachecliff/bench/hist"), ""},
		{"page may not", "ui/run/x.go", doc + imp("run", "cachecliff/bench/hist"), "may not import bench/hist"},
		{"decoder's test, no engine", "platform/nvme/x_test.go", imp("nvme", "cachecliff/bench/hist"), "may not import bench/hist"},
		{"histogram needs nothing", "bench/hist/x.go", doc + imp("hist", "cachecliff/platform"), "may not import platform: a histogram"},
		{"engine, not a system", "bench/x.go", doc + imp("bench", "cachecliff/platform/host"), "may not import platform/host"},
		{"engine, no screen", "bench/x.go", doc + imp("bench", "cachecliff/app"), "may not import app"},
		{"engine's test, not a system", "bench/x_test.go", imp("bench", "cachecliff/platform/host"), "may not import platform/host"},
		{"engine may", "bench/worker/x.go", doc + imp("worker", "cachecliff/bench/hist"), ""},
		{"app, not a window", "app/x.go", doc + imp("app", "cachecliff/ui"), "may not import ui"},
		{"app, not a system", "app/store/x.go", doc + imp("store", "cachecliff/platform/host"), "may not import platform/host"},
		{"words know no one", "app/words/x.go", doc + imp("words", "cachecliff/app/format"), "may not import app/format"},
		{"chart draws numbers", "ui/chart/x.go", doc + imp("chart", "cachecliff/bench"), "may not import bench: a chart"},
		{"look", "ui/look/x.go", doc + imp("look", "cachecliff/app"), "may not import app: colours"},
		{"window, types only", "ui/run/x.go", doc + imp("run", "cachecliff/bench/worker"), "may not import bench/worker"},
		{"window may", "ui/run/x.go", doc + imp("run", "cachecliff/app/format"), ""},
		{"assets are data", "assets/x.go", doc + imp("assets", "cachecliff/app"), "may not import app: assets"},
		{"command line, card only", "cmd/cachecliff-cli/x.go", doc + imp("main", "cachecliff/ui/run"), "may not import ui/run"},
		{"command line, card", "cmd/cachecliff-cli/x.go", doc + imp("main", "cachecliff/ui/card"), ""},
		{"program, not the fake", "cmd/cachecliff/x.go", doc + imp("main", "cachecliff/platform/platformtest"), "may not import platform/platformtest"},
		{"tools, the fake", "cmd/dev/shot/x.go", doc + imp("main", "cachecliff/platform/platformtest"), ""},
		{"unknown program", "cmd/other/x.go", doc + imp("main", "cachecliff/app"), "no rule says what cmd/other may import"},

		{"no cgo", "app/x.go", doc + imp("app", "C"), "may not import C"},
		{"toolkit's driver", "ui/x.go", doc + imp("ui", "fyne.io/fyne/v2/app"), "may not import fyne.io/fyne/v2/app: it brings in"},
		{"toolkit's driver in a test", "ui/x_test.go", imp("ui", "fyne.io/fyne/v2/app"), "may not import fyne.io/fyne/v2/app"},
		{"toolkit's driver, the program", "cmd/cachecliff/x.go", doc + imp("main", "fyne.io/fyne/v2/app"), ""},
		{"toolkit below the window", "app/x.go", doc + imp("app", "fyne.io/fyne/v2"), "may not import fyne.io/fyne/v2: what a user can do"},
		{"toolkit in the window", "ui/x.go", doc + imp("ui", "fyne.io/fyne/v2/widget"), ""},
		{"chart library", "ui/chart/x.go", doc + imp("chart", "github.com/wcharczuk/go-chart/v2"), "may not import github.com/wcharczuk/go-chart/v2"},
		{"chart library, its wrapper", "app/plot/x.go", doc + imp("plot", "github.com/wcharczuk/go-chart/v2/drawing"), ""},
		{"words library", "ui/x.go", doc + imp("ui", "github.com/nicksnyder/go-i18n/v2/i18n"), "may not import github.com/nicksnyder"},
		{"device library", "app/x.go", doc + imp("app", "github.com/dswarbrick/smart/ata"), "may not import github.com/dswarbrick"},
		{"system calls", "bench/x.go", doc + imp("bench", "golang.org/x/sys/unix"), "may not import golang.org/x/sys/unix"},
		{"system calls, old way", "app/x.go", doc + imp("app", "syscall"), "may not import syscall"},
		{"system calls, the host", "platform/host/x.go", doc + imp("host", "golang.org/x/sys/unix"), ""},
		{"testing in a program", "app/x.go", doc + imp("app", "testing"), "may not import testing"},
		{"testing tools in a program", "app/x.go", doc + imp("app", "testing/fstest"), "may not import testing/fstest"},
		{"testing in the suite", "platform/platformtest/x.go", doc + imp("platformtest", "testing"), ""},
		{"testing in a test", "app/x_test.go", imp("app", "testing/fstest"), ""},

		{"build tag", "app/x.go", "//go:build linux\n\n" + doc + "package app", "build conditions: only platform/host has build tags"},
		{"file for a system", "bench/worker/child_linux.go", doc + "package worker", "build conditions: the name holds \"linux\""},
		{"test for a system", "bench/worker/child_windows_test.go", "package worker", "build conditions: the name holds \"windows\""},
		{"build tag, the host", "platform/host/x_linux.go", "//go:build linux\n\n" + doc + "package host", ""},
		{"a system's name alone", "app/linux.go", doc + "package app", ""},
		{"GOOS", "app/x.go", doc + "package app\nimport \"runtime\"\nvar x = runtime.GOOS", "system name: line 4"},
		{"GOOS renamed", "app/x.go", doc + "package app\nimport r \"runtime\"\nvar x = r.GOOS", "system name: line 4"},
		{"GOOS, the host", "platform/host/x.go", doc + "package host\nimport \"runtime\"\nvar x = runtime.GOOS", ""},

		{"long file", "app/x.go", doc + "package app" + long(maxFileLines), "file length: 401 lines"},
		{"full file", "app/x.go", doc + "package app" + long(maxFileLines-1), ""},
		{"long test", "app/x_test.go", "package app" + long(999), ""},
		{"long table", "platform/ata/attr_tables.go", doc + "package ata" + long(999), ""},
		{"long profiles", "bench/profiles.go", doc + "package bench" + long(999), ""},
		{"long function", "app/x.go", doc + "package app\nfunc x() {" + long(maxFuncLines) + "}", "function length: x has 61 lines"},
		{"full function", "app/x.go", doc + "package app\nfunc x() {" + long(maxFuncLines-1) + "}", ""},

		{"no package comment", "app/x.go", "package app", "app: package comment"},
		{"program without comment", "cmd/cachecliff/x.go", "package main", "cmd/cachecliff: package comment"},
		{"bare function", "app/x.go", doc + "package app\nfunc X() {}", "doc comments: X has no comment"},
		{"bare method", "app/x.go", doc + "package app\ntype x[T any] struct{}\n// Y is.\ntype Y[T any] struct{}\nfunc (*x[T]) A() {}\nfunc (*Y[T]) B() {}", "doc comments: B has no comment"},
		{"bare type", "app/x.go", doc + "package app\ntype X int", "doc comments: X has no comment"},
		{"bare constant", "app/x.go", doc + "package app\nconst (\n\tX = 1\n\tY = 2 // two\n)", "doc comments: X has no comment"},
		{"bare group member", "app/x.go", doc + "package app\n// Numbers.\nvar (\n\tX = 1\n)", ""},
		{"known method", "app/x.go", doc + "package app\n// X is.\ntype X int\nfunc (X) String() string { return \"\" }", ""},
		{"exported in a program", "cmd/cachecliff/x.go", doc + "package main\nfunc X() {}", ""},
		{"init", "app/x.go", doc + "package app\nfunc init() {}", "init: no init functions"},
		{"sleep", "app/x_test.go", "package app\nimport \"time\"\nfunc x() { time.Sleep(1) }", "sleeping test: line 3"},
		{"sleep in a bubble", "app/x_test.go", "package app\nimport (\"testing/synctest\"; \"time\")\nfunc x() { synctest.Test(nil, nil); time.Sleep(1) }", ""},
		{"unfinished", "app/x.go", doc + "package app\n// TODO: more", "unfinished: line 3"},
	}
	seen := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := problems(load(t, fstest.MapFS{tt.path: {Data: []byte(tt.code)}}))
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("problems %q, want none", got)
			case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)):
				t.Errorf("problems %q, want one with %q", got, tt.want)
			}
			for _, c := range checks {
				seen[c.name] = seen[c.name] || len(got) == 1 && strings.Contains(got[0], ": "+c.name+": ")
			}
		})
	}
	for _, c := range checks {
		if !seen[c.name] {
			t.Errorf("no case shows that the check %q can fail", c.name)
		}
	}
}

const doc = "// Package is for tests.\n"

// imp is a file with one import.
func imp(pkg, path string) string { return "package " + pkg + "\nimport \"" + path + "\"\n" }

// TestImportTable finds rules that can never apply: a later line hidden by an earlier one, a name
// outside the folders.
func TestImportTable(t *testing.T) {
	for i, r := range imports {
		for _, p := range append([]string{r.from}, r.to...) {
			if top, _, _ := strings.Cut(p, "/"); !slices.Contains(topFolders, top) {
				t.Errorf("%s: %s is in none of the folders", r.from, p)
			}
		}
		for _, earlier := range imports[:i] {
			if match(earlier.from, strings.TrimSuffix(r.from, "/...")) && strings.HasSuffix(earlier.from, "/...") {
				t.Errorf("the rule for %s is hidden by that for %s", r.from, earlier.from)
			}
		}
	}
}
