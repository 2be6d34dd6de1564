package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

var le = binary.LittleEndian

// wide is a text in UTF-16 with its zero.
func wide(s string) []byte {
	var b []byte
	for _, u := range append(utf16.Encode([]rune(s)), 0) {
		b = le.AppendUint16(b, u)
	}
	return b
}

func pad(b []byte) []byte {
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// block is one block of a version.
func block(key string, value []byte, isText bool, children ...[]byte) []byte {
	b := make([]byte, 6)
	b = append(b, wide(key)...)
	b = append(pad(b), value...)
	for _, c := range children {
		b = append(pad(b), c...)
	}
	le.PutUint16(b, uint16(len(b)))
	le.PutUint16(b[2:], uint16(len(value)))
	if isText {
		le.PutUint16(b[2:], uint16(len(value)/2))
		le.PutUint16(b[4:], 1)
	}
	return b
}

// versionOf is a VS_VERSIONINFO of version 1.2.3.
func versionOf(file, product, name string) []byte {
	fixed := make([]byte, 52)
	for i, n := range []uint32{0xFEEF04BD, 1 << 16, 1<<16 | 2, 3 << 16, 1<<16 | 2, 3 << 16} {
		le.PutUint32(fixed[4*i:], n)
	}
	texts := [][]byte{}
	for _, t := range [][2]string{{"FileDescription", "ä drive"}, {"FileVersion", file}, {"OriginalFilename", name}, {"ProductName", "Cachecliff"}, {"ProductVersion", product}} {
		texts = append(texts, block(t[0], wide(t[1]), true))
	}
	return block("VS_VERSION_INFO", fixed, false,
		block("StringFileInfo", nil, true, block("040904b0", nil, true, texts...)),
		block("VarFileInfo", nil, true, block("Translation", []byte{9, 4, 0xb0, 4}, false)))
}

// section lays resources out as a linker does: type, name, language, leaf, data.
func section(at uint32, list resources) []byte {
	kinds := map[uint32]resources{}
	for _, r := range list {
		kinds[r.kind] = append(kinds[r.kind], r)
	}
	var b []byte
	dir := func(ids []uint32) int {
		head := make([]byte, 16)
		le.PutUint16(head[14:], uint16(len(ids)))
		b = append(b, head...)
		start := len(b)
		for _, id := range ids {
			b = le.AppendUint32(b, id)
			b = le.AppendUint32(b, 0)
		}
		return start
	}
	types := slices.Sorted(maps.Keys(kinds))
	root := dir(types)
	for i, kind := range types {
		le.PutUint32(b[root+8*i+4:], uint32(len(b))|named)
		var ids []uint32
		for _, r := range kinds[kind] {
			ids = append(ids, r.id)
		}
		names := dir(ids)
		for j, r := range kinds[kind] {
			le.PutUint32(b[names+8*j+4:], uint32(len(b))|named)
			lang := dir([]uint32{0x409})
			le.PutUint32(b[lang+4:], uint32(len(b)))
			b = le.AppendUint32(b, at+uint32(len(b))+16)
			b = le.AppendUint32(b, uint32(len(r.data)))
			b = append(b, make([]byte, 8)...)
			b = pad(append(b, r.data...))
		}
	}
	return b
}

const goodManifest = `<?xml version="1.0"?><assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
<compatibility xmlns="urn:schemas-microsoft-com:compatibility.v1"><application><supportedOS Id="{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}"/></application></compatibility>
<application xmlns="urn:schemas-microsoft-com:asm.v3"><windowsSettings><dpiAware>true</dpiAware><dpiAwareness>permonitorv2,system</dpiAwareness><longPathAware>true</longPathAware></windowsSettings></application>
<trustInfo xmlns="urn:schemas-microsoft-com:asm.v3"><security><requestedPrivileges><requestedExecutionLevel level="asInvoker" uiAccess="false"/></requestedPrivileges></security></trustInfo>
<dependency><dependentAssembly><assemblyIdentity name="Microsoft.Windows.Common-Controls" version="6.0.0.0"/></dependentAssembly></dependency></assembly>`

// good is what a program has that lacks nothing.
func good(t *testing.T) resources {
	t.Helper()
	group := []byte{0, 0, 1, 0, 5, 0}
	var icons resources
	for i, size := range []int{16, 24, 32, 48, 256} {
		entry := make([]byte, 14)
		entry[0], entry[1] = byte(size), byte(size)
		le.PutUint16(entry[12:], uint16(i+1))
		group = append(group, entry...)
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, size, size))); err != nil {
			t.Fatal(err)
		}
		data := picture.Bytes()
		if size == 24 { // one as a bitmap: twice as high, for its mask
			data = make([]byte, 40)
			le.PutUint32(data, 40)
			le.PutUint32(data[4:], 24)
			le.PutUint32(data[8:], 48)
		}
		icons = append(icons, resource{typeIcon, uint32(i + 1), data})
	}
	return append(icons,
		resource{typeGroupIcon, 1, group},
		resource{typeVersion, 1, versionOf("1.2.3.0", "1.2.3", "a.exe")},
		resource{typeVersion, 2, versionOf("1.2.3.0", "1.2.3", "a.exe")},
		resource{typeManifest, 1, []byte(goodManifest)})
}

func TestResources(t *testing.T) {
	set := func(kind, id uint32, data []byte) func(resources) {
		return func(r resources) {
			for i := range r {
				if r[i].kind == kind && r[i].id == id {
					r[i].data = data
				}
			}
		}
	}
	manifest := func(from, to string) func(resources) {
		if !strings.Contains(goodManifest, from) {
			t.Fatalf("the manifest has no %q", from)
		}
		return set(typeManifest, 1, []byte(strings.ReplaceAll(goodManifest, from, to)))
	}
	for _, c := range []struct {
		name   string
		change func(resources)
		want   string // part of the only complaint
	}{
		{"all there", func(resources) {}, ""},
		{"icon of another size", set(typeIcon, 3, make([]byte, 40)), "icon of 32 pixels"},
		{"no icons", set(typeGroupIcon, 1, nil), "icon in sizes []"},
		{"another version", set(typeVersion, 2, versionOf("1.2.4.0", "1.2.3", "a.exe")), "version 1.2.3.0, 1.2.3.0, 1.2.4.0, 1.2.3"},
		{"another name", set(typeVersion, 1, versionOf("1.2.3.0", "1.2.3", "b.exe")), "named b.exe"},
		{"version cut short", set(typeVersion, 1, versionOf("1.2.3.0", "1.2.3", "a.exe")[:60]), "cut short"},
		{"version without numbers", set(typeVersion, 1, block("VS_VERSION_INFO", nil, false)), "has no numbers"},
		{"administrator", manifest("asInvoker", "requireAdministrator"), "requireAdministrator"},
		{"blurred", manifest("permonitorv2,system", "system"), "sharp"},
		{"blurred on old ones", manifest("<dpiAware>true", "<dpiAware>false"), "sharp"},
		{"short paths", manifest("<longPathAware>true", "<longPathAware>false"), "paths longer"},
		{"old Windows", manifest("8e0f7a12", "00000000"), "Windows 10"},
		{"old controls", manifest(`"6.0.0.0"`, `"5.82.0.0"`), "controls"},
		{"no manifest", set(typeManifest, 1, nil), "no manifest"},
		{"broken manifest", set(typeManifest, 1, []byte("<a>")), "manifest: "},
	} {
		list := good(t)
		c.change(list)
		const at = 0x5000
		r, err := readResources(section(at, list), at)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got checklist
		got.icon(r)
		got.versions(r, want{version: "1.2.3", name: "a.exe"})
		got.manifest(r)
		err = got.result()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestCutShort cuts a section at every byte: an error or fewer resources, never a panic.
func TestCutShort(t *testing.T) {
	whole := section(0x1000, good(t))
	for n := range len(whole) {
		if r, err := readResources(whole[:n], 0x1000); err == nil && len(r) >= len(good(t)) && n < len(whole)-3 {
			t.Fatalf("%d of %d bytes hold all", n, len(whole))
		}
	}
	if _, err := readResources(whole, 0x900000); err == nil {
		t.Error("data before the section was read")
	}
}

func FuzzResources(f *testing.F) {
	f.Add(section(0, resources{{typeVersion, 1, versionOf("1.2.3.0", "1.2.3", "a.exe")}}))
	f.Add(section(0, resources{{typeManifest, 1, []byte(goodManifest)}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := readResources(b, 0)
		if err != nil {
			return
		}
		for _, data := range r.all(typeVersion) {
			if v, err := readVersion(data); err == nil && v.file == "" {
				t.Error("a version without a number")
			}
		}
		var c checklist
		c.icon(r)
		c.manifest(r)
		if len(c.facts)+len(c.wrong) == 0 {
			t.Error("nothing was said")
		}
	})
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
	}{
		{nil, 2},
		{[]string{"-version", "1.2.3", "-name", "a.exe", "-arch", "mips", "a.exe"}, 2},
		{[]string{"-version", "1.2.3", "-name", "a.exe", "main.go"}, 1}, // no program
	} {
		var out, errs bytes.Buffer
		if status := run(c.args, &out, &errs); status != c.status || errs.Len() == 0 {
			t.Errorf("%v: status %d, said %q", c.args, status, errs.String())
		}
	}
}
