// Package export writes a result for others: as text in the layout that users of CrystalDiskMark know,
// as tables for a spreadsheet, and as JSON. It draws no pictures. All formats are in English and the
// same on every computer; none has a serial number unless it is asked for.
package export

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"

	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
)

// Format is a way to write a result.
type Format struct {
	ID    string // name on the command line
	Ext   string // end of a file's name, with the dot
	write func(b *bytes.Buffer, r bench.Result, o Options) error
}

// Options are what may be chosen.
type Options struct {
	Zone    *time.Location // of the date in the text; nil is UTC
	Serials bool           // JSON: keep serial numbers and the keys made of them
}

// Formats lists all formats.
func Formats() []Format {
	return []Format{
		{"text", ".txt", writeText},
		{"csv", ".csv", writeSamples},
		{"csv-loops", "-loops.csv", writeLoops},
		{"csv-files", "-files.csv", writeFiles},
		{"csv-drives", "-drives.csv", writeDrives},
		{"json", ".json", writeJSON},
	}
}

// ByID finds a format.
func ByID(id string) (Format, bool) {
	all := Formats()
	i := slices.IndexFunc(all, func(f Format) bool { return f.ID == id })
	if i < 0 {
		return Format{}, false
	}
	return all[i], true
}

// FileName is a name for a result's file in a format.
func (f Format) FileName(r bench.Result) string { return "cachecliff-" + r.ID + f.Ext }

// Write writes a result in a format. The error is the writer's.
func Write(w io.Writer, f Format, r bench.Result, o Options) error {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	var b bytes.Buffer
	if err := f.write(&b, r, o); err != nil {
		return fmt.Errorf("export %s: %w", f.ID, err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func writeJSON(b *bytes.Buffer, r bench.Result, o Options) error {
	if !o.Serials {
		r = withoutSerials(r)
	}
	return store.Encode(b, r)
}

// withoutSerials is a copy of a result in which drives have no serial number and are called drive-1,
// drive-2 and so on, since a drive's key may be made of its serial number.
func withoutSerials(r bench.Result) bench.Result {
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

// driveName is a drive's model and firmware, or what the system calls it.
func driveName(d platform.Drive) string {
	name := d.Model
	if name == "" {
		name = d.Name
	}
	if d.Firmware != "" {
		name += ", firmware " + d.Firmware
	}
	return name
}
