package assets

import "embed"

// Reference has one file a drive that others have measured or rated, reference/<ID>.json; package app/reference
// says what stands in it.
//
//go:embed reference/*.json
var Reference embed.FS
