#!/usr/bin/env bash
# Makes each file system that this system can make, measures on it with the command line, and looks at what
# is said of the numbers: they are valid, or the doubt about them is named.
#
#   cmd/dev/check-filesystems.sh [-c PROGRAM] [-d FOLDER] [-t TIME] [NAME...]
#
#   -c   the command line to look at; if none is named what is needed is installed and it is built
#   -d   where images of drives are kept, on a drive; /var/tmp if none is named
#   -t   measured time of each row, 1s if not said; less makes numbers that are too short
#
# A NAME is a pattern of the names below: 'btrfs*'. Needed are root and bash, coreutils, util-linux, kmod,
# e2fsprogs and jq; what else a file system needs is looked for. Drives are loop devices on images of their
# own. Each file system prints a line, one that cannot be made here with the reason; the exit status is 1 if
# one failed or none was looked at.
set -uo pipefail

# What is made, and what must be said of it:
#
#   name    as it is printed
#   below   what it lies on, one of the functions below_*
#   make    what makes it there; - for what is not made
#   mount   what mounts it: a command or a function, which gets the device and the place
#   folder  where is tested there, one of the functions folder_*
#   counts  what the devices have moved by their own counters beside what was asked for: = the same,
#           + at least that, - not looked at, since the doubts say that it is not the drive that was measured
#   says    the doubts, in alphabetical order: with "buffered" it must be refused without --buffered first,
#           and "refused: PATTERN" is all that must happen. A "?" behind a doubt: with or without.
table='
ext4                  | direct  | mkfs.ext4 -q            | mount -t ext4                | top     | = |
ext4-ordered-noatime  | direct  | mkfs.ext4 -q            | mount -t ext4 -o noatime     | below   | = |
ext4-no-journal       | direct  | mkfs.ext4 -q -O ^has_journal | mount -t ext4           | top     | = |
ext4-data-journal     | direct  | mkfs.ext4 -q            | mount -t ext4 -o data=journal| top     | - | buffered cached?
ext4-encrypted        | direct  | mkfs.ext4 -q -O encrypt | mount -t ext4                | encrypted | - | buffered cached?
ext4-read-only        | direct  | mkfs.ext4 -q            | mount -t ext4 -o ro          | top     | - | refused: read-only
ext4-loop-cached      | cached  | mkfs.ext4 -q            | mount -t ext4                | top     | = | cached
ext4-loop-in-memory   | memory  | mkfs.ext4 -q            | mount -t ext4                | top     | = | cached
ext4-loop-on-ext4     | nested  | mkfs.ext4 -q            | mount -t ext4                | top     | = |
ext2                  | direct  | mkfs.ext2 -q            | mount -t ext2                | top     | = |
xfs                   | direct  | mkfs.xfs -q             | mount -t xfs                 | top     | = |
xfs-cloned            | direct  | mkfs.xfs -q             | mount -t xfs                 | cloned  | + | cloned
btrfs                 | direct  | mkfs.btrfs -q           | mount -t btrfs               | top     | + | copy-on-write
btrfs-nodatasum       | direct  | mkfs.btrfs -q           | mount -t btrfs -o nodatasum  | top     | + | copy-on-write
btrfs-nodatacow       | direct  | mkfs.btrfs -q           | mount -t btrfs -o nodatacow  | top     | = |
btrfs-folder-nocow    | direct  | mkfs.btrfs -q           | mount -t btrfs               | nocow   | = |
btrfs-zstd            | direct  | mkfs.btrfs -q           | mount -t btrfs -o compress=zstd | top  | + | compressed copy-on-write
btrfs-folder-zstd     | direct  | mkfs.btrfs -q           | mount -t btrfs               | packed  | + | compressed copy-on-write
btrfs-mirror          | pair    | mkfs.btrfs -q -d raid1 -m raid1 | mount -t btrfs       | top     | + | copy-on-write
bcachefs              | direct  | mkfs.bcachefs -q        | mount -t bcachefs            | top     | + | copy-on-write
f2fs                  | direct  | mkfs.f2fs -q            | mount -t f2fs                | top     | + |
nilfs2                | direct  | mkfs.nilfs2 -q          | mount -t nilfs2              | top     | + | short?
vfat                  | direct  | mkfs.vfat               | mount -t vfat                | top     | = |
exfat                 | direct  | mkfs.exfat              | mount -t exfat               | top     | = |
ntfs3                 | direct  | mkfs.ntfs -q -Q -F      | mount -t ntfs3               | top     | = |
ntfs-3g               | direct  | mkfs.ntfs -q -Q -F      | ntfs-3g                      | top     | - | cached
fuse2fs               | direct  | mkfs.ext4 -q            | fuse2fs -o rw                | top     | - | cached
fuse                  | direct  | mkfs.ext4 -q            | on_ext4 bindfs               | top     | - | no-counters
fuse-direct           | direct  | mkfs.ext4 -q            | on_ext4 bindfs -o direct_io  | top     | - | no-counters
tmpfs                 | nothing | -                       | mount -t tmpfs -o size=512m  | top     | - | buffered cached?
overlay               | direct  | mkfs.ext4 -q            | on_ext4 overlay              | top     | = |
overlay-in-memory     | nothing | -                       | on_tmpfs overlay             | top     | - | buffered cached?
squashfs              | direct  | squash                  | mount -t squashfs            | top     | - | refused: read-only|image
ext4-dm-crypt         | crypt   | mkfs.ext4 -q            | mount -t ext4                | top     | = | short?
ext4-lvm              | lvm     | mkfs.ext4 -q            | mount -t ext4                | top     | = |
ext4-raid0            | raid0   | mkfs.ext4 -q            | mount -t ext4                | top     | = |
ext4-raid1            | raid1   | mkfs.ext4 -q            | mount -t ext4                | top     | = |
'

# Doubts that depend on the moment, on the computer and on what else uses its drive, not on the file system.
# That nothing else is on the path is found out with the loop device's own counters here.
passing='["noisy", "cpu-limited", "other-io", "late", "cache-ended", "small-span", "battery", "power-saving",
    "not-rested", "throttled", "space-changed", "engine-fallback"]'

say() { printf '%s\n' "$*"; }
die() {
    say "check-filesystems: $*" >&2
    exit 1
}

cli='' where=/var/tmp time=1s
while getopts c:d:t: option; do
    case $option in
    c) cli=$(realpath -e "$OPTARG") || exit 2 ;;
    d) where=$OPTARG ;;
    t) time=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
wanted=("$@")
[ "$(id -u)" = 0 ] || die "making and mounting file systems needs root."

PATH=$PATH:/usr/sbin:/sbin
for tool in jq losetup mkfs.ext4 filefrag; do
    if [ -n "$cli" ]; then command -v $tool >/dev/null || die "$tool is not installed."; fi
done
export LC_ALL=C
work=$(mktemp -d "$where/check-filesystems-XXXXXX") || exit 1
out=$work/out err=$work/err
undo=() # what takes down what was made, last things last
passed=0 failed=0 skipped=0
running='' # the run in progress

# take_down undoes what was made, in reverse order. What does not go at once is busy with an observer.
take_down() {
    local i n
    for ((i = ${#undo[@]} - 1; i >= 0; i--)); do
        for n in 1 2 3 4 5; do
            if eval "${undo[i]}" 2>"$work/undo"; then break; fi
            if [ $n = 5 ]; then say "        could not undo: ${undo[i]}: $(tail -n 1 "$work/undo")"; fi
            sleep 0.2
        done
    done
    undo=()
}
cleanup() {
    if [ -n "$running" ]; then
        pkill -CONT -P "$running"
        kill "$running" 2>/dev/null
        wait "$running" 2>/dev/null
    fi
    take_down
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# has_fs TYPE: the kernel knows the file system.
has_fs() { grep -qw "$1" /proc/filesystems || { modprobe -q "$1" 2>/dev/null && grep -qw "$1" /proc/filesystems; }; }
has_target() { modprobe -q dm-mod; modprobe -q "dm-$1"; command -v dmsetup >/dev/null && dmsetup targets 2>/dev/null | grep -q "^$1 "; }
has_raid() { modprobe -q md-mod; modprobe -q "$1"; grep -qw "$1" /proc/mdstat 2>/dev/null; }

# no REASON: it cannot be made here. yes, it is a reason not to look, and no failure.
no() {
    reason=$*
    return 1
}

# image NAME [MIB] makes an empty image of a drive and prints its name.
image() { truncate -s "${2:-1024}M" "$1" && printf '%s' "$1"; }

# attach IMAGE [--direct-io=on] makes a loop device of an image and puts its name into $device.
attach() {
    device=$(losetup --find --show "${@:2}" "$1" 2>>"$err") || no "no loop device: $(tail -n 1 "$err")" || return
    undo+=("losetup -d $device")
}
is_direct() { [ "$(cat "/sys/block/${device#/dev/}/loop/dio")" = 1 ] || no "no loop device with direct I/O on $work"; }

# The functions below_* put what to make a file system on into $device, and into $counting the devices whose
# counters tell what it has moved.
below_nothing() { device=none counting=(); }
below_direct() {
    attach "$(image "$work/a.img")" --direct-io=on && is_direct || return
    counting=("$device")
}
below_cached() {
    attach "$(image "$work/a.img")" --direct-io=off || return
    counting=("$device")
}
below_memory() {
    mkdir "$work/memory" && mount -t tmpfs -o size=1200m check "$work/memory" && undo+=("umount $work/memory") || return
    attach "$(image "$work/memory/a.img")" || return
    counting=("$device")
}
below_nested() {
    attach "$(image "$work/a.img" 1536)" --direct-io=on && is_direct && mkdir "$work/outer" || return
    mkfs.ext4 -q "$device" && mount "$device" "$work/outer" && undo+=("umount $work/outer") || return
    attach "$(image "$work/outer/a.img")" --direct-io=on && is_direct || return
    counting=("$device")
}
below_pair() {
    local first
    attach "$(image "$work/a.img")" --direct-io=on && is_direct || return
    first=$device
    attach "$(image "$work/b.img")" --direct-io=on || return
    counting=("$first" "$device") device="$first $device"
}
below_crypt() {
    has_target crypt || no "the kernel has no dm-crypt" || return
    local name=check-filesystems-$$
    below_direct && head -c 64 /dev/urandom >"$work/key" || return
    cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 "$device" "$work/key" 2>>"$err" &&
        cryptsetup open --key-file "$work/key" "$device" "$name" 2>>"$err" && undo+=("cryptsetup close $name") || return
    device=/dev/mapper/$name
}
below_lvm() {
    has_target linear || no "the kernel has no device mapper" || return
    local group=check_filesystems_$$
    below_direct && vgcreate -q -q "$group" "$device" 2>>"$err" && undo+=("vgremove -q -q -f $group") || return
    lvcreate -q -q -W n -l 100%FREE -n volume "$group" 2>>"$err" || return
    device=/dev/$group/volume
}
below_raid0() { raid raid0; }
below_raid1() { raid raid1; }
raid() {
    has_raid "$1" || no "the kernel has no md $1" || return
    local n=90 members
    while [ -e "/sys/block/md$n" ]; do n=$((n + 1)); done
    below_pair || return
    read -ra members <<<"$device"
    mdadm --quiet --create "/dev/md$n" --run --level "$1" --raid-devices 2 --assume-clean "${members[@]}" >>"$err" 2>&1 &&
        undo+=("mdadm --quiet --stop /dev/md$n") || return
    device=/dev/md$n counting=("/dev/md$n")
}

# on_ext4 COMMAND... DEVICE PLACE mounts the device and has the command make the place of a folder of it.
on_ext4() {
    mkdir "$work/lower" && mount -t ext4 "${*: -2:1}" "$work/lower" && undo+=("umount $work/lower") || return
    mkdir "$work/lower/below" && "${@:1:$#-2}" "$work/lower/below" "${*: -1}"
}
on_tmpfs() {
    mkdir "$work/lower" && mount -t tmpfs -o size=512m check "$work/lower" && undo+=("umount $work/lower") || return
    mkdir "$work/lower/below" && "${@:1:$#-2}" "$work/lower/below" "${*: -1}"
}
squash() { mkdir "$work/lower" && echo squashed >"$work/lower/file" && mksquashfs "$work/lower" "$1" -quiet -no-progress -noappend; }
overlay() {
    mkdir "$1/low" "$1/up" "$1/work" && mount -t overlay -o "lowerdir=$1/low,upperdir=$1/up,workdir=$1/work" check "$2"
}

# The functions folder_* put the folder to test in into $target.
folder_top() { target=$point; }
folder_below() { target=$point/some/where && mkdir -p "$target"; }
folder_cloned() { target=$point; }
folder_nocow() { target=$point/nocow && mkdir "$target" && chattr +C "$target"; }
folder_packed() { target=$point/packed && mkdir "$target" && chattr +c "$target"; }
folder_encrypted() {
    command -v xfs_io >/dev/null || no "xfs_io is not installed" || return
    local key
    target=$point/locked && mkdir "$target" || return
    key=$(head -c 64 /dev/urandom | xfs_io -c add_enckey "$point" 2>>"$err" | grep -oE '[0-9a-f]{32}') ||
        no "no encryption of folders: $(tail -n 1 "$err")" || return
    xfs_io -c "set_encpolicy -v 2 $key" "$target" 2>>"$err"
}

# needs COMMAND... looks for the programs and the file systems in the kernel that a line of the table names.
needs() {
    local words word type=''
    read -ra words <<<"$*"
    for word in "${words[@]}"; do
        case $word in
        mkfs.* | bindfs | fuse2fs | ntfs-3g) command -v "$word" >/dev/null || no "$word is not installed" || return ;;
        squash) command -v mksquashfs >/dev/null || no "mksquashfs is not installed" || return ;;
        overlay) has_fs overlay || no "the kernel has no overlay" || return ;;
        esac
        if [ "$type" = -t ]; then has_fs "$word" || no "the kernel has no $word" || return; fi
        type=$word
        if [[ $word =~ ^(bindfs|fuse2fs|ntfs-3g)$ ]]; then has_fs fuse || no "the kernel has no fuse" || return; fi
    done
    case $below in
    crypt) command -v cryptsetup >/dev/null || no "cryptsetup is not installed" ;;
    lvm) command -v vgcreate >/dev/null || no "lvm2 is not installed" ;;
    raid*) command -v mdadm >/dev/null || no "mdadm is not installed" ;;
    esac
}

# build makes and mounts what the line of the table says, and sets $target. With a $reason it cannot be here.
build() {
    needs "$make" "$mount" && "below_$below" || return
    local devices
    read -ra devices <<<"$device"
    # The columns make and mount are commands with arguments.
    # shellcheck disable=SC2086
    if [ "$make" != - ]; then
        $make "${devices[@]}" >>"$err" 2>&1 || return
    fi
    mkdir "$point" || return
    # shellcheck disable=SC2086
    $mount "${devices[0]}" "$point" >>"$err" 2>&1 || return
    undo+=("umount $point && rmdir $point")
    "folder_$folder"
}

# moved prints how many bytes the devices have read and written.
moved() {
    local d read=0 write=0 stat
    for d in "${counting[@]}"; do
        read -ra stat <"/sys/class/block/$(basename "$(realpath "$d")")/stat"
        read=$((read + 512 * stat[2])) write=$((write + 512 * stat[6]))
    done
    say "$read $write"
}

# measure [--buffered] runs the rows; its exit status goes to $status, its result to $result.
measure() {
    local before after size=64MiB
    if [ "$folder" = cloned ]; then size=384MiB; fi
    read -ra before < <(moved)
    "$cli" run cdm-peak --target "$target" --size $size --time "$time" --loops 1 --pause 0s --yes --json --no-save \
        --data "$work/data" "$@" >"$out" 2>"$err" </dev/null &
    running=$!
    if [ "$folder" = cloned ]; then clone_of $running; fi
    wait $running
    status=$? running=''
    read -ra after < <(moved)
    # compared takes them by name.
    # shellcheck disable=SC2034
    device_read=$((after[0] - before[0])) device_write=$((after[1] - before[1]))
    result=$(tail -n 1 "$out" | jq 'select(.type == "result").result')
}
ask() { jq -r "$1" <<<"$result"; }

# clone_of PROCESS makes a clone of what it has written of its test file while it still writes it, as another
# program might do. It holds the process that writes until something is there to be cloned.
clone_of() {
    local try child file
    for ((try = 0; try < 400; try++)); do
        sleep 0.005
        child=$(pgrep -P "$1") || continue
        kill -STOP "$child" 2>/dev/null || continue
        file=$(find "/proc/$1/fd" -lname "$target/*" -print -quit)
        if [ -n "$file" ] && filefrag -v "$file" 2>/dev/null | grep -E '^ *[0-9]+:' | grep -qv unwritten; then
            cp --reflink=always "$file" "$point/clone" 2>"$work/undo"
            kill -CONT "$child"
            return
        fi
        kill -CONT "$child"
    done
}

# compared looks at what the devices have moved beside what was asked for: never less, and if it must be the
# same, no more than what the file system notes down for itself.
compared() {
    local asked what has
    for what in read write; do
        asked=$(ask "[.file.moved, .measurements[].moved | .${what}_bytes] | add") has=device_$what
        has=${!has}
        if [ $((has * 100)) -lt $((asked * 98)) ]; then
            fault="the device $what $has bytes of $asked"
            return 1
        fi
        if [ "$counts" = = ] && [ "$has" -gt $((asked + asked / 10 + (16 << 20))) ]; then
            fault="the device $what $has bytes, only $asked were asked for"
            return 1
        fi
    done
}

# judged looks at the last run, which had to end well and say what $1 says. $fault is what is wrong.
judged() {
    local said pattern=''
    local word
    if [ "$status" != 0 ]; then
        fault="exit status $status: $(tail -n 2 "$err" | tr '\n' ' ')$(ask '.failure // empty | tostring')"
        return 1
    fi
    said=$(ask "[.warnings[]?.code] | unique - $passing | join(\" \")")
    badges=$(ask '[.warnings[]?.code] | unique | join(" ")')
    for word in $1; do
        if [ "${word%\?}" != "$word" ]; then pattern+="(${word%\?} )?"; else pattern+="$word "; fi
    done
    if ! [[ "${said:+$said }" =~ ^$pattern$ ]]; then
        fault="said: ${said:-nothing}; wanted: ${1:-nothing}; layers: $(ask '[.plan.target.layers[]?.kind] | join(" ")')"
        return 1
    fi
    if [ "$(ask '[.measurements[] | select(.step.loop > 0)] | length == 4 and all(.read.bytes + .write.bytes > 0)')" != true ]; then
        fault="not all rows are measured"
        return 1
    fi
    if [ "$counts" != - ]; then compared; fi
}

# refused PATTERN: the last run had to end with one line that matches and to leave nothing.
refused() {
    if [ "$status" = 1 ] && [ "$(wc -l <"$err")" = 1 ] && grep -qiE -e "$1" "$err"; then return; fi
    fault="not refused: exit status $status, $(tail -n 2 "$err" | tr '\n' ' ')"
    return 1
}

# verdict measures on what was built.
verdict() {
    case $says in
    refused:*)
        measure
        badges="refused, ${says#refused: }"
        refused "${says#refused: }"
        return
        ;;
    *buffered*)
        measure
        refused "direct" || return
        measure --buffered
        ;;
    *) measure ;;
    esac
    judged "$says" || return
    if [ -n "$(find "$target" -mindepth 1 -not -name lost+found -not -name .nilfs -not -name clone)" ]; then
        fault="files are left: $(find "$target" -mindepth 1 -printf "%P ")"
        return 1
    fi
}

# rate prints the rates of a row, read and write, of the last run.
rate() {
    ask "[.measurements[] | select(.step.loop > 0 and (.step.workload | startswith(\"$1\")))
        | (.read.bytes + .write.bytes) / .elapsed * 1000 | . * 10 | round / 10] | join(\" / \")"
}

check() {
    local reason='' fault='' badges='' result='' device='' counting=() target='' point=$work/point
    : >"$err"
    if ! build; then
        if [ -n "$reason" ]; then
            skipped=$((skipped + 1))
            printf 'skipped %-21s %s\n' "$name" "$reason"
        else
            failed=$((failed + 1))
            printf 'FAILED  %-21s cannot be made: %s\n' "$name" "$(tail -n 2 "$err" | tr '\n' ' ')"
        fi
    elif verdict; then
        passed=$((passed + 1))
        printf 'ok      %-21s' "$name"
        if [ -n "$result" ]; then printf ' SEQ1M %s MB/s, RND4K %s MB/s:' "$(rate seq1m)" "$(rate rnd4k)"; fi
        printf ' %s\n' "${badges:-valid}"
    else
        failed=$((failed + 1))
        printf 'FAILED  %-21s %s\n' "$name" "$fault"
    fi
    take_down
    rm -rf --one-file-system "${work:?}"/{a.img,b.img,memory,outer,lower,key}
}

# chosen NAME: it is asked for.
chosen() {
    local pattern
    if [ ${#wanted[@]} = 0 ]; then return 0; fi
    for pattern in "${wanted[@]}"; do
        # shellcheck disable=SC2053 # it is a pattern
        if [[ $1 == $pattern ]]; then return 0; fi
    done
    return 1
}
trim() { local s=$1; s=${s#"${s%%[! ]*}"}; printf '%s' "${s%"${s##*[! ]}"}"; }

if [ -z "$cli" ]; then
    cli=$work/cachecliff-cli
    "$(dirname "$0")/setup.sh" go filesystems || exit 1
    (cd "$(dirname "$0")/../.." && CGO_ENABLED=0 go build -buildvcs=false -tags gles,migrated_fynedo -o "$cli" ./cmd/cachecliff-cli) || exit 1
fi
# The last column may have a | in it.
while IFS='|' read -r -u 3 name below make mount folder counts says; do
    name=$(trim "$name") below=$(trim "$below") make=$(trim "$make") mount=$(trim "$mount")
    folder=$(trim "$folder") counts=$(trim "$counts") says=$(trim "$says")
    if [ -n "$name" ] && chosen "$name"; then check; fi
done 3<<<"$table"
say "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed -gt 0 ]
