// Package monitor watches drives and the processors while anything goes on, and turns what it saw into
// the columns of iostat.
//
// What is kept is raw: counts since boot, each with the time at which it was read. Rates are differences
// of two samples over the time that really lay between them, so a sample that came late is longer and not
// wrong; it is marked, counted, and nothing is put in its place.
package monitor
