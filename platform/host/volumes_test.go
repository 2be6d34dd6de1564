package host

import (
	"cmp"
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf16"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

const (
	me, other, admins, trustedInstaller = "S-1-5-21-1-2-3-1001", "S-1-5-21-1-2-3-1002", "S-1-5-32-544", "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"
)

// pretended is a Windows made of answers. Paths are without a difference between small and capital letters.
type pretended struct {
	nodes   map[string]node // names that are there; those above them are folders
	errs    map[string]error
	exact   map[string]string // what inVolume answers in the place of the path itself
	devices map[string]string // letters
	mounted []pretendedMount
	hang    map[string]chan struct{} // questions that are not answered before
	folders map[string]*replayed     // what control codes get from a folder
	homeDir string
}

// pretendedMount is a volume.
type pretendedMount struct {
	root, name string // either may be empty
	about      winapi.Volume
	bitlocker  int32
	share      string
	free       uint64
}

// answer waits if the question is one that is not answered, and gives its error.
func (w *pretended) answer(question, about string) error {
	key := question + " " + strings.ToUpper(about)
	if c, ok := w.hang[key]; ok {
		<-c
	}
	if reason, ok := w.errs[key]; ok {
		return &platform.OpError{Op: question, Object: about, Reason: reason}
	}
	return nil
}

func (w *pretended) full(path string) (string, error) {
	if _, ok := winapi.ParsePath(path); !ok && !strings.HasPrefix(path, `\\`) {
		path = `C:\Users\me\` + path
	}
	return path, w.answer("full", path)
}

func (w *pretended) device(letter string) (string, error) {
	if d, ok := w.devices[letter]; ok {
		return d, nil
	}
	return `\Device\HarddiskVolume` + letter[:1], w.answer("device", letter)
}

func (w *pretended) look(p winapi.Path) (node, error) {
	if err := w.answer("look", p.String()); err != nil {
		return node{}, err
	}
	for name, n := range w.nodes {
		there, _ := winapi.ParsePath(name)
		if there.Equal(p) {
			return n, nil
		}
		if _, above := there.Below(p); above {
			return node{attributes: winapi.AttrFolder}, nil
		}
	}
	if len(p.Parts) == 0 && w.at(p) != nil {
		return node{attributes: winapi.AttrFolder}, nil
	}
	return node{}, &platform.OpError{Op: "look at", Object: p.String(), Reason: platform.ErrNotExist}
}

// at is the volume that a path lies on: the one that is mounted nearest.
func (w *pretended) at(p winapi.Path) *pretendedMount {
	var best *pretendedMount
	longest := -1
	for i, m := range w.mounted {
		for _, root := range []string{m.root, m.name} {
			at, ok := winapi.ParsePath(root)
			if !ok {
				continue
			}
			if _, ok := p.Below(at); ok && len(at.Parts) > longest {
				best, longest = &w.mounted[i], len(at.Parts)
			}
		}
	}
	return best
}

func (w *pretended) user() ([]string, error) { return []string{me}, w.answer("user", "") }

func (w *pretended) inVolume(p winapi.Path) (string, error) {
	if s, ok := w.exact[strings.ToUpper(p.String())]; ok {
		return s, nil
	}
	m := w.at(p)
	for _, root := range []string{m.root, m.name} {
		at, _ := winapi.ParsePath(root)
		if below, ok := p.Below(at); ok {
			return `\` + strings.Join(below, `\`), w.answer("inVolume", p.String())
		}
	}
	return "", w.answer("inVolume", p.String())
}

// same knows of those names alone that inVolume gives for a path with a short name.
func (w *pretended) same(a, b winapi.Path) bool {
	return strings.Contains(b.String(), "~") && strings.HasSuffix(a.String(), w.exact[strings.ToUpper(b.String())])
}

func (w *pretended) root(p winapi.Path) (string, error) {
	if err := w.answer("root", p.String()); err != nil {
		return "", err
	}
	m := w.at(p)
	if m == nil {
		return p.Root, nil
	}
	if strings.EqualFold(p.Root, m.name) {
		return m.name, nil
	}
	return m.root, nil
}

func (w *pretended) volumeName(root string) (string, error) {
	p, _ := winapi.ParsePath(root)
	if m := w.at(p); m != nil && m.name != "" {
		return m.name, nil
	}
	return "", &platform.OpError{Op: "find the volume at", Object: root, Reason: platform.ErrUnsupported}
}

func (w *pretended) volumeNames() ([]string, error) {
	var out []string
	for _, m := range w.mounted {
		if m.name != "" && !slices.Contains(out, m.name) {
			out = append(out, m.name)
		}
	}
	return out, w.answer("volumeNames", "")
}

func (w *pretended) mounts(name string) ([]string, error) {
	var out []string
	for _, m := range w.mounted {
		if m.name == name && m.root != "" {
			out = append(out, m.root)
		}
	}
	return out, w.answer("mounts", name)
}

func (w *pretended) letters() ([]string, error) {
	var out []string
	for _, m := range w.mounted {
		if len(m.root) == 3 {
			out = append(out, m.root)
		}
	}
	for letter := range w.devices {
		out = append(out, letter+`\`)
	}
	return out, w.answer("letters", "")
}

func (w *pretended) kind(root string) winapi.DriveKind {
	if strings.HasPrefix(root, `\\s`) || strings.HasPrefix(root, `\\d`) {
		panic("a server is asked for its kind, which may take long")
	}
	p, _ := winapi.ParsePath(root)
	if m := w.at(p); m != nil {
		return m.about.Kind
	}
	return winapi.KindNone
}

func (w *pretended) share(letter string) (string, error) {
	p, _ := winapi.ParsePath(letter + `\`)
	if m := w.at(p); m != nil && m.share != "" {
		return m.share, nil
	}
	return "", &platform.OpError{Op: "find the server of", Object: letter, Reason: platform.ErrNotExist}
}

func (w *pretended) describe(root string, v *winapi.Volume) error {
	if err := w.answer("describe", root); err != nil {
		return err
	}
	p, _ := winapi.ParsePath(root)
	if m := w.at(p); m != nil {
		v.FS, v.Label, v.Flags = m.about.FS, m.about.Label, m.about.Flags
		return nil
	}
	return &platform.OpError{Op: "look at the volume", Object: root, Reason: platform.ErrNotExist}
}

const gib = 1 << 30

func (w *pretended) space(folder winapi.Path) (available, all, free uint64, err error) {
	left := cmp.Or(w.at(folder).free, 40*gib)
	return left, 100 * gib, left, w.answer("space", folder.String())
}

func (w *pretended) writable(folder winapi.Path) error { return w.answer("writable", folder.String()) }

func (w *pretended) folder(p winapi.Path) (device, error) {
	return w.folders[strings.ToUpper(p.String())].open(p.String(), accessNone)
}

func (w *pretended) protection(root string) (int32, error) {
	p, _ := winapi.ParsePath(root)
	return w.at(p).bitlocker, w.answer("protection", root)
}

func (w *pretended) home() string    { return w.homeDir }
func (w *pretended) windows() string { return `C:\Windows` }

// pointsTo is a reparse point of someone: a symbolic link if relative is set or tag says so, else a junction.
func pointsTo(owner string, tag uint32, target string) node {
	relative := !strings.HasPrefix(target, `\??\`)
	head := 16
	if tag == winapi.TagSymlink {
		head = 20
	}
	b := make([]byte, head)
	var wide []byte
	for _, c := range utf16.Encode([]rune(target)) {
		wide = binary.LittleEndian.AppendUint16(wide, c)
	}
	binary.LittleEndian.PutUint32(b, tag)
	binary.LittleEndian.PutUint16(b[10:], uint16(len(wide)))
	if tag == winapi.TagSymlink && relative {
		b[16] = 1
	}
	b = append(b, wide...)
	binary.LittleEndian.PutUint16(b[4:], uint16(len(b)-8))
	return node{attributes: winapi.AttrFolder | winapi.AttrReparse, tag: tag, reparse: b, owner: owner}
}

// extentsAnswer is a VOLUME_DISK_EXTENTS with a piece on each of some drives.
func extentsAnswer(drives ...uint32) reply {
	b := le(8+24*len(drives), 0, uint32(len(drives)))
	for i, n := range drives {
		copy(b[8+24*i:], le(24, 0, n, 8, uint64(1<<20), 16, uint64(gib)))
	}
	return reply{bytes: b}
}

// partitionAnswer is a PARTITION_INFORMATION_EX of a table of the older kind.
func partitionAnswer(kind uint8) reply { return reply{bytes: le(144, 24, uint32(1), 32, kind)} }

// dependsAnswer says on which file a virtual drive lies.
func dependsAnswer(volume, file string) reply {
	var v, f []byte
	for _, c := range utf16.Encode([]rune(volume)) {
		v = binary.LittleEndian.AppendUint16(v, c)
	}
	for _, c := range utf16.Encode([]rune(file)) {
		f = binary.LittleEndian.AppendUint16(f, c)
	}
	e := le(0x44, 0, uint32(0x44+len(v)+len(f)), 0x24, uint32(0x44), 0x28, uint32(len(v)), 0x34, uint32(0x44+len(v)), 0x38, uint32(len(f)))
	return reply{bytes: slices.Concat(le(8, 0, uint32(2), 4, uint32(1)), e, v, f)}
}

const (
	codeExtents   = "code 0x560000"
	codeNumber    = "code 0x2d1080"
	codePartition = "code 0x70048"
	codeDepends   = "code 0x901f0"
	codeIntegrity = "code 0x9027c"
	codeDevice    = "property 0"
)

func volumeID(n string) string { return `\\?\Volume{` + n + `}\` }

// thisPretended is a computer with all that can be between a folder and a drive.
func thisPretended() (*pretended, map[string]*replayed) {
	fixed := func(fs string) winapi.Volume { return winapi.Volume{Kind: winapi.KindFixed, FS: fs} }
	w := &pretended{
		homeDir: `C:\Users\me`,
		nodes: map[string]node{
			`C:\Users\me\größe`:    {attributes: winapi.AttrFolder},
			`C:\Users\me\file`:     {attributes: 0x20},
			`C:\Users\me\secret`:   {attributes: winapi.AttrFolder | winapi.AttrEncrypted},
			`C:\Users\me\OneDrive`: {attributes: winapi.AttrFolder | winapi.AttrReparse, tag: 0x9000301A},
			`C:\Users\me\gr~1`:     {attributes: winapi.AttrFolder},
			`C:\Users\other`:       {attributes: winapi.AttrFolder},
			`C:\Users\me\junction`: pointsTo(me, winapi.TagMountPoint, `\??\D:\data`),
			`C:\Users\me\up`:       pointsTo(me, winapi.TagSymlink, `..\..\mnt`),
			`C:\Users\me\rooted`:   pointsTo(admins, winapi.TagSymlink, `\Users\me\größe`),
			`C:\Users\me\twice`:    pointsTo(me, winapi.TagSymlink, `junction\x`),
			`C:\Users\me\share`:    pointsTo(me, winapi.TagSymlink, `\??\UNC\srv\pub\x`),
			`C:\Users\me\loop`:     pointsTo(me, winapi.TagSymlink, `loop`),
			`C:\Users\me\viaS`:     pointsTo(me, winapi.TagSymlink, `\??\S:\`),
			`C:\Users\me\lx`:       {attributes: winapi.AttrFolder | winapi.AttrReparse, tag: 0xA000001D, owner: me},
			`C:\Documents`:         pointsTo(trustedInstaller, winapi.TagMountPoint, `\??\C:\Users`),
			`C:\foreign`:           pointsTo(other, winapi.TagSymlink, `Users`),
			`C:\ownerless`:         pointsTo("", winapi.TagSymlink, `Users`),
			`C:\mnt\disk`:          pointsTo(admins, winapi.TagMountPoint, `\??\Volume{3}\`),
			`C:\mnt\disk\x`:        {attributes: winapi.AttrFolder},
			`C:\mnt\theirs`:        pointsTo(other, winapi.TagMountPoint, `\??\Volume{3}\`),
			`D:\data\x`:            {attributes: winapi.AttrFolder},
			`Z:\x`:                 {attributes: winapi.AttrFolder},
			`\\srv\pub\x`:          {attributes: winapi.AttrFolder},
			volumeID("3") + `x`:    {attributes: winapi.AttrFolder},
			volumeID("4") + `y`:    {attributes: winapi.AttrFolder},
			`R:\plain`:             {attributes: winapi.AttrFolder},
			`R:\checked`:           {attributes: winapi.AttrFolder},
		},
		exact: map[string]string{
			`C:\USERS\ME\GR~1`: `\Users\me\größe`,
			`Z:\X`:             `\srv\pub\x`, // as servers do
			`D:\DATA\X`:        `\`,          // another folder
		},
		devices: map[string]string{"Y:": `\Device\LanmanRedirector\;Y:00001\srv\gone`, "S:": `\??\C:\Users\me`, "T:": `\??\S:\größe`, "U:": `\??\U:\x`},
		mounted: []pretendedMount{
			{root: `C:\`, name: volumeID("1"), about: winapi.Volume{Kind: winapi.KindFixed, FS: "NTFS", Label: "Windows"}, bitlocker: 1},
			{root: `D:\`, name: volumeID("2"), about: fixed("NTFS"), bitlocker: 2},
			{root: `C:\mnt\disk\`, name: volumeID("3"), about: fixed("exFAT")},
			{name: volumeID("4"), about: fixed("NTFS")},
			{name: volumeID("efi"), about: fixed("FAT32")},
			{root: `E:\`, name: volumeID("5"), about: winapi.Volume{Kind: winapi.KindRemovable}},
			{root: `F:\`, name: volumeID("6"), about: fixed("")},
			{root: `G:\`, name: volumeID("7"), about: winapi.Volume{Kind: winapi.KindOptical, FS: "CDFS"}},
			{root: `P:\`, name: volumeID("8"), about: fixed("NTFS")},
			{root: `R:\`, name: volumeID("9"), about: winapi.Volume{Kind: winapi.KindFixed, FS: "ReFS", Flags: winapi.FlagIntegrity}},
			{root: `V:\`, name: volumeID("10"), about: fixed("NTFS")},
			{root: `W:\`, name: volumeID("11"), about: fixed("NTFS")},
			{root: `Z:\`, about: winapi.Volume{Kind: winapi.KindRemote, FS: "NTFS"}, share: `\\srv\pub`},
			{root: `Y:\`, about: winapi.Volume{Kind: winapi.KindNone}},
			{root: `X:\`, about: winapi.Volume{Kind: winapi.KindMemory, FS: "FAT32"}},
			{root: `\\srv\pub\`, about: winapi.Volume{Kind: winapi.KindRemote, FS: "ext4"}},
		},
		errs: map[string]error{
			`describe E:\`:          platform.ErrNoMedium,
			`look E:\`:              platform.ErrNoMedium,
			`describe F:\`:          locked,
			`look F:\`:              locked,
			`describe Y:\`:          platform.ErrNotExist,
			`look \\GONE\PUB\`:      platform.ErrNotExist,
			`look \\DEAD\PUB\`:      platform.ErrGone,
			`look C:\USERS\OTHER`:   platform.ErrPermission,
			`writable C:\`:          platform.ErrPermission,
			`writable D:\DATA`:      platform.ErrReadOnly,
			`space \\?\VOLUME{4}\Y`: platform.ErrIO,
		},
		folders: map[string]*replayed{
			`R:\CHECKED`: {answers: map[string]reply{codeIntegrity: {bytes: le(16, 0, uint16(2))}}},
			`R:\PLAIN`:   {},
			`R:\`:        {},
			`V:\`:        {answers: map[string]reply{codeDepends: dependsAnswer(volumeID("2"), `\größe\dev.vhdx`)}},
			`W:\`:        {},
		},
	}
	partition := func(drive, number uint32) map[string]reply {
		return map[string]reply{codeExtents: extentsAnswer(drive), codeNumber: {bytes: le(12, 0, uint32(7), 4, drive, 8, number)}}
	}
	bus := func(n uint32) *replayed {
		return &replayed{answers: map[string]reply{codeDevice: {bytes: deviceAnswer(n, "", "Drive", "1", "S")}}}
	}
	disks := map[string]*replayed{
		"PhysicalDrive0": bus(17), "PhysicalDrive1": bus(11), "PhysicalDrive2": bus(11), "PhysicalDrive3": bus(16), "PhysicalDrive4": bus(15), "PhysicalDrive5": bus(15),
		"Volume{1}":   {answers: partition(0, 3)},
		"Volume{2}":   {answers: map[string]reply{codeExtents: extentsAnswer(1, 2, 1)}},
		"Volume{3}":   {answers: map[string]reply{codeNumber: {bytes: le(12, 0, uint32(7), 4, uint32(1), 8, uint32(1<<32-1))}}},
		"Volume{4}":   {answers: map[string]reply{codeExtents: extentsAnswer(0), codePartition: partitionAnswer(7)}},
		"Volume{efi}": {answers: map[string]reply{codeExtents: extentsAnswer(0), codePartition: partitionAnswer(0xEF)}},
		"Volume{8}":   {answers: partition(3, 2)},
		"Volume{9}":   {answers: partition(1, 1)},
		"Volume{10}":  {answers: partition(4, 2)},
		"Volume{11}":  {answers: partition(5, 2)},
	}
	return w, disks
}

func (w *pretended) volumes(disks map[string]*replayed) volumes {
	s := replay(disks)
	return volumes{calls: w, disks: s, asked: s.asked}
}

func drivesOf(t platform.Target) (names []string) {
	for _, d := range t.Drives {
		names = append(names, d.Name)
	}
	return names
}

func layersOf(t platform.Target) (names []string) {
	for _, l := range t.Layers {
		names = append(names, string(l.Kind)+" "+l.Name)
	}
	return names
}

func TestResolveWindows(t *testing.T) {
	w, disks := thisPretended()
	v := w.volumes(disks)
	c3, none := []string{"bitlocker C:\\", "partition Harddisk0Partition3"}, []string(nil)
	two := []string{"other Volume{2}"}
	for _, c := range []struct {
		path, want, mount string
		refusal           platform.Refusal
		layers, drives    []string
	}{
		{`C:\Users\me\größe`, `C:\Users\me\größe`, `C:\`, "", c3, []string{"PhysicalDrive0"}},
		{`größe`, `C:\Users\me\größe`, `C:\`, "", c3, []string{"PhysicalDrive0"}},
		{`c:/users/me/gr~1/`, `C:\Users\me\größe`, `C:\`, "", c3, []string{"PhysicalDrive0"}},
		{`C:\Users\me\file`, `C:\Users\me\file`, `C:\`, platform.RefusedNotFolder, c3, []string{"PhysicalDrive0"}},
		{`C:\`, `C:\`, `C:\`, platform.RefusedPermission, c3, []string{"PhysicalDrive0"}},
		{`C:\Users\other`, `C:\Users\other`, `C:\`, platform.RefusedPermission, none, nil},
		{`C:\Users\other\x`, `C:\Users\other\x`, `C:\`, platform.RefusedPermission, none, nil},
		{`C:\Users\me\secret`, `C:\Users\me\secret`, `C:\`, "", append([]string{`efs C:\Users\me\secret`}, c3...), []string{"PhysicalDrive0"}},
		{`C:\Users\me\OneDrive`, `C:\Users\me\OneDrive`, `C:\`, "", c3, []string{"PhysicalDrive0"}},
		{`C:\Users\me\lx`, `C:\Users\me\lx`, `C:\`, "", c3, []string{"PhysicalDrive0"}},
		{`C:\Users\me\rooted`, `C:\Users\me\größe`, `C:\`, "", c3, []string{"PhysicalDrive0"}},
		{`C:\Documents\me`, `C:\Users\me`, `C:\`, "", c3, []string{"PhysicalDrive0"}},
		{`S:\größe`, `C:\Users\me\größe`, `C:\`, "", c3, []string{"PhysicalDrive0"}},
		{`T:\`, `C:\Users\me\größe`, `C:\`, "", c3, []string{"PhysicalDrive0"}},
		{`C:\Users\me\viaS\größe`, `C:\Users\me\größe`, `C:\`, "", c3, []string{"PhysicalDrive0"}},
		{`C:\Users\me\junction\x`, `D:\data\x`, `D:\`, "", two, []string{"PhysicalDrive1", "PhysicalDrive2"}},
		{`C:\Users\me\twice`, `D:\data\x`, `D:\`, "", two, []string{"PhysicalDrive1", "PhysicalDrive2"}},
		{`D:\data`, `D:\data`, `D:\`, platform.RefusedReadOnlyFS, two, []string{"PhysicalDrive1", "PhysicalDrive2"}},
		{`C:\mnt\disk\x`, `C:\mnt\disk\x`, `C:\mnt\disk`, "", none, []string{"PhysicalDrive1"}},
		{`C:\Users\me\up\disk`, `C:\mnt\disk`, `C:\mnt\disk`, "", none, []string{"PhysicalDrive1"}},
		{volumeID("3") + `x`, `C:\mnt\disk\x`, `C:\mnt\disk`, "", none, []string{"PhysicalDrive1"}},
		{volumeID("4"), volumeID("4"), volumeID("4"), "", none, []string{"PhysicalDrive0"}},
		{volumeID("4") + `y`, volumeID("4") + `y`, volumeID("4"), platform.RefusedUnreachable, none, []string{"PhysicalDrive0"}},
		{`\\srv\pub\x`, `\\srv\pub\x`, `\\srv\pub\`, "", none, nil},
		{`C:\Users\me\share`, `\\srv\pub\x`, `\\srv\pub\`, "", none, nil},
		{`\\dead\pub\`, `\\dead\pub\`, `\\dead\pub\`, platform.RefusedUnreachable, none, nil},
		{`E:\`, `E:\`, `E:\`, platform.RefusedNoMedium, none, nil},
		{`F:\`, `F:\`, `F:\`, platform.RefusedLocked, none, nil},
		{`G:\`, `G:\`, `G:\`, platform.RefusedImage, none, nil},
		{`P:\`, `P:\`, `P:\`, "", []string{"partition Harddisk3Partition2", "storage-spaces PhysicalDrive3"}, []string{"PhysicalDrive3"}},
		{`V:\`, `V:\`, `V:\`, "", []string{"partition Harddisk4Partition2", `loop \größe\dev.vhdx`, "other Volume{2}"}, []string{"PhysicalDrive1", "PhysicalDrive2"}},
		{`W:\`, `W:\`, `W:\`, "", []string{"partition Harddisk5Partition2", "loop PhysicalDrive5"}, []string{"PhysicalDrive5"}},
		{`X:\`, `X:\`, `X:\`, "", none, nil},
		{`Z:\`, `Z:\`, `Z:\`, "", none, nil},
		{`Z:\x`, `Z:\x`, `Z:\`, "", none, nil},
		{`D:\data\x`, `D:\data\x`, `D:\`, "", two, []string{"PhysicalDrive1", "PhysicalDrive2"}},
	} {
		got, err := v.resolve(t.Context(), c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if got.Path != c.want || got.Volume.Mount != c.mount || got.Refusal != c.refusal {
			t.Errorf("%s: %s on %s, %q, want %s on %s, %q", c.path, got.Path, got.Volume.Mount, got.Refusal, c.want, c.mount, c.refusal)
		}
		if !slices.Equal(layersOf(got), c.layers) || !slices.Equal(drivesOf(got), c.drives) {
			t.Errorf("%s: through %q to %q, want %q, %q", c.path, layersOf(got), drivesOf(got), c.layers, c.drives)
		}
	}
	for _, d := range disks {
		d.balanced(t)
	}
}

func TestResolveWindowsVolume(t *testing.T) {
	w, disks := thisPretended()
	v := w.volumes(disks)
	for path, want := range map[string]platform.Volume{
		`C:\Users\me`: {Mount: `C:\`, Source: `\\?\Volume{1}`, FS: "NTFS", Options: "rw", Label: "Windows", Size: 100 * gib, Used: 60 * gib, Free: 40 * gib, System: true},
		`Z:\`:         {Mount: `Z:\`, Source: `\\srv\pub`, FS: "remote NTFS", Options: "rw", Size: 100 * gib, Used: 60 * gib, Free: 40 * gib},
		`R:\checked`:  {Mount: `R:\`, Source: `\\?\Volume{9}`, FS: "ReFS", Options: "rw,integrity=crc64", Size: 100 * gib, Used: 60 * gib, Free: 40 * gib},
		`R:\plain`:    {Mount: `R:\`, Source: `\\?\Volume{9}`, FS: "ReFS", Options: "rw", Size: 100 * gib, Used: 60 * gib, Free: 40 * gib},
		`Y:\`:         {Mount: `Y:\`, Source: `Y:\`, FS: "remote"},
	} {
		got, err := v.resolve(t.Context(), path)
		if err != nil || got.Volume != want {
			t.Errorf("%s: %+v, %v, want %+v", path, got.Volume, err, want)
		}
	}
}

func TestResolveWindowsDevice(t *testing.T) {
	w, disks := thisPretended()
	for _, path := range []string{`\\.\PhysicalDrive0`, `\\.\C:`, `\\.\NUL`, `\\?\GLOBALROOT\Device\Harddisk0`} {
		got, err := w.volumes(disks).resolve(t.Context(), path)
		if err != nil || got.Path != path || got.Refusal != platform.RefusedNotFolder {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
	if got, err := w.volumes(disks).resolve(t.Context(), `\\.\C:\Users\me`); err != nil || got.Path != `C:\Users\me` {
		t.Errorf("%+v, %v", got, err)
	}
}

// A server that does not tell what its file system is (Wine answers so for all of them) can be tested all the same;
// a drive of this computer that does not is broken.
func TestResolveWindowsMuteShare(t *testing.T) {
	w, disks := thisPretended()
	odd := errors.New("not a root")
	w.errs[`describe \\SRV\PUB\`], w.errs[`describe C:\`] = odd, odd
	v := w.volumes(disks)
	want := platform.Volume{Mount: `\\srv\pub\`, Source: `\\srv\pub\`, FS: "remote", Size: 100 * gib, Used: 60 * gib, Free: 40 * gib}
	if got, err := v.resolve(t.Context(), `\\srv\pub\x`); err != nil || got.Volume != want || got.Refusal != platform.Usable {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if got, err := v.resolve(t.Context(), `C:\Users\me`); !errors.Is(err, odd) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestResolveWindowsFails(t *testing.T) {
	w, disks := thisPretended()
	v := w.volumes(disks)
	for path, want := range map[string]struct {
		reason error
		object string
	}{
		`C:\nothing`:                {platform.ErrNotExist, `C:\nothing`},
		`C:\Users\me\größe\a\b`:     {platform.ErrNotExist, `C:\Users\me\größe\a`},
		`Q:\`:                       {platform.ErrNotExist, `Q:\`},
		`\\gone\pub\`:               {platform.ErrNotExist, `\\gone\pub\`},
		`C:\Users\me\loop`:          {platform.ErrNotExist, `C:\Users\me\loop`},
		`U:\`:                       {platform.ErrNotExist, `U:\`},
		`C:\foreign`:                {platform.ErrForeignLink, `C:\foreign`},
		`C:\foreign\me`:             {platform.ErrForeignLink, `C:\foreign`},
		`C:\ownerless\me`:           {platform.ErrForeignLink, `C:\ownerless`},
		`C:\mnt\theirs`:             {platform.ErrForeignLink, `C:\mnt\theirs`},
		`C:\Users\me\up\theirs\x`:   {platform.ErrForeignLink, `C:\mnt\theirs`},
		`C:\Users\me\..\..\foreign`: {platform.ErrForeignLink, `C:\foreign`},
	} {
		got, err := v.resolve(t.Context(), path)
		var op *platform.OpError
		if !errors.Is(err, want.reason) || !errors.As(err, &op) || op.Object != want.object {
			t.Errorf("%s: %+v, %v, want %v of %s", path, got, err, want.reason, want.object)
		}
	}
}

func TestTargetsWindows(t *testing.T) {
	w, disks := thisPretended()
	got, err := w.volumes(disks).targets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		path    string
		refusal platform.Refusal
	}
	var lines []line
	for _, target := range got {
		lines = append(lines, line{target.Path, target.Refusal})
	}
	want := []line{
		{`C:\Users\me`, ""}, {`C:\mnt\disk`, ""}, {`D:\`, ""}, {`E:\`, platform.RefusedNoMedium}, {`F:\`, platform.RefusedLocked},
		{`G:\`, platform.RefusedImage}, {`P:\`, ""}, {`R:\`, ""}, {`V:\`, ""}, {`W:\`, ""}, {`X:\`, ""}, {`Y:\`, platform.RefusedUnreachable}, {`Z:\`, ""},
		{volumeID("4"), ""},
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("\n got %+v\nwant %+v", lines, want)
	}
	for _, d := range disks {
		d.balanced(t)
	}
}

// Without a home, and where the mount manager does not answer, there are the letters still.
func TestTargetsWindowsLess(t *testing.T) {
	w, disks := thisPretended()
	w.homeDir = ""
	w.errs["volumeNames "] = platform.ErrUnsupported
	w.mounted = w.mounted[:2]
	got, err := w.volumes(disks).targets(t.Context())
	if err != nil || len(got) < 2 || got[0].Path != `C:\` || got[1].Path != `D:\` {
		t.Errorf("%+v, %v", got, err)
	}
	w.errs["volumeNames "] = platform.ErrPermission
	if _, err := w.volumes(disks).targets(t.Context()); !errors.Is(err, platform.ErrPermission) {
		t.Errorf("without any list: %v", err)
	}
}

// What does not answer costs a little patience and its own line.
func TestTargetsWindowsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, disks := thisPretended()
		never := make(chan struct{})
		w.hang = map[string]chan struct{}{`describe Z:\`: never, `look D:\DATA\X`: never, `protection C:\`: never}
		defer synctest.Wait()
		defer close(never)
		v := w.volumes(disks)
		targets, err := v.targets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(targets, func(t platform.Target) bool { return t.Path == `Z:\` })
		if i < 0 || targets[i].Refusal != platform.RefusedUnreachable {
			t.Errorf("%+v", targets)
		}
		if targets[0].Refusal != platform.Usable || len(targets[0].Layers) != 1 {
			t.Errorf("a shell that hangs: %+v", targets[0])
		}
		got, err := v.resolve(t.Context(), `C:\Users\me\junction\x`)
		if err != nil || got.Refusal != platform.RefusedUnreachable || got.Path != `C:\Users\me\junction\x` {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestSlashed(t *testing.T) {
	long := strings.Repeat("x", 250)
	for path, want := range map[string]string{
		`C:\`: `C:\`, `C:\mnt`: `C:\mnt\`, `\\srv\pub`: `\\srv\pub\`, `C:\` + long: `\\?\C:\` + long + `\`, `\\srv\pub\` + long: `\\?\UNC\srv\pub\` + long + `\`,
	} {
		p, ok := winapi.ParsePath(path)
		if got := slashed(p); !ok || got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// A volume on many drives is asked for with more room.
func TestVolumeExtentsGrow(t *testing.T) {
	var many []uint32
	for n := range uint32(400) {
		many = append(many, n)
	}
	dev := &growing{answer: extentsAnswer(many...).bytes}
	on, err := extentsOf(dev)
	if err != nil || len(on.extents) != 400 || on.extents[399].Drive != 399 {
		t.Errorf("%d extents, %v", len(on.extents), err)
	}
	dev.answer = extentsAnswer().bytes
	if on, err := extentsOf(dev); err == nil {
		t.Errorf("a volume on nothing: %+v", on)
	}
}

// growing answers ERROR_MORE_DATA as long as there is not enough room.
type growing struct{ answer []byte }

func (g *growing) control(code uint32, _, answer []byte) (int, error) {
	switch {
	case code != winapi.CodeVolumeExtents:
		return 0, &platform.OpError{Op: "control", Reason: platform.ErrUnsupported}
	case len(g.answer) > len(answer):
		return 0, &platform.OpError{Op: "control", Err: moreData}
	}
	return copy(answer, g.answer), nil
}

func (g *growing) asleep() bool { return false }
func (g *growing) close() error { return nil }
