#!/usr/bin/env bash
# Runs a program for Windows under Wine, without a display: cmd/dev/wine/run.sh PROGRAM.exe ARGUMENT...
# As the program that go test runs its tests with: go test -exec "$PWD/cmd/dev/wine/run.sh" PACKAGES
set -euo pipefail
eval "$("$(dirname "$0")/prefix.sh")"
unset DISPLAY WAYLAND_DISPLAY
exec wine "$@"
