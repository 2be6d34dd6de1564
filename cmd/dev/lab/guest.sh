#!/usr/bin/env bash
# The second program of the virtual PC, among the files of the system that runs it: it makes ready what
# a started Debian has, runs the task, leaves its exit status in the shared folder and switches off.
set -u
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/run/home TERM=${TERM:-xterm} LANG=C.UTF-8
unset "${!XDG_@}"

off() {
    sync
    echo o >/proc/sysrq-trigger
    sleep 60 # it is on its way
}
# Names of the drives, and the way to pull one out.
name_drives() {
    local block real serial name
    mkdir -p /dev/lab
    for block in /sys/block/{nvme,sd}*; do
        real=$(readlink -f "$block") serial=$(cat "$block/device/serial" 2>/dev/null)
        case $real in
        */nvme/*) if [ "${serial// /}" = LAB-WORN ]; then name=worn; else name=nvme; fi ;;
        */usb*) name=usb ;;
        */ata*) name=sata ;;
        *) continue ;;
        esac
        ln -sf "/dev/${block##*/}" "/dev/lab/$name"
    done
}

mount -t tmpfs -o mode=755 run /run
mkdir -p /run/lab /run/lock /run/home /run/bin /dev/pts /dev/shm
ln -sf /proc/self/fd /dev/fd
ln -sf /proc/self/fd/0 /dev/stdin
ln -sf /proc/self/fd/1 /dev/stdout
ln -sf /proc/self/fd/2 /dev/stderr
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t debugfs debugfs /sys/kernel/debug
mount -t cgroup2 cgroup /sys/fs/cgroup
mount -t 9p -o trans=virtio,version=9p2000.L,msize=65536 share /run/lab || off
: >/run/lab/up
cat >/run/bin/lab-unplug <<'EOF'
#!/bin/sh
# The empty line ends what the kernel may have said when it looked what the serial port is.
block=$(readlink "/dev/lab/$1") && printf '\ndevice_del %s\n' "$1" >/dev/ttyS2 || exit 1
n=0
while [ -e "/sys/block/${block#/dev/}" ]; do
    n=$((n + 1))
    if [ $n -gt 100 ]; then
        echo "lab-unplug: $1 is still there after 10 s" >&2
        exit 1
    fi
    sleep 0.1
done
EOF
chmod +x /run/bin/lab-unplug
PATH=/run/bin:$PATH
stty -F /dev/ttyS2 raw -echo
exec </dev/ttyS1 >/dev/ttyS1 2>&1

# shellcheck source=/dev/null # sets modules and command, and the folder to start in
. /run/lab/task
mkdir -p /lib/modules
mount --bind "$modules" /lib/modules
for udevd in /usr/lib/systemd/systemd-udevd /lib/systemd/systemd-udevd; do
    if [ -x $udevd ]; then
        $udevd --daemon 2>/dev/null
        break
    fi
done
modprobe -a -q nvme ahci sd_mod xhci_pci usb_storage uas drivetemp loop
udevadm trigger --action=add
udevadm settle --timeout=60
for _ in {1..100}; do
    name_drives
    if [ -e /dev/lab/nvme ] && [ -e /dev/lab/worn ] && [ -e /dev/lab/sata ] && [ -e /dev/lab/usb ]; then break; fi
    sleep 0.2
done

if [ "${command[*]}" = "bash -i" ]; then
    setsid -c -w "${command[@]}" # with the terminal, so that Ctrl-C works
else
    stty raw
    "${command[@]}" </dev/null 2>&1 | cat # programs need not think that this is a terminal
fi
echo "${PIPESTATUS[0]}" >/run/lab/status
exec >/dev/null 2>&1
off
