package winapi

import (
	"errors"
	"slices"
	"testing"
	"unsafe"
)

func TestVolumeABI(t *testing.T) {
	var (
		head   volumeDiskExtents
		extent diskExtent
		part   partitionInformationEx
	)
	for _, f := range []struct {
		name      string
		got, want uintptr
	}{
		{"VOLUME_DISK_EXTENTS.Extents", unsafe.Sizeof(head), 8},
		{"sizeof DISK_EXTENT", unsafe.Sizeof(extent), 24},
		{"DISK_EXTENT.StartingOffset", unsafe.Offsetof(extent.StartingOffset), 8},
		{"DISK_EXTENT.ExtentLength", unsafe.Offsetof(extent.ExtentLength), 16},
		{"sizeof PARTITION_INFORMATION_EX", unsafe.Sizeof(part), 144},
		{"PARTITION_INFORMATION_EX.StartingOffset", unsafe.Offsetof(part.StartingOffset), 8},
		{"PARTITION_INFORMATION_EX.PartitionNumber", unsafe.Offsetof(part.PartitionNumber), 24},
		{"PARTITION_INFORMATION_EX.Gpt", unsafe.Offsetof(part.Type), 32},
		{"PARTITION_INFORMATION_GPT.Attributes", unsafe.Offsetof(part.Attributes), 32 + 32},
		{"PARTITION_INFORMATION_GPT.Name", unsafe.Offsetof(part.Name), 32 + 40},
	} {
		if f.got != f.want {
			t.Errorf("%s: %d, want %d", f.name, f.got, f.want)
		}
	}
}

// volumeExtents is a VOLUME_DISK_EXTENTS.
func volumeExtents(extents ...DiskExtent) answer {
	b := bytesOf(8+24*len(extents)).u32(0, uint32(len(extents)))
	for i, e := range extents {
		b.u32(8+24*i, e.Drive).u64(16+24*i, uint64(e.Start)).u64(24+24*i, uint64(e.Length))
	}
	return b
}

// wineExtents is what Wine 8.0 answers for the volume of C:.
const wineExtents = "00000000 00000000 00000000 00000000 0000000000000000 0000000000000000"

func TestDecodeVolumeExtents(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer answer
		want   []DiskExtent
	}{
		{"one", volumeExtents(DiskExtent{1, 1 << 20, 1 << 40}), []DiskExtent{{1, 1 << 20, 1 << 40}}},
		{"two", volumeExtents(DiskExtent{3, 0, 5}, DiskExtent{0, 7, 9}), []DiskExtent{{3, 0, 5}, {0, 7, 9}}},
		{"none", volumeExtents(), nil},
		{"more room than extents", append(volumeExtents(DiskExtent{1, 2, 3}), make([]byte, 100)...), []DiskExtent{{1, 2, 3}}},
		{"Wine, which knows of none", unhex(t, wineExtents), nil},
	} {
		got, err := DecodeVolumeExtents(c.answer)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
	for name, b := range map[string]answer{
		"nothing": nil, "half a head": bytesOf(4), "fewer than said": volumeExtents(DiskExtent{}).u32(0, 2), "many": bytesOf(8).u32(0, 1<<32-1),
	} {
		if got, err := DecodeVolumeExtents(b); !errors.Is(err, ErrShort) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := DecodeVolumeExtents(volumeExtents(DiskExtent{0, 0, -1})); !errors.Is(err, ErrStrange) {
		t.Errorf("a negative length: %v, %v", got, err)
	}
}

// partitionGPT is a PARTITION_INFORMATION_EX of a partition in a GPT.
func partitionGPT(t testing.TB, kind string, attributes uint64) answer {
	b := bytesOf(144).u32(0, 1).u64(8, 1<<20).u64(16, 1<<30).u32(24, 3).u64(64, attributes)
	copy(b[32:], unhex(t, kind))
	return b
}

func TestDecodePartition(t *testing.T) {
	const (
		basic    = "a2a0d0eb e5b9 3344 87c0 68b6b72699c7"
		dynamic  = "a0609baf 3114 624f bc68 3311714a69ad"
		efi      = "28732ac1 1ff8 d211 ba4b 00a0c93ec93b"
		recovery = "a4bb94de d106 404d a16a bfd50179d6ac"
	)
	mbr := func(kind uint8) answer { return bytesOf(144).u32(24, 2).u8(32, kind) }
	for _, c := range []struct {
		name   string
		answer answer
		want   Partition
	}{
		{"data", partitionGPT(t, basic, 0), Partition{3, true}},
		{"data without a letter", partitionGPT(t, basic, 1<<63), Partition{3, true}},
		{"hidden", partitionGPT(t, basic, 1<<62), Partition{3, false}},
		{"of the maker", partitionGPT(t, basic, 1), Partition{3, false}},
		{"dynamic", partitionGPT(t, dynamic, 0), Partition{3, true}},
		{"EFI", partitionGPT(t, efi, 0), Partition{3, false}},
		{"recovery", partitionGPT(t, recovery, 1<<63|1), Partition{3, false}},
		{"NTFS", mbr(7), Partition{2, true}},
		{"FAT32", mbr(0x0C), Partition{2, true}},
		{"recovery in an MBR", mbr(0x27), Partition{2, false}},
		{"Linux", mbr(0x83), Partition{2, false}},
		{"no table", bytesOf(144).u32(0, 2).u32(24, 9), Partition{0, true}},
	} {
		got, err := DecodePartition(c.answer)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	if _, err := DecodePartition(bytesOf(143)); !errors.Is(err, ErrShort) {
		t.Errorf("short: %v", err)
	}
}

func FuzzDecodeVolumeExtents(f *testing.F) {
	f.Add([]byte(volumeExtents(DiskExtent{1, 2, 3})))
	f.Fuzz(func(t *testing.T, b []byte) {
		extents, err := DecodeVolumeExtents(b)
		if err == nil && len(b) < 8+24*len(extents) {
			t.Errorf("%d extents from %d bytes", len(extents), len(b))
		}
		if _, err := DecodePartition(b); err == nil && len(b) < 144 {
			t.Errorf("a partition from %d bytes", len(b))
		}
	})
}
