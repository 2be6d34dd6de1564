package host

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// mostBelow bounds how many virtual drives may lie on top of each other.
const mostBelow = 8

// below finds the layers and the drives below a place. There are none where Windows does not tell.
func (v volumes) below(ctx context.Context, at place) ([]platform.Layer, []platform.Drive) {
	w := &downward{volumes: v, ctx: ctx}
	w.volume(at, 0)
	return w.layers, w.drives
}

// downward is one way down. It keeps what it found.
type downward struct {
	volumes
	ctx    context.Context
	layers []platform.Layer
	drives []platform.Drive
}

func (w *downward) layer(kind platform.LayerKind, name string) {
	w.layers = append(w.layers, platform.Layer{Kind: kind, Name: name})
}

// lies is where a volume lies.
type lies struct {
	extents   []winapi.DiskExtent
	partition uint32 // 0 if there is none, or not one
}

// volume walks down from a volume.
func (w *downward) volume(at place, depth int) {
	name := deviceOf(at.name)
	if name == "" {
		name = deviceOf(at.root.String())
	}
	on, err := ask(w.ctx, w.asked, "extents of "+name, func() (lies, error) { return w.disks.extents(name) })
	if err != nil {
		return
	}
	var numbers []uint32
	for _, e := range on.extents {
		if !slices.Contains(numbers, e.Drive) {
			numbers = append(numbers, e.Drive)
		}
	}
	switch {
	case len(on.extents) > 1:
		w.layer(platform.LayerOther, name) // a dynamic disk: spanned, striped or mirrored, which it does not tell
	case len(numbers) == 1 && on.partition > 0:
		w.layer(platform.LayerPartition, fmt.Sprintf("Harddisk%dPartition%d", numbers[0], on.partition))
	}
	for _, n := range numbers {
		w.drive(driveName(n), at, depth)
	}
}

// drive records a drive, or goes on below it if it is a file.
func (w *downward) drive(name string, at place, depth int) {
	if slices.ContainsFunc(w.drives, func(d platform.Drive) bool { return d.Name == name }) {
		return
	}
	switch w.bus(name) {
	case winapi.BusSpaces: // its drives are not shown
		w.layer(platform.LayerSpaces, name)
	case winapi.BusVHD:
		if w.files(name, at, depth) {
			return
		}
	}
	d, err := w.disks.drive(w.ctx, name)
	if err != nil {
		d = platform.Drive{Name: name, Key: name} // that it is there is known
	}
	w.drives = append(w.drives, d)
}

// files goes on below a drive that lies in files, and says whether it came to another.
func (w *downward) files(name string, at place, depth int) bool {
	found := w.backing(at)
	if len(found) == 0 {
		w.layer(platform.LayerLoop, name)
	}
	before := len(w.drives)
	for _, f := range found {
		w.layer(platform.LayerLoop, f.File)
		host, ok := winapi.ParsePath(f.Volume)
		if ok && depth < mostBelow {
			w.volume(place{path: host, root: host, name: f.Volume}, depth+1)
		}
	}
	return len(w.drives) > before
}

// bus is how a drive is attached, 0 if it does not tell.
func (w *downward) bus(name string) winapi.Bus {
	about, err := ask(w.ctx, w.asked, "bus of "+name, func() (winapi.Device, error) {
		return with(w.disks, name, accessNone, func(dev device) (winapi.Device, error) {
			return property(dev, winapi.PropertyDevice, winapi.DecodeDevice)
		})
	})
	if err != nil {
		return 0
	}
	return about.Bus
}

// backing are the files that the virtual drive of a place lies on; none if that is not told.
func (w *downward) backing(at place) []winapi.Backing {
	files, err := ask(w.ctx, w.asked, "files below "+at.root.String(), func() ([]winapi.Backing, error) {
		dev, err := w.calls.folder(at.root)
		if err != nil {
			return nil, err
		}
		const room = 64 << 10
		files, err := fetch(dev, winapi.CodeDependent, winapi.DependentRequest(), room, winapi.DecodeDependent)
		return files, errors.Join(err, dev.close())
	})
	if err != nil {
		return nil
	}
	return files
}

// extents asks on which drives a volume lies. One that does not know may still know its one drive.
func (s storage) extents(name string) (lies, error) {
	dev, err := s.open(name, accessNone)
	if err != nil {
		return lies{}, err
	}
	on, err := extentsOf(dev)
	return on, errors.Join(err, dev.close())
}

func extentsOf(dev device) (lies, error) {
	var on lies
	number, numberErr := fetch(dev, winapi.CodeDeviceNumber, nil, answerSize, winapi.DecodeDeviceNumber)
	one := numberErr == nil && number.Type == winapi.DeviceDisk
	if one {
		on.partition = number.Partition
	}
	for room := answerSize; ; room *= 4 {
		all, err := fetch(dev, winapi.CodeVolumeExtents, nil, room, winapi.DecodeVolumeExtents)
		switch {
		case errors.Is(err, moreData) && room < 1<<22:
			continue
		case err == nil && len(all) > 0:
			on.extents = all
			return on, nil
		case one:
			on.extents = []winapi.DiskExtent{{Drive: number.Number}}
			return on, nil
		}
		return on, errors.Join(err, numberErr)
	}
}
