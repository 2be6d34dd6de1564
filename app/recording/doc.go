// Package recording keeps what the monitor saw: it writes and reads recordings, makes tables and pictures of
// them, and watches in the background for the window.
//
// What is stored is raw: the counts of bench/monitor with the time of each reading. Columns are reckoned
// anew whenever a recording is read.
//
// A recording is a file of JSON lines. The first is a Header, of "type" "recording" with a "version"; each
// line after that has a "type", and lines of a type that is not known are passed over:
//
//	{"type":"recording","version":1,"started":"2026-01-02T03:04:05Z","period":10000000,"system":{…},"drives":[…]}
//	{"type":"sample","sample":{"at":10000000,"cpu":{…},"drives":[{"at":10050000,"counters":{…}}]}}
//	{"type":"sample","sample":{"at":20000000,"drives":[{"at":20000000,"no_counters":"failed","gone":true}]}}
//	{"type":"end","end":{"at":25000000,"reason":"gone"}}
//
// Times are nanoseconds since the start. A hole is a reading without counters, with the reason why
// ("no_counters"; "gone" if the drive is no longer there), or a sample that came late ("late", by how much,
// and "missed", how many came to nothing). A file without an end was cut off, and is good until there.
package recording
