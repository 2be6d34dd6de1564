package main

import "math"

// perOctave is how many buckets fio's histogram has between a power of two and the next (FIO_IO_U_PLAT_VAL
// in fio's stat.h).
const perOctave = 64

// bucket is the number of the bucket that a time in nanoseconds lies in, as fio counts them: up to 127
// each has its own, and from there each octave is cut into 64.
func bucket(ns float64) int {
	if ns < 2*perOctave {
		return int(max(ns, 0))
	}
	octave := math.Ilogb(ns) - 6 // 6 is the logarithm of perOctave
	return octave*perOctave + int(ns/math.Ldexp(1, octave))
}

// middle is the time that fio tells for all in a bucket.
func middle(n int) float64 {
	if n < 2*perOctave {
		return float64(n)
	}
	octave := n/perOctave - 1
	width := math.Ldexp(1, octave)
	return float64(n-octave*perOctave)*width + math.Floor(width/2)
}
