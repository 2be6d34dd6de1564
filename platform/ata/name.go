package ata

import (
	"cmp"
	"strconv"

	"cachecliff/platform"
)

// Rename calls attributes what DecodeAttributes would call them. Those that it has no name for keep theirs.
func Rename(attributes []platform.Attribute, model string) {
	names := lookUp(model)
	for i := range attributes {
		a := &attributes[i]
		a.Name = cmp.Or(names[strconv.Itoa(a.ID)].Name, a.Name)
	}
}
