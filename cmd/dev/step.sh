#!/usr/bin/env bash
# Runs one step of a job, with a line before it and its time after it.
#
#   cmd/dev/step.sh "what it does" COMMAND ARGUMENT...
#
# With STEP_LOG=FILE the closing line goes there too, so that a job can end with a summary.
set -uo pipefail

name=$1
shift
printf '== %s\n' "$name"
start=$SECONDS
"$@"
status=$?
verdict=ok
if [ $status -ne 0 ]; then verdict="FAILED with exit status $status"; fi
line=$(printf '== %-58s %4d s  %s' "$name" $((SECONDS - start)) "$verdict")
printf '%s\n' "$line"
if [ -n "${STEP_LOG:-}" ]; then printf '%s\n' "$line" >>"$STEP_LOG"; fi
exit $status
