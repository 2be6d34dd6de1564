#!/usr/bin/env bash
# Compares with fio on all three devices, one after the other, and prints all tables at the end. It keeps
# finished rows in a file and goes on where it was stopped.
#
#   cmd/dev/bench-full.sh [OPTION OF benchfio...]
#
# DEVICES="loop throttled" takes some of the devices only, STATE=FILE another file. The exit status is 0 if
# every row passes, 3 if none fails but of some nothing can be said, else 1. Needs root.
set -euo pipefail
cd "$(dirname "$0")/../.."

devices=${DEVICES:-delayfs loop throttled}
state=${STATE:-bin/bench-fio.json}
# Words of $devices are names.
# shellcheck disable=SC2086
list=$(printf '%s,' $devices)
cmd/dev/setup.sh fio
BENCH_BIN=$(mktemp -d /tmp/bench-full-XXXXXX)
export BENCH_BIN
trap 'rm -rf "$BENCH_BIN"' EXIT
trap 'exit 130' INT TERM
cmd/dev/bench-build.sh "$BENCH_BIN"

echo "What is finished stands in $state; the same command goes on from there, FRESH=1 starts over."
for device in $devices; do
    if [ "$("$BENCH_BIN/benchfio" -device "$device" "$@" -state "$state" -left)" = 0 ]; then continue; fi
    status=0
    "cmd/dev/bench-$device.sh" "$@" -state "$state" || status=$?
    if [ "$status" -ge 128 ] || [ "$status" = 2 ]; then exit "$status"; fi
    if [ "$device" = "$devices" ]; then exit "$status"; fi # the only one, whose table is printed already
done
echo
"$BENCH_BIN/benchfio" -device "${list%,}" "$@" -cli "$BENCH_BIN/cachecliff-cli" -state "$state" -summary
