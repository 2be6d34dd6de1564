#!/usr/bin/env bash
# Compares with fio on the fastest asynchronous drive that can be had without hardware: a loop device
# over a file in memory, ext4 on it. There the processor is the limit, so processor time per I/O shows
# what each program costs. Small sequential I/O is among the rows: neighbours must not be merged on the
# way to the device.
#
#   cmd/dev/bench-loop.sh [OPTION OF benchfio...]
#
# Needs root and 1.5 GiB of memory. Everything is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=cmd/dev/bench-device.sh
. cmd/dev/bench-device.sh

make_device 1024
"${benchfio[@]}" -device loop -stat "/sys/block/${loop#/dev/}/stat" "$@"
