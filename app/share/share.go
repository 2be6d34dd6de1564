// Package share takes out of a result what is nobody else's business, before it is shown around: serial numbers,
// and the names of people and computers. The numbers and all that decides what they can be compared with stay.
package share

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cachecliff/bench"
	"cachecliff/bench/tree"
)

// WithoutSerials is a copy of a result in which drives have no serial number and are called drive-1,
// drive-2 and so on, since a drive's key may be made of its serial number.
func WithoutSerials(r bench.Result) bench.Result {
	keys := map[string]string{}
	r.Plan.Target.Drives = slices.Clone(r.Plan.Target.Drives)
	for i := range r.Plan.Target.Drives {
		d := &r.Plan.Target.Drives[i]
		name := fmt.Sprintf("drive-%d", i+1)
		keys[d.Key] = name
		d.Key, d.Serial = name, ""
	}
	rename := func(key string) string {
		if name, ok := keys[key]; ok {
			return name
		}
		return "drive" // of no drive of the target
	}
	r.Plan.Source = renamedSource(r.Plan.Source, rename)
	r.Before, r.After = renamedProbe(r.Before, rename), renamedProbe(r.After, rename)
	r.Between = renamedReadings(r.Between, rename)
	r.Measurements = slices.Clone(r.Measurements)
	for i := range r.Measurements {
		m := &r.Measurements[i]
		m.Devices = slices.Clone(m.Devices)
		for k := range m.Devices {
			m.Devices[k].Drive = rename(m.Devices[k].Drive)
		}
		m.Series = slices.Clone(m.Series)
		for k := range m.Series {
			m.Series[k].Drive = renamedReadings(m.Series[k].Drive, rename)
		}
	}
	return r
}

func renamedReadings(ds []bench.DriveReading, rename func(string) string) []bench.DriveReading {
	ds = slices.Clone(ds)
	for i := range ds {
		ds[i].Drive = rename(ds[i].Drive)
	}
	return ds
}

func renamedSource(s *bench.CopySource, rename func(string) string) *bench.CopySource {
	if s == nil {
		return nil
	}
	c := *s
	c.Drives = slices.Clone(c.Drives)
	for i := range c.Drives {
		c.Drives[i] = rename(c.Drives[i])
	}
	return &c
}

func renamedProbe(p *bench.Probe, rename func(string) string) *bench.Probe {
	if p == nil {
		return nil
	}
	c := *p
	c.Drives = slices.Clone(c.Drives)
	for i := range c.Drives {
		c.Drives[i].Drive = rename(c.Drives[i].Drive)
	}
	return &c
}

// Public is a copy of a result without serial numbers and without what may name a person or a computer: the
// folder, the mount point, the label and the device of the volume (which is a server's name in a network, and
// often the computer's name with LVM), the names of its layers, and folders in what the system said.
func Public(r bench.Result) bench.Result {
	s := newScrubber(r)
	r = WithoutSerials(r)
	t := &r.Plan.Target
	t.Path = ""
	t.Volume.Mount, t.Volume.Source, t.Volume.Label = "", "", ""
	t.Volume.Options = publicOptions(t.Volume.Options)
	t.Layers = slices.Clone(t.Layers)
	for i := range t.Layers {
		t.Layers[i].Name = ""
	}
	if r.File != nil {
		file := *r.File
		file.Name = ""
		r.File = &file
	}
	if c := r.Plan.Profile.Copying; c != nil && c.Source != "" {
		copying := *c
		copying.Source = gap // that it was a folder of the user's counts
		r.Plan.Profile.Copying = &copying
	}
	if c := r.Plan.Source; c != nil { // a copy, since WithoutSerials
		c.Path, c.Skipped = "", s.nameless(c.Skipped)
	}
	publicClone(&r)
	r.Comment = s.text(r.Comment)
	r.Tags = slices.Clone(r.Tags)
	for i := range r.Tags {
		r.Tags[i] = s.text(r.Tags[i])
	}
	r.Failure = s.failure(r.Failure)
	r.Warnings = slices.Clone(r.Warnings)
	for i := range r.Warnings {
		x := &r.Warnings[i]
		if x.Code == bench.WarnMounted {
			x.Text = gap
		}
		if x.Code == bench.WarnNamedFile { // the name of the file is this program's own, its folder is not
			x.Text = x.Text[strings.LastIndexAny(x.Text, `/\`)+1:]
		}
		x.Text = s.text(x.Text)
	}
	for _, p := range []*bench.Probe{r.Before, r.After} {
		for i := 0; p != nil && i < len(p.Drives); i++ {
			p.Drives[i].Missing = s.text(p.Drives[i].Missing)
		}
	}
	for i := range r.Measurements { // a copy, since WithoutSerials
		m := &r.Measurements[i]
		m.Failure = s.failure(m.Failure)
		m.Copy = s.copied(m.Copy)
		if m.Freed != nil {
			freed := *m.Freed
			freed.NotTrimmed = s.text(freed.NotTrimmed)
			m.Freed = &freed
		}
	}
	return r
}

// copied is what a copy showed, without the names of the user's files.
func (s scrubber) copied(c *bench.CopyFacts) *bench.CopyFacts {
	if c == nil {
		return nil
	}
	out := *c
	out.Skipped = s.nameless(out.Skipped)
	if out.Verified != nil {
		verified := *out.Verified
		verified.Differ = s.nameless(verified.Differ)
		out.Verified = &verified
	}
	return &out
}

func (s scrubber) nameless(all tree.Skipped) tree.Skipped {
	all.Named = slices.Clone(all.Named)
	for i := range all.Named {
		one := &all.Named[i]
		one.Path = gap
		if s.text(one.Reason) != one.Reason { // what the system said, with the file
			one.Reason = gap
		}
	}
	return all
}

// shown are the mount options with a value that say something about speed and nothing about anybody.
var shown = []string{"compress", "compress-force", "commit", "data", "errors", "discard", "space_cache", "logbufs", "logbsize",
	"allocsize", "barrier", "nobarrier", "stripe", "background_gc", "active_logs", "alloc_mode", "fsync_mode", "rsize", "wsize", "vers"}

// publicOptions are mount options that are a word alone, and those of shown: others may have folders, users and addresses.
func publicOptions(options string) string {
	all := slices.DeleteFunc(strings.Split(options, ","), func(o string) bool {
		key, _, valued := strings.Cut(o, "=")
		return valued && !slices.Contains(shown, key) || strings.ContainsAny(o, `/\@`)
	})
	return strings.Join(all, ",")
}

// gap stands where something was taken out of a text.
const gap = "…"

// home is a folder of a user on any system, up to its end.
var home = regexp.MustCompile(`(?i)((?:/home|/Users|/var/home|/run/media|/media)/|\b[a-z]:[\\/]+Users[\\/]+)[^\s/\\:"']+`)

// everybodys are mount points that say nothing of anybody; without what follows them the name would be left.
var everybodys = []string{"/home", "/var/home", "/Users", "/media", "/run/media", "/mnt"}

// scrubber takes the private names of a result out of texts.
type scrubber struct{ names []string }

// newScrubber knows the names in a result, the longest first, since one may be part of another.
func newScrubber(r bench.Result) scrubber {
	t := r.Plan.Target
	all := []string{t.Path, t.Volume.Mount, t.Volume.Source, t.Volume.Label}
	if c := r.Plan.Profile.Copying; c != nil {
		all = append(all, c.Source)
	}
	if c := r.Plan.Clone; c != nil {
		all = append(append(all, c.Written...), c.Path)
		if !c.Device {
			all = append(all, c.Name)
		}
	}
	if c := r.Plan.Source; c != nil {
		all = append(all, c.Path)
	}
	if r.File != nil {
		all = append(all, r.File.Name)
	}
	for _, d := range t.Drives {
		all = append(all, d.Serial)
	}
	all = slices.DeleteFunc(all, func(s string) bool { return len(s) < 3 || slices.Contains(everybodys, s) }) // nor is "C:" anybody's
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return scrubber{all}
}

func (s scrubber) text(text string) string {
	for _, n := range s.names { // and what lies below it
		text = regexp.MustCompile(regexp.QuoteMeta(n)+`([/\\][^\s:"',;]*)?`).ReplaceAllString(text, gap)
	}
	return home.ReplaceAllString(text, "${1}"+gap)
}

// failure may be of a file or folder, which is then not named.
func (s scrubber) failure(f *bench.Failure) *bench.Failure {
	if f == nil {
		return nil
	}
	c := *f
	c.Object, c.Reason, c.Detail = s.text(c.Object), s.text(c.Reason), s.text(c.Detail)
	if strings.ContainsAny(c.Object, `/\`) {
		c.Object = gap
	}
	return &c
}
