package tree

import "cachecliff/bench/fill"

// Content gives the bytes of files one after the other: they do not compress, and no page of 4 KiB is in two
// files or twice in one.
type Content struct {
	block []byte
	stamp fill.Stamper
}

// NewContent makes content. Different seeds give different bytes; block is the size of the pieces that Next gives.
func NewContent(block int, seed uint64) *Content {
	r := fill.NewRand(seed)
	c := &Content{block: make([]byte, block), stamp: fill.NewStamper(r.Next())}
	fill.Random(c.block, r.Next())
	return c
}

// Next is the next piece of a file, from off on: a block, or less where the file ends after left bytes. It is valid
// until the next call.
func (c *Content) Next(off, left int64) []byte {
	piece := c.block[:min(int64(len(c.block)), left)]
	c.stamp.Stamp(piece, off)
	return piece
}
