package store

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// Recent lists what the kept runs that ended within bench.RecentWindow before now wrote to one of the drives,
// the newest first. A result that cannot be read is passed over: the library shows what is wrong with it.
func (s *Store) Recent(drives []platform.Drive, now time.Time) []bench.Written {
	names, err := os.ReadDir(s.results)
	if err != nil {
		return nil // nothing is known of earlier runs
	}
	var out []bench.Written
	for _, n := range names {
		id, ok := strings.CutSuffix(n.Name(), ".json")
		info, err := n.Info()
		// A result is saved when its run ends, so an old file is not of a recent run.
		if !ok || err != nil || now.Sub(info.ModTime()) > bench.RecentWindow {
			continue
		}
		r, err := s.Load(id)
		if err != nil || !slices.ContainsFunc(r.Plan.Target.Drives, func(d platform.Drive) bool { return oneOf(drives, d) }) {
			continue
		}
		w := bench.Written{Bytes: r.Moved().WriteBytes, Ago: now.Sub(r.At.Add(r.Took))}
		if w.Bytes > 0 && w.Ago >= 0 && w.Ago <= bench.RecentWindow { // an imported one may be old, a clock may be set back
			out = append(out, w)
		}
	}
	slices.SortFunc(out, func(a, b bench.Written) int { return cmp.Compare(a.Ago, b.Ago) })
	return out
}

// oneOf says whether a drive is among others. The key alone may be a name such as vda, which many drives have.
func oneOf(drives []platform.Drive, d platform.Drive) bool {
	return slices.ContainsFunc(drives, func(x platform.Drive) bool {
		return x.Key == d.Key && x.Serial == d.Serial && x.Model == d.Model && x.Capacity == d.Capacity
	})
}
