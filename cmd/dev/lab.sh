#!/usr/bin/env bash
# Runs a command, as root, in a virtual PC that has an NVMe, a SATA and a USB drive.
#
#   cmd/dev/lab.sh run COMMAND...    prints what the command prints and ends with its exit status
#   cmd/dev/lab.sh shell             a shell in the virtual PC; exit switches it off
#
# The virtual PC sees all files of this system, at the same paths, and starts in the folder that this is
# called from. What it writes stays in its memory and is gone afterwards: it can harm nothing here. Its
# kernel is one of Debian's with all the modules, fetched once (110 MB) to $XDG_CACHE_HOME/cachecliff-lab
# and not installed. No root rights and no network are needed. Its drives start out empty:
#
#   nvme   2 GiB, LAB-NVME            sata   1 GiB, a hard disk, LAB-SATA
#   usb    1 GiB, LAB-USB             worn   512 MiB, NVMe, LAB-WORN: sector 524288 (its middle) cannot be read
#
# Each is found at /dev/lab/NAME. `lab-unplug NAME` pulls a drive out, and fails if it is still there after 10 s.
#
# LAB_TIMEOUT   seconds until it is switched off (900; for shell, never)
# LAB_CACHE     RATE,BURST,SECONDS, such as 20M,100M,5: the NVMe drive is written to at BURST bytes a second for about
#               SECONDS, then at RATE: a write cache that runs out
# LAB_WORN      write_aio: the sector of worn cannot be written; else it cannot be read
# LAB_ACCEL     kvm or tcg; else kvm where it works, and tcg (about 20 times slower) where not
#
# Exit status: the command's; 124 if time ran out, 125 if the virtual PC did not work.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/cachecliff-lab
PATH=$PATH:/usr/sbin:/sbin
work='' machine='' guest_kernel=''

say() { printf 'lab: %s\n' "$*" >&2; }
die() {
    say "$*"
    exit 125
}

cleanup() {
    if [ -n "$machine" ]; then kill "$machine" 2>/dev/null && wait "$machine" || true; fi
    if [ -n "$work" ]; then rm -rf "$work"; fi
}

# kernel sets $guest_kernel to a folder with vmlinuz and lib/modules. The newest kernel that apt knows
# is taken, since file systems are missing in old ones; one that was fetched earlier is kept.
kernel() {
    local package new
    guest_kernel=$(find "$cache" -mindepth 1 -maxdepth 1 -type d -name 'linux-image-*' | sort -V | tail -n 1)
    if [ -n "$guest_kernel" ]; then return; fi
    command -v apt-get >/dev/null || die "the kernel comes from Debian, and there is no apt-get here."
    package=$(apt-cache search --names-only '^linux-image-[0-9][^ ]*-amd64$' | awk '{print $1}' |
        grep -E '^linux-image-[0-9]+\.[0-9]+\.[0-9]+[^-]*(-[0-9]+)?-amd64$' | sort -V | tail -n 1) || true
    [ -n "$package" ] || die "apt knows no package linux-image-*-amd64. As root: apt-get update"
    say "Fetching $package, once."
    new=$(mktemp -d "$work/kernel.XXXX")
    (cd "$new" && apt-get -q download "$package" >"$work/apt.log" 2>&1 && dpkg-deb -x ./*.deb . && rm ./*.deb) || {
        tail -n 5 "$work/apt.log" >&2
        die "the kernel could not be fetched. As root: apt-get update"
    }
    mv "$new"/boot/vmlinuz-* "$new/vmlinuz"
    if [ ! -d "$new/lib" ]; then mv "$new/usr/lib" "$new/lib"; fi # packages with a merged /usr
    depmod -b "$new" "$(ls "$new/lib/modules")"
    chmod 755 "$new"
    guest_kernel=$cache/$package
    mv "$new" "$guest_kernel"
}

# initrd packs what finds the files of this system: busybox with its libraries and a few modules.
initrd() {
    local root=$work/initrd modules file n=10
    mkdir -p "$root"/{bin,proc,sys,dev,modules}
    cp "$here/lab/init" "$root/init"
    printf '%s' "$here/lab/guest.sh" >"$root/guest"
    cp "$(command -v busybox)" "$root/bin/busybox"
    for file in $(ldd "$root/bin/busybox" 2>/dev/null | grep -oE '/[^ ]+'); do
        mkdir -p "$root${file%/*}" && cp -L "$file" "$root$file"
    done
    modules=$(modprobe -d "$guest_kernel" -S "$(ls "$guest_kernel/lib/modules")" -a --show-depends \
        virtio_pci 9pnet_virtio 9p overlay | awk '$1 == "insmod" && !seen[$2]++ {print $2}')
    for file in $modules; do
        n=$((n + 1))
        case $file in
        *.xz) xz -dc "$file" ;;
        *.zst) zstd -dcq "$file" ;;
        *) cat "$file" ;;
        esac >"$root/modules/$n.ko"
    done
    (cd "$root" && find . | cpio -o -H newc --quiet) >"$work/initrd.cpio"
}

drives() {
    truncate -s 2G "$work/nvme.img"
    truncate -s 1G "$work/sata.img" "$work/usb.img"
    truncate -s 512M "$work/worn.img"
    printf '[inject-error]\nevent = "%s"\nerrno = "5"\nsector = "524288"\nonce = "off"\n' "${LAB_WORN:-read_aio}" >"$work/worn.conf"
}

# start ACCELERATION PROCESSORS starts the virtual PC. Its first serial port is the kernel's, the second the
# command's; what is written to the third is said to the emulator, so that a drive can be pulled out. Flushed
# drives do not wait for the disk of this system: its images are not for keeping.
start() {
    local cache='' rate burst seconds
    rm -f "$work/share/up"
    if [ -n "${LAB_CACHE:-}" ]; then
        IFS=, read -r rate burst seconds <<<"$LAB_CACHE"
        cache=,throttling.bps-write=$(numfmt --from=iec "$rate"),throttling.bps-write-max=$(numfmt --from=iec "$burst"),throttling.bps-write-max-length=$seconds
    fi
    timeout --foreground -k 5 "$limit" qemu-system-x86_64 -accel "$1" -cpu max -smp "$2" -m 2048 \
        -nodefaults -no-reboot -display none -kernel "$guest_kernel/vmlinuz" -initrd "$work/initrd.cpio" \
        -append "console=ttyS0 quiet panic=-1 noreplace-smp" \
        -fsdev local,id=host,path=/,security_model=none,multidevs=remap,readonly=on \
        -device virtio-9p-pci,fsdev=host,mount_tag=host \
        -fsdev "local,id=share,path=$work/share,security_model=none" -device virtio-9p-pci,fsdev=share,mount_tag=share \
        -serial "file:$work/console" -chardev stdio,id=tty,signal=off -serial chardev:tty \
        -chardev "socket,id=ear,path=$work/monitor,server=on,wait=off" -mon chardev=ear,mode=readline \
        -chardev "socket,id=mouth,path=$work/monitor" -serial chardev:mouth \
        -drive "file=$work/nvme.img,if=none,id=d0,format=raw,cache=unsafe,discard=unmap$cache" -device nvme,id=nvme,drive=d0,serial=LAB-NVME \
        -drive "file=blkdebug:$work/worn.conf:$work/worn.img,if=none,id=d1,format=raw,cache=unsafe" -device nvme,id=worn,drive=d1,serial=LAB-WORN \
        -drive "file=$work/sata.img,if=none,id=d2,format=raw,cache=unsafe" -device ahci,id=ahci \
        -device ide-hd,id=sata,drive=d2,bus=ahci.0,serial=LAB-SATA,model=LAB-SATA,ver=LAB1.0,rotation_rate=7200 \
        -drive "file=$work/usb.img,if=none,id=d3,format=raw,cache=unsafe" -device qemu-xhci,id=xhci \
        -device usb-storage,id=usb,drive=d3,bus=xhci.0,serial=LAB-USB \
        <&0 2>"$work/qemu.err" &
    machine=$!
}

# came_up waits until the virtual PC has found its files, and fails if it ends or takes too long.
came_up() {
    local tenths
    for ((tenths = 0; tenths < $1 * 10; tenths++)); do
        if [ -e "$work/share/up" ]; then return 0; fi
        if ! kill -0 "$machine" 2>/dev/null; then return 1; fi
        sleep 0.1
    done
    return 1
}

switch_on() {
    local accel=${LAB_ACCEL:-}
    if [ -z "$accel" ] && [ -w /dev/kvm ]; then
        # One that is offered need not work: some nested ones end at once or stand still.
        {
            start kvm 2
            if came_up 20; then return; fi
            kill "$machine" || true
            wait "$machine" || true
        } 2>/dev/null
    fi
    case ${accel:-tcg} in
    # One processor: with two, a kernel that patches its code while the other one runs it can die. Said to be one
    # of two and not made to take turns, because QEMU before 8.1 leaves the memory barriers out of what runs
    # alone, and drives that are emulated beside it then miss commands (they hang until the kernel's 30 s are over).
    tcg) start tcg,thread=multi 1,maxcpus=2 ;;
    *) start "$accel" 2 ;;
    esac
    came_up 120 || true # what went wrong is told below
}

main() {
    local verb=${1:-} status=0 size
    limit=${LAB_TIMEOUT:-900}
    case $verb in
    run) [ $# -gt 1 ] || die "run what?" ;;
    shell)
        [ -t 0 ] || die "shell needs a terminal."
        limit=0
        ;;
    *)
        sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2
        exit 2
        ;;
    esac
    mkdir -p "$cache"
    trap cleanup EXIT
    trap 'exit 130' INT TERM HUP
    work=$(mktemp -d "$cache/run.XXXXXX")
    mkdir "$work/share"
    kernel
    initrd
    drives
    {
        printf 'modules=%q\n' "$guest_kernel/lib/modules"
        printf 'cd %q\n' "$PWD"
        if [ "$verb" = shell ]; then
            size=$(stty size)
            printf 'stty rows %s cols %s\ncommand=(bash -i)\n' $size
        else
            shift
            printf 'command=('
            printf '%q ' "$@"
            printf ')\n'
        fi
    } >"$work/share/task"
    switch_on
    wait "$machine" || status=$?
    machine=''
    if [ -e "$work/share/status" ]; then exit "$(cat "$work/share/status")"; fi
    if [ $status = 124 ]; then
        say "switched off after $limit s; the kernel's last words:"
    else
        say "the virtual PC ended before the command did ($status); its last words:"
        status=125
    fi
    tail -n 15 "$work/console" "$work/qemu.err" >&2 || true
    exit "$status"
}

main "$@"
