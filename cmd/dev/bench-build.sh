#!/usr/bin/env bash
# Builds what bench-fio measures with, apart from bin/, so that a build meanwhile changes nothing.
#
#   cmd/dev/bench-build.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."

for program in cmd/dev/benchfio cmd/cachecliff-cli; do
    CGO_ENABLED=0 go build -buildvcs=false -trimpath -o "$1/${program##*/}" "./$program"
done
