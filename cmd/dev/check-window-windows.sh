#!/usr/bin/env bash
# Drives the window of the program for Windows under Wine, on a display in memory: without OpenGL it has to
# say so in a box; with it, click All on a drive of Wine, watch it end, save the picture, quit, start again and
# find the run. It ends with a status other than 0 at the first thing that is not as it should be. Pictures of
# what was to be seen stay in bin/windows.
#
#   cmd/dev/check-window-windows.sh [PROGRAM.exe]      the program is bin/cachecliff.exe if none is given
#
# Needed: wine, Xvfb, xdotool, identify and import (ImageMagick), jq.
set -euo pipefail
if [ -z "${WINE_ALONE:-}" ]; then exec "$(dirname "$0")/wine/alone.sh" "$0" "$@"; fi
cd "$(dirname "$0")/../.."
program=$(realpath "${1:-bin/cachecliff.exe}")
source cmd/dev/window.sh

work=$(mktemp -d "${TMPDIR:-/var/tmp}/cachecliff-window.XXXXXX")
seen=bin/windows
mkdir -p "$seen"
settings=$(cmd/dev/wine/prefix.sh)
eval "$settings"
# What still runs there may belong to no screen, or to one that is gone.
wineserver -k || true
wineserver -w
# Wine's drive C:, with a name that is not ASCII; the data lie beside the folder that is tested.
drive=$WINEPREFIX/drive_c/cachecliff-prüfung
rm -rf "$drive"
app='' server=''
finish() {
    local status=$?
    trap - EXIT
    if [ $status -ne 0 ]; then look; fi
    wineserver -k || true
    for pid in $app $server; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$drive"
    if [ $status -eq 0 ]; then rm -rf "$work"; else echo "What there was is kept in $work" >&2; fi
    exit $status
}
trap finish EXIT

export LANG=C.UTF-8
unset LC_ALL LC_MESSAGES LANGUAGE WAYLAND_DISPLAY FYNE_SCALE FYNE_THEME
# Wine's game controllers crash now and then in a program that ends.
export WINEDLLOVERRIDES="$WINEDLLOVERRIDES;xinput1_4=;xinput1_3=;xinput1_2=;xinput1_1=;xinput9_1_0="

ended() { ! kill -0 "$app" 2>/dev/null; }
# start OPTION... starts the program; app is the process to wait for.
start() {
    wine "$program" "$@" >"$work/log" 2>&1 &
    app=$!
}
window() { window=$(xdotool search --onlyvisible --name '^Cachecliff$' 2>/dev/null | tail -n 1) && [ -n "$window" ]; }

# without LANGUAGE: there is no OpenGL, and the program says so in a box.
without() {
    local lang=$1
    start -lang "$lang" -data 'C:\cachecliff-prüfung\data'
    within 60 "a box says what is missing ($lang)" window
    sleep 1 # until it is drawn
    import -window root "$seen/no-opengl-$lang.png"
    [ "$(identify -format '%k' "$seen/no-opengl-$lang.png")" -ge 50 ] || fail "the box is drawn ($lang)"
    xdotool key Return
    within 20 'the program ends with the box' ended
    if wait "$app"; then fail 'it ends with status 1'; fi
    app=''
}
step 'a screen without OpenGL: a box says what is missing'
screen 1000x700 -extension GLX
without en
without de
wineserver -k || true
wineserver -w
kill "$server"
wait "$server" 2>/dev/null || true

results=$drive/data/results
pictures=$drive/data/pictures
layout=$drive/layout.json
mkdir -p "$drive/data" "$drive/test"
cat >"$drive/data/settings.json" <<'JSON'
{"scale": 1, "unit": "MB/s", "profile": "cdm-demo", "loops": 1, "file_size": 16777216, "width": 1000, "height": 700,
 "theme": "dark", "target": "C:\\cachecliff-prüfung\\test"}
JSON
setting() { [ "$(jq -r ".$1" "$drive/data/settings.json")" = "$2" ]; }

# open starts the program and waits until its window is there and says where its controls are.
open() {
    rm -f "$layout"
    start -data 'C:\cachecliff-prüfung\data' -print-layout 'C:\cachecliff-prüfung\layout.json' "$@"
    within 60 'the window opens' has all
    within 20 'the window is on the screen' window
    eval "$(xdotool getwindowgeometry --shell "$window" | sed -n 's/^X=/left=/p; s/^Y=/top=/p')"
}

step 'the window opens on a drive of Wine'
screen 1040x760
open
click comment
xdotool type --delay 20 'with heatsink'

step 'click All and watch it end'
click all
within 10 'the run begins' files "$drive/data/journal" '*.jsonl' 1
sleep 3
import -window root "$seen/running.png"
within 120 'the result is saved' files "$results" '*.json' 1
result=$(find "$results" -name '*.json')
jq -e '.result | .reason == "done" and .comment == "with heatsink" and (.plan.target.path | endswith("test"))' "$result" >/dev/null ||
    fail 'the result says what was run'
cmd/dev/check-counts.sh "$result" || fail 'counts and bytes are exact'
[ -z "$(ls -A "$drive/test")" ] || fail 'no test file is left'
sleep 1
import -window root "$seen/benchmark.png"

step 'save the picture'
click save-picture
within 30 'two pictures are saved' files "$pictures" '*.png' 2
picture 1200x675 '*-card.png'
cp "$pictures"/*-card.png "$seen/card.png"

step 'quit'
xdotool key ctrl+q
within 20 'the program ends' ended
wait "$app" || fail 'it ends with status 0'
app=''

step 'start again and find the run'
open -lang de -theme light
click room-results
within 10 'the list of results is there' has list
within 10 'the list can be clicked' lacks all
within 20 'the first run of the list opens' open_first
sleep 1
import -window root "$seen/result.png"
xdotool key ctrl+q
within 20 'the program ends' ended
wait "$app" || fail 'it ends with status 0'
app=''
step "all is well; pictures are in $seen"
