package winapi

import (
	"errors"
	"slices"
	"testing"
	"unsafe"
)

func TestDependentABI(t *testing.T) {
	var e dependentEntry
	for _, f := range []struct {
		name      string
		got, want uintptr
	}{
		{"size", unsafe.Sizeof(e), 0x44}, {"level", unsafe.Offsetof(e.AncestorLevel), 0x20},
		{"host volume", unsafe.Offsetof(e.HostVolumeNameOffset), 0x24}, {"path", unsafe.Offsetof(e.RelativePathOffset), 0x34},
		{"head", unsafe.Sizeof(dependentHead{}), 8},
	} {
		if f.got != f.want {
			t.Errorf("%s: %#x, want %#x", f.name, f.got, f.want)
		}
	}
	if got := DependentRequest(); !slices.Equal(got, []byte{2, 0, 0, 0, 1, 0, 0, 0}) {
		t.Errorf("request % x", got)
	}
}

// dependent is the entry of one file.
func dependent(level uint32, volume, file string) answer {
	v, f := wide(volume), wide(file)
	b := bytesOf(0x44).u32(0x20, level).u32(0x24, 0x44).u32(0x28, uint32(len(v))).
		u32(0x34, uint32(0x44+len(v))).u32(0x38, uint32(len(f)))
	b = append(append(b, v...), f...)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b.u32(0, uint32(len(b)))
}

func TestDecodeDependent(t *testing.T) {
	const volume = `\\?\Volume{6a8c0f5e-1c2d-11ee-9a64-806e6f6e6963}\`
	head := func(n uint32) answer { return bytesOf(8).u32(0, 2).u32(4, n) }
	two := append(append(head(2), dependent(0, volume, `\größe\a.vhdx`)...), dependent(1, volume[:len(volume)-1], `\parent.vhdx`)...)
	for _, c := range []struct {
		name   string
		answer answer
		want   []Backing
	}{
		{"none", head(0), nil},
		{"two", two, []Backing{{volume, `\größe\a.vhdx`}, {volume, `\parent.vhdx`}}},
		{"another name", append(head(1), dependent(0, `\Device\HarddiskVolume3`, `\a.vhd`)...), []Backing{{"", `\a.vhd`}}},
		{"on a server", append(head(1), dependent(0, `\\server\share`, `\a.vhd`)...), []Backing{{"", `\a.vhd`}}},
		{"names outside", append(head(1), dependent(0, volume, `\a`).u32(0x24, 1<<31).u32(0x38, 1<<32-1)...), []Backing{{}}},
	} {
		got, err := DecodeDependent(c.answer)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	for name, b := range map[string]answer{"nothing": nil, "fewer than said": head(1), "half": append(head(1), bytesOf(60)...)} {
		if got, err := DecodeDependent(b); !errors.Is(err, ErrShort) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, b := range map[string]answer{
		"another level": bytesOf(8).u32(0, 1), "no length": append(head(1), bytesOf(0x44)...), "too long": append(head(1), bytesOf(0x44).u32(0, 0x45)...),
	} {
		if got, err := DecodeDependent(b); !errors.Is(err, ErrStrange) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func FuzzDecodeDependent(f *testing.F) {
	f.Add([]byte(append(bytesOf(8).u32(0, 2).u32(4, 1), dependent(0, `\\?\Volume{1}`, `\a.vhd`)...)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if all, err := DecodeDependent(b); err == nil && len(b) < 8+0x44*len(all) {
			t.Errorf("%d files from %d bytes", len(all), len(b))
		}
	})
}
