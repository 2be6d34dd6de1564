package reference

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// Same lists the drives of others that are the same model as d, with the same capacity or one that is not told. What
// a system calls a drive and what a review calls it differ, so names are taken apart first; a drive of which no name
// is known is no one's.
func Same(all []Drive, d Drive) []Drive {
	name := nameOf(d.Model)
	if name == "" {
		return nil
	}
	var out []Drive
	for _, o := range all {
		if o.Setup == nil && o.ID != d.ID && nameOf(o.Model) == name && sameSize(o.CapacityGB, d.CapacityGB) {
			out = append(out, o)
		}
	}
	return out
}

// sizeOff is how far apart the capacities of one model may be: 1000 and 1024 GB are the same, 960 and 1000 are not.
const sizeOff = 0.03

func sameSize(a, b float64) bool { return a == 0 || b == 0 || math.Abs(a-b) <= sizeOff*max(a, b) }

var (
	// crucial is what Crucial's drives call themselves: CT2000P5SSD8, CT1000P5PSSD8, CT500MX500SSD1.
	crucial = regexp.MustCompile(`^ct\d+([a-z]{1,2}\d+)(p?)ssd\d*$`)
	// wdPart is what older drives of Western Digital call themselves: WDS100T2B0C.
	wdPart = regexp.MustCompile(`^wds\d{3}[gt](\d[a-z]\d[a-z])$`)
	// amount is a capacity in a name: 2TB, 500GB, 1T0.
	amount = regexp.MustCompile(`^\d+(gb|tb|g|t)$`)
)

// wdParts are the names behind the part numbers of Western Digital.
var wdParts = map[string]string{
	"2b0c": "sn550", "3b0c": "sn570", "3b0e": "sn580", "3x0c": "sn750", "3x0e": "sn770", "1x0e": "sn850", "2x0e": "sn850x",
}

// fillers are words that are not the name of a model: makers, and what kind of drive it is.
var fillers = strings.Fields(`samsung crucial micron wd wdc western digital kingston seagate corsair intel solidigm sabrent adata lexar msi
	hp sk hynix toshiba kioxia team group teamgroup ssd nvme m2 m.2 pcie portable drive series blue black tb gb g t`)

// nameOf is the name of a model as both sides have it: "970 evo plus", "p5 plus"; empty if nothing is left.
func nameOf(model string) string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(model), func(r rune) bool { return strings.ContainsRune(" _-/()", r) }) {
		if m := crucial.FindStringSubmatch(w); m != nil {
			if m[2] != "" {
				return m[1] + " plus"
			}
			return m[1]
		}
		if m := wdPart.FindStringSubmatch(w); m != nil && wdParts[m[1]] != "" {
			return wdParts[m[1]] // what follows is the revision
		}
		if !amount.MatchString(w) && !slices.Contains(fillers, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}
