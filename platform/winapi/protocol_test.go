package winapi

import (
	"bytes"
	"errors"
	"testing"
)

func TestPageQuery(t *testing.T) {
	for _, c := range []struct {
		name     string
		page     Page
		property Property
		want     []byte
	}{
		{"NVMe health", NVMeHealth, PropertyDeviceProtocol, bytesOf(48+512).u32(0, 50).u32(8, 3).u32(12, 2).u32(16, 2).u32(24, 40).u32(28, 512)},
		{"NVMe controller", NVMeController, PropertyAdapterProtocol, bytesOf(48+4096).u32(0, 49).u32(8, 3).u32(12, 1).u32(16, 1).u32(24, 40).u32(28, 4096)},
		{"ATA identify", ATAIdentify, PropertyDeviceProtocol, bytesOf(48+512).u32(0, 50).u32(8, 2).u32(12, 1).u32(24, 40).u32(28, 512)},
		{"ATA log", ATALog(4, 7), PropertyDeviceProtocol, bytesOf(48+512).u32(0, 50).u32(8, 2).u32(12, 2).u32(16, 4).u32(20, 7).u32(24, 40).u32(28, 512)},
	} {
		if got := c.page.Query(c.property); !bytes.Equal(got, c.want) {
			t.Errorf("%s: %x\nwant %x", c.name, got[:48], c.want[:48])
		}
	}
}

// protocolAnswer is a STORAGE_PROTOCOL_DATA_DESCRIPTOR with a page behind it.
func protocolAnswer(protocol uint32, page []byte) answer {
	b := bytesOf(48).u32(0, 48).u32(4, 48).u32(8, protocol).u32(12, 2).u32(16, 2).u32(24, 40).u32(28, uint32(len(page)))
	return append(b, page...)
}

func TestPageDecode(t *testing.T) {
	page := bytes.Repeat([]byte("health!."), 64)
	good := func() answer { return protocolAnswer(3, page) }
	moved := append(good()[:48:48], make([]byte, 16)...).u32(24, 56)
	for _, c := range []struct {
		name   string
		answer []byte
		err    error
	}{
		{"as asked for", good(), nil},
		{"further back", append(moved, page...), nil},
		{"more than asked for", append(good().u32(28, 4096), make([]byte, 4096)...), nil},
		{"nothing", nil, ErrShort},
		{"head only", good()[:47], ErrShort},
		{"cut page", good()[:559], ErrShort},
		{"length too small", good().u32(28, 511), ErrShort},
		{"outside", good().u32(24, 41), ErrShort},
		{"far outside", good().u32(24, 0xFFFFFFFF), ErrShort},
		{"into the head", good().u32(24, 39), ErrStrange},
		{"another version", good().u32(0, 40), ErrStrange},
		{"another size", good().u32(4, 560), ErrStrange},
		{"another protocol", good().u32(8, 2), ErrStrange},
		{"zeros", bytesOf(560), ErrStrange},
	} {
		got, err := NVMeHealth.Decode(c.answer)
		if !errors.Is(err, c.err) || c.err == nil && !bytes.Equal(got, page) || c.err != nil && got != nil {
			t.Errorf("%s: %d bytes, %v, want %v", c.name, len(got), err, c.err)
		}
	}
}

func FuzzPageDecode(f *testing.F) {
	f.Add([]byte(protocolAnswer(3, make([]byte, 512))))
	f.Add([]byte(protocolAnswer(3, make([]byte, 512)).u32(24, 0xFFFFFFFF)))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, p := range []Page{NVMeHealth, NVMeController, ATALog(4, 1)} {
			if got, err := p.Decode(b); err == nil && len(got) != p.Size() {
				t.Errorf("%d bytes, want %d", len(got), p.Size())
			}
		}
	})
}
