package assets

import _ "embed" // for the icon

//go:embed icon.png
var icon []byte

// Icon is the program's icon as a PNG of 512 × 512 pixels. The caller must not change it. The other
// sizes, in icons, are for installers and are not built in.
func Icon() []byte { return icon }
