package tree

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

func TestHashOf(t *testing.T) {
	ctx := context.Background()
	// The value of the empty input and of "abc" are those of the reference implementation.
	for text, want := range map[string]uint64{"": 0xef46db3751d8e999, "abc": 0x44bc2cf5ad770999} {
		if got, err := HashOf(ctx, strings.NewReader(text)); err != nil || got != (Hash{want, int64(len(text))}) {
			t.Errorf("%q: %x, %v", text, got, err)
		}
	}
	data := NewContent(3*Piece+5, 1).Next(0, 3*Piece+5)
	one, err1 := HashOf(ctx, bytes.NewReader(data))
	two, err2 := HashOf(ctx, iotest.HalfReader(bytes.NewReader(data)))
	data[2*Piece] ^= 1
	three, err3 := HashOf(ctx, bytes.NewReader(data))
	if one != two || one == three || errors.Join(err1, err2, err3) != nil {
		t.Errorf("%x, in other pieces %x, with another bit %x", one, two, three)
	}
	why := errors.New("why")
	if _, err := HashOf(ctx, iotest.ErrReader(why)); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
}

func TestRing(t *testing.T) {
	r := NewRing(2 * Piece)
	var sum int64
	moved := func(n int64) { sum += n }
	data := NewContent(5*Piece+7, 1).Next(0, 5*Piece+7)
	for range 3 {
		if err := r.Fill(context.Background(), bytes.NewReader(data), moved); err != nil {
			t.Fatal(err)
		}
	}
	if sum != 3*int64(len(data)) {
		t.Errorf("%d bytes of %d", sum, 3*len(data))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.Fill(ctx, bytes.NewReader(data), moved); !errors.Is(err, context.Canceled) || sum > 3*int64(len(data))+Piece {
		t.Errorf("error %v, %d bytes after the end", err, sum)
	}
}
