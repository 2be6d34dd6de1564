// Package fill makes the bytes that a test writes: incompressible, and never the same page twice, so that
// neither a compressing controller nor a deduplicating one can cheat. It is cheap enough for the hot loop:
// a buffer is filled with random bytes once and only stamped before each write.
package fill

import "encoding/binary"

// Page is the unit in which nothing repeats, in bytes. Flash controllers map and file systems deduplicate
// units of 4 KiB or more (VDO, ReFS and btrfs 4 KiB, ZFS whole records, NTFS 32 KiB), and none compares
// parts of them. A stamp in each sector of 512 bytes costs eight times as many cache lines, which the
// processor that moves the data out has to give back each time: a third of the time of a 1 MiB write to a
// device in memory.
const Page = 4096

// Random fills buf with bytes that do not compress (wyrand, github.com/wangyi-fudan/wyhash, public
// domain; about 4 GB/s).
func Random(buf []byte, seed uint64) {
	r := NewRand(seed)
	for len(buf) >= 8 {
		binary.LittleEndian.PutUint64(buf, r.Next())
		buf = buf[8:]
	}
	var tail [8]byte
	binary.LittleEndian.PutUint64(tail[:], r.Next())
	copy(buf, tail[:])
}

// golden is 2^64 divided by the golden ratio: multiples of it are well spread.
const golden = 0x9e3779b97f4a7c15

// Stamper makes each page of a buffer unlike any it stamped before.
type Stamper struct {
	key   uint64
	count uint64
}

// NewStamper makes a stamper; different keys never stamp alike.
func NewStamper(key uint64) Stamper { return Stamper{key: key} }

// Stamp writes 16 bytes at the start of each page of buf, and of a shorter buffer: a number that is used
// once, and the offset in the file. All else stays random.
func (s *Stamper) Stamp(buf []byte, off int64) {
	for i := 0; i+16 <= len(buf); i += Page {
		s.count++
		binary.LittleEndian.PutUint64(buf[i:], s.key^(s.count*golden))
		binary.LittleEndian.PutUint64(buf[i+8:], uint64(off)+uint64(i))
	}
}

// Offset reads back the offset that Stamp wrote into a page.
func Offset(page []byte) int64 { return int64(binary.LittleEndian.Uint64(page[8:])) }
