package tree

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cachecliff/bench/fill"
)

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// class is a kind of files: which share of the tree's bytes they hold, and between which sizes they lie. Within a
// class sizes are spread evenly over their logarithm, as sizes of files are on any volume.
type class struct {
	share       float64
	least, most int64
	extensions  []string
}

// classes are a folder of installed games as they are shipped today. Nobody publishes such counts, so these are a
// choice, made so that what decides the time of a copy is there: archives of some hundred megabytes to some
// gigabytes hold most of the bytes and run at the rate of the drive; videos, sounds and textures of a few
// megabytes are the middle; and most of the files by number are scripts, shaders and settings below a megabyte,
// where opening a file takes longer than copying it. At 25 GB that is about 30 archives, 400 files of the middle
// and 8000 small ones.
var classes = []class{
	{0.70, 256 * mib, 4 * gib, []string{"pak", "ucas", "bundle", "bsa"}},
	{0.25, mib, 64 * mib, []string{"bank", "bik", "dds", "uasset"}},
	{0.05, kib, mib, []string{"json", "lua", "shader", "xml", "dll", "txt"}},
}

// largestShare is the most that one file holds of a tree, so that a small tree has archives as well: a sixteenth.
const largestShare = 16

// The folders of a tree: so many files lie in one at most, and so deep are they nested.
const (
	perFolder = 48
	maxDepth  = 6
)

// Generate makes up a tree of exactly so many bytes. The same bytes and seed give the same tree on every system.
func Generate(bytes int64, seed uint64) Tree {
	g := generator{rand: fill.NewRand(seed)}
	var sizes []sized
	for i, c := range classes {
		part := int64(float64(bytes) * c.share)
		if i == len(classes)-1 {
			part = bytes
			for _, s := range sizes {
				part -= s.size
			}
		}
		sizes = append(sizes, g.sizes(c, i, part, bytes)...)
	}
	for i := range slices.Backward(sizes) { // what is copied next to each other is of all classes
		j := int(g.rand.Below(int64(i + 1)))
		sizes[i], sizes[j] = sizes[j], sizes[i]
	}
	g.place(sizes)
	return g.tree
}

type sized struct {
	size  int64
	class int
}

type generator struct {
	rand   fill.Rand
	tree   Tree
	serial int
}

// sizes are those of the files of a class: they make up exactly so many bytes.
func (g *generator) sizes(c class, number int, bytes, all int64) []sized {
	most := min(c.most, max(all/largestShare, c.least/4))
	least := min(c.least, max(most/16, 1))
	ratio := math.Log(float64(most) / float64(least))
	var out []sized
	for bytes > 0 {
		share := float64(g.rand.Next()>>11) / (1 << 53)
		size := min(int64(float64(least)*math.Exp(share*ratio)), bytes)
		out = append(out, sized{size, number})
		bytes -= size
	}
	return out
}

// place spreads files over folders. A folder's files come before the folders in it, as a copying program meets
// them that looks through one folder at a time.
func (g *generator) place(files []sized) {
	type open struct {
		path  string
		depth int
	}
	folders := []open{{"", 0}}
	for at := 0; len(files) > 0; at++ {
		if at == len(folders) {
			folders = append(folders, open{g.folder("", 1), 1})
		}
		here := folders[at]
		n := min(int(g.rand.Below(perFolder))+1, len(files))
		for _, f := range files[:n] {
			g.tree.Files = append(g.tree.Files, File{join(here.path, g.name(f.class)), f.size})
		}
		files = files[n:]
		if here.depth < maxDepth && len(files) > 0 {
			for range g.rand.Below(4) + 1 {
				folders = append(folders, open{g.folder(here.path, here.depth+1), here.depth + 1})
			}
		}
	}
}

func join(folder, name string) string {
	if folder == "" {
		return name
	}
	return folder + "/" + name
}

// words make up names. All are allowed on FAT, exFAT and NTFS as well, and none means a device there.
var words = strings.Fields(`Audio Assets Binaries Cinematics Content Data Engine Effects Fonts Gameplay Häuser
	Interface Levels Lighting Maps Materials Meshes Movies Paks Physics Plugins Quests Résumé Scripts Shaders Skies
	Sounds Streaming Terrain Textures Voices Weapons World`)

// folder makes a folder.
func (g *generator) folder(parent string, depth int) string {
	g.serial++
	path := join(parent, fmt.Sprintf("%s %d-%d", g.word(), depth, g.serial))
	g.tree.Folders = append(g.tree.Folders, path)
	return path
}

// name is a file's: a running number tells them apart, and one in sixteen is long.
func (g *generator) name(class int) string {
	g.serial++
	ext := classes[class].extensions
	name := fmt.Sprintf("%s_%s_%05d", strings.ToLower(g.word()), g.word(), g.serial)
	if g.rand.Below(16) == 0 {
		name += "_" + strings.Repeat("lod0_", 20)
	}
	return name + "." + ext[g.rand.Below(int64(len(ext)))]
}

func (g *generator) word() string { return words[g.rand.Below(int64(len(words)))] }
