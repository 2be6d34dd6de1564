// Package nvme decodes the pages that an NVMe drive answers with. It talks to no device; platform/host
// fetches the bytes.
package nvme
