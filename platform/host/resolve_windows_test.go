package host

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// resolved resolves a path that must be there.
func resolved(t *testing.T, path string) platform.Target {
	t.Helper()
	target, err := thisHost(t).Resolve(t.Context(), path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return target
}

// exactFolder is a temporary folder in the form that Resolve gives.
func exactFolder(t *testing.T) string {
	t.Helper()
	return resolved(t, t.TempDir()).Path
}

func TestTargetsHere(t *testing.T) {
	h := thisHost(t)
	targets, err := h.Targets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	drives, err := h.Drives(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) == 0 || !strings.EqualFold(targets[0].Path, home) {
		t.Fatalf("the home folder %s is not first: %+v", home, targets)
	}
	system := 0
	for _, target := range targets {
		t.Logf("%+v", target)
		v := target.Volume
		if v.System {
			system++
		}
		if target.Refusal == platform.Usable && (v.FS == "" || v.Mount == "" || v.Source == "" || v.Size <= 0 || v.Free > v.Size) {
			t.Errorf("%s: %+v", target.Path, v)
		}
		for _, d := range target.Drives {
			if !containsDrive(drives, d) {
				t.Errorf("%s lies on %+v, which is not in the list of drives", target.Path, d)
			}
		}
		again := resolved(t, target.Path)
		if again.Path != target.Path || again.Volume.Mount != v.Mount || again.Refusal != target.Refusal {
			t.Errorf("%s is resolved to %+v", target.Path, again)
		}
	}
	if system != 1 {
		t.Errorf("Windows lies on %d volumes", system)
	}
}

func containsDrive(all []platform.Drive, d platform.Drive) bool {
	for _, o := range all {
		if o.Key == d.Key && o.Name == d.Name {
			return true
		}
	}
	return false
}

// All ways to write the path of a folder lead to the same.
func TestResolveForms(t *testing.T) {
	dir := exactFolder(t)
	deep := filepath.Join(dir, "größe テスト 💾", strings.Repeat("long-", 40), strings.Repeat("longer-", 30))
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	want := resolved(t, deep)
	if len(want.Path) < 400 || want.Path != deep || want.Refusal != platform.Usable {
		t.Fatalf("%+v", want)
	}
	t.Chdir(dir)
	for _, form := range []string{
		`\\?\` + deep,
		filepath.ToSlash(deep),
		deep + `\`,
		deep + `\.\..\` + filepath.Base(deep),
		strings.ToUpper(deep[:3]) + deep[3:],
		deep[len(dir)+1:],
		`.\` + deep[len(dir)+1:],
		deep[len(filepath.VolumeName(deep)):],
		filepath.VolumeName(deep) + deep[len(dir)+1:],
	} {
		got := resolved(t, form)
		if got.Path != want.Path || got.Volume.Mount != want.Volume.Mount || len(got.Drives) != len(want.Drives) {
			t.Errorf("%s: %+v, want %+v", form, got, want)
		}
	}
	for _, form := range []string{deep + "x", dir + `\*`, dir + `\a:b`} {
		if got, err := thisHost(t).Resolve(t.Context(), form); !errors.Is(err, platform.ErrNotExist) {
			t.Errorf("%s: %+v, %v", form, got, err)
		}
	}
	for _, device := range []string{`\\.\PhysicalDrive0`, `\\?\GLOBALROOT\Device\Null`} {
		if got := resolved(t, device); got.Refusal != platform.RefusedNotFolder || got.Path != device {
			t.Errorf("%s: %+v", device, got)
		}
	}
}

func TestResolveFile(t *testing.T) {
	dir := exactFolder(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := resolved(t, file); got.Refusal != platform.RefusedNotFolder {
		t.Errorf("%+v", got)
	}
}

// A volume by its name is the volume by its letter.
func TestResolveVolumeName(t *testing.T) {
	dir := exactFolder(t)
	name, err := volumeSystem{}.volumeName(filepath.VolumeName(dir) + `\`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := volumeSystem{}.volumeNames()
	if err != nil || len(names) == 0 || !containsFold(names, name) {
		t.Errorf("volumes %q, %v", names, err)
	}
	mounts, err := volumeSystem{}.mounts(name)
	if err != nil || !containsFold(mounts, filepath.VolumeName(dir)+`\`) {
		t.Errorf("%s is mounted at %q, %v", name, mounts, err)
	}
	notUnderWine(t, "8.0 has no files below names of volumes")
	if got := resolved(t, name+dir[3:]); got.Path != dir {
		t.Errorf("%s: %+v, want %s", name, got, dir)
	}
}

func containsFold(all []string, s string) bool {
	for _, a := range all {
		if strings.EqualFold(a, s) {
			return true
		}
	}
	return false
}

// freeLetter is a letter that nothing has.
func freeLetter(t *testing.T) string {
	t.Helper()
	letters, err := volumeSystem{}.letters()
	if err != nil {
		t.Fatal(err)
	}
	for c := 'W'; c > 'C'; c-- {
		if letter := string(c) + ":"; !containsFold(letters, letter+`\`) {
			return letter
		}
	}
	t.Skip("no letter is free")
	return ""
}

// A letter that stands for a folder leads to it, and is no volume of its own.
func TestResolveSubstituted(t *testing.T) {
	dir, letter := exactFolder(t), freeLetter(t)
	if err := os.Mkdir(filepath.Join(dir, "below"), 0o777); err != nil {
		t.Fatal(err)
	}
	define(t, letter, dir)
	if got := resolved(t, letter+`\below`); got.Path != filepath.Join(dir, "below") {
		t.Errorf("%+v", got)
	}
	targets, err := thisHost(t).Targets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		if strings.EqualFold(target.Volume.Mount, letter+`\`) {
			t.Errorf("%s is in the list: %+v", letter, target)
		}
	}
}

// define has a letter stand for a folder until the test ends, as subst does.
func define(t *testing.T, letter, dir string) {
	t.Helper()
	name, to := ptr16(t, letter), ptr16(t, dir)
	if err := windows.DefineDosDevice(0, name, to); err != nil {
		notUnderWine(t, "letters for folders: "+err.Error())
		t.Fatal(err)
	}
	t.Cleanup(func() {
		const remove = 2 // DDD_REMOVE_DEFINITION
		if err := windows.DefineDosDevice(remove, name, nil); err != nil {
			t.Error(err)
		}
	})
}

func ptr16(t *testing.T, s string) *uint16 {
	t.Helper()
	p, err := windows.UTF16PtrFromString(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A folder whose name ends in a space or a dot, or is that of a device, is not taken for another one.
func TestResolveVerbatim(t *testing.T) {
	dir := exactFolder(t)
	for _, name := range []string{"x", "x ", "x.", "con"} {
		verbatim := `\\?\` + filepath.Join(dir, name)
		if err := os.Mkdir(verbatim, 0o777); err != nil {
			t.Fatal(err)
		}
		target := resolved(t, verbatim)
		if p, ok := winapi.ParsePath(target.Path); !ok || p.Long() != verbatim {
			t.Errorf("%q: %q", verbatim, target.Path)
		}
		f, err := thisHost(t).Create(target, platform.CreateOptions{Size: 1 << 16})
		if err != nil {
			t.Errorf("%q: %v", verbatim, err)
			continue
		}
		if there, err := os.ReadDir(verbatim); err != nil || len(there) != 1 {
			t.Errorf("%q: %v, %v", verbatim, there, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	x := mustParse(t, filepath.Join(dir, "x"))
	calls := volumeSystem{}
	if !calls.same(x, mustParse(t, strings.ToUpper(x.String()))) || calls.same(x, mustParse(t, x.Long()+" ")) || calls.same(x, mustParse(t, dir)) ||
		calls.same(x, x.Join("none")) {
		t.Error("folders are mistaken for each other")
	}
}

// Links of this user are followed.
func TestResolveLinks(t *testing.T) {
	dir := exactFolder(t)
	target := filepath.Join(dir, "target")
	if err := os.MkdirAll(filepath.Join(target, "below"), 0o777); err != nil {
		t.Fatal(err)
	}
	junction := filepath.Join(dir, "junction")
	out, err := exec.Command("cmd", "/c", "mklink", "/J", junction, target).CombinedOutput()
	if _, statErr := os.Lstat(junction); statErr != nil {
		notUnderWine(t, "8.0 makes no junctions")
		t.Fatalf("%v: %s", err, out)
	}
	n, err := volumeSystem{}.look(mustParse(t, junction))
	if err != nil || !n.isLink() || n.tag != winapi.TagMountPoint || n.owner == "" {
		t.Fatalf("%+v, %v", n, err)
	}
	if got := resolved(t, filepath.Join(junction, "below")); got.Path != filepath.Join(target, "below") {
		t.Errorf("%+v", got)
	}
}

func mustParse(t *testing.T, s string) winapi.Path {
	t.Helper()
	p, ok := winapi.ParsePath(s)
	if !ok {
		t.Fatalf("%s is no path", s)
	}
	return p
}

// The questions that one system answers and another does not: each gives what can be decoded, or a reason.
func TestVolumeQuestionsHere(t *testing.T) {
	dir := exactFolder(t)
	letter := filepath.VolumeName(dir)
	calls := volumeSystem{}
	ids, err := calls.user()
	if err != nil || len(ids) != 2 || !strings.HasPrefix(ids[0], "S-1-") {
		t.Errorf("user %q, %v", ids, err)
	}
	if d, err := calls.device(letter); err != nil || !strings.HasPrefix(d, `\Device\`) {
		t.Errorf("%s is %q, %v", letter, d, err)
	}
	if k := calls.kind(letter + `\`); k != winapi.KindFixed {
		t.Errorf("%s is of kind %d", letter, k)
	}
	if s, err := calls.share(letter); err == nil {
		t.Errorf("%s is on a server: %q", letter, s)
	}
	told := func(name string, value any, err error) {
		t.Helper()
		if err != nil && reasonOf(err) == nil && !errors.Is(err, platform.ErrUnsupported) {
			t.Logf("%s: no reason in %v", name, err)
		}
		t.Logf("%s: %+v, %v", name, value, err)
	}
	state, err := calls.protection(letter + `\`)
	told("BitLocker", state, err)
	folder, err := calls.folder(mustParse(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	integrity, err := fetch(folder, winapi.CodeIntegrity, nil, answerSize, winapi.DecodeIntegrity)
	told("integrity", integrity, err)
	files, err := fetch(folder, winapi.CodeDependent, winapi.DependentRequest(), 1<<16, winapi.DecodeDependent)
	told("files below", files, err)
	if err := folder.close(); err != nil {
		t.Error(err)
	}
	on, err := thisHost(t).storage().extents(letter)
	if err != nil || len(on.extents) == 0 {
		t.Errorf("extents of %s: %+v, %v", letter, on, err)
	}
	told("extents", on, err)
	volume, err := openDevice(letter, accessNone)
	if err != nil {
		t.Fatal(err)
	}
	partition, err := fetch(volume, winapi.CodePartition, nil, answerSize, winapi.DecodePartition)
	told("partition", partition, err)
	if err := volume.close(); err != nil {
		t.Error(err)
	}
}

// The shell is asked by methods at fixed places; a wrong one would end the process.
func TestShellHere(t *testing.T) {
	leave := enterShell()
	defer leave()
	const noSuchPlace, notImplemented = syscall.Errno(0x80070002), syscall.Errno(0x80004001)
	if _, err := shellNumber(`C:\nothing at all`, propertyKey{}); !errors.Is(err, noSuchPlace) {
		t.Errorf("a file that is not there: %v", err)
	}
	attributes := propertyKey{format: windows.GUID{Data1: 0xB725F130, Data2: 0x47EF, Data3: 0x101A, Data4: [8]byte{0xA5, 0xF1, 0x02, 0x60, 0x8C, 0x9E, 0xEB, 0xAC}}, number: 13} // System.FileAttributes
	dir := exactFolder(t)
	got, err := shellNumber(dir, attributes)
	if underWine() && errors.Is(err, notImplemented) {
		t.Skipf("not under Wine: its shell has no properties")
	}
	if err != nil || got&winapi.AttrFolder == 0 {
		t.Errorf("attributes of %s: %#x, %v", dir, got, err)
	}
}

// Drives of other kinds are told apart. Wine has them where cmd/dev/wine/letters.sh has made them.
func TestDriveKindsWine(t *testing.T) {
	if !underWine() || (volumeSystem{}).kind(`M:\`) != winapi.KindRemote {
		t.Skip("only where Wine has drives of these kinds")
	}
	targets, err := thisHost(t).Targets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		path, fs, label string
		refusal         platform.Refusal
		drives          int
	}{
		{`M:\`, "remote NTFS", "", platform.Usable, 0},
		{`N:\`, "CDFS", "", platform.RefusedImage, 0},
		{`O:\`, "NTFS", "Prüfung", platform.Usable, 1},
	} {
		i := slices.IndexFunc(targets, func(t platform.Target) bool { return t.Path == want.path })
		if i < 0 {
			t.Errorf("%s is not in the list", want.path)
			continue
		}
		got := targets[i]
		if got.Volume.FS != want.fs || want.label != "" && got.Volume.Label != want.label || got.Refusal != want.refusal || len(got.Drives) != want.drives {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
