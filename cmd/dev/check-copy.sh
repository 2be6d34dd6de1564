#!/usr/bin/env bash
# Copies on each file system that this system can make, and looks at what became of it: every byte is there, copies
# have blocks of their own unless clones were asked for, and those are told. Then sets the copy beside cp.
#
#   cmd/dev/check-copy.sh [-c PROGRAM] [-d FOLDER] [-r ROUNDS] [-s SIZE] [NAME...]
#
#   -c   the command line to look at; if none is named what is needed is installed and it is built
#   -d   where images of drives are kept, on a drive; /var/tmp if none is named
#   -r   rounds of the comparison with cp, 5 if not said
#   -s   size of the tree that is made up, 256MiB if not said
#
# A NAME is ext4, xfs, btrfs, tmpfs, exfat, vfat, ntfs3, or cp for the comparison. Needed are root and bash, coreutils,
# util-linux, e2fsprogs and jq; what else a file system needs is looked for. The exit status is 1 if one failed.
set -uo pipefail

say() { printf '%s\n' "$*"; }
cli='' where=/var/tmp rounds=5 size=256MiB
while getopts c:d:r:s: option; do
    case $option in
    c) cli=$(realpath -e "$OPTARG") || exit 2 ;;
    d) where=$OPTARG ;;
    r) rounds=$OPTARG ;;
    s) size=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
wanted=("${@:-ext4 xfs btrfs tmpfs exfat vfat ntfs3 cp}")
read -ra wanted <<<"${wanted[*]}"
[ "$(id -u)" = 0 ] || {
    say "check-copy: making and mounting file systems needs root." >&2
    exit 1
}
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C
work=$(mktemp -d "$where/check-copy-XXXXXX") || exit 1
point=$work/point source=$work/source out=$work/out err=$work/err
device='' number='' blkio=/sys/fs/cgroup/blkio
failed=0 passed=0

take_down() {
    local n
    if [ -n "$number" ]; then limit 0; fi
    number=''
    for n in 1 2 3 4 5; do
        mountpoint -q "$point" || break
        umount "$point" 2>/dev/null || sleep 0.3
    done
    if [ -n "$device" ]; then losetup -d "$device"; fi
    device=''
    if mountpoint -q "$work/ram"; then umount "$work/ram"; fi
    rm -f "$work/image"
}
trap 'take_down; rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM HUP

# fault TEXT: what is looked at is not as it must be.
fault() {
    failed=$((failed + 1))
    say "FAILED  $*"
    return 1
}

# build FILESYSTEM makes and mounts one. Status 2: it cannot be had here.
build() {
    mkdir -p "$point"
    if [ "$1" = tmpfs ]; then
        mount -t tmpfs -o size=1500m check "$point"
        return
    fi
    local make="mkfs.$1 -q"
    case $1 in
    vfat | exfat) make="mkfs.$1" ;;
    ntfs3) make="mkfs.ntfs -q -Q -F" ;;
    esac
    command -v "${make%% *}" >/dev/null || return 2
    grep -qw "$1" /proc/filesystems || modprobe -q "$1" 2>/dev/null || return 2
    truncate -s 2G "$work/image"
    device=$(losetup --find --show --direct-io=on "$work/image") || return
    # shellcheck disable=SC2086 # a command with its options
    $make "$device" >/dev/null 2>"$err" || return
    mount -t "$1" "$device" "$point"
}

# odd_source makes a folder with what users' folders may hold. It lies on another file system than the copies.
odd_source() {
    mkdir -p "$source/a folder/deeper/Häuser" "$source/empty" && (
        cd "$source" && mkdir $'bad\xfe folder' && : >$'bad\xfe folder/file' && head -c 3000001 /dev/urandom >"a folder/odd size" && : >"a folder/nothing" &&
            head -c 70000 /dev/urandom >"a folder/deeper/Häuser/$(printf 'ö%.0s' {1..127})" && head -c 10 /dev/urandom >$'bad\xff name' &&
            ln -s .. "a folder/loop" && mkfifo pipe && ln "a folder/odd size" "a folder/another name" &&
            truncate -s 20M sparse && head -c 4096 /dev/urandom | dd of=sparse bs=4096 seek=1000 conv=notrunc status=none
    )
}

# copy ARGUMENT... runs a copy in the mounted file system and leaves its result in $result.
copy() {
    mkdir -p "$point/target"
    "$cli" run copy-duplicate-quick --target "$point/target" --pause 0s --json --no-save "$@" >"$out" 2>"$err" </dev/null ||
        fault "$fs $*: $(tail -n 1 "$err")" || return
    result=$(tail -n 1 "$out" | jq 'select(.type == "result").result')
    if [ -n "$(ls -A "$point/target")" ]; then fault "$fs $*: $(ls -A "$point/target") is left"; fi
}
ask() { jq -r "$1" <<<"$result"; }
copies='[.measurements[] | select(.step.kind == "copy").copy]'

# verified ARGUMENT... runs a copy with verification, each file of which must be the same.
verified() {
    copy --verify --loops 2 "$@" || return
    [ "$(ask "$copies | length == 2 and all(.verified.files == .files and .files > 0 and .verified.differ == null)")" = true ] ||
        fault "$fs $*: not all that was copied is the same: $(ask "$copies | map(.verified)")"
}

# own: the copies have blocks of their own; where extents are not told there is nothing to see.
own() {
    [ "$(ask "$copies | all(.shared == 0 or .shared == null)")" = true ] || fault "$fs $*: copies share blocks: $(ask "$copies | map(.shared)")"
}

check() {
    verified --size "$size" && own made && say "ok      $fs: $(ask "$copies | .[0].files") files made and copied by $(ask "$copies | .[0].engines[0]"), verified"
    verified --source "$source" && own mine || return
    local count missing
    count=$(ask '.plan.source | "\(.files) \(.links) \(.skipped.count) \(.shared) \(.sparse)"')
    missing=$(ask "$copies | .[0].skipped.count // 0")
    case $fs in
    vfat | exfat | ntfs3) [ "$missing" = 3 ] || fault "$fs: a file, a folder and the file in that cannot be had here: $(ask "$copies | .[0].skipped")" || return ;;
    *) [ "$missing" = 0 ] || fault "$fs: $missing files were left out: $(ask "$copies | .[0].skipped")" || return ;;
    esac
    [ "$count" = "7 1 1 2 1" ] || fault "$fs: files, links, left out, of several names, sparse: $count" || return
    say "ok      $fs: a folder of one's own copied, verified"
    if [ "$fs" != tmpfs ]; then
        verified --size 64MiB --way direct && own direct && say "ok      $fs: copied past the cache, verified"
    fi
    cloned
}

cloned() {
    local rate
    verified --size 64MiB --way clone || return
    case $fs in
    xfs | btrfs)
        rate=$(ask '[.warnings[]?.code] | index("cloned") != null')
        [ "$rate" = true ] && [ "$(ask "$copies | all(.shared > .bytes / 2)")" = true ] || fault "$fs: a clone was not found out: $(ask "$copies")" || return
        "$cli" run copy-duplicate-quick --target "$point/target" --size 16MiB --pause 0s --loops 1 --way clone --no-save >"$out" 2>"$err" </dev/null
        grep -q '^Copy 1 *cloned, not copied' "$out" && ! grep -q 'MB/s' "$out" || fault "$fs: a clone has a rate: $(cat "$out")" || return
        say "ok      $fs: clones are told, and have no rate"
        ;;
    *) own "no clones here" ;;
    esac
}

# limit BYTES limits the device, each way, for all, those that write the page cache back as well.
limit() {
    local way
    for way in read write; do echo "$number $1" >"$blkio/blkio.throttle.${way}_bps_device" || return; done
}

# quickest is the least of some times: what else the computer does only ever adds to one that the device decides.
quickest() { sort -n | head -n 1; }

# beside_cp copies the same tree in turn: ours, then cp -r and sync, the order reversed each other round. All begin
# with nothing in the page cache.
beside_cp() {
    local round ours=() theirs=() took start order
    fs=ext4
    mkdir -p "$work/ram" "$point" && mount -t tmpfs -o size=2100m check "$work/ram" && truncate -s 2G "$work/ram/image" &&
        device=$(losetup --find --show --direct-io=on "$work/ram/image") && mkfs.ext4 -q -m 0 "$device" && mount "$device" "$point" || return
    mkdir "$point/mine" && for n in $(seq 400); do head -c $((n * n * 12 + n)) /dev/urandom >"$point/mine/file $n" || return; done
    sync -f "$point"
    number=$(cat "/sys/block/${device#/dev/}/dev")
    [ -e "$blkio/blkio.throttle.read_bps_device" ] && limit $((100 << 20)) || {
        say "skipped cp: no blkio controller of cgroup 1"
        number=''
        return
    }
    for ((round = 0; round < rounds; round++)); do
        order="ours theirs"
        if ((round % 2)); then order="theirs ours"; fi
        for who in $order; do
            sync -f "$point" && echo 3 >/proc/sys/vm/drop_caches
            if [ "$who" = ours ]; then
                copy --source "$point/mine" --loops 1 || return
                took=$(ask '.measurements[] | select(.step.kind == "copy").elapsed')
                ours+=("$took")
            else
                start=$(date +%s%N)
                cp -r "$point/mine" "$point/theirs" && sync -f "$point" || return
                took=$(($(date +%s%N) - start))
                theirs+=("$took")
                rm -rf "$point/theirs"
            fi
        done
        say "        round $((round + 1)): ours $((ours[round] / 1000000)) ms, cp and sync $((theirs[round] / 1000000)) ms"
    done
    local a b ratio
    a=$(printf '%s\n' "${ours[@]}" | quickest) b=$(printf '%s\n' "${theirs[@]}" | quickest)
    ratio=$(awk -v a="$a" -v b="$b" 'BEGIN { printf "%.3f", a / b }')
    awk -v r="$ratio" 'BEGIN { exit !(r > 0.95 && r < 1.05) }' || fault "cp: ours takes $ratio of the time of cp and sync" || return
    passed=$((passed + 1))
    say "ok      cp: ours takes $ratio of the time of cp and sync, $(ask "$copies | .[0].files") files, $(ask "$copies | .[0].bytes / 1e6 | round") MB"
}

if [ -z "$cli" ]; then
    cli=$work/cachecliff-cli
    "$(dirname "$0")/setup.sh" go filesystems || exit 1
    (cd "$(dirname "$0")/../.." && CGO_ENABLED=0 go build -buildvcs=false -tags gles,migrated_fynedo -o "$cli" ./cmd/cachecliff-cli) || exit 1
fi
odd_source || exit 1
for fs in "${wanted[@]}"; do
    if [ "$fs" = cp ]; then
        beside_cp
    else
        build "$fs"
        case $? in
        0) check && passed=$((passed + 1)) ;;
        2) say "skipped $fs: it cannot be made or mounted here" ;;
        *) fault "$fs cannot be made: $(tail -n 1 "$err" 2>/dev/null)" ;;
        esac
    fi
    take_down
done
say "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
