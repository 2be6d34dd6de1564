#!/usr/bin/env bash
# Compares with fio on the fastest asynchronous drive that can be had without hardware: a loop device
# over a file in memory, ext4 on it. There the processor is the limit, so processor time per I/O shows
# what each program costs: ours must not be above fio's, and the rate not below 0.98 of fio's.
# Small sequential I/O is added to the rows: neighbours must not be merged on the way to the device.
#
#   cmd/dev/bench-loop.sh [OPTION OF benchfio...]
#
# Needs root and 3 GiB of memory. Everything is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=cmd/dev/bench-device.sh
. cmd/dev/bench-device.sh

make_device
compare=("$benchfio" -dir "$mnt" -stat "/sys/block/${loop#/dev/}/stat")
failed=0
"${compare[@]}" "$@" -rows "SEQ4K Q32T1 R100,SEQ4K Q32T1 R0" || failed=1
"${compare[@]}" "$@" || failed=1
exit $failed
