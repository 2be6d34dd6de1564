#!/usr/bin/env bash
# Compares with fio on a file system whose latency is programmed (cmd/dev/delayfs): there both must tell
# the same percentiles and the same number of I/Os.
#
#   cmd/dev/bench-delayfs.sh [OPTION OF benchfio...]
#
# Needs root, 1 GiB of memory and FUSE. Everything is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=cmd/dev/bench-device.sh
. cmd/dev/bench-device.sh

make_delayfs
"${benchfio[@]}" -device delayfs "$@"
