package winapi

import (
	"bytes"
	"errors"
	"testing"
)

func TestSmartReceive(t *testing.T) {
	for _, c := range []struct {
		command Command
		want    []byte
	}{
		{CommandAttributes, bytesOf(32).u32(0, 512).u8(4, 0xD0).u8(5, 1).u8(6, 1).u8(7, 0x4F).u8(8, 0xC2).u8(9, 0xA0).u8(10, 0xB0)},
		{CommandThresholds, bytesOf(32).u32(0, 512).u8(4, 0xD1).u8(5, 1).u8(6, 1).u8(7, 0x4F).u8(8, 0xC2).u8(9, 0xA0).u8(10, 0xB0)},
		{CommandIdentify, bytesOf(32).u32(0, 512).u8(5, 1).u8(6, 1).u8(9, 0xA0).u8(10, 0xEC)},
	} {
		if got := c.command.SmartReceive(); !bytes.Equal(got, c.want) {
			t.Errorf("%s: %x\nwant %x", c.command, got, c.want)
		}
	}
	sector := bytes.Repeat([]byte{7}, 512)
	if got, err := DecodeSmartReceive(append(bytesOf(16).u32(0, 512), sector...)); err != nil || !bytes.Equal(got, sector) {
		t.Errorf("%x, %v", got, err)
	}
	if got, err := DecodeSmartReceive(append(bytesOf(16).u8(4, 1).u8(5, 4), sector...)); err == nil || got != nil || errors.Is(err, ErrShort) {
		t.Errorf("the drive refused: %x, %v", got, err)
	}
}

// passThrough is an ATA_PASS_THROUGH_EX as it is sent.
func passThrough(flags uint16, length uint32) answer {
	b := bytesOf(48+int(length)).u16(0, 48).u16(2, flags).u32(8, length).u32(12, 5)
	if length > 0 {
		b.u64(24, 48)
	}
	return b
}

func TestPassThrough(t *testing.T) {
	for _, c := range []struct {
		command Command
		want    []byte
	}{
		{CommandIdentify, passThrough(3, 512).u8(41, 1).u8(45, 0xA0).u8(46, 0xEC)},
		{CommandThresholds, passThrough(3, 512).u8(40, 0xD1).u8(41, 1).u8(43, 0x4F).u8(44, 0xC2).u8(45, 0xA0).u8(46, 0xB0)},
		{CommandStatus, passThrough(1, 0).u8(40, 0xDA).u8(43, 0x4F).u8(44, 0xC2).u8(45, 0xA0).u8(46, 0xB0)},
		{CommandLog(4, 7), passThrough(11, 512).u8(41, 1).u8(42, 4).u8(43, 7).u8(45, 0xE0).u8(46, 0x2F)},
	} {
		if got := c.command.PassThrough(); !bytes.Equal(got, c.want) {
			t.Errorf("%s: %x\nwant %x", c.command, got[:48], c.want[:48])
		}
	}
}

func TestDecodePassThrough(t *testing.T) {
	sector := bytes.Repeat([]byte("attribut"), 64)
	good := func() answer { return passThrough(3, 512).u8(46, 0x50).text(48, string(sector)) }
	for _, c := range []struct {
		name    string
		answer  []byte
		err     error
		refused bool
	}{
		{"good", good(), nil, false},
		{"error bit", good().u8(46, 0x51).u8(40, 4), nil, true},
		{"fault bit", good().u8(46, 0x70), nil, true},
		{"short head", good()[:47], ErrShort, false},
		{"cut", good()[:559], ErrShort, false},
		{"fewer bytes came", good().u32(8, 256), ErrShort, false},
		{"outside", good().u64(24, 49), ErrShort, false},
		{"far outside", good().u64(24, 1<<64-1), ErrShort, false},
		{"into the head", good().u64(24, 40), ErrStrange, false},
	} {
		got, err := CommandAttributes.DecodePassThrough(c.answer)
		switch {
		case c.refused && (err == nil || errors.Is(err, ErrShort) || errors.Is(err, ErrStrange)), !c.refused && !errors.Is(err, c.err):
			t.Errorf("%s: %v", c.name, err)
		case err == nil && !bytes.Equal(got, sector):
			t.Errorf("%s: %x", c.name, got)
		}
	}
}

func TestDecodeStatus(t *testing.T) {
	left := func(mid, high uint8) answer { return passThrough(1, 0).u8(43, mid).u8(44, high).u8(46, 0x50) }
	for _, c := range []struct {
		name    string
		answer  answer
		failing bool
		ok      bool
	}{
		{"well", left(0x4F, 0xC2), false, true},
		{"failing", left(0xF4, 0x2C), true, true},
		{"half", left(0xF4, 0xC2), false, false},
		{"no registers came back", left(0, 0), false, false},
		{"refused", left(0x4F, 0xC2).u8(46, 0x51), false, false},
		{"short", left(0x4F, 0xC2)[:40], false, false},
	} {
		failing, err := DecodeStatus(c.answer)
		if failing != c.failing || (err == nil) != c.ok {
			t.Errorf("%s: %t, %v", c.name, failing, err)
		}
	}
}

func TestDecodePredictFailure(t *testing.T) {
	sector := bytes.Repeat([]byte{3}, 512)
	for value, want := range map[uint32]bool{0: false, 1: true} {
		failing, page, err := DecodePredictFailure(bytesOf(516).u32(0, value).text(4, string(sector)))
		if failing != want || !bytes.Equal(page, sector) || err != nil {
			t.Errorf("%d: %t, %v", value, failing, err)
		}
	}
}

func FuzzDecodeSmart(f *testing.F) {
	f.Add([]byte(passThrough(3, 512)))
	f.Add(make([]byte, 516))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := CommandIdentify.DecodePassThrough(b); err == nil && len(got) != 512 {
			t.Errorf("%d bytes", len(got))
		}
		if got, err := DecodeSmartReceive(b); err == nil && len(got) != 512 {
			t.Errorf("%d bytes", len(got))
		}
		if _, got, err := DecodePredictFailure(b); err == nil && len(got) != 512 {
			t.Errorf("%d bytes", len(got))
		}
		if failing, err := DecodeStatus(b); failing && err != nil {
			t.Errorf("failing, and %v", err)
		}
	})
}
