package bench

import (
	"cmp"
	"slices"

	"cachecliff/bench/stages"
	"cachecliff/platform"
)

// PassCache is what all repeats of one pass of a filling say about the size of the write cache.
type PassCache struct {
	Pass   int             `json:"pass"`
	Sizes  []stages.Border `json:"sizes,omitempty"`  // of the repeats in which it ended, from small to large
	Unseen []int64         `json:"unseen,omitempty"` // bytes that were written in the repeats in which it did not end
	Dirty  int             `json:"dirty,omitempty"`  // repeats that tell nothing, since the drives were not told what had been deleted before
}

// Caches sums up the passes of a filling, in order.
func Caches(passes []FillPass) []PassCache {
	var out []PassCache
	for _, p := range passes {
		i := slices.IndexFunc(out, func(c PassCache) bool { return c.Pass == p.Pass })
		if i < 0 {
			i = len(out)
			out = append(out, PassCache{Pass: p.Pass})
		}
		c := &out[i]
		border, ended := p.Found.Cache()
		switch {
		case p.Dirty:
			c.Dirty++
		case ended:
			c.Sizes = append(c.Sizes, border)
		case p.Found.Bytes > 0:
			c.Unseen = append(c.Unseen, p.Found.Bytes)
		}
	}
	for _, c := range out {
		slices.SortFunc(c.Sizes, func(a, b stages.Border) int { return cmp.Compare(a.At, b.At) })
	}
	return out
}

// agreeShare is how far the sizes of several repeats may lie apart, as a share of their median, to be one size: how
// exactly a single one is found.
const agreeShare = 0.03

// Size is the median of the sizes; false if there is none.
func (c PassCache) Size() (stages.Border, bool) {
	if len(c.Sizes) == 0 {
		return stages.Border{}, false
	}
	return c.Sizes[(len(c.Sizes)-1)/2], true
}

// Disagree gives the smallest and the largest size if they lie further apart than a size is uncertain.
func (c PassCache) Disagree() (least, most int64, disagree bool) {
	if len(c.Sizes) < 2 {
		return 0, 0, false
	}
	first, last := c.Sizes[0], c.Sizes[len(c.Sizes)-1]
	middle, _ := c.Size()
	apart := float64(last.At-first.At) > agreeShare*float64(middle.At) && first.Hi < last.Lo
	return first.At, last.At, apart
}

// UpTo is how many bytes were written at least in each repeat without an end of the cache.
func (c PassCache) UpTo() int64 {
	if len(c.Unseen) == 0 {
		return 0
	}
	return slices.Min(c.Unseen)
}

// Capacity is that of a target's drives, or of its volume if none is known, bytes.
func Capacity(t platform.Target) int64 { return capacity(t) }
