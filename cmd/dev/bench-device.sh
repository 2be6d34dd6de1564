# shellcheck shell=bash
# Makes the devices that bench-loop.sh, bench-throttled.sh and bench-delayfs.sh measure on; to be sourced by
# them. It sets $benchfio (the program with its options), $loop (the device) and $mnt (where it is mounted),
# and takes away at exit what it has made, and nothing else.

if [ "$(id -u)" -ne 0 ]; then
    echo "Loop devices, throttles and file systems need root." >&2
    exit 1
fi
cmd/dev/setup.sh fio

work=$(mktemp -d /tmp/bench-device-XXXXXX)
mnt=$work/mnt
mkdir "$mnt"
loop='' group='' daemon=''

remove_device() {
    set +e # whatever fails, the rest is taken away all the same
    local pid
    if [ -n "$group" ]; then
        # A group goes away only when nobody is in it.
        while read -r pid; do echo "$pid" >"$home/$procs"; done <"$group/$procs"
        rmdir "$group"
    fi
    for _ in 1 2 3 4 5; do # a program that was killed may hold the file for a moment
        if ! mountpoint -q "$mnt" || umount "$mnt"; then break; fi
        sleep 1
    done
    if [ -n "$daemon" ]; then wait "$daemon"; fi # it ends when nothing is mounted any more
    if [ -n "$loop" ]; then losetup -d "$loop"; fi
    if mountpoint -q "$work/ram"; then umount "$work/ram"; fi
    rm -rf --one-file-system "$work"
}
trap remove_device EXIT
trap 'exit 130' INT TERM

# bin/ is left alone, so that a build meanwhile does not change what is measured.
if [ -n "${BENCH_BIN:-}" ]; then
    bin=$BENCH_BIN
else
    bin=$work
    cmd/dev/bench-build.sh "$bin"
fi
# The scripts that source this use it.
# shellcheck disable=SC2034
benchfio=("$bin/benchfio" -cli "$bin/cachecliff-cli" -dir "$mnt")

# make_device makes a loop device over a file in memory, past the page cache, and mounts ext4 on it. The
# memory is taken in huge pages where the system has them: how pieces of the file lie in memory decides the
# cost of large blocks, and would differ from file to file. The device is little larger than the test file
# of FILE MiB, so that every test file lies in the same place.
make_device() {
    local size=$(($1 + $1 / 4))
    mkdir "$work/ram"
    mount -t tmpfs -o "size=$((size + 64))M,huge=always" bench-device "$work/ram" 2>/dev/null ||
        mount -t tmpfs -o "size=$((size + 64))M" bench-device "$work/ram"
    fallocate -l "${size}M" "$work/ram/image"
    loop=$(losetup -f --show --direct-io=on "$work/ram/image")
    mkfs.ext4 -q -m 0 "$loop"
    mount "$loop" "$mnt"
}

# throttle IOPS BYTES limits what this shell and its children may ask of the device, each way.
throttle() {
    local number way
    number=$(cat "/sys/block/${loop#/dev/}/dev")
    if [ -e /sys/fs/cgroup/blkio/blkio.throttle.read_iops_device ]; then
        home=/sys/fs/cgroup/blkio procs=cgroup.procs
        group=$home/bench-device-$$
        mkdir "$group"
        for way in read write; do
            echo "$number $1" >"$group/blkio.throttle.${way}_iops_device"
            echo "$number $2" >"$group/blkio.throttle.${way}_bps_device"
        done
    elif grep -qw io /sys/fs/cgroup/cgroup.controllers 2>/dev/null; then
        home=/sys/fs/cgroup procs=cgroup.procs
        echo +io >"$home/cgroup.subtree_control"
        group=$home/bench-device-$$
        mkdir "$group"
        echo "$number riops=$1 wiops=$1 rbps=$2 wbps=$2" >"$group/io.max"
    else
        echo "There is neither the blkio controller (cgroup v1) nor the io controller (v2) to throttle with." >&2
        exit 1
    fi
    echo $$ >"$group/$procs"
}

# make_delayfs mounts delayfs, which sees its own end when it is unmounted.
make_delayfs() {
    cmd/dev/setup.sh delayfs
    # The words of pkg-config are options.
    # shellcheck disable=SC2046
    "${CC:-gcc}" -O2 -Wall -o "$work/delayfs" cmd/dev/delayfs/delayfs.c $(pkg-config --cflags --libs fuse3) -lpthread
    setsid "$work/delayfs" "$mnt" & # Ctrl-C is for the programs that measure
    daemon=$!
    for _ in $(seq 100); do
        if mountpoint -q "$mnt"; then return; fi
        if ! kill -0 "$daemon" 2>/dev/null; then break; fi
        sleep 0.1
    done
    echo "delayfs could not be mounted." >&2
    exit 1
}
