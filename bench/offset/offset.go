// Package offset decides where in the test file the next I/O goes. It does no I/O.
package offset

import "cachecliff/bench/fill"

// Cursor gives one offset after the other within a part of a file. It belongs to one goroutine.
type Cursor struct {
	random bool
	base   int64
	blocks int64
	block  int64
	next   int64
	rand   fill.Rand
}

// New makes a cursor over length bytes from base in whole blocks. Random offsets are uniform, with
// replacement, on multiples of the block; sequential ones start over at the end. length must be at
// least one block.
func New(random bool, base, length, block int64, seed uint64) Cursor {
	return Cursor{random: random, base: base, blocks: length / block, block: block, rand: fill.NewRand(seed)}
}

// Next is the offset of the next I/O in bytes.
func (c *Cursor) Next() int64 {
	if c.random {
		return c.base + c.rand.Below(c.blocks)*c.block
	}
	n := c.next
	if c.next++; c.next == c.blocks {
		c.next = 0
	}
	return c.base + n*c.block
}

// Share is the part of a span that worker i of n touches: sequential workers share it without overlap,
// random ones all use the whole. Parts are whole blocks.
func Share(random bool, span, block int64, i, n int) (base, length int64) {
	if random {
		return 0, span - span%block
	}
	per := span / block / int64(n) * block
	return int64(i) * per, per
}
