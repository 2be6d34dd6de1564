#!/usr/bin/env bash
# Sets what the monitor shows beside iostat -x, over the same seconds of the same load.
#
#   cmd/dev/check-monitor.sh [FOLDER]    a folder on the drive to load; the current one if none is given
#
# Both read the same counts a few milliseconds apart, so they differ by what happens meanwhile: a hundredth is
# let pass, and two of the last digit that is shown.
set -euo pipefail
cli=$(realpath "$(dirname "$0")/../../bin/cachecliff-cli")
cd "${1:-.}"
seconds=6
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT

drive=$("$cli" monitor . --json --every 10ms --for 10ms | jq -r 'select(.type == "monitor").monitor.drives[0].name')
"$cli" run RND16K Q4T1 R70 TIME=$((seconds + 6))s WARM=0s --size 256MiB --loops 1 --target . --json >"$work/load" &
load=$!
until grep -q '"type":"step_started"' "$work/load"; do
    kill -0 "$load"
    sleep 0.1
done
sleep 1
LC_ALL=C iostat -x -y -o JSON "$drive" "$seconds" 1 >"$work/iostat" &
other=$!
"$cli" monitor "$drive" --every "${seconds}s" --for "${seconds}s" >"$work/ours"
wait "$other"

jq -r '.sysstat.hosts[0].statistics[0] | .disk[0] + (."avg-cpu" | with_entries(.key = "%" + .key)) | to_entries[] | "\(.key) \(.value)"' \
    "$work/iostat" >"$work/theirs"
awk '
    FILENAME != ARGV[2] { theirs[$1] = $2; next }
    FNR == 1 { for (i = 3; i <= NF; i++) name[i] = $i; next }
    {
        for (i = 3; i <= NF; i++) {
            key = name[i]
            if (!(key in theirs)) sub(/^%/, "", key)
            if (!(key in theirs)) continue
            ours = $i == "-" ? 0 : $i
            gap = ours - theirs[key]; if (gap < 0) gap = -gap
            digit = name[i] ~ /await|aqu|areq/ ? 0.02 : 0.2
            if (name[i] ~ /^%/) digit = 1 # of all the time: what runs between the two readings shows here
            good = gap <= digit || gap <= theirs[key] / 100
            printf "%-7s %-9s %12s  iostat %12s\n", good ? "ok" : "FAILED", name[i], $i, theirs[key]
            seen++; failed += !good
        }
    }
    END { printf "%d columns, %d failed\n", seen, failed; exit failed > 0 || seen < 28 }
' "$work/theirs" "$work/ours"
