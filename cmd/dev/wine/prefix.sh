#!/usr/bin/env bash
# Makes the folder in which Wine keeps its idea of a Windows system, and prints the settings to use it.
#
#   eval "$(cmd/dev/wine/prefix.sh)"
#
# It lies in bin/wine and is made once; nothing of the user's own Wine is touched. WINE_PREFIX=FOLDER
# takes another place. Needed: wine, a C compiler for Windows where Wine is older than 8.13.
set -euo pipefail
cd "$(dirname "$0")/../../.."
prefix=${WINE_PREFIX:-$PWD/bin/wine}

settings() {
    printf 'export WINEPREFIX=%q WINEARCH=win64 WINEDEBUG=%q\n' "$prefix" "${WINEDEBUG:--all}"
    # No .NET and no browser: Wine would offer to fetch them.
    printf 'export WINEDLLOVERRIDES=%q\n' 'bcryptprimitives=n,b;mscoree=;mshtml='
}

# library builds into the prefix what Go needs and Wine lacks; a Wine that has it brings a file of that name.
library() {
    local target=$prefix/drive_c/windows/system32/bcryptprimitives.dll
    if [ -e "$target" ] && [ ! -e "$prefix/own" ]; then return; fi
    touch "$prefix/own"
    x86_64-w64-mingw32-gcc -shared -O2 -Wall -o "$target" cmd/dev/wine/bcryptprimitives.c -ladvapi32
}

mkdir -p "$prefix"
exec 9>"$prefix/lock" # several may ask at once
flock 9
if [ ! -e "$prefix/ready" ] || [ cmd/dev/wine/bcryptprimitives.c -nt "$prefix/ready" ]; then
    eval "$(settings)"
    # A display is neither needed nor always there; what Wine says is of interest only if it fails.
    env -u DISPLAY -u WAYLAND_DISPLAY wineboot -i 9>&- >"$prefix/log" 2>&1 || { cat "$prefix/log" >&2; exit 1; }
    # The programs are for Windows 10 and later; some versions of Wine begin with 7.
    wine reg add 'HKEY_CURRENT_USER\Software\Wine' /v Version /d win10 /f 9>&- >>"$prefix/log" 2>&1
    library
    touch "$prefix/ready"
fi
settings
