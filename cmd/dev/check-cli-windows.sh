#!/usr/bin/env bash
# Runs the command line for Windows under Wine on a drive of Wine and looks whether its counts and bytes are
# exact, and what it leaves behind. It ends with a status other than 0 at the first thing that is not as it
# should be.
#
#   cmd/dev/check-cli-windows.sh [PROGRAM.exe]      the program is bin/cachecliff-cli.exe if none is given
#
# Needed: wine, jq, strace.
set -euo pipefail
if [ -z "${WINE_ALONE:-}" ]; then exec "$(dirname "$0")/wine/alone.sh" "$0" "$@"; fi
cd "$(dirname "$0")/../.."
program=$(realpath "${1:-bin/cachecliff-cli.exe}")
export LANG=C.UTF-8
settings=$(cmd/dev/wine/prefix.sh)
eval "$settings"
unset DISPLAY WAYLAND_DISPLAY

# A folder on Wine's drive C:, with a name that is not ASCII; the user's own folders of that drive are kept clean.
folder=$WINEPREFIX/drive_c/cachecliff-prüfung
data=$WINEPREFIX/drive_c/users/$(id -un)/AppData/Local/Cachecliff
# What Wine takes for the shared folder \\localhost\cachecliff.
shared=$WINEPREFIX/dosdevices/unc/localhost/cachecliff
work=$(mktemp -d)
finish() {
    local status=$?
    rm -rf "$folder" "$data" "$WINEPREFIX/dosdevices/unc"
    if [ $status -eq 0 ]; then rm -rf "$work"; else echo "What there was is kept in $work" >&2; fi
}
trap finish EXIT
rm -rf "$folder" "$data"
mkdir "$folder"
mkdir -p "$shared/prüfung"

step() { printf 'check-cli-windows: %s\n' "$1"; }
fail() {
    printf 'check-cli-windows: FAILED: %s\n' "$1" >&2
    cat "$work/errors" >&2
    exit 1
}
cli() { wine "$program" "$@" 2>"$work/errors" | tr -d '\r'; }

step 'version and drives'
[ "$(cli version)" = "cachecliff-cli $(sed -n 's/^ *Version *= *"\(.*\)" *$/\1/p' FyneApp.toml)" ] || fail 'it prints its version'
cli drives >"$work/drives" || fail 'it lists drives'
grep -q 'C:' "$work/drives" || fail 'drive C: is among them'
cli drives --json >"$work/drives.json" || fail 'it lists drives as JSON'
jq -e . "$work/drives.json" >/dev/null || fail 'that is JSON'

runs=0
for spec in 'SEQ1M Q8T1 R100' 'SEQ1M Q1T1 R0' 'RND4K Q32T2 R50' 'RND512 Q1T1 R100' 'RND16K Q4T4 R0'; do
    step "$spec"
    # shellcheck disable=SC2086 # the words of a test
    cli run $spec --target 'C:\cachecliff-prüfung' --size 16MiB --time 300ms --loops 2 --pause 0s --json >"$work/run.jsonl" ||
        fail 'the run is done'
    runs=$((runs + 1))
    tail -n 1 "$work/run.jsonl" >"$work/result.json"
    jq -e '.type == "result" and .result.reason == "done" and (.result.measurements | length) == 3' "$work/result.json" >/dev/null ||
        fail 'the last line is the result, of a warm-up and two loops'
    cmd/dev/check-counts.sh "$work/result.json" || fail 'counts and bytes are exact'
    # The events, added up, are the result.
    jq -es '[.[] | select(.type == "step_done") | .measurement | (.read.ops // 0) + (.write.ops // 0)] ==
        [.[-1].result.measurements[] | (.read.ops // 0) + (.write.ops // 0)]' "$work/run.jsonl" >/dev/null ||
        fail 'the events say what the result says'
    [ -z "$(ls -A "$folder")" ] || fail 'no test file is left'
    id=$(jq -r .result.id "$work/result.json")
    jq -e --slurpfile printed "$work/result.json" '.result == $printed[0].result' "$data/results/$id.json" >/dev/null ||
        fail 'the result that is kept is the one that was printed'
done

step 'the system counts the same I/Os'
# Wine reads and writes a file with a call of Linux for each I/O. strace -y names the file.
strace -ff -qq -y -e trace=pread64,pwrite64 -o "$work/calls" wine "$program" run RND4K Q4T2 R50 \
    --target 'C:\cachecliff-prüfung' --size 16MiB --time 300ms --loops 2 --json >"$work/run.jsonl" 2>"$work/errors" || fail 'the run is done'
runs=$((runs + 1))
tail -n 1 "$work/run.jsonl" >"$work/result.json"
cmd/dev/check-counts.sh "$work/result.json" || fail 'counts and bytes are exact'
# calls NAME SIZE counts the calls on the test file that moved that many bytes.
calls() { cat "$work"/calls.* | grep -c "^$1([0-9]*<[^>]*cachecliff-test[^>]*>.*) = $2\$" || true; }
moved() { jq "[.result.measurements[].moved.$1] | add" "$work/result.json"; }
[ "$(calls pread64 4096)" -eq "$(moved read_ops)" ] || fail "reads: $(calls pread64 4096) of the system, $(moved read_ops) in the result"
[ "$(calls pwrite64 4096)" -eq "$(moved write_ops)" ] || fail "writes: $(calls pwrite64 4096) of the system, $(moved write_ops) in the result"
[ "$(calls pwrite64 1048576)" -eq 16 ] || fail 'the file was written once, in full'

for path in '\\localhost\cachecliff' '//localhost/cachecliff/' '\\localhost\cachecliff\prüfung' '\\?\UNC\localhost\cachecliff\prüfung' \
    '\\?\C:\cachecliff-prüfung' '\\.\C:\cachecliff-prüfung' 'C:/cachecliff-prüfung/'; do
    step "in $path"
    cli run RND4K Q4T1 R50 --target "$path" --size 16MiB --time 200ms --loops 1 --pause 0s --json >"$work/run.jsonl" || fail 'the run is done'
    runs=$((runs + 1))
    tail -n 1 "$work/run.jsonl" >"$work/result.json"
    jq -e '.type == "result" and .result.reason == "done"' "$work/result.json" >/dev/null || fail 'the last line is the result'
    cmd/dev/check-counts.sh "$work/result.json" || fail 'counts and bytes are exact'
    case $path in
    *UNC* | *localhost*) fs=remote ;;
    *) fs=NTFS ;;
    esac
    jq -e --arg fs $fs '.result.plan.target.volume.fs == $fs' "$work/result.json" >/dev/null || fail "the file system is told as $fs"
    [ -z "$(find "$folder" "$shared" -type f)" ] || fail 'no test file is left'
done

for way in manager direct clone; do
    step "a tree duplicated, $way"
    cli run copy-duplicate-quick --way $way --target 'C:\cachecliff-prüfung' --size 256MiB --loops 2 --pause 0s --verify --json --no-save >"$work/run.jsonl" ||
        fail 'the run is done'
    tail -n 1 "$work/run.jsonl" >"$work/result.json"
    jq -e '.result.reason == "done" and ([.result.measurements[] | select(.step.kind == "copy").copy] |
        length == 2 and all(.files > 50 and .verified.files == .files and .folders > 1 and .verified.bytes == 268435456 and .verified.differ == null))' \
        "$work/result.json" >/dev/null || fail 'all files are copied, and the same'
    [ -z "$(ls -A "$folder")" ] || fail 'nothing is left'
done
step 'a folder of the user'"'"'s duplicated'
mkdir -p "$WINEPREFIX/drive_c/cachecliff-source/Häuser" && head -c 3000001 /dev/urandom >"$WINEPREFIX/drive_c/cachecliff-source/Häuser/odd"
cli run copy-duplicate --source 'C:\cachecliff-source' --target 'C:\cachecliff-prüfung' --loops 1 --verify --json --no-save >"$work/run.jsonl" ||
    fail 'the run is done'
rm -r "$WINEPREFIX/drive_c/cachecliff-source"
jq -se '.[-1].result.measurements[-1].copy.verified | .files == 1 and .bytes == 3000001 and .differ == null' "$work/run.jsonl" >/dev/null ||
    fail 'its file is copied, and the same'

step 'the results are found again'
[ "$(find "$data/results" -name '*.json' | wc -l)" -eq $runs ] || fail 'each run has a file'
[ -z "$(ls -A "$data/journal")" ] || fail 'no journal is left'
cli show latest >"$work/shown" || fail 'the last one is shown'
grep -q 'RND4K' "$work/shown" || fail 'it has a table'
cli export latest --format png --out 'C:\cachecliff-prüfung\card.png' >/dev/null || fail 'its card is drawn'
head -c 4 "$folder/card.png" | grep -q PNG || fail 'the card is a picture'

step 'what cannot be tested'
if cli run cdm-demo --target 'C:\none' >"$work/none"; then fail 'a folder that is not there is refused'; fi
grep -q 'does not exist' "$work/errors" || fail 'it says so'
# refused TARGET SENTENCE
refused() {
    if cli run cdm-demo --target "$1" >"$work/none"; then fail "$1 is refused"; fi
    grep -qF "$2" "$work/errors" || fail "it says why $1 is refused: $2"
}
refused '\\localhost\none' 'does not exist'
refused '\\nowhere\cachecliff' 'does not exist'
refused '\\.\C:' 'is not a folder'
refused '\\?\Volume{00000000-0000-0000-0000-0000000000ff}\' 'does not exist'
# Wine opens the root of a volume by its name, but nothing below it, and its GetVolumePathName does not know such names.
volume=$(cli drives --json | jq -r 'select(.type == "target") | .target.volume | select(.mount == "C:\\") | .source')
refused "$volume\\" 'cannot do it'
step 'all is well'
