//go:build !linux && !windows

package host

// DisplayVariables names the variables of the environment of which one at least says where a window can
// be opened. This system has none: there is always a place for one.
func DisplayVariables() []string { return nil }
