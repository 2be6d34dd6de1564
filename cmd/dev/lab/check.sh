#!/usr/bin/env bash
# Looks, inside the virtual PC, at what the command line says of its drives and of what goes wrong there.
#
#   cmd/dev/lab/check.sh PROGRAM CHECK...    checks: drives smart udisks health layers faults raid fill pulled
#
# Each check prints lines that begin with ok or FAILED; the exit status is 1 if one failed. Drives are taken as
# they are: the last two pull some out, so one of them comes last.
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

# meanwhile EVENT COMMAND... has the next measure interrupted by a command, once the run has told of the event.
meanwhile() {
    : >"$out"
    (
        for _ in {1..300}; do
            if grep -q "$1" "$out"; then break; fi
            sleep 0.1
        done
        "${@:2}"
    ) &
    meddler=$!
}

# since DATE: seconds.
since() { echo $(($(date +%s) - $1)); }

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

# as_nobody COMMAND... runs it without any rights.
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

# warm: serial numbers and temperatures in what was printed of drives. The emulated NVMe drives always have 323 K
# (QEMU, hw/nvme/ctrl.c), the SATA drive 31 °C in attribute 190, for who may ask (hw/ide/core.c); USB has none.
warm() { jq -r 'select(.type == "drive").drive | select(.temp_millic) | "\(.serial) \(.temp_millic)"' "$out" | sort | xargs; }

# graded: serial numbers and what the health of drives amounts to.
graded() { jq -r 'select(.type == "drive").drive | "\(.serial) \(.health_grade)"' "$out" | sort | xargs; }

# check_fill fills the NVMe drive, whose write cache is a burst of 100 MB/s for 5 s (LAB_CACHE), and a drive that cannot
# write one sector (LAB_WORN).
check_fill() {
    local fill=(run fill-quick --target /mnt/target --data "$data" --size 64MiB --stop-after 0 --most 0 --yes --json)
    mounted /dev/lab/nvme || return
    "$cli" "${fill[@]}" >"$out" 2>"$err" </dev/null
    is 'fill: exit status' 0 $?
    tail -n 1 "$out" | jq '.result // empty' >"$result"
    "$cli" show latest --data "$data" >"$work/shown" 2>>"$err"
    is 'fill: it ends at the reserve' done "$(jq -r .reason "$result")"
    # QEMU lets 5 s of the burst pass beside the steady rate: 100 MiB/s for 500/(100-20) s, less what making the file system took.
    like 'fill: the end of the burst' '^6[0-5][0-9]$' "$(sed -nE 's/^ *Pass 1: 0\.([0-9]{3}) GB .*/\1/p' "$work/shown")"
    like 'fill: the rate after it' 'fell: cache' "$(grep 'fell' "$work/shown")"
    like 'fill: in words' 'then the write cache of the drive is full' "$(tr '\n' ' ' <"$work/shown")"
    umount /mnt/target
    wiped /dev/lab/nvme
    mounted /dev/lab/worn mkfs.ext4 -O ^has_journal || return
    "$cli" "${fill[@]}" >"$out" 2>"$err" </dev/null
    is 'fill, a sector that cannot be written: exit status' 1 $?
    tail -n 1 "$out" | jq '.result // empty' >"$result"
    is 'fill, a sector that cannot be written: how it ended' failed "$(jq -r .reason "$result")"
    like 'fill, a sector that cannot be written: what was measured is kept' '^[1-9][0-9]{7,}$' \
        "$(jq '[.measurements[].series[].write.bytes] | add' "$result")"
    like 'fill, a sector that cannot be written: it is said' '^[A-Z/].*\.$' "$(tail -n 1 "$err")"
    is 'fill, a sector that cannot be written: no file is left' lost+found "$(ls -A /mnt/target)"
    umount /mnt/target
    wiped /dev/lab/worn
}

check_drives() {
    "$cli" drives --json >"$out" 2>"$err"
    is "drives: listed" "LAB-NVME LAB-SATA LAB-USB LAB-WORN" \
        "$(jq -r 'select(.type == "drive").drive.serial' "$out" | sort | xargs)"
    is "nvme: bus, kind, model, size" "nvme no QEMU NVMe Ctrl 2147483648" "$(on LAB-NVME '"\(.bus) \(.rotational) \(.model) \(.capacity)"')"
    is "nvme: firmware" "$(sed 's/ *$//' /sys/block/"$(basename "$(readlink /dev/lab/nvme)")"/device/firmware_rev)" "$(on LAB-NVME .firmware)"
    is "sata: bus, kind, model, firmware, size" "sata yes LAB-SATA LAB1.0 1073741824" \
        "$(on LAB-SATA '"\(.bus) \(.rotational) \(.model) \(.firmware) \(.capacity)"')"
    is "sata: revolutions per minute" 7200 "$(on LAB-SATA .rpm)"
    is "usb: bus, driver, model, size" "usb usb-storage QEMU HARDDISK 1073741824" "$(on LAB-USB '"\(.bus) \(.driver) \(.model) \(.capacity)"')"
    is "usb: what it says of itself" "46f4:0001 QEMU USB HARDDRIVE" "$(on LAB-USB '"\(.usb_id) \(.adapter)"')"
    is "temperatures" "LAB-NVME 49850 LAB-SATA 31000 LAB-WORN 49850" "$(warm)"
    is "health" "LAB-NVME good LAB-SATA good LAB-USB unknown LAB-WORN good" "$(graded)"
    is "usb: why it tells neither" "bridge bridge" "$(on LAB-USB '"\(.no_temp) \(.no_health)"')"
    as_nobody "$cli" drives --json >"$out" 2>"$err"
    is "for everybody: the identity of the SATA drive" "LAB-SATA LAB-SATA LAB1.0 7200" "$(on LAB-SATA '"\(.model) \(.serial) \(.firmware) \(.rpm)"')"
    is "for everybody: temperatures" "LAB-NVME 49850 LAB-WORN 49850" "$(warm)"
    is "for everybody: health" "LAB-NVME unknown LAB-SATA unknown LAB-USB unknown LAB-WORN unknown" "$(graded)"
    is "for everybody: why it is not known" "null needs-rights needs-rights needs-rights" \
        "$(on LAB-NVME '"\(.no_temp) \(.no_health)"') $(on LAB-SATA '"\(.no_temp) \(.no_health)"')"
    mounted /dev/lab/nvme || return
    measure SEQ1M Q8T1 R100 --size 32MiB --time 5s # an emulated drive may take a while to tell its temperature
    is "nvme: temperature during the run" 49850 "$(jq -s 'first(.[] | select(.type == "sampled").sample.drive[]?.temperatures[].millic)' "$out")"
    is "nvme: temperature in the samples of the result" 49850 "$(jq '[.measurements[].series[].drive[]?.temperatures[]?.millic] | unique[]' "$result")"
    is "nvme: temperature before and after" "49850 49850" "$(jq -r '"\(.before.drives[0].health.temp_millic) \(.after.drives[0].health.temp_millic)"' "$result")"
    umount /mnt/target
    wiped /dev/lab/nvme
}

# smart SERIAL FILTER: what "smart --json --serial" has printed of a drive.
smart() { jq -r 'select(.smart.serial == "'"$1"'").smart | '"$2" "$out"; }

# same NAME SERIAL FILTER WANT: what was printed of a drive is what another tool has told.
same() { is "smartctl says the same: $1" "$4" "$(smart "$2" "$3")"; }

check_smart() {
    local nvme sata usb identity='"\(.model), \(.serial), \(.firmware), \(.bus)"' state='"\(.health_grade) \(.no_health) \(.temp_millic) \(.no_temp)"'
    nvme=$(basename "$(readlink /dev/lab/nvme)") sata=$(basename "$(readlink /dev/lab/sata)") usb=$(basename "$(readlink /dev/lab/usb)")
    revision() { sed 's/ *$//' "/sys/block/$1/device/$2"; }

    "$cli" smart --json --serial >"$out" 2>"$err"
    is "smart: exit status, drives, words beside them" "0 4 0" "$? $(wc -l <"$out") $(wc -l <"$err")"
    is "smart, nvme: identity" "QEMU NVMe Ctrl, LAB-NVME, $(revision "$nvme" firmware_rev), nvme" "$(smart LAB-NVME "$identity")"
    is "smart, sata: identity" "LAB-SATA, LAB-SATA, LAB1.0, sata" "$(smart LAB-SATA "$identity")"
    is "smart, usb: identity" "QEMU HARDDISK, LAB-USB, $(revision "$usb" rev), usb" "$(smart LAB-USB "$identity")"
    is "smart, nvme: health, temperature" "good null 49850 null" "$(smart LAB-NVME "$state")"
    is "smart, sata: health, temperature" "good null 31000 null" "$(smart LAB-SATA "$state")"
    is "smart, usb: health, temperature, and why they are missing" "unknown bridge null bridge" "$(smart LAB-USB "$state")"
    is "smart, usb: what it has read" null "$(smart LAB-USB .health)"
    is "smart, nvme: what it does not tell, and why" "not-reported spare_left" \
        "$(smart LAB-NVME '.health.absent[] | select(.what == "spare_left") | "\(.reason) \(.what)"')"
    is "smart, sata: attributes" "1 3 4 5 9 12 190" "$(smart LAB-SATA '[.health.attributes[].id | tostring] | join(" ")')"
    same_in_smartctl
    like "smart, in words" "^  Health \\(SMART\\) +good$" "$("$cli" smart "$nvme" | grep -m 1 Health)"
    like "smart, an attribute in words" "^  5 +Reallocated_Sector_Ct +100 +100 +36 +0 +Sectors that failed" "$("$cli" smart "/dev/$sata" | grep -m 1 Reallocated)"
    is "smart: serial numbers and keys that were not asked for" "" "$("$cli" smart --json | jq -r '.smart | .serial // empty, .key // empty')"
    if mounted /dev/lab/nvme; then
        "$cli" smart --json --serial /mnt/target >"$out" 2>"$err"
        is "smart: the drive of a folder" "0 LAB-NVME" "$? $(jq -r .smart.serial "$out")"
        umount /mnt/target && wiped /dev/lab/nvme
    fi
    "$cli" smart "$usb" >"$out" 2>"$err"
    is "smart: exit status of a drive that cannot be asked" 1 "$?"
    like "smart: and why" "^No health was read from $usb: The USB adapter does not pass SMART on\\.$" "$(cat "$err")"

    as_nobody "$cli" smart --json --serial >"$out" 2>"$err"
    is "smart, for everybody: exit status, drives, words beside them" "0 4 0" "$? $(wc -l <"$out") $(wc -l <"$err")"
    is "smart, for everybody: identity" "QEMU NVMe Ctrl, LAB-NVME, $(revision "$nvme" firmware_rev), nvme; LAB-SATA, LAB-SATA, LAB1.0, sata; QEMU HARDDISK, LAB-USB, $(revision "$usb" rev), usb" \
        "$(smart LAB-NVME "$identity"); $(smart LAB-SATA "$identity"); $(smart LAB-USB "$identity")"
    is "smart, nvme, for everybody: the temperature, and who is shown more" "unknown needs-rights 49850 null" "$(smart LAB-NVME "$state")"
    is "smart, sata, for everybody: who is shown it" "unknown needs-rights null needs-rights" "$(smart LAB-SATA "$state")"
    is "smart, usb, for everybody" "unknown bridge null bridge" "$(smart LAB-USB "$state")"
    as_nobody "$cli" smart "$nvme" >"$out" 2>"$err"
    is "smart, for everybody: exit status" 1 "$?"
    like "smart, for everybody: the way out" "Only root is shown the health of this drive: call it with sudo\\.$" "$(cat "$err")"
}

# same_in_smartctl compares what "smart" has printed with what smartctl says, where there is one.
same_in_smartctl() {
    local drive
    if ! command -v smartctl >/dev/null; then
        echo "skipped smart says the same as smartctl: there is none"
        return
    fi
    drive=$(smartctl -x --json=c /dev/lab/nvme)
    same "the NVMe drive's identity" LAB-NVME '"\(.model), \(.firmware)"' "$(jq -r '"\(.model_name), \(.firmware_version)"' <<<"$drive")"
    same "its verdict, use, errors, hours, cycles" LAB-NVME '.health | "\(.passed == "yes") \(.percent_used) \(.media_errors) \(.error_log_entries) \(.power_on_hours) \(.power_cycles) \(.unsafe_shutdowns)"' \
        "$(jq -r '"\(.smart_status.passed) \(.nvme_smart_health_information_log | "\(.percentage_used) \(.media_errors) \(.num_err_log_entries) \(.power_on_hours) \(.power_cycles) \(.unsafe_shutdowns)")"' <<<"$drive")"
    same "what it has read and written, commands" LAB-NVME '.health | "\(.host_reads) \(.host_writes) \(.read_commands) \(.write_commands)"' \
        "$(jq -r '.nvme_smart_health_information_log | "\(.data_units_read * 512000) \(.data_units_written * 512000) \(.host_reads) \(.host_writes)"' <<<"$drive")"
    drive=$(smartctl -x --json=c /dev/lab/sata)
    same "the SATA drive's verdict, temperature, hours, cycles" LAB-SATA '.health | "\(.passed == "yes") \(.temp_millic / 1000) \(.power_on_hours) \(.power_cycles)"' \
        "$(jq -r '"\(.smart_status.passed) \(.temperature.current) \(.power_on_time.hours) \(.power_cycle_count)"' <<<"$drive")"
}

# A user without rights is told by UDisks2 what it knows of the SATA drive. It takes the emulated one for one without
# SMART unless that reports errors in descriptors (D_SENSE). drivetemp is kept out: it shows everybody the temperature.
check_udisks() {
    local udisksd daemon='' may bus=/run/udisks-bus state='"\(.health_grade) \(.no_health) \(.temp_millic) \(.no_temp) \(.health.source) \(.health.power_on_hours)"'
    udisksd=$(ls /usr/libexec/udisks2/udisksd /usr/lib/udisks2/udisksd 2>/dev/null | head -n 1)
    if [ -z "$udisksd" ] || ! type -P dbus-daemon >/dev/null || ! type -P busctl >/dev/null || ! type -P sdparm >/dev/null; then
        echo "skipped UDisks2 tells users without rights: it takes udisks2, dbus and sdparm"
        return
    fi
    rmmod drivetemp 2>/dev/null
    sdparm --quiet --set=D_SENSE /dev/lab/sata >/dev/null
    mkdir -p /run/dbus /etc/polkit-1/rules.d
    dbus-daemon --system --fork --print-pid >"$bus" 2>"$err"
    for may in NO YES; do
        printf 'polkit.addRule(function(a) { if (/smart-update$/.test(a.id)) return polkit.Result.%s; });\n' $may >/etc/polkit-1/rules.d/00-lab.rules
        sleep 2 # polkit sees that by itself
        if [ -z "$daemon" ]; then
            "$udisksd" >"$work/udisksd" 2>&1 &
            daemon=$!
            for _ in {1..300}; do
                if busctl status org.freedesktop.UDisks2 >/dev/null 2>&1; then break; fi
                sleep 0.1
            done
            sleep 6 # what it read when it started is old then
        fi
        as_nobody "$cli" smart --json --serial >"$out" 2>"$err"
        case $may in
        NO) is "UDisks2, to who may not have the drive asked" "good null null needs-rights udisks2 1" "$(smart LAB-SATA "$state")" ;;
        YES)
            is "UDisks2, to who may have the drive asked" "good null 31000 null udisks2 1" "$(smart LAB-SATA "$state")"
            is "UDisks2: attributes of which it tells the raw value" "1 4 5 12" "$(smart LAB-SATA '[.health.attributes[].id | tostring] | join(" ")')"
            ;;
        esac
    done
    is "UDisks2 does not help with the others" "unknown needs-rights; unknown bridge" \
        "$(smart LAB-NVME '"\(.health_grade) \(.no_health)"'); $(smart LAB-USB '"\(.health_grade) \(.no_health)"')"
    kill "$daemon" "$(cat "$bus")"
    wait "$daemon" 2>/dev/null
    rm -f /run/dbus/system_bus_socket
    modprobe -q drivetemp
}

# health FILTER: what the drive said of itself before the run that was measured.
health() { jq -r ".before.drives[0].health | $1" "$result"; }

# written: bytes that the kernel has written to the NVMe drive. Some awks print large numbers rounded.
written() { awk '{printf "%.0f\n", $7 * 512}' "/sys/block/$(basename "$(readlink /dev/lab/nvme)")/stat"; }

check_health() {
    mounted /dev/lab/nvme || return
    sync
    wrote=$(written)
    measure SEQ1M Q8T1 R0 --size 32MiB
    sync
    wrote=$(($(written) - wrote))
    is "nvme: verdict, limits" "yes 69850 99850" "$(health '"\(.passed) \(.limits.warn_millic) \(.limits.crit_millic)"')"
    is "nvme: what it does not tell, and why" "heavy_throttle_seconds heavy_throttles light_throttle_seconds light_throttles spare_left spare_threshold: not-reported" \
        "$(health '[.absent[] | select(.reason == "not-reported").what] | sort | join(" ")'): not-reported"
    like "nvme: percent of what the kernel wrote that the drive counted during the run" '^(9[5-9]|10[0-5])$' \
        "$(jq '(.after.drives[0].health.host_writes - .before.drives[0].health.host_writes) * 100 / '"$wrote"' | floor' "$result")"
    umount /mnt/target && wiped /dev/lab/nvme

    mounted /dev/lab/sata || return
    measure SEQ1M Q8T1 R0 --size 32MiB
    is "sata: verdict, temperature, hours, errors" "yes 31000 1 0" "$(health '"\(.passed) \(.temp_millic) \(.power_on_hours) \(.error_log_entries)"')"
    is "sata: attributes with thresholds" "1/6 3/0 4/20 5/36 9/0 12/0 190/50" "$(health '[.attributes[] | "\(.id)/\(.threshold)"] | join(" ")')"
    is "sata: why it has no spare" unsupported-bus "$(health '.absent[] | select(.what == "spare_left").reason')"
    is "sata: temperature before and after" "ata 31000 ata 31000" \
        "$(jq -r '[.before, .after] | map(.drives[0].sensors | "\(.source) \(.temperatures[0].millic)") | join(" ")' "$result")"
    cp "$result" "$work/sata"
    umount /mnt/target && wiped /dev/lab/sata

    mounted /dev/lab/usb || return
    measure SEQ1M Q8T1 R0 --size 32MiB
    is "usb: health is named as missing" "null this USB adapter does not pass SMART" "$(jq -r '.before.drives[0] | "\(.health) \(.missing)"' "$result")"
    umount /mnt/target && wiped /dev/lab/usb
    smartctl_agrees
    asleep
    # Without hwmon the drives are asked themselves.
    mkdir -p "$work/none" && mount --bind "$work/none" /sys/class/hwmon
    "$cli" drives --json >"$out" 2>"$err"
    is "no hwmon: temperatures" "LAB-NVME 49850 LAB-SATA 31000 LAB-WORN 49850" "$(warm)"
    as_nobody "$cli" drives --json >"$out" 2>"$err"
    is "no hwmon, for everybody: temperatures" "" "$(warm)"
    umount /sys/class/hwmon
}

# smartctl_agrees compares with what smartctl says, where there is one.
smartctl_agrees() {
    if ! command -v smartctl >/dev/null; then
        echo "skipped smartctl says the same: there is none"
        return
    fi
    smartctl -x --json=c /dev/lab/sata >"$out"
    is "smartctl says the same of the SATA drive's attributes" \
        "$(jq -c '[.ata_smart_attributes.table[] | [.id, .value, .worst, .thresh, .raw.value, .flags.prefailure]]' "$out")" \
        "$(jq -c '[.before.drives[0].health.attributes[] | [.id, .normalized, .worst, .threshold, .raw, .vital // false]]' "$work/sata")"
    is "smartctl says the same of its identity" "$(jq -r '"\(.model_name) \(.serial_number) \(.firmware_version) \(.rotation_rate)"' "$out")" \
        "$(jq -r '.plan.target.drives[0] | "\(.model) \(.serial) \(.firmware) \(.rpm)"' "$work/sata")"
}

# A drive that the kernel has put to sleep is listed and goes on sleeping.
asleep() {
    local power
    power=$(readlink -f "/sys/block/$(basename "$(readlink /dev/lab/sata)")/device")/power
    echo 200 >"$power/autosuspend_delay_ms"
    echo auto >"$power/control"
    for _ in {1..100}; do
        if [ "$(cat "$power/runtime_status")" = suspended ]; then break; fi
        sleep 0.1
    done
    is "asleep: the kernel has put it to sleep" suspended "$(cat "$power/runtime_status")"
    "$cli" drives --json >"$out" 2>"$err"
    is "asleep: it is known all the same" "LAB-SATA 7200" "$(on LAB-SATA '"\(.model) \(.rpm)"')"
    is "asleep: it is not asked for its temperature" "LAB-NVME 49850 LAB-WORN 49850" "$(warm)"
    is "asleep: why neither it nor its health is known" "unknown asleep asleep" "$(on LAB-SATA '"\(.health_grade) \(.no_health) \(.no_temp)"')"
    "$cli" smart --json --serial >"$out" 2>"$err"
    is "asleep: smart says so" "unknown asleep null asleep" "$(smart LAB-SATA '"\(.health_grade) \(.no_health) \(.temp_millic) \(.no_temp)"')"
    is "asleep: it goes on sleeping" suspended "$(cat "$power/runtime_status")"
    echo on >"$power/control"
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
    mounted /dev/lab/nvme mkfs.btrfs -f -m raid1 -d raid1 /dev/lab/usb && stack "btrfs mirror on NVMe and USB" btrfs "LAB-NVME LAB-USB" copy-on-write
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
    like "$1: it shows a number" '[0-9] MB/s \[ *[0-9.]+ IOPS' "$("$cli" show latest --data "$data" 2>&1 | grep -m 1 '[0-9] MB/s \[')"
    like "$1: and why it ended" "$2" "$("$cli" show latest --data "$data" 2>&1 | grep -iE -m 1 -e "$2")"
}

check_faults() {
    read_fault
    wiped /dev/lab/nvme
    switchable || return
    write_fault
    stalled
    umount /mnt/target && dmsetup remove switchable
    wiped /dev/lab/nvme
}

# A file that covers the sector that cannot be read. The file system has no journal, which would lie there.
read_fault() {
    mounted /dev/lab/worn mkfs.ext4 -O ^has_journal || return
    measure SEQ1M Q1T1 R100 --size 384MiB
    ended "sector that cannot be read" "reported an error. save your data"
    umount /mnt/target || fail "sector that cannot be read: unmount" "the file system is still in use"
}

# switchable mounts the NVMe drive below a device that can be switched to something else.
switchable() {
    real=$(readlink -f /dev/lab/nvme)
    sectors=$(blockdev --getsz "$real")
    modprobe dm-flakey
    dmsetup create switchable --table "0 $sectors linear $real 0" && udevadm settle && mounted /dev/mapper/switchable
}
hold() { dmsetup suspend --noflush --nolockfs switchable; }
switch() { hold && dmsetup reload switchable --table "0 $sectors $1" && dmsetup resume switchable; }

write_fault() {
    meanwhile '"type":"sampled"' switch "flakey $real 0 0 1000 1 error_writes"
    measure SEQ1M Q8T1 R0 --size 64MiB --time 3s --loops 2
    ended "writes that fail" "reported an error. save your data"
    wait $meddler
    umount /mnt/target || fail "writes that fail: unmount" "the file system is still in use"
    switch "linear $real 0"
    e2fsck -fy /dev/mapper/switchable >"$err" 2>&1
    mount /dev/mapper/switchable /mnt/target || fail "writes that fail: mounted again" "$(tail -n 3 "$err")"
}

# A drive that keeps what it is asked for to itself: a stop has to act all the same, and who does not stop it is
# told after half a minute.
stalled() {
    local began
    interrupted() {
        local pid
        hold
        sleep 1
        pid=$(pgrep -o -f "^$cli run")
        began=$(date +%s%N)
        kill -INT "$pid"
        while [ -e "/proc/$pid" ]; do sleep 0.1; done
        echo $((($(date +%s%N) - began) / 1000000)) >"$work/took"
    }
    meanwhile '"type":"sampled"' interrupted
    measure SEQ1M Q8T1 R100 --size 64MiB --time 6s
    wait $meddler
    is "drive that does not answer, stopped: exit status" 130 "$status"
    # A second, and two for processors that are emulated on busy ones.
    like "drive that does not answer, stopped: milliseconds until then" '^[12]?[0-9]{1,3}$' "$(cat "$work/took")"
    dmsetup resume switchable

    meanwhile '"type":"sampled"' hold
    began=$(date +%s)
    measure SEQ1M Q8T1 R100 --size 64MiB --time 6s
    like "drive that does not answer: seconds until the end" '^[34][0-9]$' "$(since "$began")"
    ended "drive that does not answer" "did not answer in time"
    dmsetup resume switchable
}

# pulled NAME DRIVE PATTERN TEST...: a drive goes when the program prints what matches.
pulled() {
    local name=$1 drive=$2 pattern=$3 pid began
    shift 3
    rm -rf "$data"
    mounted "/dev/lab/$drive" || return
    : >"$out"
    "$cli" run --target /mnt/target "${quick[@]}" --time 3s --loops 3 "$@" >"$out" 2>"$err" </dev/null &
    pid=$!
    for _ in {1..300}; do
        if grep -q "$pattern" "$out"; then break; fi
        sleep 0.1
    done
    lab-unplug "$drive" || fail "$name" "the drive is still there"
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

check_raid() {
    # One of its two drives is missing from the beginning.
    mdadm --quiet --create /dev/md0 --run --level 1 --raid-devices 2 /dev/lab/sata missing
    mounted /dev/md0 && stack "mirror with one drive" md LAB-SATA
    umount /mnt/target
    udevadm settle
    mdadm --quiet --readonly /dev/md0 && mount -o ro /dev/md0 /mnt/target && measure SEQ1M Q8T1 R100 --size 32MiB
    ended "mirror that is read-only" "is read-only"
    umount /mnt/target
    mdadm --quiet --stop /dev/md0 && mdadm --zero-superblock /dev/lab/sata && wiped /dev/lab/sata

    # One of two drives goes: the other one goes on, and the doubt is named.
    mdadm --quiet --create /dev/md0 --run --level 1 --raid-devices 2 --assume-clean /dev/lab/sata /dev/lab/usb
    mounted /dev/md0 || return
    meanwhile '"type":"sampled","step":1' lab-unplug usb
    measure SEQ1M Q8T1 R70 --size 64MiB --time 2s --loops 2
    is "mirror loses a drive: exit status" 0 "$status"
    is "mirror loses a drive: loops measured" 3 "$(jq '.measurements | length' "$result")"
    is "mirror loses a drive: badges" "no-counters sensors-lost" \
        "$(jq -r '[.warnings[]?.code] | unique - ["noisy", "cpu-limited", "late", "cache-ended", "small-span", "not-rested"] | join(" ")' "$result")"
    umount /mnt/target
}

# A fault in a check ends the whole loop, and bash goes on behind it: the line at the end tells that none did.
ended=0
for check in "$@"; do
    "check_$check"
    ended=$((ended + 1))
done
if [ "$ended" = $# ]; then echo "every check ended"; fi
exit $failed
