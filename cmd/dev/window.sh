# Functions for scripts that drive the window: sourced by check-window.sh and check-window-windows.sh, which
# set work (a folder for what comes up) and layout (the file in which the window says where its controls are).
# shellcheck shell=bash
# shellcheck disable=SC2154 # work, layout and pictures are set by the caller

name=$(basename "$0" .sh)
step() { printf '%s: %s\n' "$name" "$1"; }
fail() {
    printf '%s: FAILED: %s\n' "$name" "$1" >&2
    exit 1
}

# look keeps a picture of the screen for who wants to know why a step failed.
look() {
    if [ -n "${DISPLAY:-}" ]; then import -window root "$work/screen.png" || true; fi
    if [ -s "$work/log" ]; then cat "$work/log" >&2; fi
}

# within SECONDS WHAT COMMAND... waits until the command succeeds.
within() {
    local seconds=$1 what=$2 end
    shift 2
    end=$((SECONDS + seconds))
    until "$@"; do
        if [ $SECONDS -ge $end ]; then fail "$what (waited $seconds s)"; fi
        sleep 0.2
    done
}

# screen WIDTHxHEIGHT OPTION... starts a display in memory; its process is in server. It does not start anew
# when the last window goes, which it does not always survive.
screen() {
    local size=$1
    shift
    rm -f "$work/display"
    Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp -noreset "$@" 3>"$work/display" 2>"$work/xvfb.log" &
    # shellcheck disable=SC2034 # the caller ends it
    server=$!
    within 10 'the display is there' test -s "$work/display"
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
}

# Where the inside of the window begins on the screen.
left=0 top=0

has() { grep -q "\"$1\":" "$layout" 2>/dev/null; }
lacks() { ! has "$1"; }
# place NAME prints the middle of a control on the screen, and its upper edge.
place() {
    sed -n "s/.*\"$1\":{\"X\":\([0-9]*\),\"Y\":\([0-9]*\),\"W\":\([0-9]*\),\"H\":\([0-9]*\)}.*/\1 \2 \3 \4/p" "$layout" |
        { read -r x y w h && echo "$((left + x + w / 2)) $((top + y + h / 2)) $((top + y))"; }
}
click() {
    local x y edge
    read -r x y edge < <(place "$1") || fail "the control $1 is on the screen"
    : "$edge"
    xdotool mousemove "$x" "$y" sleep 0.2 click 1
}

# files FOLDER PATTERN COUNT: the folder has that many files of that kind.
files() { [ "$(find "$1" -maxdepth 1 -name "$2" 2>/dev/null | wc -l)" -eq "$3" ]; }

# picture SIZE PATTERN: the saved picture has that size, and is not blank.
picture() {
    local size=$1 pattern=$2 colours file
    file=$(find "$pictures" -name "$pattern")
    [ "$(identify -format '%wx%h' "$file")" = "$size" ] || fail "$file is $size, not $(identify -format '%wx%h' "$file")"
    colours=$(identify -format '%k' "$file")
    [ "$colours" -ge 50 ] || fail "$file is not blank ($colours colours)"
}

# open_first opens the first run of the list of results; for within.
open_first() {
    local x y edge
    has back && return
    read -r x y edge < <(place list) || return
    : "$y"
    xdotool mousemove "$x" $((edge + 24)) sleep 0.2 click 1 sleep 0.5
    has back
}
