#!/usr/bin/env bash
# Compares with fio on a device with a known limit: a loop device with ext4 on it, throttled to 8000
# I/Os per second and 400 MiB per second, each way. In every row that reaches the limit, ours must show
# the same rate as fio.
#
#   cmd/dev/bench-throttled.sh [OPTION OF benchfio...]
#
# The throttle hands out I/O in bursts of a tenth of a second, so latencies mean nothing here, and a
# run should take ten seconds or more. Needs root, 1 GiB of memory and the blkio controller (cgroup v1)
# or the io controller (v2). Everything is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=cmd/dev/bench-device.sh
. cmd/dev/bench-device.sh

make_device 512
throttle 8000 $((400 << 20)) # as cmd/dev/benchfio/device.go has it
"${benchfio[@]}" -device throttled "$@"
