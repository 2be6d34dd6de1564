package winapi

import (
	"testing"
	"unsafe"
)

// Sizes and offsets are those of the headers for 64 bits; the second version's also in ole32's debug information of
// Windows 11 24H2.
func TestCopyABI(t *testing.T) {
	var p CopyParameters
	var m CopyMessage
	for _, f := range []struct {
		name      string
		got, want uintptr
	}{
		{"sizeof COPYFILE2_EXTENDED_PARAMETERS_V2", unsafe.Sizeof(p), SizeCopyParameters2},
		{"COPYFILE2_EXTENDED_PARAMETERS_V2.pfCancel", unsafe.Offsetof(p.Cancel), 8},
		{"COPYFILE2_EXTENDED_PARAMETERS_V2.pProgressRoutine", unsafe.Offsetof(p.Progress), 16},
		{"COPYFILE2_EXTENDED_PARAMETERS_V2.pvCallbackContext", unsafe.Offsetof(p.Context), 24},
		{"COPYFILE2_EXTENDED_PARAMETERS_V2.dwCopyFlagsV2", unsafe.Offsetof(p.FlagsV2), SizeCopyParameters1},
		{"COPYFILE2_EXTENDED_PARAMETERS_V2.ioDesiredSize", unsafe.Offsetof(p.IOSize), 36},
		{"COPYFILE2_EXTENDED_PARAMETERS_V2.ioDesiredRate", unsafe.Offsetof(p.IORate), 40},
		{"COPYFILE2_EXTENDED_PARAMETERS_V2.reserved", unsafe.Offsetof(p.Reserved), 48},
		{"sizeof COPYFILE2_MESSAGE", unsafe.Sizeof(m), 80},
		{"COPYFILE2_MESSAGE.Info.ChunkFinished.hSourceFile", unsafe.Offsetof(m.Source), 16},
		{"COPYFILE2_MESSAGE.Info.ChunkFinished.uliChunkSize", unsafe.Offsetof(m.ChunkSize), 40},
		{"COPYFILE2_MESSAGE.Info.ChunkFinished.uliTotalBytesTransferred", unsafe.Offsetof(m.TotalMoved), 72},
	} {
		if f.got != f.want {
			t.Errorf("%s is %d, want %d", f.name, f.got, f.want)
		}
	}
}

func TestOfResult(t *testing.T) {
	for r, want := range map[uint32]struct {
		number uint32
		ok     bool
	}{0: {0, true}, 1: {0, true}, 0x80070070: {112, true}, InvalidArgument: {87, true}, 0x80004001: {0x4001, false}} {
		if number, ok := OfResult(r); number != want.number || ok != want.ok {
			t.Errorf("%#x: %d, %v", r, number, ok)
		}
	}
}

func TestCopyFlags(t *testing.T) {
	for _, c := range []struct {
		direct, clone bool
		flags, v2     uint32
	}{
		{false, false, 0x40801, 2}, {true, false, 0x41801, 2}, {false, true, 0x801, 0},
	} {
		if flags, v2 := CopyFlags(c.direct, c.clone); flags != c.flags || v2 != c.v2 {
			t.Errorf("%+v: %#x, %#x", c, flags, v2)
		}
	}
}
