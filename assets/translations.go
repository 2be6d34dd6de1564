// Package assets holds the data that is built into the programs: translations and icons. It has no
// code of its own.
package assets

import "embed"

// Translations has one file a language, translations/<language>.json: a flat object of message IDs.
//
//go:embed translations/*.json
var Translations embed.FS
