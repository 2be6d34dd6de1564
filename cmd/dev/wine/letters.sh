#!/usr/bin/env bash
# Gives Wine drives of other kinds than its own: M: is the drive of a server, N: a disc and O: a hard disk with
# a name. "off" takes them away again.
#
#   cmd/dev/wine/letters.sh [off]
set -euo pipefail
settings=$("$(dirname "$0")/prefix.sh")
eval "$settings"
unset DISPLAY WAYLAND_DISPLAY
drives='HKLM\Software\Wine\Drives'
for drive in m:network n:cdrom o:hd; do
    letter=${drive%%:*}: kind=${drive#*:}
    if [ "${1:-}" = off ]; then
        rm -f "$WINEPREFIX/dosdevices/$letter"
        wine reg delete "$drives" /v "$letter" /f
    else
        mkdir -p "$WINEPREFIX/letters/$kind"
        ln -sfn "../letters/$kind" "$WINEPREFIX/dosdevices/$letter"
        printf 'Prüfung' >"$WINEPREFIX/letters/$kind/.windows-label"
        wine reg add "$drives" /v "$letter" /d "$kind" /f
    fi
done </dev/null >/dev/null 2>&1
wineserver -k || true # it reads them when it starts
wineserver -w
