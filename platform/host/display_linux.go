package host

// DisplayVariables names the variables of the environment of which one at least says where a window can
// be opened.
func DisplayVariables() []string { return []string{"DISPLAY", "WAYLAND_DISPLAY"} }
