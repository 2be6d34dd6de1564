// Package thermalchart draws what a test of the temperature showed: the rate and all temperatures over the time under
// load, with two scales, and where heat slowed the drive down. Several runs are laid over each other. The window, the
// card and the command line have the same chart. It finds nothing itself: bench.Result.ThermalPasses does.
package thermalchart
