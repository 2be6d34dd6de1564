// Package look is how the program looks: colours for dark and light, sizes, text roles and the Fyne
// theme made of them. It holds no widgets and knows nothing of drives or results; the class colours
// are named after what reviews use them for.
//
// Figures line up because the digits of Fyne's own Noto Sans have one width in every weight (a test
// keeps it so). It has no semibold cut, so large numbers are set in bold. It has no "△", "✓", "≥" or
// "→" either: Fyne would search the system's fonts for them, and find none on a bare machine. The
// bundled monospace face (fyne.TextStyle{Monospace: true}) has them all; set signs in it.
package look
