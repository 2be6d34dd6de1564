package host

import (
	"slices"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// node is what Windows tells of a name in a path, without following it.
type node struct {
	attributes uint32
	tag        uint32 // of a reparse point
	reparse    []byte // where it leads; nil if that was not told
	owner      string // identifier of the user it belongs to; empty if that was not told
}

func (n node) isLink() bool { return n.attributes&winapi.AttrReparse != 0 && winapi.IsLink(n.tag) }

func (n node) isFolder() bool { return n.attributes&winapi.AttrFolder != 0 }

// rulers may put links where they like: the system, its administrators and what installs it.
var rulers = []string{
	"S-1-5-18", "S-1-5-32-544", "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464",
}

// mostLinks is how many reparse points Windows follows in one path.
const mostLinks = 63

// linkWalk resolves the links of paths of Windows.
type linkWalk struct {
	look   func(winapi.Path) (node, error)
	device func(letter string) (string, error) // what QueryDosDevice says of C:
	mine   []string                            // identifiers of this user
}

// follow resolves symbolic links, junctions and substituted letters. It follows those of administrators and of
// this user; one of anyone else could lead the test file to a place that this user never named, and fails with
// platform.ErrForeignLink. A folder that a volume is mounted in stays what it is.
func (w linkWalk) follow(name winapi.Path) (winapi.Path, error) {
	done, todo, err := w.begin(name, 0)
	for links := 0; err == nil && len(todo) > 0; {
		next := done.Join(todo[0])
		n, lookErr := w.look(next)
		if lookErr != nil {
			return next, lookErr
		}
		todo = todo[1:]
		if !n.isLink() {
			done = next
			continue
		}
		if n.owner == "" || !slices.Contains(rulers, n.owner) && !slices.Contains(w.mine, n.owner) {
			return next, &platform.OpError{Op: "follow", Object: next.String(), Reason: platform.ErrForeignLink}
		}
		to, ok := leadsTo(n, done)
		if !ok {
			done = next // a volume, or a kind of link that the system alone can follow
			continue
		}
		if links++; links > mostLinks {
			return next, tooManyLinks(name)
		}
		done, todo, err = w.begin(to.Join(todo...), links)
	}
	return done, err
}

// begin replaces a letter that stands for a folder.
func (w linkWalk) begin(name winapi.Path, links int) (root winapi.Path, parts []string, err error) {
	p := name
	for letter := p.Letter(); letter != ""; letter = p.Letter() {
		device, err := w.device(letter)
		if err != nil {
			break // that there is no such letter is found out later
		}
		to, ok := winapi.Substituted(device)
		if !ok {
			break
		}
		if links++; links > mostLinks {
			return name, nil, tooManyLinks(name)
		}
		p = to.Join(p.Parts...)
	}
	return winapi.Path{Root: p.Root}, p.Parts, nil
}

func tooManyLinks(p winapi.Path) error {
	return &platform.OpError{Op: "follow", Object: p.String(), Reason: platform.ErrNotExist}
}

// leadsTo is where a link in a folder leads; ok is false if it is the folder that a volume is mounted in, or
// if that cannot be told.
func leadsTo(n node, folder winapi.Path) (winapi.Path, bool) {
	link, err := winapi.DecodeReparse(n.reparse)
	if err != nil || link.Target == "" || link.IsVolume() {
		return winapi.Path{}, false
	}
	return link.From(folder)
}
