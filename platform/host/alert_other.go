//go:build !windows

package host

// Alert shows nothing here and says so: a program says what it has to say on its terminal or to the log
// of the desktop.
func Alert(title, text string, wrong bool) bool { return false }

// Language is empty: here the environment alone says what the user speaks.
func Language() string { return "" }
