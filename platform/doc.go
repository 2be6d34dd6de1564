// Package platform is the contract between Cachecliff and an operating system: what a drive, a
// volume and a test file are, and how I/O is queued. It holds no system calls and no build tags.
//
// The real back ends are in platform/host, decoders of device pages in platform/nvme and
// platform/ata, readers of /sys and /proc in platform/sysfs, and the fake drive with the
// conformance suite that every back end passes in platform/platformtest.
//
// Units: bytes, nanoseconds (time.Duration), counts. Unknown is a nil pointer, an empty string or a
// Tri of Unknown, never a zero that looks like a value.
package platform
