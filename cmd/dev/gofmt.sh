#!/usr/bin/env bash
# Fails with the names of the Go files that gofmt would change.
set -euo pipefail
cd "$(dirname "$0")/../.."

# gofmt of the toolchain in use, which is not always the one in PATH.
odd=$("$(go env GOROOT)/bin/gofmt" -l app assets bench cmd platform ui)
if [ -n "$odd" ]; then
    printf 'not formatted; run gofmt -w on:\n%s\n' "$odd" >&2
    exit 1
fi
