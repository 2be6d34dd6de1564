#!/usr/bin/env bash
# Drives the real window on a display in memory, as a user would, and looks at the outcome of each step:
# choose a target, click All, watch it end, switch the unit, save the picture, fill a little of the drive, quit,
# start again, find the run. It ends with a status other than 0 at the first thing that is not as it should be.
#
#   cmd/dev/check-window.sh [PROGRAM]      the program is bin/cachecliff if none is given
#
# Needed: Xvfb, xdotool, identify and import (ImageMagick), go. Nothing of the user's own is touched: home,
# settings, results and pictures lie in a temporary folder, which is removed at the end. The pictures of the fill
# test stay in bin/window.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "${1:-bin/cachecliff}")
source cmd/dev/window.sh

# The test file must lie on a real file system, which /tmp often is not.
work=$(mktemp -d "${TMPDIR:-/var/tmp}/cachecliff-window.XXXXXX")
app='' server=''
finish() {
    local status=$?
    trap - EXIT
    if [ $status -ne 0 ]; then look; fi
    for pid in $app $server; do
        kill "$pid" 2>/dev/null || true # it may have ended by itself
        wait "$pid" 2>/dev/null || true
    done
    if [ $status -eq 0 ]; then rm -rf "$work"; else echo "What there was is kept in $work" >&2; fi
    exit $status
}
trap finish EXIT

export HOME=$work/home XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state \
    XDG_CACHE_HOME=$work/cache XDG_RUNTIME_DIR=$work/run LANG=en_US.UTF-8 LANGUAGE=en
unset LC_ALL WAYLAND_DISPLAY FYNE_SCALE FYNE_THEME
first=$work/first
settings=$XDG_CONFIG_HOME/cachecliff/settings.json
results=$XDG_DATA_HOME/cachecliff/results
pictures=$HOME/Pictures/Cachecliff
layout=$work/layout.json
mkdir -p "$HOME" "$first" "$XDG_RUNTIME_DIR" "$(dirname "$settings")"
chmod 700 "$XDG_RUNTIME_DIR"
cat >"$settings" <<JSON
{"scale": 1, "unit": "MB/s", "profile": "cdm-demo", "loops": 1, "file_size": 16777216, "width": 1000, "height": 700,
 "theme": "dark", "target": "$first", "test": "fill", "fill": {"file_size": 67108864, "passes": 2, "pause": -1, "most": 1}}
JSON

CGO_ENABLED=0 HOME=$(getent passwd "$(id -u)" | cut -d: -f6) GOFLAGS=-buildvcs=false \
    env -u XDG_CACHE_HOME -u XDG_CONFIG_HOME go build -o "$work/cli" ./cmd/cachecliff-cli

screen 1000x700

# start opens the window and waits until it says where its controls are.
start() {
    rm -f "$layout"
    "$program" -print-layout "$layout" >"$work/log" 2>&1 &
    app=$!
    within 30 'the window opens' has all
}
setting() { grep -q "\"$1\": *$2" "$settings"; }

step 'the window opens on the folder that was tested last'
start
if [ -s "$work/log" ]; then fail "it opens without a complaint"; fi

step 'choose the home folder in the list of targets'
click target
within 10 'the list of targets opens' has menu
xdotool key Down sleep 0.2 key Return
within 10 'the choice is remembered' setting target "\"$HOME\""
within 5 'the list closes' lacks menu

step 'type a comment'
click comment
xdotool type --delay 20 'with heatsink'

step 'click All and watch it end'
click all
within 90 'the result is saved' files "$results" '*.json' 1
id=$(basename "$results"/*.json .json)
grep -q '"reason":"done"' "$results/$id.json" || fail 'the run came to its end'
grep -q '"comment":"with heatsink"' "$results/$id.json" || fail 'the comment is kept with the run'
"$work/cli" show "$id" >"$work/shown" || fail 'the command line can read the result'
grep -q 'SEQ' "$work/shown" || fail 'the result has a table'
left=$(find "$HOME" -mindepth 1 ! -path "$HOME/Pictures*")
[ -z "$left" ] || fail "no test file is left in the folder: $left"
files "$XDG_DATA_HOME/cachecliff/journal" '*.jsonl' 0 || fail 'the journal is gone'

step 'switch the unit'
click unit
within 5 'the list of units opens' has menu
xdotool key Down sleep 0.2 key Down sleep 0.2 key Return
within 5 'another unit is remembered' setting unit '"GB/s"'

step 'save the picture'
click save-picture
within 20 'two pictures are saved' files "$pictures" '*.png' 2
picture 1000x700 '*-window.png'
picture 1200x675 '*-card.png'

step 'look at the drive'
click room-drive
within 10 'the Drive page is there' has read-again
grep -q '"all"' "$layout" && fail 'the Benchmark page has gone'

step 'fill one percent of the drive, twice, with small files'
click room-tests
within 10 'the Tests page is there' has start
click start
within 20 'it runs' has hold
sleep 4
mkdir -p bin/window
import -window root bin/window/fill-live.png
# On a large or slow drive a minute is enough.
for _ in $(seq 60); do if files "$results" '*.json' 2; then break; fi; sleep 1; done
if ! files "$results" '*.json' 2; then click start; fi # it is Stop now
within 30 'the result is saved' files "$results" '*.json' 2
id=$(basename "$(grep -l '"profile":"fill"' "$results"/*.json)" .json)
"$work/cli" show "$id" >"$work/shown" || fail 'the command line can read the result'
left=$(find "$HOME" -mindepth 1 ! -path "$HOME/Pictures*")
[ -z "$left" ] || fail "no test file is left in the folder: $left"
within 10 'it can be run again' lacks hold
click fill-chart
sleep 1
import -window root bin/window/fill.png
click save-picture
within 20 'its pictures are saved' files "$pictures" "cachecliff-$id-*.png" 2
picture 1000x700 "cachecliff-$id-window.png"
picture 1200x675 "cachecliff-$id-card.png"
cp "$pictures/cachecliff-$id-card.png" bin/window/fill-card.png

step 'quit'
xdotool key ctrl+q
ended() { ! kill -0 "$app" 2>/dev/null; }
within 10 'the program ends' ended
wait "$app" || fail 'it ends with status 0'
app=''

step 'start again and find the run'
start
click room-results
within 10 'the list of results is there' has list
within 10 'the list can be clicked' lacks all
within 15 'the first run of the list opens' open_first
within 10 'it has its chart' has fill-chart
click export-json
within 10 'the run is exported' files "$pictures" '*.json' 1
grep -q "\"id\":\"$id\"" "$pictures"/*.json || fail 'it is the run from before the restart'
setting unit '"GB/s"' || fail 'the unit is still the one that was chosen'
xdotool key ctrl+q
within 10 'the program ends' ended
wait "$app" || fail 'it ends with status 0'
app=''
step 'all is well'
