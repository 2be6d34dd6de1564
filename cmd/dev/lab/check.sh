#!/usr/bin/env bash
# Looks, inside the virtual PC, at what the command line says of its drives and of what goes wrong there.
#
#   cmd/dev/lab/check.sh PROGRAM CHECK...    checks: drives layers worn pulled degraded
#
# Each check prints a line; the exit status is 1 if one failed. Drives are taken as they are: each CHECK
# that pulls one out comes last.
set -uo pipefail

cli=$1
shift
work=$(mktemp -d /run/check-XXXXXX)
out=$work/out err=$work/err result=$work/result data=$work/data
failed=0
quick=(--time 300ms --loops 1 --pause 0s --yes --json --data "$data")

pass() { printf 'ok      %s\n' "$1"; }
fail() {
    failed=1
    printf 'FAILED  %s\n        %s\n' "$1" "${2//$'\n'/ }"
}
is() { if [ "$2" = "$3" ]; then pass "$1: ${3:-none}"; else fail "$1" "want $2, got $3"; fi; }
# like NAME PATTERN GOT
like() { if grep -qiE -e "$2" <<<"$3"; then pass "$1: $3"; else fail "$1" "does not match $2: $3"; fi; }

# on NAME: the serial numbers, which are all that is the same each time the PC is switched on.
on() { jq -r 'select(.type == "drive").drive | select(.serial == "'"$1"'") | '"$2" "$out"; }

# mounted DEVICE [MKFS...] makes a file system, ext4 if none is named, and mounts it at /mnt/target.
mounted() {
    local device=$1
    shift
    mkdir -p /mnt/target
    "${@:-mkfs.ext4}" -q "$device" >"$err" 2>&1 && mount "$device" /mnt/target 2>>"$err" && return
    fail "file system on $device" "$(tail -n 3 "$err")"
    return 1
}

# wiped DEVICE... makes drives empty for the next check.
wiped() {
    wipefs -qa "$@" >/dev/null 2>&1
    udevadm settle
}

# measure TEST... runs a row on /mnt/target; its status goes to $status and what it ends with to $result.
measure() {
    "$cli" run --target /mnt/target "${quick[@]}" "$@" >"$out" 2>"$err" </dev/null
    status=$?
    tail -n 1 "$out" | jq '.result // empty' >"$result"
}

# stack NAME LAYERS DRIVES: what is mounted is measured, and told to lie on those layers and drives. Badges
# that depend on time and on the computer are left out; what remains would be a number that is not the drive's.
stack() {
    measure SEQ1M Q8T1 R70 --size 32MiB
    if [ "$status" != 0 ]; then fail "$1: run" "exit status $status: $(tail -n 3 "$err")"; fi
    is "$1: layers" "$2" "$(jq -r '[.plan.target.layers[]?.kind] | join(" ")' "$result")"
    is "$1: drives" "$3" "$(jq -r '[.plan.target.drives[].serial] | sort | join(" ")' "$result")"
    is "$1: bytes that all drives have moved are known" true \
        "$(jq '[.measurements[].devices | length] | all(. == '"$(wc -w <<<"$3")"')' "$result")"
    is "$1: badges" "${4:-}" "$(jq -r '[.warnings[]?.code] | unique - ["short", "noisy", "cpu-limited", "late",
        "cache-ended", "small-span", "not-rested", "power-saving"] | join(" ")' "$result")"
}

check_drives() {
    "$cli" drives --json >"$out" 2>"$err"
    is "drives: listed" "LAB-NVME LAB-SATA LAB-USB LAB-WORN" \
        "$(jq -r 'select(.type == "drive").drive.serial' "$out" | sort | xargs)"
    is "nvme: bus, kind, model, size" "nvme no QEMU NVMe Ctrl 2147483648" "$(on LAB-NVME '"\(.bus) \(.rotational) \(.model) \(.capacity)"')"
    is "sata: bus, kind, model, size" "sata yes LAB-SATA 1073741824" "$(on LAB-SATA '"\(.bus) \(.rotational) \(.model) \(.capacity)"')"
    is "usb: bus, driver, model, size" "usb usb-storage QEMU HARDDISK 1073741824" "$(on LAB-USB '"\(.bus) \(.driver) \(.model) \(.capacity)"')"
    # The emulated NVMe drive always has 323 K (QEMU, hw/nvme/ctrl.c); the others have no thermometer.
    is "temperatures" "LAB-NVME 49850 LAB-WORN 49850" \
        "$(jq -r 'select(.type == "drive").drive | select(.temp_millic) | "\(.serial) \(.temp_millic)"' "$out" | sort | xargs)"
    mounted /dev/lab/nvme || return
    measure SEQ1M Q8T1 R100 --size 32MiB
    is "nvme: temperature during the run" 49850 "$(jq -s 'first(.[] | select(.type == "sampled").sample.drive[]?.temperatures[].millic)' "$out")"
    is "nvme: temperature before and after" "49850 49850" "$(jq -r '"\(.before.drives[0].health.temp_millic) \(.after.drives[0].health.temp_millic)"' "$result")"
    umount /mnt/target
    wiped /dev/lab/nvme
}

check_layers() {
    local key=$work/key
    head -c 64 /dev/urandom >"$key"

    printf 'label: gpt\n,\n' | sfdisk -q /dev/lab/usb && udevadm settle
    mounted "$(readlink -f /dev/lab/usb)1" && stack "partition on USB" partition LAB-USB
    umount /mnt/target && wiped "$(readlink -f /dev/lab/usb)1" /dev/lab/usb

    cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 /dev/lab/nvme "$key" &&
        cryptsetup open --key-file "$key" /dev/lab/nvme locked
    mounted /dev/mapper/locked && stack "LUKS on NVMe" luks LAB-NVME
    umount /mnt/target && wiped /dev/mapper/locked

    vgcreate -q -q pool /dev/mapper/locked && lvcreate -q -q -W n -L 1G -n volume pool
    mounted /dev/pool/volume && stack "LVM on LUKS on NVMe" "lvm luks" LAB-NVME
    umount /mnt/target && vgremove -q -q -f pool && cryptsetup close locked && wiped /dev/lab/nvme

    mdadm --quiet --create /dev/md0 --run --level 1 --raid-devices 2 --assume-clean /dev/lab/sata /dev/lab/usb
    mounted /dev/md0 && stack "RAID1 of SATA and USB" md "LAB-SATA LAB-USB"
    umount /mnt/target && mdadm --quiet --stop /dev/md0 && mdadm --zero-superblock /dev/lab/sata /dev/lab/usb

    vgcreate -q -q pool /dev/lab/nvme /dev/lab/sata && lvcreate -q -q -W n -i 2 -L 1G -n striped pool
    mounted /dev/pool/striped && stack "LVM stripes on NVMe and SATA" lvm "LAB-NVME LAB-SATA"
    umount /mnt/target && vgremove -q -q -f pool && wiped /dev/lab/nvme /dev/lab/sata

    modprobe btrfs
    mkdir -p /mnt/target
    mkfs.btrfs -q -f -m raid1 -d raid1 /dev/lab/nvme /dev/lab/usb && mount /dev/lab/nvme /mnt/target
    stack "btrfs mirror on NVMe and USB" btrfs "LAB-NVME LAB-USB" copy-on-write
    umount /mnt/target && wiped /dev/lab/nvme /dev/lab/usb
}

# ended NAME PATTERN: the run that failed said why in a line and left no process.
ended() {
    is "$1: exit status" 1 "$status"
    like "$1: says so" "$2" "$(cat "$err")"
    is "$1: lines of that" 1 "$(wc -l <"$err")"
    is "$1: processes left" 0 "$(pgrep -fc "^$cli run")"
}

# kept NAME PATTERN: what the run had measured is kept with the reason for its end.
kept() {
    is "$1: the result is kept" "$(jq -r .id "$result")" "$(basename -s .json "$data"/results/*.json)"
    like "$1: it shows a number" 'MB/s' "$("$cli" show latest --data "$data" 2>&1 | grep -m 1 MB/s)"
    like "$1: and why it ended" "$2" "$("$cli" show latest --data "$data" 2>&1 | grep -iE -m 1 -e "$2")"
}

# A file that covers the sector that cannot be read. The file system has no journal, which would lie there.
check_worn() {
    mounted /dev/lab/worn mkfs.ext4 -O ^has_journal || return
    measure SEQ1M Q1T1 R100 --size 384MiB
    ended "sector that cannot be read" "reported an error. save your data"
    umount /mnt/target || fail "sector that cannot be read: unmount" "the file system is still in use"
}

# pulled NAME DRIVE PATTERN TEST...: a drive goes when the program prints what matches.
pulled() {
    local name=$1 drive=$2 pattern=$3 pid began
    shift 3
    rm -rf "$data"
    mounted "/dev/lab/$drive" || return
    "$cli" run --target /mnt/target "${quick[@]}" --time 3s --loops 3 "$@" >"$out" 2>"$err" </dev/null &
    pid=$!
    for _ in {1..300}; do
        if grep -q "$pattern" "$out"; then break; fi
        sleep 0.1
    done
    lab-unplug "$drive"
    began=$SECONDS
    for _ in {1..150}; do
        if ! kill -0 $pid 2>/dev/null; then break; fi
        sleep 0.1
    done
    kill -9 $pid 2>/dev/null
    wait $pid
    status=$?
    tail -n 1 "$out" | jq '.result // empty' >"$result"
    is "$name: ends within seconds" yes "$([ $((SECONDS - began)) -le 10 ] && echo yes || echo "after $((SECONDS - began)) s")"
    ended "$name" "is gone. the drive was unplugged"
    umount /mnt/target || fail "$name: unmount" "the file system is still in use"
}

check_pulled() {
    pulled "NVMe pulled while the file is written" nvme '"done":[1-9]' SEQ1M Q8T1 R100 --size 1GiB
    pulled "USB pulled while one measures" usb '"type":"sampled","step":2' SEQ1M Q8T1 R100 --size 64MiB
    kept "USB pulled while one measures" "is gone|unplugged"
}

# One of two mirrored drives goes: the other one goes on, and the doubt is named.
check_degraded() {
    mdadm --quiet --create /dev/md0 --run --level 1 --raid-devices 2 --assume-clean /dev/lab/sata /dev/lab/usb
    mounted /dev/md0 || return
    (sleep 4 && lab-unplug usb) &
    measure SEQ1M Q8T1 R70 --size 64MiB --time 3s --loops 3
    is "mirror loses a drive: exit status" 0 "$status"
    is "mirror loses a drive: loops measured" 4 "$(jq '.measurements | length' "$result")"
    like "mirror loses a drive: badges" "sensors-lost|no-counters" "$(jq -r '[.warnings[]?.code] | unique | join(" ")' "$result")"
    umount /mnt/target
}

for check in "$@"; do
    "check_$check"
done
exit $failed
