#!/usr/bin/env bash
# Kills a fill test at random moments (kill -9) and looks whether the journal has all samples but those of the last
# second, and whether a test file is left.
#
#   cmd/dev/check-kill.sh [FOLDER [TIMES]]    FOLDER is where to test, /var/tmp if none is named; 20 times
#
# Needed: jq. Each try prints a line; the exit status is 1 if one failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d "${1:-/var/tmp}/check-kill-XXXXXX") || exit 1
times=${2:-20}
cli=$PWD/bin/cachecliff-cli
trap 'rm -rf "$work"' EXIT
mkdir "$work/target"
failed=0

# samples prints how many samples and bytes of passes a stream of events has.
samples() { jq -rs '[.[] | select(.type == "sampled") | .sample.write.bytes // 0] | "\(length) \(add // 0)"' "$1"; }

for try in $(seq "$times"); do
    rm -rf "$work/data"
    # The stream of events goes to a file: it is what was seen when the program was killed.
    setsid "$cli" run fill-quick --target "$work/target" --data "$work/data" --size 64MiB --most 3 --stop-after 0 --yes --json \
        >"$work/events" 2>"$work/errors" </dev/null &
    parent=$!
    moment=$((500 + RANDOM % 3500))
    sleep "$((moment / 1000)).$(printf %03d $((moment % 1000)))"
    pkill -KILL -g "$parent" -x cachecliff-cli || true # the measuring process has a group of its own
    kill -9 "$parent" 2>/dev/null
    wait "$parent" 2>/dev/null
    for _ in $(seq 50); do pgrep -f "$work/target" >/dev/null || break; sleep 0.1; done
    read -r seen bytes < <(grep -a '^{.*}$' "$work/events" >"$work/whole"; samples "$work/whole")
    left=$(ls -A "$work/target")
    "$cli" results --json --data "$work/data" >"$work/results" 2>>"$work/errors"
    id=$(jq -rs '[.. | objects | select(has("reason")) | .id // empty][0] // empty' "$work/results")
    kept=0 keptbytes=0
    if [ -n "$id" ]; then
        read -r kept keptbytes < <("$cli" show "$id" --json --data "$work/data" 2>>"$work/errors" |
            jq -rs '[.[] | (.result // .).measurements[]? | select(.step.kind == "fill") | .series[]?.write.bytes // 0] | "\(length) \(add // 0)"')
    fi
    # Ten samples a second, and one that is on its way.
    if [ -n "$left" ]; then
        printf 'FAILED  %2d: killed after %d ms: left: %s\n' "$try" "$moment" "$left"
        failed=1
    elif [ "$seen" -gt 11 ] && [ $((seen - kept)) -gt 11 ]; then
        printf 'FAILED  %2d: killed after %d ms: %d samples were seen, %d are kept: %s\n' "$try" "$moment" "$seen" "$kept" "$(tail -n 1 "$work/errors")"
        failed=1
    else
        printf 'ok      %2d: killed after %d ms: %d samples with %d bytes were seen, %d with %d are kept, no file is left\n' \
            "$try" "$moment" "$seen" "$bytes" "$kept" "$keptbytes"
    fi
done
exit $failed
