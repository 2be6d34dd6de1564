#!/usr/bin/env bash
# Runs a script that starts and ends Wine's own processes when no other such script runs:
#
#   if [ -z "${WINE_ALONE:-}" ]; then exec cmd/dev/wine/alone.sh "$0" "$@"; fi
set -euo pipefail
settings=$("$(dirname "$0")/prefix.sh")
eval "$settings"
export WINE_ALONE=yes
exec flock -o "$WINEPREFIX/alone" "$@"
