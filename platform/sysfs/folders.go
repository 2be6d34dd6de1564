package sysfs

import (
	"path"
	"strings"

	"cachecliff/platform"
)

// appFolder is the program's folder below the places that the desktop has for each kind of file.
const (
	appFolder      = "cachecliff"
	picturesFolder = "Cachecliff" // among the user's own folders
)

// Folders follows the XDG Base Directory Specification and xdg-user-dirs. home is absolute. A variable
// with a relative path is ignored, as the specification says.
func (t Tree) Folders(home string, getenv func(string) string) platform.Folders {
	base := func(variable, usual string) string {
		if dir := getenv(variable); path.IsAbs(dir) {
			return path.Clean(dir)
		}
		return path.Join(home, usual)
	}
	config := base("XDG_CONFIG_HOME", ".config")
	pictures := ParseUserDir([]byte(t.raw(path.Join(config, "user-dirs.dirs")[1:])), "XDG_PICTURES_DIR", home)
	if pictures == "" {
		pictures = path.Join(home, "Pictures")
	}
	return platform.Folders{
		Data:     path.Join(base("XDG_DATA_HOME", ".local/share"), appFolder),
		Config:   path.Join(config, appFolder),
		Pictures: path.Join(pictures, picturesFolder),
	}
}

// ParseUserDir takes one folder out of user-dirs.dirs, which only allows "$HOME/…" and absolute paths;
// empty if it is not there.
func ParseUserDir(b []byte, variable, home string) string {
	out := ""
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || key != variable {
			continue
		}
		value = unquote(value)
		if rest, ok := strings.CutPrefix(value, "$HOME"); ok && (rest == "" || rest[0] == '/') {
			out = path.Join(home, rest)
		} else if path.IsAbs(value) {
			out = path.Clean(value)
		}
	}
	return out
}
