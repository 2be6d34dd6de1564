package reference

import (
	"slices"
	"strings"
)

// Metric is a quantity that drives are compared in.
type Metric struct {
	ID    string `json:"id"`
	Unit  string `json:"unit"`
	Lower bool   `json:"lower_is_better,omitempty"` // lower is better
	Group string `json:"test"`                      // the test that it belongs to
	Share bool   `json:"-"`                         // an amount of data that is also compared as a share of the capacity
}

// The units of metrics.
const (
	unitMBs  = "MB/s" // 10^6 bytes per second
	unitIOPS = "IOPS"
	unitGB   = "GB" // 10^9 bytes
	unitUS   = "us"
	unitC    = "degC"
	unitS    = "s"
	unitMin  = "min"
)

// fixed are the metrics that have a name of their own, in the order in which they are listed.
var fixed = []Metric{
	{ID: "seq_read_max", Unit: unitMBs, Group: "seq"},
	{ID: "seq_write_max", Unit: unitMBs, Group: "seq"},
	{ID: "seq_write_after_cache", Unit: unitMBs, Group: "seq"},
	{ID: "rand_read_iops_max", Unit: unitIOPS, Group: "rand4k"},
	{ID: "rand_write_iops_max", Unit: unitIOPS, Group: "rand4k"},
	{ID: "rand_read_iops_qd1", Unit: unitIOPS, Group: "rand4k"},
	{ID: "rand_write_iops_qd1", Unit: unitIOPS, Group: "rand4k"},
	{ID: "endurance_tbw", Unit: "TB", Group: "info"},
	{ID: "mttf_hours", Unit: "h", Group: "info"},
	{ID: "cdm_seq_read", Unit: unitMBs, Group: "cdm"},
	{ID: "cdm_seq_write", Unit: unitMBs, Group: "cdm"},
	{ID: "slc_cache_gb_fill0", Unit: unitGB, Group: "slc_cache", Share: true},
	{ID: "slc_cache_gb_fill50", Unit: unitGB, Group: "slc_cache", Share: true},
	{ID: "slc_cache_gb_fill80", Unit: unitGB, Group: "slc_cache", Share: true},
	{ID: "slc_cache_gb_present", Unit: unitGB, Group: "slc_cache", Share: true}, // from the level that was there, which is neither 0 nor 50 nor 80 %
	{ID: "write_stage1", Unit: unitMBs, Group: "slc_cache"},
	{ID: "write_stage2", Unit: unitMBs, Group: "slc_cache"},
	{ID: "write_stage3", Unit: unitMBs, Group: "slc_cache"},
	{ID: "write_last", Unit: unitMBs, Group: "slc_cache"}, // mean of the last 16 GB, or of the last tenth
	{ID: "write_stage2_fill50_min", Unit: unitMBs, Group: "slc_cache"},
	{ID: "write_stage2_fill50_max", Unit: unitMBs, Group: "slc_cache"},
	{ID: "write_stage2_ends_gb", Unit: unitGB, Group: "slc_cache", Share: true},
	{ID: "slc_cache_gb_min", Unit: unitGB, Group: "slc_cache", Share: true},
	{ID: "slc_cache_gb_max", Unit: unitGB, Group: "slc_cache", Share: true},
	{ID: "fill_mean_write", Unit: unitMBs, Group: "slc_cache"},
	{ID: "fill_time_min", Unit: unitMin, Lower: true, Group: "slc_cache"},
	{ID: "copy_read_10gb_file", Unit: unitMBs, Group: "copy"},
	{ID: "copy_read_23gb_folder", Unit: unitMBs, Group: "copy"},
	{ID: "temp_max_write", Unit: unitC, Lower: true, Group: "thermal"},
	{ID: "temp_max_read", Unit: unitC, Lower: true, Group: "thermal"},
	{ID: "temp_max_write_heatsink", Unit: unitC, Lower: true, Group: "thermal"},
	{ID: "temp_heatsink_drop", Unit: "K", Group: "thermal"},
	{ID: "temp_idle", Unit: unitC, Lower: true, Group: "thermal"},
	{ID: "throttle_temp", Unit: unitC, Group: "thermal"},
	{ID: "throttle_read_after_s", Unit: unitS, Group: "thermal"},
	{ID: "throttle_write_after_s", Unit: unitS, Group: "thermal"},
	{ID: "thermal_write_mean", Unit: unitMBs, Group: "thermal"},
	{ID: "thermal_read_unthrottled", Unit: unitMBs, Group: "thermal"},
	{ID: "thermal_read_throttled", Unit: unitMBs, Group: "thermal"},
	{ID: "vdb_4k_rr_iops", Unit: unitIOPS, Group: "vdbench"},
	{ID: "vdb_4k_rr_latency_us", Unit: unitUS, Lower: true, Group: "vdbench"},
	{ID: "vdb_4k_rw_iops", Unit: unitIOPS, Group: "vdbench"},
	{ID: "vdb_4k_rw_latency_us", Unit: unitUS, Lower: true, Group: "vdbench"},
	{ID: "vdb_64k_sr_iops", Unit: unitIOPS, Group: "vdbench"},
	{ID: "vdb_64k_sr_latency_us", Unit: unitUS, Lower: true, Group: "vdbench"},
	{ID: "vdb_64k_sw_iops", Unit: unitIOPS, Group: "vdbench"},
	{ID: "vdb_64k_sw_latency_us", Unit: unitUS, Lower: true, Group: "vdbench"},
	{ID: "vdi_boot_iops", Unit: unitIOPS, Group: "vdbench"},
	{ID: "vdi_boot_latency_us", Unit: unitUS, Lower: true, Group: "vdbench"},
	{ID: "vdi_initial_login_iops", Unit: unitIOPS, Group: "vdbench"},
	{ID: "vdi_initial_login_latency_us", Unit: unitUS, Lower: true, Group: "vdbench"},
	{ID: "vdi_monday_login_iops", Unit: unitIOPS, Group: "vdbench"},
	{ID: "vdi_monday_login_latency_us", Unit: unitUS, Lower: true, Group: "vdbench"},
	{ID: "vdb_64k_sr_mibs", Unit: "MiB/s", Group: "vdbench"},
	{ID: "vdb_64k_sw_mibs", Unit: "MiB/s", Group: "vdbench"},
	{ID: "houdini_seconds", Unit: unitS, Lower: true, Group: "houdini"},
	{ID: "sql_latency_ms", Unit: "ms", Lower: true, Group: "sql"},
	{ID: "pcm10_consistency_score", Unit: "points", Group: "pcm10"},
	{ID: "iometer_4k_rw_qd32_mean_21_30", Unit: unitMBs, Group: "iometer"},
	{ID: "iometer_4k_rw_qd32_drop_minute", Unit: unitMin, Group: "iometer"},
	{ID: "iometer_db_qd32_drop_minute", Unit: unitMin, Group: "iometer"},
	{ID: "dd_clone_seconds", Unit: unitS, Lower: true, Group: "dd"},
	{ID: "dd_read_max", Unit: unitMBs, Group: "dd"},
	{ID: "dirty_seq_read", Unit: unitMBs, Group: "recovery"},
	{ID: "dirty_seq_write", Unit: unitMBs, Group: "recovery"},
	{ID: "recovered_seq_read", Unit: unitMBs, Group: "recovery"},
	{ID: "recovered_seq_write", Unit: unitMBs, Group: "recovery"},
	{ID: "erased_seq_read", Unit: unitMBs, Group: "recovery"},
	{ID: "erased_seq_write", Unit: unitMBs, Group: "recovery"},
}

// The beginnings of the metrics of a table, which the ID of the workload follows: "rate.rnd4k-q32t1-read".
const (
	prefixRate    = "rate."
	prefixIOPS    = "iops."
	prefixLatency = "latency." // mean
	prefixP99     = "p99."
)

// tables are the metrics of a workload, without its ID.
var tables = []Metric{
	{ID: prefixRate, Unit: unitMBs, Group: "table"},
	{ID: prefixIOPS, Unit: unitIOPS, Group: "table"},
	{ID: prefixLatency, Unit: unitUS, Lower: true, Group: "table"},
	{ID: prefixP99, Unit: unitUS, Lower: true, Group: "table"},
}

// Metrics lists the metrics that have a name of their own.
func Metrics() []Metric { return slices.Clone(fixed) }

// MetricByID finds a metric, also one of a workload.
func MetricByID(id string) (Metric, bool) {
	for _, m := range fixed {
		if m.ID == id {
			return m, true
		}
	}
	for _, m := range tables {
		if name, ok := strings.CutPrefix(id, m.ID); ok && name != "" {
			m.ID = id
			return m, true
		}
	}
	return Metric{}, false
}

// Workload is the kind of a metric of a table ("rate", "iops", "latency", "p99") and the ID of its workload; empty for
// other metrics.
func (m Metric) Workload() (kind, workload string) {
	if m.Group != "table" {
		return "", ""
	}
	kind, workload, _ = strings.Cut(m.ID, ".")
	return kind, workload
}
