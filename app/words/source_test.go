package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// use is a call of T or N, or another string constant, in the program's source.
type use struct {
	pos    string
	id     string   // constant, or its constant beginning
	prefix bool     // more is put behind it
	call   bool     // of T or N
	plural bool     // of N
	fields []string // names of the pairs; nil if they are not constant
	known  bool     // fields is complete
}

// uses collects all string constants of the program, tests left out.
func uses(t *testing.T) []use {
	t.Helper()
	var out []use
	for _, dir := range []string{"app", "ui", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
				return err
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, p, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				out = append(out, usesOf(set, n)...)
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func usesOf(set *token.FileSet, n ast.Node) []use {
	switch n := n.(type) {
	case *ast.BasicLit:
		if s, ok := constant(n); ok {
			return []use{{pos: set.Position(n.Pos()).String(), id: s}}
		}
	case *ast.BinaryExpr:
		if s, ok := constant(n.X); ok && n.Op == token.ADD {
			return []use{{pos: set.Position(n.Pos()).String(), id: s, prefix: true}}
		}
	case *ast.CallExpr:
		if u, ok := callOf(n); ok {
			u.pos = set.Position(n.Pos()).String()
			return []use{u}
		}
	}
	return nil
}

// callOf reads w.T("id", "Name", value, …) and w.N("id", count, …).
func callOf(n *ast.CallExpr) (use, bool) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || len(n.Args) == 0 || (sel.Sel.Name != "T" && sel.Sel.Name != "N") {
		return use{}, false
	}
	u := use{call: true, plural: sel.Sel.Name == "N", known: n.Ellipsis == token.NoPos}
	if u.id, ok = constant(n.Args[0]); !ok {
		sum, isSum := n.Args[0].(*ast.BinaryExpr)
		if !isSum {
			return use{}, false
		}
		if u.id, ok = constant(sum.X); !ok {
			return use{}, false
		}
		u.prefix = true
	}
	rest := n.Args[1:]
	if u.plural {
		u.fields = append(u.fields, "Count")
		rest = rest[min(1, len(rest)):]
	}
	for i := 0; i < len(rest) && u.known; i += 2 {
		name, ok := constant(rest[i])
		u.fields, u.known = append(u.fields, name), ok
	}
	return u, true
}

func constant(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// Every message that the program asks for is there, with the fields that the program gives it.
func TestMessagesAskedForAreThere(t *testing.T) {
	all := load(t, English)
	calls := 0
	for _, u := range uses(t) {
		if !u.call {
			continue
		}
		calls++
		found := false
		for id, m := range all {
			plain := strings.TrimSuffix(id, "."+string(Windows)) // the program asks for that
			if plain != u.id && !(u.prefix && strings.HasPrefix(id, u.id)) {
				continue
			}
			found = true
			if _, plural := m["one"]; u.plural && !plural {
				t.Errorf("%s: %s is asked for with a number and has no form for one", u.pos, id)
			}
			for _, f := range fields(m) {
				if u.known && !slices.Contains(u.fields, f) {
					t.Errorf("%s: %s needs the field %s", u.pos, id, f)
				}
			}
		}
		if !found {
			t.Errorf("%s: there is no message %s", u.pos, u.id)
		}
	}
	if calls == 0 {
		t.Error("no call found: the scan does not work")
	}
}

// Every message is asked for. A constant counts as well as a call, for IDs that stand in tables; so does
// one that a title or an advice is put behind (package explain).
func TestMessagesAreAskedFor(t *testing.T) {
	all := load(t, English)
	for _, u := range uses(t) {
		for _, id := range []string{u.id, u.id + ".title", u.id + ".advice"} {
			delete(all, id)
			delete(all, id+"."+string(Windows))
		}
		if u.prefix && strings.Contains(u.id, ".") {
			maps.DeleteFunc(all, func(id string, _ message) bool { return strings.HasPrefix(id, u.id) })
		}
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		t.Errorf("nobody asks for %s", id)
	}
}
