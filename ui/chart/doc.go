// Package chart has the widgets that show numbers as a picture: Live shows images that are drawn off
// the UI goroutine, Bar is a thin bar on a logarithmic scale, Pill is a badge. They take plain
// values and colours, import nothing of this program, and read no settings: what they say and how
// numbers are written is the caller's.
package chart
