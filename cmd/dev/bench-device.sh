# shellcheck shell=bash
# Makes the devices that bench-loop.sh and bench-throttled.sh measure on; to be sourced by them. It sets
# $benchfio (the program), $loop (the device) and $mnt (where it is mounted), and takes all away at exit.

if [ "$(id -u)" -ne 0 ]; then
    echo "Loop devices and throttles need root." >&2
    exit 1
fi
cmd/dev/setup.sh fio

work=$(mktemp -d /tmp/bench-device-XXXXXX)
benchfio=$work/benchfio
mnt=$work/mnt
loop='' group=''

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
    if [ -n "$loop" ]; then losetup -d "$loop"; fi
    if mountpoint -q "$work/ram"; then umount "$work/ram"; fi
    rm -rf --one-file-system "$work"
}
trap remove_device EXIT
trap 'exit 130' INT TERM

# make_device makes a loop device of 2 GiB over a file in memory, past the page cache, and mounts ext4 on it.
make_device() {
    CGO_ENABLED=0 go build -buildvcs=false -o "$benchfio" ./cmd/dev/benchfio
    mkdir "$work/ram" "$mnt"
    mount -t tmpfs -o size=3G bench-device "$work/ram"
    fallocate -l 2G "$work/ram/image"
    loop=$(losetup -f --show --direct-io=on "$work/ram/image")
    mkfs.ext4 -q "$loop"
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
