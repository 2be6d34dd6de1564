#!/usr/bin/env bash
# Runs the command line on real file systems and looks at what it leaves behind.
#
#   cmd/dev/check-cli.sh [FOLDER]    FOLDER is where to test, /var/tmp if none is named
#
# Checked are: which files are opened and how (strace), the end by a signal, kill -9 at several moments,
# every engine, and file systems that are full, small, read-only, without direct I/O or without unnamed
# files. Loop devices and mounts need root; what cannot be checked here is named at the end. Each check
# prints a line; the exit status is 1 if one failed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

work=$(mktemp -d "${1:-/var/tmp}/check-cli-XXXXXX") || exit 1
cli=$work/bin/check-cli-$$ # a name of its own, so that its processes are told from others
dir=$work/target           # where is tested
data=$work/data            # where results are kept
out=$work/out err=$work/err
failed=0 passed=0
skipped=()
mounts=()
quick=(--size 64MiB --time 200ms --loops 1 --pause 0s --yes)

say() { printf '%s\n' "$*"; }
pass() { passed=$((passed + 1)); say "ok      $1"; }
fail() {
    failed=$((failed + 1))
    say "FAILED  $1"
    shift
    if [ $# -gt 0 ]; then say "        $*"; fi
}
skip() { skipped+=("$1: $2"); }

cleanup() {
    local m
    for m in "${mounts[@]}"; do umount "$m" || say "could not unmount $m"; done
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# run ARGUMENT... runs the program; its exit status goes to $status, what it prints to $out and $err.
run() {
    "$cli" "$@" --data "$data" >"$out" 2>"$err" </dev/null
    status=$?
}

# is NAME WANT GOT
is() {
    if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "want $2, got $3; it said: $(tail -n 3 "$err" | tr '\n' ' ')"; fi
}

# says NAME STATUS PATTERN: the last run ended with that status and one line that matches.
says() {
    if [ "$status" != "$2" ]; then
        fail "$1" "exit status $status, not $2; it said: $(head -n 3 "$err")"
    elif [ "$(wc -l <"$err")" -ne 1 ]; then
        fail "$1" "not one line: $(head -n 5 "$err")"
    elif ! grep -qiE -e "$3" "$err"; then
        fail "$1" "does not match $3: $(cat "$err")"
    else
        pass "$1: $(cat "$err")"
    fi
}

# measured NAME: the last run ended well and measured all of its rows.
measured() {
    if [ "$status" = 0 ] && grep -q 'MB/s \[' "$out" && ! grep -q 'not measured' "$out"; then
        pass "$1"
    else
        fail "$1" "exit status $status: $(tail -n 1 "$err"); $(grep -c 'not measured' "$out") rows are not measured"
    fi
}

processes() { pgrep -f "^$cli" | wc -l; }

# wait_gone waits up to two seconds until no process is left.
wait_gone() {
    for _ in $(seq 40); do
        if [ "$(processes)" = 0 ]; then return 0; fi
        sleep 0.05
    done
    return 1
}

# clean NAME [FOLDER]: no process and no file is left.
clean() {
    local where=${2:-$dir} left
    wait_gone || { fail "$1" "processes are left: $(pgrep -af "^$cli")"; return; }
    left=$(find "$where" -mindepth 1 -not -name lost+found)
    if [ -n "$left" ]; then fail "$1" "files are left in $where: $left"; else pass "$1"; fi
}

# mount_image NAME MIB MKFS...: a file system in a file, mounted at $work/NAME.
mount_image() {
    local name=$1 mib=$2 point=$work/$1
    shift 2
    mkdir -p "$point"
    truncate -s "${mib}M" "$work/$name.img" && "$@" "$work/$name.img" >/dev/null 2>"$err" &&
        mount -o loop "$work/$name.img" "$point" 2>>"$err" && mounts+=("$point") && return 0
    skip "$name" "cannot make or mount it: $(tail -n 1 "$err")"
    return 1
}

# fill_up POINT fills a file system to the last block: where a large write does not fit, small ones do.
fill_up() {
    local block
    for block in 1M 4k 1k; do
        dd if=/dev/zero of="$1/zeros" bs=$block oflag=append conv=notrunc 2>/dev/null
        sync -f "$1"
    done
}

check_engines() {
    local engine
    for engine in io_uring libaio threads; do
        run run SEQ1M Q8T1 R0 --target "$dir" "${quick[@]}" --engine "$engine" --json
        if [ "$status" != 0 ] && grep -qi "$engine" "$err"; then
            skip "engine $engine" "$(cat "$err")"
            continue
        fi
        is "engine $engine: ends well" 0 "$status"
        is "engine $engine: is the one that measured" 1 \
            "$(tail -n 1 "$out" | grep -c "\"engine\":\"$engine\",\"read\"\|\"engine\":\"$engine\",\"registered\"")"
        is "engine $engine: last line is the result" 1 "$(tail -n 1 "$out" | grep -c '^{"type":"result",')"
    done
    clean "engines: nothing is left"
}

# opened prints the lines of the trace that open a file for writing, or make one.
opened() { grep -hE 'open(at|at2)?\(' "$work"/trace.* | grep -E 'O_WRONLY|O_RDWR|O_CREAT|O_TMPFILE' | grep -v ' = -1 '; }

check_opens() {
    if ! command -v strace >/dev/null; then skip "strace" "not installed"; return; fi
    strace -ff -y -e trace=open,openat,openat2,creat,rename,renameat,renameat2,mkdir,mkdirat,unlink,unlinkat -o "$work/trace" \
        "$cli" run SEQ1M Q8T1 R0 --target "$dir" "${quick[@]}" --data "$data" >"$out" 2>"$err" </dev/null
    is "strace: the run ends well" 0 $?
    is "strace: the test file is opened for direct I/O by both processes" yes \
        "$(opened | grep -cE "$dir|/proc/(self|[0-9]+)/fd/" | sed 's/^[2-9].*/yes/')"
    is "strace: the test file is never opened without O_DIRECT" "" \
        "$(opened | grep -E "$dir|/proc/(self|[0-9]+)/fd/" | grep -v O_DIRECT)"
    is "strace: nothing else is opened for writing" "" \
        "$(opened | grep -vE "$dir|/proc/(self|[0-9]+)/fd/|$data|\"/dev/null\"")"
    is "strace: nothing else is made, renamed or removed" "" \
        "$(grep -hE '(mkdir|rename|unlink|creat)' "$work"/trace.* | grep -E '= 0' | grep -vE "$dir|$data")"
    rm -f "$work"/trace.*
}

# check_sandbox forbids the calls that sandboxes of old do not know.
check_sandbox() {
    local calls=statx,fallocate,mincore,openat2,faccessat2
    if ! command -v strace >/dev/null; then skip "sandbox" "strace is not installed"; return; fi
    strace -f -qq -o /dev/null -e trace=$calls -e inject=$calls:error=EPERM \
        "$cli" run SEQ1M Q8T1 R0 --target "$dir" "${quick[@]}" --data "$data" >"$out" 2>"$err" </dev/null
    status=$?
    measured "a sandbox that forbids $calls"
    clean "sandbox: nothing is left"
}

# check_replaced takes the program away, and puts another in its place, while it runs.
check_replaced() {
    start '"type":"step_started"' SEQ1M Q8T1 R0 --target "$dir" --size 64MiB --time 1s --loops 2 --pause 0s --yes || return
    mv "$cli" "$work/kept"
    printf '#!/bin/sh\nexit 7\n' >"$cli"
    chmod +x "$cli"
    wait $pid
    is "the program is replaced while it runs: exit status" 0 $?
    mv "$work/kept" "$cli"
    clean "the program is replaced while it runs: nothing is left"
}

# check_foreign looks that files and links of others are left alone.
check_foreign() {
    local thesis=$dir/.cachecliff-test-thesis.tmp copy=$dir/.cachecliff-test-AAAAAAAAAAAAAAAAAAAAAAAAAA.tmp
    say "thesis" >"$thesis"
    say "copy" >"$copy"
    run run SEQ1M Q8T1 R0 --target "$dir" "${quick[@]}" --size 16MiB
    is "files that only have the name: the run ends well" 0 "$status"
    is "files that only have the name: --yes leaves them" "thesis copy" "$(cat "$thesis" "$copy" | tr '\n' ' ' | sed 's/ $//')"
    rm -f "$thesis" "$copy"
    if [ "$(id -u)" != 0 ]; then skip "links of others" "needs root"; return; fi
    ln -s target "$work/link"
    run run SEQ1M Q8T1 R0 --target "$work/link" "${quick[@]}" --size 16MiB
    measured "a link of one's own is followed"
    chown -h 65534 "$work/link"
    run run SEQ1M Q8T1 R0 --target "$work/link" "${quick[@]}" --size 16MiB
    says "a link of another user is not" 1 "$work/link is a symbolic link"
    clean "links: nothing is left"
}

# start ARGUMENT... starts a long run in the background and waits until it says PATTERN ($1).
start() {
    local pattern=$1
    shift
    : >"$out" # what an earlier run said must not be taken for this one's
    "$cli" run "$@" --data "$data" --json >"$out" 2>"$err" </dev/null &
    pid=$!
    for _ in $(seq 200); do
        if grep -q "$pattern" "$out"; then return 0; fi
        if ! kill -0 $pid 2>/dev/null; then break; fi
        sleep 0.05
    done
    fail "a run gets as far as $pattern" "$(tail -n 1 "$err")"
    return 1
}

moments=('"type":"started"' '"type":"preparing"' '"type":"step_started"' '"type":"sampled"' '"kind":"rest"')
long=(cdm-default --size 256MiB --time 2s --loops 1 --pause 2s --yes)
child_of() { pgrep -P "$1" | head -n 1; }
id_of() { head -n 1 "$1" | sed 's/^{"type":"started","id":"\([^"]*\)".*/\1/'; }

check_signals() {
    local sig moment begin took child
    for sig in INT TERM HUP; do
        for moment in "${moments[@]}"; do
            start "$moment" "${long[@]}" --target "$dir" || continue
            begin=$(date +%s%N)
            kill -$sig $pid
            wait $pid
            status=$?
            took=$((($(date +%s%N) - begin) / 1000000))
            is "SIG$sig at $moment: exit status" 130 "$status"
            if [ $took -le 1000 ]; then pass "SIG$sig at $moment: ends after $took ms"; else fail "SIG$sig at $moment: ends after $took ms"; fi
            is "SIG$sig at $moment: the result says so" 1 "$(tail -n 1 "$out" | grep -c '"type":"result".*"reason":"stopped"')"
            if ! grep -q '"loop":1' "$out"; then continue; fi # no loop that counts, nothing is kept
            is "SIG$sig at $moment: the result is kept" 1 "$("$cli" results --json --data "$data" | grep -c "$(id_of "$out")")"
        done
    done
    clean "signals: nothing is left"
    # Ctrl-C on a terminal reaches the measuring process too.
    start '"type":"sampled"' "${long[@]}" --target "$dir" || return
    kill -INT $pid "$(child_of $pid)"
    wait $pid
    is "SIGINT to both processes: exit status" 130 $?
    is "SIGINT to both processes: the result says so" 1 "$(tail -n 1 "$out" | grep -c '"type":"result".*"reason":"stopped"')"
    # A measuring process that hangs is waited for, but only until the second signal.
    start '"type":"sampled"' "${long[@]}" --target "$dir" || return
    child=$(child_of $pid)
    kill -STOP "$child"
    kill -INT $pid
    sleep 0.1
    kill -INT $pid
    wait $pid
    is "the second SIGINT ends at once" 130 $?
    kill -CONT "$child" 2>/dev/null
    clean "the second SIGINT: nothing is left"
}

free_kib() { df -k --output=avail "$dir" | tail -n 1; }

check_kills() {
    local whom moment victims id
    for whom in parent child both; do
        for moment in "${moments[@]}"; do
            start "$moment" "${long[@]}" --target "$dir" || continue
            case $whom in
            parent) victims=$pid ;;
            child) victims=$(child_of $pid) ;;
            both) victims="$pid $(child_of $pid)" ;;
            esac
            if [ -z "${victims// /}" ]; then # no child is there to be killed at this moment
                kill -INT $pid
                wait $pid
                continue
            fi
            # shellcheck disable=SC2086 # two numbers
            kill -9 $victims 2>/dev/null
            wait $pid 2>/dev/null
            status=$?
            clean "kill -9 of $whom at $moment: nothing is left"
            if [ $whom = child ] && [ "$(child_killed)" = yes ]; then
                is "kill -9 of child at $moment: exit status" 1 "$status"
                is "kill -9 of child at $moment: the result says so" 1 "$(tail -n 1 "$out" | grep -c '"type":"result".*"reason":"failed"')"
            fi
        done
    done
    id=$(id_of "$out")
    "$cli" results --json --data "$data" >"$out" 2>"$err"
    is "kill -9: what was measured is brought back" 1 "$(grep "$id" "$out" | grep -c '"reason":"interrupted"')"
    is "kill -9: the journals are gone" "" "$(ls -A "$data/journal")"
    is "kill -9: so is the room for results" "" "$(find "$data/results" -name '*.room')"
}
child_killed() { if grep -q '"type":"finished"' "$out" && grep -q '"reason":"done"' <(tail -n 1 "$out"); then echo no; else echo yes; fi; }

check_filesystems() {
    local point
    if [ "$(id -u)" != 0 ]; then skip "file systems in loop devices" "needs root"; return; fi
    if mount_image ext4 128 mkfs.ext4 -q; then
        point=$work/ext4
        run run SEQ1M Q8T1 R0 --target "$point" "${quick[@]}"
        measured "ext4 of 128 MiB: a test of 64 MiB fits"
        run run SEQ1M Q8T1 --target "$point" "${quick[@]}" --size 1GiB
        says "size larger than the file system" 1 'free'
        head -c 1M /dev/urandom >"$point/own"
        fallocate -l $(($(df -k --output=avail "$point" | tail -n 1) - 16384))K "$point/filler"
        run run SEQ1M Q8T1 --target "$point" "${quick[@]}" --size 16MiB
        says "16 MiB free: not even the smallest test" 1 'free|room|space'
        fill_up "$point"
        run run SEQ1M Q8T1 --target "$point" "${quick[@]}" --size 16MiB
        says "a full file system" 1 'free|full|room|space'
        rm "$point/filler" "$point/zeros"
        mount -o remount,ro "$point"
        run run SEQ1M Q8T1 --target "$point" "${quick[@]}"
        says "a read-only file system" 1 'read-only'
        run results
        mount -o remount,rw "$point"
        rm "$point/own"
        clean "ext4: nothing is left" "$point"
    fi
    check_common xfs 320 mkfs.xfs -q
    check_common btrfs 320 mkfs.btrfs -q
    if mount_image small 40 mkfs.ext4 -q; then
        run run SEQ1M Q8T1 R0 --target "$work/small" "${quick[@]}" --size 16MiB
        measured "ext4 of 40 MiB: the smallest test fits"
        run run SEQ1M Q8T1 R0 --target "$work/small" "${quick[@]}" --size 32MiB
        says "ext4 of 40 MiB: a larger one does not" 1 'does not fit'
        clean "ext4 of 40 MiB: nothing is left" "$work/small"
    fi
    check_full_data
    check_filling_data
    if mount_image vfat 192 mkfs.vfat; then check_named "$work/vfat" vfat; fi
    mkdir "$work/fuse" "$work/below"
    if ! command -v bindfs >/dev/null; then
        skip "fuse" "bindfs is not installed"
    elif bindfs "$work/below" "$work/fuse" 2>"$err"; then
        mounts+=("$work/fuse")
        check_named "$work/fuse" fuse
    else
        skip "fuse" "$(cat "$err")"
    fi
    check_tmpfs
}

# check_common NAME MIB MKFS...: a file system with all that is wanted.
check_common() {
    mount_image "$@" || return
    run run SEQ1M Q8T1 R0 --target "$work/$1" "${quick[@]}"
    measured "$1: a run ends well"
    clean "$1: nothing is left" "$work/$1"
}

# check_full_data keeps results on a full disk.
check_full_data() {
    mount_image full 16 mkfs.ext4 -q || return
    mkdir -p "$work/full/data/results" "$work/full/data/journal"
    fill_up "$work/full"
    "$cli" run SEQ1M Q8T1 R0 --target "$dir" "${quick[@]}" --data "$work/full/data" >"$out" 2>"$err" </dev/null
    status=$?
    says "the disk with the results is full" 1 "$work/full/data"
    clean "the disk with the results is full: nothing is left"
    is "the disk with the results is full: nothing is left there" "" "$(find "$work/full/data" -type f)"
}

# check_filling_data keeps results on a disk that others fill up during the run.
check_filling_data() {
    local point=$work/filling
    mount_image filling 24 mkfs.ext4 -q || return
    "$cli" run cdm-demo --target "$dir" --size 64MiB --time 1s --loops 2 --pause 0s --yes --data "$point" --json >"$out" 2>"$err" </dev/null &
    pid=$!
    for _ in $(seq 200); do
        if grep -q '"type":"sampled"' "$out"; then break; fi
        sleep 0.05
    done
    fill_up "$point"
    wait $pid
    is "the disk with the results fills up: exit status" 0 $?
    rm -f "$point/zeros"
    "$cli" results --json --data "$point" >"$out.list" 2>"$err"
    is "the disk with the results fills up: the result is whole" 1 "$(grep "$(id_of "$out")" "$out.list" | grep -c '"reason":"done"')"
    is "the disk with the results fills up: only the result is left" 1 "$(find "$point" -type f | wc -l)"
    clean "the disk with the results fills up: nothing is left"
}

# check_named is for file systems that have no unnamed files: a killed run leaves one, the next removes it.
check_named() {
    local point=$1 fs=$2
    run run SEQ1M Q8T1 R0 --target "$point" "${quick[@]}"
    measured "$fs: a run ends well"
    clean "$fs: nothing is left after a run" "$point"
    start '"type":"sampled"' cdm-demo --size 64MiB --time 2s --loops 1 --pause 0s --target "$point" || return
    kill -INT $pid
    wait $pid
    clean "$fs: nothing is left after SIGINT" "$point"
    start '"type":"sampled"' cdm-demo --size 64MiB --time 2s --loops 1 --pause 0s --target "$point" || return
    run run SEQ1M Q8T1 R0 --target "$point" "${quick[@]}" --size 16MiB
    is "$fs: a second run leaves the file of the first alone" 0 "$(grep -c Removed "$err")"
    kill -9 $pid
    wait $pid 2>/dev/null
    wait_gone
    if [ -z "$(ls -A "$point")" ]; then pass "$fs: not even kill -9 leaves a file"; return; fi
    run run SEQ1M Q8T1 R0 --target "$point" --size 16MiB --time 200ms --loops 1 --pause 0s
    is "$fs: what kill -9 left is named" 1 "$(grep -c 'has left .*--yes' "$err")"
    run run SEQ1M Q8T1 R0 --target "$point" "${quick[@]}" --size 16MiB
    is "$fs: --yes removes it" 1 "$(grep -c '^Removed' "$err")"
    clean "$fs: nothing is left after that" "$point"
}

check_tmpfs() {
    local point=$work/tmpfs
    mkdir -p "$point"
    mount -t tmpfs -o size=128m tmpfs "$point" || { skip "tmpfs" "cannot mount it"; return; }
    mounts+=("$point")
    # Old kernels refuse direct I/O here; newer ones take the flag and ignore it, which the table must tell.
    # Old kernels refuse direct I/O here. Newer ones take the flag and ignore it, which is to be found out.
    run run SEQ1M Q8T1 R0 --target "$point" "${quick[@]}" --json
    says "tmpfs has no direct I/O" 1 '--buffered'
    clean "tmpfs: nothing is left" "$point"
    run run SEQ1M Q8T1 R0 --target "$point" "${quick[@]}" --buffered
    measured "tmpfs: --buffered measures"
    is "tmpfs: and the table says so" 1 "$(grep -c 'Invalid: buffered:' "$out")"
    clean "tmpfs: nothing is left after that" "$point"
}

check_input() {
    local readonly=$work/readonly
    run run RND3K Q0T0 --target "$dir"
    says "a test that cannot be" 2 'RND3K|block|queue'
    run run RND4K Q0T0 --target "$dir"
    says "numbers out of range" 2 'Q1 to Q'
    run run cdm-deflaut --target "$dir"
    says "an unknown test" 2 'cdm-default'
    run run cdm-default --target "$work/none"
    says "no such folder" 1 "$work/none"
    run run cdm-default --target "$cli"
    says "a file in place of a folder" 1 'folder'
    run run cdm-default --target /proc
    says "a folder of the kernel" 1 '/proc'
    run run cdm-default --target "$dir" --size 16TiB
    says "a size larger than what is free" 1 'free'
    run run cdm-default
    says "no folder named" 2 '--target'
    run run cdm-default --target "$dir" --engine fast
    says "an unknown engine" 2 'io_uring'
    run show latest --data "$work/none"
    says "no result yet" 1 'run'
    say '{"schema":99,"result":{}}' >"$work/newer.json"
    run show "$work/newer.json"
    says "a result of a newer version" 1 'newer'
    say 'rubbish' >"$work/rubbish.json"
    run show "$work/rubbish.json"
    says "a file that is no result" 1 'rubbish.json'
    run export "$work/none.json"
    says "a result file that is not there" 1 'none.json'
    "$cli" run cdm-demo --target "$dir" "${quick[@]}" --data "$cli/data" >"$out" 2>"$err" </dev/null
    status=$?
    says "a data folder that cannot be" 1 "$cli"
    if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
        mkdir -p "$readonly"
        chmod 755 "$work" "$work/bin" "$readonly"
        mkdir -m 777 "$work/nobody"
        setpriv --reuid 65534 --regid 65534 --clear-groups "$cli" run cdm-demo --target "$readonly" "${quick[@]}" --data "$work/nobody" >"$out" 2>"$err" </dev/null
        status=$?
        says "a folder without write permission" 1 "$readonly"
        setpriv --reuid 65534 --regid 65534 --clear-groups "$cli" run cdm-demo --target "$work/nobody" "${quick[@]}" --data "$readonly" >"$out" 2>"$err" </dev/null
        status=$?
        says "a data folder without write permission" 1 "$readonly"
    else
        skip "folders without write permission" "needs root, to become another user"
    fi
    clean "bad input: nothing is left"
}

check_pipes() {
    "$cli" run "${long[@]}" --target "$dir" --data "$data" --json 2>"$err" </dev/null | head -n 3 >"$out"
    status=${PIPESTATUS[0]}
    is "who reads the events goes away: exit status" 1 "$status"
    clean "who reads the events goes away: nothing is left"
    "$cli" drives --json >/dev/full 2>"$err"
    status=$?
    says "standard output cannot be written" 1 'output'
    run export latest --format json --out "$work/copy.json"
    run show "$work/copy.json" --json
    is "what was exported can be shown" 0 "$status"
}

mkdir -p "$work/bin" "$dir" "$data"
say "building"
CGO_ENABLED=0 go build -buildvcs=false -tags gles,migrated_fynedo -o "$cli" ./cmd/cachecliff-cli || exit 1
check_input
check_engines
check_opens
check_sandbox
check_replaced
check_foreign
check_signals
check_kills
check_pipes
check_filesystems
for s in "${skipped[@]}"; do say "skipped $s"; done
say "$passed checks passed, $failed failed, ${#skipped[@]} skipped"
[ $failed = 0 ]
