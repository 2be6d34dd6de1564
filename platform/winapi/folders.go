package winapi

import (
	"strings"

	"cachecliff/platform"
)

// appFolder is the program's folder below the known folders.
const appFolder = "Cachecliff"

// KnownFolders are the folders of a user that Windows names: for what stays on this computer, for what follows
// him to others, and for his pictures.
type KnownFolders struct{ Local, Roaming, Pictures string }

// Folders are the program's own among them. Where the two for programs are the same, settings have a folder of
// their own.
func (k KnownFolders) Folders() platform.Folders {
	below := func(dir string, names ...string) string {
		return strings.TrimSuffix(dir, `\`) + `\` + strings.Join(names, `\`)
	}
	f := platform.Folders{
		Data: below(k.Local, appFolder), Config: below(k.Roaming, appFolder), Pictures: below(k.Pictures, appFolder),
	}
	if strings.EqualFold(f.Data, f.Config) {
		f.Config = below(k.Roaming, appFolder, "Settings")
	}
	return f
}
