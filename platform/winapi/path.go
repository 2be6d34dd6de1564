package winapi

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Path is an absolute path of Windows, taken apart.
type Path struct {
	// Root is where the path starts, with a backslash at its end: C:\, \\server\share\ or \\?\Volume{…}\.
	Root  string
	Parts []string // the names below it
}

const (
	verbatim = `\\?\` // what follows is taken as it is, without a limit of its length
	ntPrefix = `\??\` // the same in the names of the kernel, which links are stored with
	named    = `\\.\` // devices, letters among them
	share    = `\\`
	sharing  = `UNC\` // after a prefix, in the place of \\
)

// ParsePath takes an absolute path apart: C:\x, \\server\share\x, \\?\C:\x, \\?\UNC\server\share\x,
// \\?\Volume{…}\x and the same after \??\. ok is false for what is none: a relative path, a device.
func ParsePath(s string) (p Path, ok bool) {
	rest, plain := cutVerbatim(s)
	if plain {
		rest = strings.ReplaceAll(rest, "/", `\`)
		if letter, is := strings.CutPrefix(rest, named); is {
			return parseLetter(letter) // \\.\C:\x is C:\x
		}
		if server, is := strings.CutPrefix(rest, share); is {
			return parseShare(server)
		}
		return parseLetter(rest)
	}
	if server, is := cutFold(rest, sharing); is {
		return parseShare(server)
	}
	if name, below, _ := strings.Cut(rest, `\`); isVolume(name) {
		return Path{Root: verbatim + name + `\`, Parts: split(below)}, true
	}
	return parseLetter(rest)
}

// cutVerbatim takes the prefix away from a path that is not to be changed; plain is true if it has none.
func cutVerbatim(s string) (rest string, plain bool) {
	for _, prefix := range []string{verbatim, ntPrefix} {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			return rest, false
		}
	}
	return s, true
}

func parseLetter(s string) (Path, bool) {
	if len(s) < 3 || !isDrive(s[:2]) || s[2] != '\\' {
		return Path{}, false
	}
	return Path{Root: strings.ToUpper(s[:1]) + `:\`, Parts: split(s[3:])}, true
}

// parseShare takes server\share\x apart. Servers called . and ? are none: these are devices.
func parseShare(s string) (Path, bool) {
	server, rest, _ := strings.Cut(s, `\`)
	name, below, _ := strings.Cut(rest, `\`)
	if server == "" || name == "" || server == "." || server == "?" {
		return Path{}, false
	}
	return Path{Root: share + server + `\` + name + `\`, Parts: split(below)}, true
}

// split takes names apart. Nothing is above the root.
func split(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, `\`) {
		switch part {
		case "", ".":
		case "..":
			out = out[:max(len(out)-1, 0)]
		default:
			out = append(out, part)
		}
	}
	return out
}

func isDrive(s string) bool {
	return len(s) == 2 && s[1] == ':' && 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z'
}

// isVolume says whether a name is that of a volume: Volume{GUID}.
func isVolume(name string) bool {
	id, ok := cutFold(name, "Volume{")
	return ok && len(id) > 1 && strings.IndexByte(id, '}') == len(id)-1
}

// cutFold is strings.CutPrefix that takes small and capital letters for the same.
func cutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// IsVerbatim says whether a path is to be taken as it is: \\?\C:\x.
func IsVerbatim(s string) bool { return strings.HasPrefix(s, verbatim) }

// IsDevice says whether what ParsePath does not take names a device: \\.\PhysicalDrive0, \\.\NUL, \\?\GLOBALROOT\x.
func IsDevice(s string) bool {
	_, isPath := ParsePath(s)
	return !isPath && (strings.HasPrefix(s, named) || IsVerbatim(s))
}

// String is the path as people write it. A folder has no backslash at its end, a root has one. With a name that
// Windows would read as another one it is the path of Long.
func (p Path) String() string {
	if slices.ContainsFunc(p.Parts, misread) {
		return p.Long()
	}
	return p.plain()
}

func (p Path) plain() string { return p.Root + strings.Join(p.Parts, `\`) }

// misread says whether Windows reads a name as another one, unless told to take it as it is: it cuts off spaces
// and dots at the end, and takes some names for devices.
func misread(name string) bool {
	if strings.TrimRight(name, " .") != name {
		return true
	}
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	number, isPort := strings.CutPrefix(base, "COM")
	if !isPort {
		number, isPort = strings.CutPrefix(base, "LPT")
	}
	return isPort && utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number)
}

// Long is the path in the form that may have any length.
func (p Path) Long() string {
	switch s := p.plain(); {
	case IsVerbatim(s):
		return s
	case strings.HasPrefix(s, share):
		return verbatim + sharing + s[len(share):]
	default:
		return verbatim + s
	}
}

// Letter is the drive of the path, C:, or empty if it starts elsewhere.
func (p Path) Letter() string {
	if len(p.Root) == 3 && isDrive(p.Root[:2]) {
		return p.Root[:2]
	}
	return ""
}

// OnServer says whether the path is on another computer by its name.
func (p Path) OnServer() bool {
	return strings.HasPrefix(p.Root, share) && !strings.HasPrefix(p.Root, verbatim)
}

// Join is the path of something below.
func (p Path) Join(parts ...string) Path {
	return Path{Root: p.Root, Parts: append(p.Parts[:len(p.Parts):len(p.Parts)], parts...)}
}

// Below gives what of the path comes after another one that it starts with; ok is false if it does not.
// Small and capital letters are the same.
func (p Path) Below(top Path) (parts []string, ok bool) {
	if !strings.EqualFold(p.Root, top.Root) || len(p.Parts) < len(top.Parts) {
		return nil, false
	}
	for i, part := range top.Parts {
		if !strings.EqualFold(part, p.Parts[i]) {
			return nil, false
		}
	}
	return p.Parts[len(top.Parts):], true
}

// Equal says whether two paths are the same but for small and capital letters.
func (p Path) Equal(o Path) bool {
	below, ok := p.Below(o)
	return ok && len(below) == 0
}

// Substituted is the folder that a letter stands for, from what QueryDosDevice says of it (\??\C:\folder for a
// letter that subst made). ok is false if the letter is a drive of its own.
func Substituted(device string) (p Path, ok bool) {
	if !strings.HasPrefix(device, ntPrefix) {
		return Path{}, false
	}
	if isDrive(device[len(ntPrefix):]) {
		device += `\`
	}
	return ParsePath(device)
}

// Redirected says whether a letter stands for a folder of a server, from what QueryDosDevice says of it:
// \Device\LanmanRedirector\;Z:0000000000001234\server\share.
func Redirected(device, letter string) bool {
	return letter != "" && strings.Contains(strings.ToUpper(device), `\;`+strings.ToUpper(letter))
}

// Letters are the roots of the letters in a mask, of which the lowest bit is A (GetLogicalDrives).
func Letters(mask uint32) []string {
	var out []string
	for i := range 26 {
		if mask>>i&1 != 0 {
			out = append(out, string(rune('A'+i))+`:\`)
		}
	}
	return out
}
