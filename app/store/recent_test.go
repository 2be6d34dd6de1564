package store

import (
	"os"
	"slices"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// What earlier runs wrote to the same drive counts while it is recent; runs on others and damaged files do not.
func TestRecent(t *testing.T) {
	now := time.Now()
	s := New(t.TempDir(), &memLocks{})
	drive := platform.Drive{Key: "k", Model: "Fast 1", Serial: "S3CR3T"}
	if got := s.Recent([]platform.Drive{drive}, now); got != nil {
		t.Errorf("before the first run: %v", got)
	}
	must(t, s.Check())
	save := func(id string, ago time.Duration, change func(*bench.Result)) {
		r := result(t, id, now.Add(-ago-7*time.Second)) // a run takes 7 s
		change(&r)
		must(t, s.Save(r))
	}
	same := func(*bench.Result) {}
	save("hour", time.Hour, same)
	save("minute", time.Minute, func(r *bench.Result) { r.File.Moved.WriteBytes = 5e9 })
	save("imported", 3*time.Hour, same)
	save("tomorrow", -24*time.Hour, same)
	save("other", time.Minute, func(r *bench.Result) {
		r.Plan.Target.Drives = []platform.Drive{{Key: "k", Model: "Fast 1", Serial: "2"}}
	})
	save("reads", time.Minute, func(r *bench.Result) { r.File.Moved, r.Measurements = bench.Moved{}, nil })
	save("old", time.Minute, same)
	old, err := path(s.results, "old", ".json")
	must(t, err)
	must(t, os.Chtimes(old, now, now.Add(-3*time.Hour)))
	damaged, err := path(s.results, "damaged", ".json")
	must(t, err)
	must(t, os.WriteFile(damaged, []byte("{"), 0o600))
	got := s.Recent([]platform.Drive{{Key: "z"}, drive}, now)
	want := []bench.Written{{Bytes: 5e9, Ago: time.Minute}, {Bytes: 1 << 30, Ago: time.Hour}}
	for i := range got {
		got[i].Ago = got[i].Ago.Round(time.Second)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
