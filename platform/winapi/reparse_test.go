package winapi

import (
	"errors"
	"testing"
	"unicode/utf16"
	"unsafe"
)

// wide is a text in letters of two bytes.
func wide(s string) []byte {
	var b []byte
	for _, c := range utf16.Encode([]rune(s)) {
		b = append(b, byte(c), byte(c>>8))
	}
	return b
}

// reparse is a REPARSE_DATA_BUFFER as Windows stores links: the two names one behind the other, of junctions
// each with a zero.
func reparse(tag uint32, flags uint32, substitute, printed string) answer {
	b := bytesOf(16)
	if tag == TagSymlink {
		b = append(b, bytesOf(4).u32(0, flags)...)
	}
	at := len(b)
	zero := []byte{0, 0}
	if tag == TagSymlink {
		zero = nil
	}
	b = append(append(b, wide(substitute)...), zero...)
	second := len(b) - at
	b = append(append(b, wide(printed)...), zero...)
	return b.u32(0, tag).u16(4, uint16(len(b)-8)).
		u16(8, 0).u16(10, uint16(len(wide(substitute)))).u16(12, uint16(second)).u16(14, uint16(len(wide(printed))))
}

func TestDecodeReparse(t *testing.T) {
	if n := unsafe.Sizeof(reparseHead{}); n != 16 {
		t.Errorf("the head has %d bytes", n)
	}
	const volume = `\??\Volume{6a8c0f5e-1c2d-11ee-9a64-806e6f6e6963}\`
	for _, c := range []struct {
		name   string
		answer answer
		want   Link
		volume bool
		from   string // C:\folder
	}{
		{"a junction", reparse(TagMountPoint, 0, `\??\C:\Users\größe`, `C:\Users\größe`), Link{TagMountPoint, `\??\C:\Users\größe`, false}, false, `C:\Users\größe`},
		{"a volume", reparse(TagMountPoint, 0, volume, ""), Link{TagMountPoint, volume, false}, true, `\\?\` + volume[4:]},
		{"a link", reparse(TagSymlink, 0, `\??\D:\x`, `D:\x`), Link{TagSymlink, `\??\D:\x`, false}, false, `D:\x`},
		{"a link to a server", reparse(TagSymlink, 0, `\??\UNC\server\share\x`, `\\server\share\x`), Link{TagSymlink, `\??\UNC\server\share\x`, false}, false, `\\server\share\x`},
		{"a relative link", reparse(TagSymlink, 1, `..\x`, `..\x`), Link{TagSymlink, `..\x`, true}, false, `C:\x`},
		{"below", reparse(TagSymlink, 1, `x\y`, `x\y`), Link{TagSymlink, `x\y`, true}, false, `C:\folder\x\y`},
		{"from the root", reparse(TagSymlink, 1, `\x`, `\x`), Link{TagSymlink, `\x`, true}, false, `C:\x`},
		{"a link to a volume is no mount", reparse(TagSymlink, 0, volume, ""), Link{TagSymlink, volume, false}, false, `\\?\` + volume[4:]},
		{"to the kernel", reparse(TagSymlink, 0, `\Device\Mup\x`, ""), Link{TagSymlink, `\Device\Mup\x`, false}, false, ""},
		{"of OneDrive", bytesOf(24).u32(0, 0x9000301A), Link{Tag: 0x9000301A}, false, ""},
	} {
		got, err := DecodeReparse(c.answer)
		if err != nil || got != c.want || got.IsVolume() != c.volume {
			t.Errorf("%s: %+v, a volume %t, %v", c.name, got, got.IsVolume(), err)
		}
		from, ok := got.From(parse(t, `C:\folder`))
		if ok != (c.from != "") || ok && from.String() != c.from {
			t.Errorf("%s leads to %q, %t, want %q", c.name, from, ok, c.from)
		}
	}
	if !IsLink(TagMountPoint) || !IsLink(TagSymlink) || IsLink(0x9000301A) || IsLink(0x80000013) || IsLink(0) {
		t.Error("what a link is")
	}
}

func TestDecodeReparseShort(t *testing.T) {
	for name, b := range map[string]answer{
		"nothing":       nil,
		"a tag":         bytesOf(4).u32(0, TagSymlink),
		"no names":      bytesOf(16).u32(0, TagMountPoint).u16(4, 8).u16(10, 2),
		"no flags":      bytesOf(16).u32(0, TagSymlink).u16(4, 8),
		"names too far": reparse(TagMountPoint, 0, `\??\C:\x`, "")[:20],
		"a wrong start": reparse(TagMountPoint, 0, `\??\C:\x`, "").u16(8, 0xFFF0),
		"a wrong size":  reparse(TagMountPoint, 0, `\??\C:\x`, "").u16(4, 9),
	} {
		if l, err := DecodeReparse(b); !errors.Is(err, ErrShort) {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
	if _, err := DecodeReparse(bytesOf(16).u32(0, TagMountPoint).u16(4, 8)); !errors.Is(err, ErrStrange) {
		t.Errorf("an empty link: %v", err)
	}
}

func FuzzDecodeReparse(f *testing.F) {
	f.Add([]byte(reparse(TagMountPoint, 0, `\??\C:\x`, `C:\x`)))
	f.Add([]byte(reparse(TagSymlink, 1, `..\x`, `..\x`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := DecodeReparse(b)
		if err == nil && (l.Tag == TagMountPoint || l.Tag == TagSymlink) && l.Target == "" {
			t.Error("a link to nowhere")
		}
		l.From(Path{Root: `C:\`, Parts: []string{"a"}})
	})
}
