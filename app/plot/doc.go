// Package plot draws line charts to pixels and to SVG from plain numbers. It is the only importer of
// go-chart, and it cannot hang or panic, whatever the numbers: what go-chart does not survive never
// reaches it. It knows nothing of drives, tests or languages; every word on a chart is the caller's.
//
// The way of a value:
//
//  1. clean: points without a number become gaps, lengths are made equal, what lies outside the range
//     is cut or held at the edge
//  2. axes: round ticks on ranges of our own (go-chart's are neither round nor right when there are
//     two axes, and its logarithm is wrong unless it starts at one)
//  3. layout: one box for the plot, from measured labels; everything scales with the pixel density
//  4. reduce: at most two points a pixel column, keeping lowest and highest
//  5. go-chart draws: background, and our grid, curves and labels as its series and elements
//
// Of go-chart are used: the chart with hidden axes, both renderers, and its one font (Roboto
// Medium, with tabular figures and all signs of English and German, °, µ, ·, ± and –; it has no "△").
package plot
