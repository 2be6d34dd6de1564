// Package fillchart draws what a filling showed: the rate over the bytes written, or over the fill level, pass by pass
// and repeat by repeat, with the borders that were found. The window, the card and the command line have the same chart.
// It finds nothing itself: bench.Result.FillPasses does.
package fillchart
