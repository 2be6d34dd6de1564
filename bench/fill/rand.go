package fill

import "math/bits"

// Rand is a small random generator without locks or allocation (wyrand). It is for data and offsets,
// not for secrets. The same seed gives the same numbers on every system.
type Rand struct{ state uint64 }

// NewRand makes a generator.
func NewRand(seed uint64) Rand { return Rand{state: seed} }

// Next is the next 64 random bits.
func (r *Rand) Next() uint64 {
	r.state += 0xa0761d6478bd642f
	hi, lo := bits.Mul64(r.state, r.state^0xe7037ed1a0b428db)
	return hi ^ lo
}

// Below is a random number from 0 to n−1; its bias is below n/2^64.
func (r *Rand) Below(n int64) int64 {
	hi, _ := bits.Mul64(r.Next(), uint64(n))
	return int64(hi)
}
