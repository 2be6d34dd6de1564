// Package reference keeps what is known of drives as single values, each with its unit, its source and the conditions
// under which it holds: the drives that are shipped, which others have measured or whose makers rate them, and runs
// of the user's own that were made references. A result of this program is turned into the same values, so that
// package compare knows nothing else. It draws nothing and has no words.
//
// A file is JSON and has one drive (assets/reference/*.json, and the folder "reference" in the data folder):
//
//	{"schema": 1, "id": "crucial_p5_2tb", "model": "Crucial P5", "capacity_gb": 2000, "class": "pcie3",
//	 "sources": {"tpu": {"title": "…", "address": "https://…", "quality": "review"}},
//	 "values": [{"metric": "write_stage1", "value": 2400, "unit": "MB/s", "kind": "measured", "qualifier": "approx",
//	             "source": "tpu", "conditions": "…"}]}
//
// Metrics are listed in metrics.go. Values stay in the unit in which they were printed, which is that of their metric.
package reference
