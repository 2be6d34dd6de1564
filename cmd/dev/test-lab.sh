#!/usr/bin/env bash
# Checks, in a virtual PC with drives of its own (cmd/dev/lab.sh), what needs a kernel or drives that this
# system may not have.
#
#   cmd/dev/test-lab.sh [-c PROGRAM] [PART...]
#
#   -c   the command line to look at; bin/cachecliff-cli if none is named
#
#   drives        what is said of drives, their temperatures and health, and what lies between a file system and
#                 a drive; as root, as nobody and through UDisks2, and beside smartctl; drives that sleep, fail, do not answer or are
#                 missing in a mirror
#   fill          a fill test on a drive whose write cache runs out, and on one that cannot write a sector
#   pulled        drives that are pulled out while they are measured
#   copies        copies on exFAT, FAT and NTFS, every byte of them
#   filesystems   file systems that many kernels and computers lack
#   everything    in place of that: each line of the table in cmd/dev/check-filesystems.sh
#
# Without a PART: drives, fill, pulled, copies and filesystems, in about ten minutes where the processor is emulated. Each
# starts a virtual PC. What is checked prints a line that begins with ok, FAILED or skipped; the exit status is
# 1 if something failed or nothing was looked at.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cli=$here/../../bin/cachecliff-cli
uncommon=('ext4-encrypted' 'f2fs' 'nilfs2' 'bcachefs' 'vfat' 'exfat' 'ntfs*' 'ext4-dm-crypt' 'ext4-lvm' 'ext4-raid*' 'xfs*')

say() { printf '%s\n' "$*"; }

# part NAME SECONDS LAST COMMAND... runs it in a virtual PC. What a PC says that could not run it to its end is kept,
# too, and a line of LAST, a pattern, has to tell that it came there.
part() {
    local status=0 before after first
    say "== $1"
    before=$(grep -c '^FAILED' "$log") || true
    first=$(($(wc -l <"$log") + 1))
    LAB_TIMEOUT=$2 "$here/lab.sh" run "${@:4}" 2>&1 | tee -a "$log" || status=$?
    after=$(grep -c '^FAILED' "$log") || true
    if [ "$status" != 0 ] && [ "$before" = "$after" ]; then
        say "FAILED  $1: exit status $status" | tee -a "$log"
    elif ! tail -n "+$first" "$log" | grep -Eq "$3"; then
        say "FAILED  $1: it did not come to its end" | tee -a "$log"
    fi
}

while getopts c: option; do
    case $option in
    c) cli=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ $# = 0 ]; then set -- drives fill pulled copies filesystems; fi
cli=$(realpath -e "$cli") || exit 2
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for name in "$@"; do
    case $name in
    drives) part "$name" 600 '^every check ended' "$here/lab/check.sh" "$cli" drives smart udisks health layers faults raid ;;
    fill) LAB_CACHE=20M,100M,5 LAB_WORN=write_aio part "$name" 500 '^every check ended' "$here/lab/check.sh" "$cli" fill ;;
    pulled) part "$name" 200 '^every check ended' "$here/lab/check.sh" "$cli" pulled ;;
    copies) part "$name" 400 '^[0-9]+ passed, ' "$here/lab/copies.sh" "$cli" exfat vfat ntfs3 ;;
    filesystems) part "$name" 500 '^[0-9]+ passed, ' "$here/lab/filesystems.sh" "$cli" "${uncommon[@]}" ;;
    everything) part "$name" 1200 '^[0-9]+ passed, ' "$here/lab/filesystems.sh" "$cli" ;;
    *)
        say "test-lab: there is no part $name" >&2
        exit 2
        ;;
    esac
done

passed=$(grep -c '^ok ' "$log") || true
failed=$(grep -c '^FAILED ' "$log") || true
skipped=$(grep -c '^skipped ' "$log") || true
say "== $passed passed, $failed failed, $skipped skipped"
grep -A 1 -E '^(FAILED|skipped) ' "$log" | grep -E '^(FAILED|skipped| )' || true
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
