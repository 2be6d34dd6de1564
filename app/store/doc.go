// Package store keeps results: one JSON file a run in <data>/results, and the journal of a run that
// goes on in <data>/journal. It does not draw, explain or export them.
//
//   - A result is written to a temporary file, flushed and renamed, so that a file is there in full or
//     not at all.
//   - A file begins with a Summary, so that a library of a thousand runs is listed by reading a few
//     kilobytes of each.
//   - What a list shows of all files stands in one more, the index, with the size and the time of change of each. It
//     is made of the result files whenever it is missing, damaged or out of date, and decides nothing: what is listed
//     is what lies in the folder.
//   - A file that is damaged or from a newer version is listed as such; it never hides the others.
//   - Delete moves a file to results/.trash, from where Restore brings it back; Tidy empties it.
//   - A journal has a line an event. The lock file beside it is held by its process, so that the next
//     start (Recover) touches only journals of processes that died.
package store
