package reference

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"cachecliff/app/safefile"
	"cachecliff/assets"
	"cachecliff/platform"
)

// Library is the reference drives that are shipped and those in a folder of the user.
type Library struct{ folder string }

// New is the library in a data folder (platform.Folders.Data). It does not touch the disk.
func New(data string) *Library { return &Library{filepath.Join(data, "reference")} }

// Folder is where the user's own reference drives are.
func (l *Library) Folder() string { return l.folder }

// Fault is a file of the user that cannot be used.
type Fault struct {
	File string // its path
	Err  error  // ErrDamaged, ErrNewer, ErrTooBig, ErrTaken or what the system said
}

// ext is the ending of the files.
const ext = ".json"

// shipped reads the drives that are built in, once. They are checked by the tests.
var shipped = sync.OnceValues(func() ([]Drive, error) {
	names, err := fs.Glob(assets.Reference, "reference/*"+ext)
	if err != nil {
		return nil, err
	}
	var out []Drive
	var faults []error
	for _, name := range names {
		data, err := assets.Reference.ReadFile(name)
		d, fault := Decode(bytes.NewReader(data))
		if err := errors.Join(err, fault); err != nil {
			faults = append(faults, &platform.OpError{Op: "open reference", Object: name, Err: err})
			continue
		}
		d.Shipped = true
		out = append(out, d)
	}
	return out, errors.Join(faults...)
})

// Shipped are the drives that are built into the program, in the order of their IDs. The caller must not change what
// is in them.
func Shipped() ([]Drive, error) {
	all, err := shipped()
	return slices.Clone(all), err
}

// Load lists all drives, first the user's own and then those that are shipped, each in the order of their IDs. Files
// that cannot be used are told and do not hurt the others. The error is that of the folder or of the program itself;
// what could be read is there even so.
func (l *Library) Load() ([]Drive, []Fault, error) {
	built, err := Shipped()
	own, faults, listing := l.own(built)
	return append(own, built...), faults, errors.Join(err, listing)
}

// own reads the user's folder. One that is not there yet is empty.
func (l *Library) own(built []Drive) (out []Drive, faults []Fault, err error) {
	names, err := os.ReadDir(l.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, safefile.Fault("list references", l.folder, err)
	}
	for _, n := range names {
		if filepath.Ext(n.Name()) != ext || strings.HasPrefix(n.Name(), ".") {
			continue
		}
		file := filepath.Join(l.folder, n.Name())
		d, err := readFile(file)
		switch {
		case errors.Is(err, platform.ErrNotExist) && n.Type()&fs.ModeSymlink == 0: // deleted meanwhile
			continue
		case err == nil && (indexOf(built, d.ID) >= 0 || indexOf(out, d.ID) >= 0):
			err = &platform.OpError{Op: "open reference", Object: file, Err: ErrTaken}
		}
		if err != nil {
			faults = append(faults, Fault{file, err})
			continue
		}
		out = append(out, d)
	}
	return out, faults, nil
}

// indexOf finds a drive by its ID. Names of files do not differ in case alone on every system.
func indexOf(all []Drive, id string) int {
	return slices.IndexFunc(all, func(d Drive) bool { return strings.EqualFold(d.ID, id) })
}

// readFile reads a plain file. A pipe would hold up the reader for ever.
func readFile(file string) (Drive, error) {
	info, err := os.Stat(file)
	if err != nil {
		return Drive{}, safefile.Fault("open reference", file, err)
	}
	if !info.Mode().IsRegular() {
		return Drive{}, &platform.OpError{Op: "open reference", Object: file, Err: ErrDamaged}
	}
	f, err := os.Open(file)
	if err != nil {
		return Drive{}, safefile.Fault("open reference", file, err)
	}
	d, err := Decode(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return Drive{}, &platform.OpError{Op: "open reference", Object: file, Err: err}
	}
	return d, nil
}

// Add keeps a drive for good, in place of one of the user with the same ID. It fails with ErrTaken if one that is
// shipped has it, and with ErrDamaged if it could not be read back.
func (l *Library) Add(d Drive) error {
	d.Schema = Schema
	file := path.Base(d.ID) + ext
	var b bytes.Buffer
	err := d.validate()
	if err != nil {
		err = errors.Join(ErrDamaged, err)
	} else {
		err = Encode(&b, d)
	}
	built, fault := Shipped()
	if err = errors.Join(err, fault); err == nil && indexOf(built, d.ID) >= 0 {
		err = ErrTaken
	}
	if err != nil {
		return &platform.OpError{Op: "write reference", Object: d.ID, Err: err}
	}
	return safefile.Write(filepath.Join(l.folder, file), b.Bytes(), safefile.Private)
}

// Import reads a drive that Encode wrote and keeps it; added says whether it was new. If the same drive is there
// already nothing is done. It fails as Decode does, or with ErrTaken if another drive has its ID.
func (l *Library) Import(from io.Reader) (d Drive, added bool, err error) {
	d, err = Decode(from)
	if err != nil {
		return d, false, err
	}
	all, _, err := l.Load()
	if err != nil {
		return d, false, err
	}
	i := indexOf(all, d.ID)
	if i < 0 {
		return d, true, l.Add(d)
	}
	var old, new bytes.Buffer
	if err := errors.Join(Encode(&old, all[i]), Encode(&new, d)); err != nil {
		return d, false, err
	}
	if !bytes.Equal(old.Bytes(), new.Bytes()) {
		return d, false, &platform.OpError{Op: "import reference", Object: d.ID, Err: ErrTaken}
	}
	return all[i], false, nil
}

// Remove deletes a drive of the user. It fails with platform.ErrNotExist if there is none of this ID; those that are
// shipped stay.
func (l *Library) Remove(id string) error {
	if !validID(id) {
		return &platform.OpError{Op: "remove reference", Object: id, Reason: platform.ErrNotExist}
	}
	file := filepath.Join(l.folder, id+ext)
	if err := os.Remove(file); err != nil {
		return safefile.Fault("remove reference", file, err)
	}
	return safefile.SyncFolder(l.folder)
}
