#!/usr/bin/env bash
# Looks whether the numbers of a result add up: cmd/dev/check-counts.sh RESULT.json
# It takes the file of a result, or the last line of what run --json prints.
#
# In each step bytes are I/Os times the block, the samples and the histogram sum up to the total, a direction
# that is asked for has I/Os and the other has none, no I/O failed; and the test file was written once, in full.
set -euo pipefail
jq -e '
def sum(f): [.[] | f] | add // 0;
def total: . as $h | [range(1; length; 2) | $h[.]] | add // 0;
def right($spec; $share; $name):
  . as $m | .[$name] as $t |
  if $share == 0 then (($t.ops // 0) == 0)
  else ($t.ops > 0 and $t.bytes == $t.ops * $spec.block and ($t.errors // 0) == 0
    and ($t.sum_lat > 0) and ($m[$name + "_hist"].buckets | total) == $t.ops
    and ($m.series | sum(.[$name].ops // 0)) == $t.ops and ($m.series | sum(.[$name].bytes // 0)) == $t.bytes)
  end;
(.result // .) | (.measurements | length) > 0
and .file.moved.write_bytes == .file.size and .file.direct
and all(.measurements[];
  .step.spec as $s | ($s.read_pct // 0) as $r
  | right($s; $r; "read") and right($s; 100 - $r; "write")
  and .elapsed > 0)
' "$1" >/dev/null
