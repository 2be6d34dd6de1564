#!/usr/bin/env bash
# Runs the tests of the packages, built for Windows, under Wine: units, the conformance suite of the back
# end, the window without a display. Prints for each package what passed, failed and was skipped, and why.
#
#   cmd/dev/test-windows.sh [PACKAGE...]
#
# Needed: go, wine, a C compiler for Windows where Wine is older than 8.13.
set -euo pipefail
if [ -z "${WINE_ALONE:-}" ]; then exec "$(dirname "$0")/wine/alone.sh" "$0" "$@"; fi
cd "$(dirname "$0")/../.."
if [ $# -eq 0 ]; then set -- ./app/... ./assets/... ./bench/... ./platform/... ./ui/... ./cmd/cachecliff ./cmd/cachecliff-cli; fi

settings=$(cmd/dev/wine/prefix.sh)
eval "$settings"
tool=$(mktemp -d)
finish() {
    rm -rf "$tool"
    cmd/dev/wine/letters.sh off || true
    wineserver -k || true # none may run
}
trap finish EXIT
cmd/dev/wine/letters.sh
# Wine's own processes outlive the first program and would hold its output open, which go test waits for.
wineserver -w # until one that lingers has ended: -p is for a new one
wineserver -p
env -u DISPLAY -u WAYLAND_DISPLAY wine cmd /c exit </dev/null >/dev/null 2>&1
# The desktop is one of them, which starts only when a program asks for something that has to do with windows.
env -u DISPLAY -u WAYLAND_DISPLAY wine explorer /desktop </dev/null >/dev/null 2>&1 &
CGO_ENABLED=0 go build -buildvcs=false -o "$tool/testsum" ./cmd/dev/testsum
GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go test -vet=off -timeout 30m -tags ci,migrated_fynedo -exec "$PWD/cmd/dev/wine/run.sh" -json "$@" |
    "$tool/testsum"
