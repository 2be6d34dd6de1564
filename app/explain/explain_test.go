package explain

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cachecliff/app"
	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

// languages are the texts that every code is looked up in.
func languages() []*words.Words {
	return []*words.Words{words.New(words.English), words.New(words.German)}
}

// source gives every node of the files of a package, tests left out.
func source(t *testing.T, dir string, visit func(ast.Node)) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no source in %s: %v", dir, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool { visit(n); return true })
	}
}

func constant(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return s
}

// sentinels are the texts of a package's exported errors.
func sentinels(t *testing.T, dir string) []string {
	var out []string
	source(t, dir, func(n ast.Node) {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 || !strings.HasPrefix(v.Names[0].Name, "Err") {
			return
		}
		if call, ok := v.Values[0].(*ast.CallExpr); ok {
			out = append(out, constant(call.Args[0]))
		}
	})
	return out
}

// codes are the constants of a type whose name is Name in a package.
func codes(t *testing.T, dir, name string) []string {
	var out []string
	source(t, dir, func(n ast.Node) {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 {
			return
		}
		if typ, ok := v.Type.(*ast.Ident); ok && typ.Name == name && constant(v.Values[0]) != "" {
			out = append(out, constant(v.Values[0]))
		}
	})
	if len(out) == 0 {
		t.Fatalf("no %s in %s", name, dir)
	}
	return out
}

// checkMessage reports a message that is no sentence, or has a hole.
func checkMessage(t *testing.T, what string, m Message) {
	t.Helper()
	for _, s := range []string{m.Title, m.Advice} {
		if s == "" || strings.Contains(s, "<no value>") || strings.Contains(s, "{{") || strings.HasPrefix(s, "error.") {
			t.Errorf("%s: %q", what, s)
		}
	}
	if strings.HasSuffix(m.Title, ".") || !strings.HasSuffix(m.Advice, ".") {
		t.Errorf("%s: a title has no full stop and an advice has one: %q, %q", what, m.Title, m.Advice)
	}
}

func TestEveryErrorHasAnEntry(t *testing.T) {
	known := map[string]error{}
	for _, line := range table {
		known[line.err.Error()] = line.err
	}
	seen := 0
	for _, dir := range []string{"platform", "bench", "app", "app/store", "app/settings", "app/recording", "app/reference", "app/importer", "app/pngrun"} {
		for _, text := range sentinels(t, dir) {
			seen++
			err, ok := known[text]
			if !ok {
				t.Errorf("%s: no entry for %q", dir, text)
				continue
			}
			wrapped := fmt.Errorf("run: %w", &platform.OpError{Op: "do", Object: "/the/thing", Reason: err, Err: fs.ErrInvalid})
			for _, w := range languages() {
				m := Error(w, wrapped)
				checkMessage(t, text, m)
				if m.Title == w.T(unknown+".title") {
					t.Errorf("%q is not known", text)
				}
				if !strings.Contains(m.Detail, fs.ErrInvalid.Error()) {
					t.Errorf("%q: the system's words are lost: %q", text, m.Detail)
				}
				bare := Error(w, err)
				checkMessage(t, text, bare)
			}
		}
	}
	if seen != len(table) {
		t.Errorf("%d errors in the sources, %d in the table", seen, len(table))
	}
}

func TestTheThingIsNamed(t *testing.T) {
	err := &platform.OpError{Op: "create test file", Object: "/mnt/stick", Reason: platform.ErrReadOnly, Err: errors.New("read-only file system")}
	want := Message{
		Title:  "/mnt/stick is read-only",
		Advice: "Mount the file system for writing or choose another folder.",
		Detail: "create test file /mnt/stick: read-only file system",
	}
	if got := Error(words.For("en", words.Linux), err); got != want {
		t.Errorf("got %+v", got)
	}
	if got := Failure(words.For("en", words.Linux), bench.NewFailure(err)); got != want {
		t.Errorf("stored and read back: %+v", got)
	}
	if got := Error(words.For("de", words.Linux), err).String(); got != "/mnt/stick ist schreibgeschützt. Binden Sie das Dateisystem beschreibbar ein oder wählen Sie einen anderen Ordner." {
		t.Errorf("German: %q", got)
	}
}

// TestWordsOfTheSystem: they may end with a period, as those of Windows do.
func TestWordsOfTheSystem(t *testing.T) {
	err := &platform.OpError{Op: "do", Object: "C:\\x", Err: errors.New("The handle is invalid.")}
	want := "C:\\x: The handle is invalid. Try again. If it happens again, choose another folder or drive."
	if got := Error(words.New("en"), err).String(); got != want {
		t.Errorf("got %q", got)
	}
}

func TestNothingToExplain(t *testing.T) {
	w := words.New("en")
	for _, m := range []Message{Error(w, nil), Failure(w, nil), Refusal(w, platform.Target{})} {
		if m != (Message{}) || m.String() != "" {
			t.Errorf("got %+v", m)
		}
	}
	m := Error(w, errors.New("what is this"))
	checkMessage(t, "unknown", m)
	if m.Detail != "what is this" {
		t.Errorf("detail %q", m.Detail)
	}
}

func TestEveryRefusalHasAnEntry(t *testing.T) {
	for _, code := range append(codes(t, "platform", "Refusal"), "something new") {
		target := platform.Target{Path: "/a", Volume: platform.Volume{FS: "proc", Free: 1e6}, Refusal: platform.Refusal(code)}
		for _, w := range languages() {
			m := Refusal(w, target)
			checkMessage(t, code, m)
			if isNew := code == "something new"; isNew != (m.Title == w.T("refusal.unknown.title", "Path", "/a")) {
				t.Errorf("%s: %+v", code, m)
			}
			if !strings.Contains(m.Title, "/a") {
				t.Errorf("%s does not name the folder: %q", code, m.Title)
			}
			if got := Error(w, &bench.PlanError{Code: bench.PlanBadTarget, Target: target}); got != m {
				t.Errorf("%s as a plan error: %+v", code, got)
			}
		}
	}
}

func TestEveryPlanCodeHasAnEntry(t *testing.T) {
	want := []string{string(bench.PlanBadTarget), string(bench.PlanNoSpace), string(bench.PlanNotEmpty), string(bench.PlanNoSource), string(bench.PlanInside),
		string(bench.PlanGrows), string(bench.PlanNoRights), string(bench.PlanNoTable)}
	if got := codes(t, "bench", "PlanCode"); !slices.Equal(got, want) {
		t.Errorf("codes %v: explain the new ones", got)
	}
	err := &bench.PlanError{Code: bench.PlanNoSpace, Need: 1 << 30, Reserve: 2e9,
		Target: platform.Target{Path: "/mnt", Volume: platform.Volume{Free: 25e8}}}
	got := Error(words.New("en"), fmt.Errorf("plan: %w", err)).String()
	got = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(got)
	if want := "A file of 1 GiB does not fit into /mnt. 2.5 GB are free, and 2 GB must stay free. Free some space or choose a smaller test size."; got != want {
		t.Errorf("got %q", got)
	}
	full := &bench.PlanError{Code: bench.PlanNotEmpty, Target: platform.Target{Path: "/mnt", Volume: platform.Volume{Used: 25e8}}}
	got = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(Error(words.New("en"), full).String())
	if want := "There are files on the volume of /mnt. 2.5 GB are used, and this test was to start on an empty volume. Choose an empty one, or let the test start from the present fill level."; got != want {
		t.Errorf("got %q", got)
	}
}

func TestCopyPlanErrors(t *testing.T) {
	target := platform.Target{Path: "/mnt", Volume: platform.Volume{Free: 25e8}}
	for _, c := range []struct {
		err  bench.PlanError
		want string
	}{
		{bench.PlanError{Code: bench.PlanNoSpace, Copies: true, Target: target, Need: 50e9, Reserve: 2e9}, "What this test copies does not fit into /mnt. It takes 50 GB; 2.5 GB are free, and 2 GB must stay free. Free some space or choose a smaller test size."},
		{bench.PlanError{Code: bench.PlanGrows, Target: target, Source: "/dev/sda"}, "/mnt lies on /dev/sda, and the image would grow into itself. Choose a folder on another drive or partition as the target."},
		{bench.PlanError{Code: bench.PlanNoTable, Target: target, Source: "/dev/sda"}, "There is no partition table that can be read on /dev/sda. Leave --partitions out to clone all of it into one image."},
		{bench.PlanError{Code: bench.PlanNoSource, Target: target, Source: "/src"}, "There is nothing to copy in /src. It has no file with a byte in it that you may read. Choose another folder."},
		{bench.PlanError{Code: bench.PlanInside, Target: target, Source: "/"}, "/mnt lies in /. The folder would be copied into itself. Choose a target outside the source."},
	} {
		got := Error(words.New("en"), fmt.Errorf("plan: %w", &c.err)).String()
		if got = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(got); got != c.want {
			t.Errorf("got %q", got)
		}
		checkMessage(t, string(c.err.Code), Error(words.New("de"), &c.err))
	}
}

func TestEveryWarningHasAnEntry(t *testing.T) {
	for _, code := range append(codes(t, "bench", "WarningCode"), "something-new") {
		for _, w := range languages() {
			x := bench.Warning{Code: bench.WarningCode(code), Value: 0.5, Text: "a text", Workload: "rnd4k-q1t1-read"}
			m := Warnings(w, []bench.Warning{x})[0]
			checkMessage(t, code, m)
			if isNew := code == "something-new"; isNew == w.Has("warning."+code+".title") || isNew && !strings.Contains(m.Title, code) {
				t.Errorf("%s: %+v", code, m)
			}
		}
	}
}

// Doubts of one kind about several workloads are one sentence with the worst value.
func TestWarningsOfOneKindStandTogether(t *testing.T) {
	w := words.New("en")
	got := Warnings(w, []bench.Warning{
		{Code: bench.WarnNoisy, Workload: "rnd4k-q1t1-read", Value: 0.2},
		{Code: bench.WarnBattery}, {Code: bench.WarnBattery},
		{Code: bench.WarnCached, Workload: "seq1m-q8t1-read", Value: 0.5},
		{Code: bench.WarnNoisy, Workload: "seq1m-q8t1-write", Value: 0.4},
		{Code: bench.WarnCached, Workload: "seq1m-q1t1-read", Value: 0.1},
	})
	var titles []string
	for _, m := range got {
		titles = append(titles, strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(m.Title))
	}
	want := []string{
		"RND4K Q1T1 · Read, SEQ1M Q8T1 · Write: the loops differ by up to 40 %",
		"The computer ran on battery",
		"SEQ1M Q8T1 · Read, SEQ1M Q1T1 · Read: the drive itself moved only 10 % of the data",
	}
	if !slices.Equal(titles, want) {
		t.Errorf("got %q", titles)
	}
}

func TestEveryReasonHasWords(t *testing.T) {
	for _, w := range languages() {
		for _, code := range codes(t, "bench", "Reason") {
			if got := Reason(w, bench.Reason(code)); got == "" || got == w.T("reason.unknown") {
				t.Errorf("%s: %q", code, got)
			}
		}
		if got := Reason(w, "melted"); got != w.T("reason.unknown") {
			t.Errorf("an unknown reason: %q", got)
		}
	}
}

// Every field that the engine can find fault with has a rule in words.
func TestEverySpecFieldHasARule(t *testing.T) {
	fields := map[string]bool{"span": true, "limit": true, "warm": true, "time": true, "fill": true, "flush": true}
	source(t, "bench", func(n ast.Node) {
		var first ast.Expr
		switch n := n.(type) {
		case *ast.CallExpr: // bad("threads", …) in Spec.Validate
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "bad" && len(n.Args) > 0 && !strings.Contains(constant(n.Args[0]), "%") {
				first = n.Args[0]
			}
		case *ast.CompositeLit: // SpecError{"size", …}
			if typ, ok := n.Type.(*ast.Ident); ok && typ.Name == "SpecError" && len(n.Elts) > 0 {
				first = n.Elts[0]
			}
		}
		if s := constant(first); s != "" && !strings.HasPrefix(s, "ID and title") {
			fields[s] = true
		}
	})
	if len(fields) < 15 {
		t.Errorf("only %d fields found: the scan does not work", len(fields))
	}
	for field := range fields {
		for _, w := range languages() {
			m := Error(w, fmt.Errorf("x: %w", &bench.SpecError{Field: field, Want: "y"}))
			checkMessage(t, field, m)
			if !w.Has(specID(field)) {
				t.Errorf("no rule for %q", field)
			}
		}
	}
}

func TestAllFaultsOfATestAreNamed(t *testing.T) {
	_, err := bench.ParseSpec("RND3000 Q0T0")
	m := Error(words.New("en"), fmt.Errorf("run: %w", err))
	for _, part := range []string{"Block size:", "Queue depth:", "Threads:"} {
		if strings.Count(m.Advice, part) != 1 {
			t.Errorf("%s is there %d times in %q", part, strings.Count(m.Advice, part), m.Advice)
		}
	}
	p, _ := bench.ByID("cdm-nvme")
	_, err = bench.NewPlan(p.With(bench.Overrides{Loops: 1000, FileSize: 1}), platform.Target{}, bench.Options{})
	m = Error(words.New("de"), err)
	for _, part := range []string{"Durchläufe:", "Testgröße:"} {
		if strings.Count(m.Advice, part) != 1 {
			t.Errorf("%s is there %d times in %q", part, strings.Count(m.Advice, part), m.Advice)
		}
	}
}

func TestResultThatCannotBeSaved(t *testing.T) {
	cause := &platform.OpError{Op: "write", Object: "/data", Reason: platform.ErrPermission}
	m := Error(words.New("en"), &app.SaveError{ID: "x", Err: cause})
	if m.Title != "The result could not be saved: No permission for /data" || !strings.Contains(m.Advice, "save again") {
		t.Errorf("got %+v", m)
	}
}

// What has no reason of ours is told in the system's words, with the thing it is about.
func TestTheSystemsOwnWords(t *testing.T) {
	err := &app.SaveError{ID: "x", Err: &platform.OpError{Op: "write", Object: "/data/x.json", Err: errors.New("input/output fog")}}
	m := Error(words.New("en"), err)
	if m.Title != "The result could not be saved: /data/x.json: input/output fog" {
		t.Errorf("got %+v", m)
	}
	m = Error(words.New("de"), err.Err)
	checkMessage(t, "system", m)
	if m.Title != "/data/x.json: input/output fog" {
		t.Errorf("got %+v", m)
	}
}

// A damaged file is explained as one, even if what is wrong inside has an explanation of its own.
func TestDamagedFileIsNotABadTest(t *testing.T) {
	bad := `{"schema":1,"id":"a","plan":{"profile":{"id":"a","title":"a","file_size":1}}}`
	_, err := store.Decode(strings.NewReader(bad))
	w := words.New("en")
	m := Error(w, &platform.OpError{Op: "open result", Object: "/r/a.json", Err: err})
	if m.Title != "/r/a.json is damaged or not a result" {
		t.Errorf("got %+v", m)
	}
}

// A sentence names the folder that the user chose, once, and not the file in it.
func TestSentencesNameTheFolderOnce(t *testing.T) {
	w := words.New("en")
	folder := filepath.FromSlash("/home/anna/data")
	file := filepath.Join(folder, ".cachecliff-test-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp")
	odd := errors.New("no such device")
	for _, c := range []struct {
		err  error
		want string
	}{
		{&platform.OpError{Op: "create test file", Object: file, Reason: platform.ErrNoDirectIO}, folder + ": the file system does not take direct I/O"},
		{&platform.OpError{Op: "write", Object: file, Err: &fs.PathError{Op: "write", Path: file, Err: odd}}, folder + ": no such device"},
		{&platform.OpError{Op: "open", Object: folder, Err: fmt.Errorf("open %s: %w", folder, odd)}, folder + ": no such device"},
		{&app.SaveError{ID: "x", Err: &platform.OpError{Op: "write", Object: folder, Reason: platform.ErrNoSpace}}, "The result could not be saved: No space left on " + folder},
	} {
		if got := Error(w, c.err).Title; got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.err, got, c.want)
		}
	}
}

// Only who lacks space is told to make some, and only who lacks rights to get them.
func TestAdviceFitsTheReason(t *testing.T) {
	w := words.For("en", words.Linux)
	odd := &platform.OpError{Op: "write", Object: "/r", Err: &fs.PathError{Op: "open", Path: "/r", Err: errors.New("not a directory")}}
	for _, err := range []error{platform.ErrNoSpace, platform.ErrQuota, platform.ErrPermission, platform.ErrReadOnly, platform.ErrIO, odd} {
		op := err
		if err != odd {
			op = &platform.OpError{Op: "write", Object: "/r", Reason: err, Err: errors.New("why")}
		}
		for _, whole := range []error{op, fmt.Errorf("%w: %w", store.ErrFolder, op)} {
			m := Error(w, whole)
			checkMessage(t, whole.Error(), m)
			full := errors.Is(err, platform.ErrNoSpace) || errors.Is(err, platform.ErrQuota)
			if makesRoom := strings.Contains(strings.ToLower(m.Advice), "space") || strings.Contains(m.Advice, "Delete files"); makesRoom != full {
				t.Errorf("%v: advice %q", whole, m.Advice)
			}
			if right := strings.Contains(m.Advice, "right to"); right != (err == platform.ErrPermission) {
				t.Errorf("%v: advice %q", whole, m.Advice)
			}
			if !strings.Contains(m.Title, "/r") || err == odd && !strings.Contains(m.Title, ": not a directory") {
				t.Errorf("%v: title %q", whole, m.Title)
			}
		}
	}
}
