package winapi

import (
	"errors"
	"reflect"
	"testing"

	"cachecliff/platform"
)

// usable is a folder with room for a test.
func usable() Probe {
	return Probe{Answered: true, Folder: true, Attributes: AttrFolder, Size: 1 << 40, Used: 1 << 39, Free: 1 << 39}
}

func ntfs() Volume {
	return Volume{
		Root: Path{Root: `C:\`}, Name: `\\?\Volume{1}\`, Kind: KindFixed, Label: "System", FS: "NTFS",
		Flags: 0x03E706FF, System: true,
	}
}

func TestVolumeTarget(t *testing.T) {
	drives := []platform.Drive{{Name: "PhysicalDrive0"}}
	layers := []platform.Layer{{Kind: platform.LayerBitLocker, Name: `C:\`}}
	p := usable()
	p.Attributes |= AttrEncrypted
	got := ntfs().Target(Path{Root: `C:\`, Parts: []string{"Users", "größe"}}, p, layers, drives)
	want := platform.Target{
		Path: `C:\Users\größe`,
		Volume: platform.Volume{
			Mount: `C:\`, Source: `\\?\Volume{1}`, FS: "NTFS", Options: "rw", Label: "System",
			Size: 1 << 40, Used: 1 << 39, Free: 1 << 39, System: true,
		},
		Layers: []platform.Layer{{Kind: platform.LayerEFS, Name: `C:\Users\größe`}, layers[0]},
		Drives: drives,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestVolumeNames(t *testing.T) {
	for _, c := range []struct {
		name              string
		volume            Volume
		probe             Probe
		source, fs, label string
		options           string
		local, remote     bool
	}{
		{"NTFS", ntfs(), usable(), `\\?\Volume{1}`, "NTFS", "System", "rw", true, false},
		{"a letter of a server", Volume{Root: Path{Root: `Z:\`}, Share: `\\server\share`, Kind: KindRemote, FS: "NTFS", Label: "a  b\n"}, usable(), `\\server\share`, "remote NTFS", "a b", "rw", false, true},
		{"a share", Volume{Root: Path{Root: `\\server\share\`}, FS: "NTFS"}, usable(), `\\server\share\`, "remote NTFS", "", "rw", false, true},
		{"a share that does not answer", Volume{Root: Path{Root: `Z:\`}, Kind: KindRemote}, Probe{}, `Z:\`, "remote", "", "", false, true},
		{"without a letter", Volume{Root: Path{Root: `\\?\Volume{2}\`}, Name: `\\?\Volume{2}\`, Kind: KindFixed, FS: "exFAT"}, usable(), `\\?\Volume{2}`, "exFAT", "", "rw", true, false},
		{"a stick", Volume{Root: Path{Root: `E:\`}, Kind: KindRemovable, FS: "FAT32"}, Probe{Answered: true, ReadOnly: true}, `E:\`, "FAT32", "", "ro", true, false},
		{"memory", Volume{Root: Path{Root: `R:\`}, Kind: KindMemory, FS: "NTFS"}, usable(), `R:\`, "NTFS", "", "rw", false, false},
		{"a disc", Volume{Root: Path{Root: `D:\`}, Kind: KindOptical, FS: "UDF", Flags: flagReadOnly}, usable(), `D:\`, "UDF", "", "ro", false, false},
		{"flags", Volume{Root: Path{Root: `D:\`}, Kind: KindFixed, FS: "ReFS", Flags: flagDAX | flagCompressed}, Probe{Integrity: "crc64"}, `D:\`, "ReFS", "", "rw,compressed,dax,integrity=crc64", true, false},
	} {
		got := c.volume.Target(c.volume.Root, c.probe, nil, nil).Volume
		if got.Source != c.source || got.FS != c.fs || got.Label != c.label || got.Options != c.options {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.volume.Local() != c.local || c.volume.Remote() != c.remote {
			t.Errorf("%s: local %t, remote %t", c.name, c.volume.Local(), c.volume.Remote())
		}
	}
}

func TestVolumeRefusal(t *testing.T) {
	spoiled := func(f func(*Volume, *Probe)) func() (Volume, Probe) {
		return func() (Volume, Probe) {
			v, p := ntfs(), usable()
			f(&v, &p)
			return v, p
		}
	}
	for _, c := range []struct {
		name string
		make func() (Volume, Probe)
		want platform.Refusal
	}{
		{"a folder", spoiled(func(*Volume, *Probe) {}), platform.Usable},
		{"a file", spoiled(func(_ *Volume, p *Probe) { p.Folder = false }), platform.RefusedNotFolder},
		{"a disc", spoiled(func(v *Volume, p *Probe) { v.FS, p.Free = "CDFS", 0 }), platform.RefusedImage},
		{"an image", spoiled(func(v *Volume, _ *Probe) { v.FS, v.Kind, v.Flags = "UDF", KindOptical, flagReadOnly }), platform.RefusedImage},
		{"a disc to write on", spoiled(func(v *Volume, _ *Probe) { v.FS, v.Kind = "UDF", KindOptical }), platform.Usable},
		{"a volume to read", spoiled(func(v *Volume, _ *Probe) { v.Flags = flagReadOnly }), platform.RefusedReadOnlyFS},
		{"a card with its lock", spoiled(func(_ *Volume, p *Probe) { p.ReadOnly, p.Denied = true, true }), platform.RefusedReadOnlyFS},
		{"of someone else", spoiled(func(_ *Volume, p *Probe) { p.Denied, p.Free = true, 0 }), platform.RefusedPermission},
		{"full", spoiled(func(_ *Volume, p *Probe) { p.Free = SmallestTest - 1 }), platform.RefusedFull},
		{"just enough", spoiled(func(_ *Volume, p *Probe) { p.Free = SmallestTest }), platform.Usable},
		{"size not known", spoiled(func(_ *Volume, p *Probe) { p.Size, p.Free = 0, 0 }), platform.Usable},
		{"an empty drive", spoiled(func(v *Volume, p *Probe) { *p = Probe{Answered: true, Folder: true, NoMedium: true} }), platform.RefusedNoMedium},
		{"locked", spoiled(func(v *Volume, p *Probe) { *p = Probe{Answered: true, Folder: true, Locked: true} }), platform.RefusedLocked},
		{"silent", spoiled(func(_ *Volume, p *Probe) { *p = Probe{} }), platform.RefusedUnreachable},
	} {
		v, p := c.make()
		if got := v.Target(v.Root, p, nil, nil).Refusal; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSetSpace(t *testing.T) {
	for _, c := range []struct {
		name                 string
		available, all, free uint64
		want                 Probe
	}{
		{"all for this user", 40, 100, 40, Probe{Size: 100, Used: 60, Free: 40}},
		{"some kept back", 35, 100, 40, Probe{Size: 100, Used: 60, Free: 35}},
		{"a quota", 4, 10, 500, Probe{Size: 10, Free: 4}},
		{"a server that says too much", 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, Probe{Size: 1<<63 - 1, Free: 1<<63 - 1}},
	} {
		var p Probe
		p.SetSpace(c.available, c.all, c.free)
		if p != c.want {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}

func TestDecodeIntegrity(t *testing.T) {
	for algorithm, want := range map[uint16]string{0: "", 1: "crc32", 2: "crc64", 7: "other"} {
		got, err := DecodeIntegrity(bytesOf(16).u16(0, algorithm).u32(8, 4096).u32(12, 65536))
		if err != nil || got != want {
			t.Errorf("%d: %q, %v", algorithm, got, err)
		}
	}
	if _, err := DecodeIntegrity(bytesOf(15)); !errors.Is(err, ErrShort) {
		t.Errorf("short: %v", err)
	}
}

func TestBitLocker(t *testing.T) {
	for protection, want := range map[int32]platform.Tri{
		-1: platform.Unknown, 0: platform.No, 1: platform.Yes, 2: platform.No, 3: platform.Yes, 4: platform.Yes,
		5: platform.Yes, 6: platform.Yes, 7: platform.Unknown, 8: platform.Yes, 9: platform.Unknown,
	} {
		if got := BitLocker(protection); got != want {
			t.Errorf("%d: %v, want %v", protection, got, want)
		}
	}
}
