package winapi

import (
	"slices"
	"strings"
	"testing"
)

func TestParsePath(t *testing.T) {
	long := strings.Repeat(`folder\`, 60) + "x"
	const id = `Volume{6a8c0f5e-1c2d-11ee-9a64-806e6f6e6963}`
	for _, c := range []struct{ path, root, text, long string }{
		{`C:\x`, `C:\`, `C:\x`, `\\?\C:\x`},
		{`c:\`, `C:\`, `C:\`, `\\?\C:\`},
		{`C:\x\`, `C:\`, `C:\x`, `\\?\C:\x`},
		{`C:/x/y`, `C:\`, `C:\x\y`, `\\?\C:\x\y`},
		{`C:\a\.\b\..\..\..\x`, `C:\`, `C:\x`, `\\?\C:\x`},
		{`C:\größe\テスト\💾`, `C:\`, `C:\größe\テスト\💾`, `\\?\C:\größe\テスト\💾`},
		{`C:\` + long, `C:\`, `C:\` + long, `\\?\C:\` + long},
		{`\\server\share`, `\\server\share\`, `\\server\share\`, `\\?\UNC\server\share\`},
		{`\\server\share\x y`, `\\server\share\`, `\\server\share\x y`, `\\?\UNC\server\share\x y`},
		{`//server/share/x`, `\\server\share\`, `\\server\share\x`, `\\?\UNC\server\share\x`},
		{`\\?\UNC\server\share\x`, `\\server\share\`, `\\server\share\x`, `\\?\UNC\server\share\x`},
		{`\\?\unc\server\share`, `\\server\share\`, `\\server\share\`, `\\?\UNC\server\share\`},
		{`\\?\C:\x`, `C:\`, `C:\x`, `\\?\C:\x`},
		{`\\?\C:\a/b`, `C:\`, `C:\a/b`, `\\?\C:\a/b`},
		{`\\?\C:\x `, `C:\`, `\\?\C:\x `, `\\?\C:\x `},
		{`\\?\C:\x.\y`, `C:\`, `\\?\C:\x.\y`, `\\?\C:\x.\y`},
		{`\\?\C:\con`, `C:\`, `\\?\C:\con`, `\\?\C:\con`},
		{`\\?\C:\Lpt1 .txt`, `C:\`, `\\?\C:\Lpt1 .txt`, `\\?\C:\Lpt1 .txt`},
		{`\\?\C:\com²`, `C:\`, `\\?\C:\com²`, `\\?\C:\com²`},
		{`\\?\C:\com`, `C:\`, `C:\com`, `\\?\C:\com`},
		{`\\?\C:\com10\.x\ y`, `C:\`, `C:\com10\.x\ y`, `\\?\C:\com10\.x\ y`},
		{`\\?\UNC\server\share\x.`, `\\server\share\`, `\\?\UNC\server\share\x.`, `\\?\UNC\server\share\x.`},
		{`\??\C:\x`, `C:\`, `C:\x`, `\\?\C:\x`},
		{`\??\UNC\server\share\x`, `\\server\share\`, `\\server\share\x`, `\\?\UNC\server\share\x`},
		{`\??\` + id + `\`, `\\?\` + id + `\`, `\\?\` + id + `\`, `\\?\` + id + `\`},
		{`\\?\` + id, `\\?\` + id + `\`, `\\?\` + id + `\`, `\\?\` + id + `\`},
		{`\\?\` + id + `\x\y`, `\\?\` + id + `\`, `\\?\` + id + `\x\y`, `\\?\` + id + `\x\y`},
		{path: `\\.\PhysicalDrive0`}, {path: `\\.\pipe\x`}, {path: `\\?\GLOBALROOT\Device\HarddiskVolume1\x`},
		{path: `\\?\Volume{1`}, {path: `\\?\Volume{}`}, {path: `\\?\Volume{1}x\y`}, {path: `\\?\`}, {path: `\\`}, {path: `\\server`}, {path: `\\server\`},
		{path: `x`}, {path: `\x`}, {path: `C:x`}, {path: `C:`}, {path: `1:\x`}, {path: `/home/x`}, {path: ``}, {path: `\??\C:`},
	} {
		p, ok := ParsePath(c.path)
		if ok != (c.root != "") || p.Root != c.root {
			t.Errorf("%s: root %q, %t, want %q", c.path, p.Root, ok, c.root)
			continue
		}
		if ok && (p.String() != c.text || p.Long() != c.long) {
			t.Errorf("%s: %q, %q, want %q, %q", c.path, p, p.Long(), c.text, c.long)
		}
	}
}

func parse(t testing.TB, s string) Path {
	t.Helper()
	p, ok := ParsePath(s)
	if !ok {
		t.Fatalf("%s is no path", s)
	}
	return p
}

func TestPathBelow(t *testing.T) {
	for _, c := range []struct {
		path, top string
		want      []string
		ok        bool
	}{
		{`C:\mnt\disk\x\y`, `C:\mnt\disk`, []string{"x", "y"}, true},
		{`C:\MNT\Disk`, `c:\mnt\disk\`, nil, true},
		{`C:\mnt\disks`, `C:\mnt\disk`, nil, false},
		{`C:\mnt`, `C:\mnt\disk`, nil, false},
		{`D:\mnt\disk`, `C:\mnt\disk`, nil, false},
		{`\\SERVER\share\x`, `\\server\Share`, []string{"x"}, true},
	} {
		got, ok := parse(t, c.path).Below(parse(t, c.top))
		if ok != c.ok || !slices.Equal(got, c.want) {
			t.Errorf("%s below %s: %q, %t", c.path, c.top, got, ok)
		}
		if same := parse(t, c.path).Equal(parse(t, c.top)); same != (c.ok && c.want == nil) {
			t.Errorf("%s is %s: %t", c.path, c.top, same)
		}
	}
}

func TestPathKinds(t *testing.T) {
	for path, want := range map[string]struct {
		letter string
		server bool
	}{
		`d:\x`: {"D:", false}, `\\s\s\x`: {"", true}, `\\?\Volume{1}\x`: {"", false}, `\\?\UNC\s\s`: {"", true},
	} {
		p := parse(t, path)
		if p.Letter() != want.letter || p.OnServer() != want.server {
			t.Errorf("%s: letter %q, on a server %t", path, p.Letter(), p.OnServer())
		}
	}
	a := parse(t, `C:\a`)
	b, c := a.Join("b"), a.Join("c", "d")
	if b.String() != `C:\a\b` || c.String() != `C:\a\c\d` || a.String() != `C:\a` {
		t.Errorf("%s, %s, %s", a, b, c)
	}
}

func TestSubstituted(t *testing.T) {
	for device, want := range map[string]string{
		`\??\C:\Users\me`:                     `C:\Users\me`,
		`\??\C:`:                              `C:\`,
		`\??\UNC\server\share\x`:              `\\server\share\x`,
		`\Device\HarddiskVolume3`:             "",
		`\Device\LanmanRedirector\;Z:0\srv\s`: "",
		`\Device\CdRom0`:                      "",
		``:                                    "",
	} {
		got, ok := Substituted(device)
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("%s: %q, %t", device, got, ok)
		}
	}
}

func TestRedirected(t *testing.T) {
	for device, want := range map[string]bool{
		`\Device\LanmanRedirector\;Z:0000000000012345\srv\pub`:  true,
		`\Device\Mup\;LanmanRedirector\;z:00000000000abc\srv\p`: true,
		`\Device\LanmanRedirector\;Y:0000000000012345\srv\pub`:  false,
		`\Device\HarddiskVolume3`:                               false, `\??\C:\x`: false, ``: false,
	} {
		if got := Redirected(device, "Z:"); got != want {
			t.Errorf("%s: %t", device, got)
		}
	}
	if Redirected(`\Device\Mup\;`, "") {
		t.Error("no letter is redirected")
	}
}

func TestLetters(t *testing.T) {
	if got := Letters(1<<2 | 1<<25 | 1<<31); !slices.Equal(got, []string{`C:\`, `Z:\`}) {
		t.Errorf("%q", got)
	}
}

// FuzzParsePath checks that what was taken apart gives the same path when it is taken apart again.
func FuzzParsePath(f *testing.F) {
	for _, s := range []string{`C:\x\..\y`, `\\server\share\x`, `\\?\UNC\s\s\x`, `\??\Volume{1}\x`, `\\.\C:`, `c:/a//b`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, ok := ParsePath(s)
		if !ok {
			return
		}
		for _, part := range p.Parts {
			if part == "" || part == "." || part == ".." || strings.Contains(part, `\`) {
				t.Errorf("%q: part %q", s, part)
			}
		}
		again, ok := ParsePath(p.Long())
		if !ok || again.String() != p.String() {
			t.Errorf("%q: %q becomes %q, %t", s, p.Long(), again, ok)
		}
	})
}
