#!/usr/bin/env bash
# Compares with fio on a device with a known limit: a loop device with ext4 on it, throttled to 8000
# I/Os per second and 400 MiB per second. In every row that reaches the limit, ours must show the same
# rate as fio within 2 %.
#
#   cmd/dev/bench-throttled.sh [OPTION OF benchfio...]
#
# The throttle hands out I/O in bursts of a tenth of a second, so latencies mean nothing here, and a
# run should take ten seconds or more. Needs root, 3 GiB of memory and the blkio controller (cgroup v1)
# or the io controller (v2). Everything is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=cmd/dev/bench-device.sh
. cmd/dev/bench-device.sh

iops=8000
rate=$((400 << 20))

make_device
throttle "$iops" "$rate"
"$benchfio" -dir "$mnt" -time 10s -ramp 1s -limit-iops "$iops" -limit-rate "$rate" "$@"
