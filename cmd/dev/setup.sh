#!/usr/bin/env bash
# Installs what a job of the Makefile needs and the system lacks, or says what to install.
#
#   cmd/dev/setup.sh GROUP...    groups: go build run race window windows wine cli report monitor fio lab
#                                 delayfs filesystems
#
# What is there is found out by looking for it (a command, a header, a library), not by asking the
# package manager, so that nothing is installed and no password is asked for where all is in place.
# Packages are installed on Debian, Ubuntu and their kin only; elsewhere their names are printed.
set -euo pipefail
cd "$(dirname "$0")/../.."

# group | check | what it is | apt | dnf | pacman | zypper
things='
build  | cc                   | C compiler              | gcc             | gcc                   | gcc          | gcc
build  | header stdlib.h      | headers of the C library| libc6-dev       | glibc-devel           | glibc        | glibc-devel
build  | cmd pkg-config       | pkg-config              | pkg-config      | pkgconf-pkg-config    | pkgconf      | pkg-config
build  | pc gl                | OpenGL headers          | libgl1-mesa-dev | mesa-libGL-devel      | libglvnd     | Mesa-libGL-devel
build  | pc x11               | X11 headers             | libx11-dev      | libX11-devel          | libx11       | libX11-devel
build  | pc xcursor           | Xcursor headers         | libxcursor-dev  | libXcursor-devel      | libxcursor   | libXcursor-devel
build  | pc xrandr            | Xrandr headers          | libxrandr-dev   | libXrandr-devel       | libxrandr    | libXrandr-devel
build  | pc xinerama          | Xinerama headers        | libxinerama-dev | libXinerama-devel     | libxinerama  | libXinerama-devel
build  | pc xi                | Xi headers              | libxi-dev       | libXi-devel           | libxi        | libXi-devel
build  | pc xxf86vm           | XF86VidMode headers     | libxxf86vm-dev  | libXxf86vm-devel      | libxxf86vm   | libXxf86vm-devel
run    | lib libGL.so.1       | OpenGL library          | libgl1          | libglvnd-glx          | libglvnd     | libglvnd
run    | driver               | OpenGL driver           | libgl1-mesa-dri | mesa-dri-drivers      | mesa         | Mesa-dri
race   | cc                   | C compiler              | gcc             | gcc                   | gcc          | gcc
race   | header stdlib.h      | headers of the C library| libc6-dev       | glibc-devel           | glibc        | glibc-devel
window | cmd Xvfb             | X server in memory      | xvfb            | xorg-x11-server-Xvfb  | xorg-server-xvfb | xorg-x11-server-Xvfb
window | cmd xdotool          | keyboard and mouse by script | xdotool    | xdotool               | xdotool      | xdotool
window | cmd import           | ImageMagick             | imagemagick     | ImageMagick           | imagemagick  | ImageMagick
window | cmd xwininfo         | xwininfo                | x11-utils       | xwininfo              | xorg-xwininfo| xwininfo
window | cmd xprop            | xprop                   | x11-utils       | xprop                 | xorg-xprop   | xprop
windows | cmd x86_64-w64-mingw32-gcc | C compiler for Windows | gcc-mingw-w64-x86-64-posix | mingw64-gcc | mingw-w64-gcc | mingw64-cross-gcc
wine   | cmd wine             | Wine                    | wine            | wine-core             | wine         | wine
wine   | cmd wineboot         | Wine                    | wine            | wine-core             | wine         | wine
wine   | font                 | fonts                   | fonts-wine      | dejavu-sans-fonts     | ttf-dejavu   | dejavu-fonts
wine   | cmd strace           | strace                  | strace          | strace                | strace       | strace
wine   | cmd jq               | jq                      | jq              | jq                    | jq           | jq
cli    | cmd strace           | strace                  | strace          | strace                | strace       | strace
cli    | cmd mkfs.ext4        | mkfs.ext4               | e2fsprogs       | e2fsprogs             | e2fsprogs    | e2fsprogs
cli    | cmd mkfs.vfat        | mkfs.vfat               | dosfstools      | dosfstools            | dosfstools   | dosfstools
cli    | cmd losetup          | losetup                 | mount           | util-linux            | util-linux   | util-linux
cli    | cmd setpriv          | setpriv                 | util-linux      | util-linux            | util-linux   | util-linux
cli    | cmd bindfs           | bindfs               | bindfs          | bindfs                | bindfs       | bindfs
report | browser             | Chromium                | chromium        | chromium              | chromium     | chromium
monitor | cmd iostat         | iostat                | sysstat         | sysstat               | sysstat      | sysstat
monitor | cmd jq             | jq                    | jq              | jq                    | jq           | jq
fio    | cmd fio              | fio                     | fio             | fio                   | fio          | fio
delayfs| cc                   | C compiler              | gcc             | gcc                   | gcc          | gcc
delayfs| header stdlib.h      | headers of the C library| libc6-dev       | glibc-devel           | glibc        | glibc-devel
delayfs| cmd pkg-config       | pkg-config              | pkg-config      | pkgconf-pkg-config    | pkgconf      | pkg-config
delayfs| pc fuse3             | headers of FUSE         | libfuse3-dev    | fuse3-devel           | fuse3        | fuse3-devel
delayfs| cmd fusermount3      | fusermount3             | fuse3           | fuse3                 | fuse3        | fuse3
lab    | cmd qemu-system-x86_64 | QEMU for PCs          | qemu-system-x86 | qemu-system-x86-core  | qemu-system-x86 | qemu-x86
lab    | cmd busybox          | busybox                 | busybox         | busybox               | busybox      | busybox
lab    | cmd cpio             | cpio                    | cpio            | cpio                  | cpio         | cpio
lab    | cmd modprobe         | modprobe                | kmod            | kmod                  | kmod         | kmod
lab    | cmd udevadm          | udevadm                 | udev            | systemd-udev          | systemd      | udev
lab    | cmd xz               | xz                      | xz-utils        | xz                    | xz           | xz
lab    | cmd sfdisk           | sfdisk                  | fdisk           | util-linux            | util-linux   | util-linux
lab    | cmd dmsetup          | dmsetup                 | dmsetup         | device-mapper         | device-mapper | device-mapper
lab    | cmd smartctl        | smartctl                | smartmontools   | smartmontools         | smartmontools | smartmontools
filesystems | cmd jq         | jq              | jq             | jq             | jq             | jq
filesystems | cmd losetup    | losetup         | mount          | util-linux     | util-linux     | util-linux
filesystems | cmd pgrep      | pgrep           | procps         | procps-ng      | procps-ng      | procps
filesystems | cmd mkfs.ext4  | mkfs.ext4       | e2fsprogs      | e2fsprogs      | e2fsprogs      | e2fsprogs
filesystems | cmd mkfs.xfs   | mkfs.xfs        | xfsprogs       | xfsprogs       | xfsprogs       | xfsprogs
filesystems | cmd mkfs.btrfs | mkfs.btrfs      | btrfs-progs    | btrfs-progs    | btrfs-progs    | btrfsprogs
filesystems | cmd mkfs.vfat  | mkfs.vfat       | dosfstools     | dosfstools     | dosfstools     | dosfstools
filesystems | cmd mkfs.exfat | mkfs.exfat      | exfatprogs     | exfatprogs     | exfatprogs     | exfatprogs
filesystems | cmd mkfs.ntfs  | mkfs.ntfs       | ntfs-3g        | ntfsprogs      | ntfs-3g        | ntfsprogs
filesystems | cmd ntfs-3g    | NTFS by FUSE    | ntfs-3g        | ntfs-3g        | ntfs-3g        | ntfs-3g
filesystems | cmd mkfs.f2fs  | mkfs.f2fs       | f2fs-tools     | f2fs-tools     | f2fs-tools     | f2fs-tools
filesystems | cmd mkfs.nilfs2 | mkfs.nilfs2     | nilfs-tools    | nilfs-utils    | nilfs-utils    | nilfs-utils
filesystems | cmd mksquashfs | mksquashfs      | squashfs-tools | squashfs-tools | squashfs-tools | squashfs
filesystems | cmd fuse2fs    | ext4 by FUSE    | fuse2fs        | fuse2fs        | fuse2fs        | fuse2fs
filesystems | cmd bindfs     | bindfs          | bindfs         | bindfs         | bindfs         | bindfs
filesystems | cmd cryptsetup | cryptsetup      | cryptsetup-bin | cryptsetup     | cryptsetup     | cryptsetup
filesystems | cmd vgcreate   | logical volumes | lvm2           | lvm2           | lvm2           | lvm2
filesystems | cmd mdadm      | mdadm           | mdadm          | mdadm          | mdadm          | mdadm
'

say() { printf '%s\n' "$*" >&2; }

has_cc() { command -v "${CC:-gcc}" >/dev/null; }
has_header() { has_cc && printf '#include <%s>\n' "$1" | "${CC:-gcc}" -E - >/dev/null 2>&1; }
has_pc() { command -v pkg-config >/dev/null && pkg-config --exists "$1"; }
# Some lie where a user's PATH does not look.
has_cmd() { PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null; }
libraries() { PATH=$PATH:/usr/sbin:/sbin ldconfig -p; }
has_lib() { libraries | grep -qF "$1 "; }
# Mesa keeps its drivers in a folder (*_dri.so) or, since version 24.3, in one library; NVIDIA brings its own.
has_driver() {
    libraries | grep -qE 'libGLX_nvidia\.so\.0|libgallium' ||
        compgen -G '/usr/lib*/dri/*_dri.so' >/dev/null || compgen -G '/usr/lib/*/dri/*_dri.so' >/dev/null ||
        compgen -G '/usr/lib/*/libgallium*.so' >/dev/null
}

has_browser() { has_cmd chromium || has_cmd chromium-browser || has_cmd google-chrome; }

has_font() {
    compgen -G '/usr/share/wine/fonts/*.ttf' >/dev/null || compgen -G '/usr/share/fonts/*/*.ttf' >/dev/null ||
        compgen -G '/usr/share/fonts/*/*/*.ttf' >/dev/null
}

# The wanted version stands in go.mod, so there is one place to change it.
check_go() {
    local want have minor
    want=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' go.mod)
    if ! command -v go >/dev/null; then
        say "Go $want or newer is needed, and there is no go in PATH."
    else
        # A go older than go.mod wants fetches a newer one of itself, unless it may not or cannot.
        have=$(go env GOVERSION) || have=$(GOTOOLCHAIN=local go env GOVERSION)
        minor=${have#go}
        if [ "$(printf '%s\n%s\n' "$want" "$minor" | sort -V | head -n 1)" = "$want" ]; then
            return 0
        fi
        say "Go $want or newer is needed; $(command -v go) is $have."
    fi
    say "The golang packages of Debian and Ubuntu are older. Take the archive from https://go.dev/dl,"
    say "unpack it to /usr/local as described there, and put it in front of PATH:"
    say "    export PATH=/usr/local/go/bin:\$PATH"
    exit 1
}

# missing GROUP... fills the arrays names (what it is) and packages (for the column of this system).
missing() {
    local group check what apt dnf pacman zypper wanted=" $* "
    names=() packages=()
    # The last four are read through the name in $manager.
    # shellcheck disable=SC2034
    while IFS='|' read -r group check what apt dnf pacman zypper; do
        group=${group// /}
        if [ -z "$group" ] || [[ $wanted != *" $group "* ]]; then continue; fi
        # The words of check are a function and its argument.
        # shellcheck disable=SC2086
        if has_${check## }; then continue; fi
        names+=("$(trim "$what")")
        packages+=("$(trim "${!manager}")")
    done <<<"$things"
    if [ ${#packages[@]} -gt 0 ]; then
        mapfile -t packages < <(printf '%s\n' "${packages[@]}" | sort -u)
    fi
}
trim() { local s=$1; s=${s#"${s%%[! ]*}"}; printf '%s' "${s%"${s##*[! ]}"}"; }

manager_of_system() {
    local m
    for m in apt-get dnf pacman zypper; do
        if command -v "$m" >/dev/null; then
            printf '%s' "${m%-get}"
            return
        fi
    done
    printf 'none'
}

command_line() {
    case $manager in
    apt) printf 'apt-get install -y --no-install-recommends %s' "${packages[*]}" ;;
    dnf) printf 'dnf install %s' "${packages[*]}" ;;
    pacman) printf 'pacman -S --needed %s' "${packages[*]}" ;;
    zypper) printf 'zypper install %s' "${packages[*]}" ;;
    esac
}

give_up() {
    say "$1"
    if [ "$known" = yes ]; then
        say "Install it as root and run the same command again:"
        say "    $(command_line)"
    else
        say "Install what this system calls these packages of Debian, and run the same command again:"
        say "    ${packages[*]}"
    fi
    say "None of it is needed for the command line program and most tests: make cli check unit layout ui-tests"
    exit 1
}

# as_root is the prefix that makes a command run as root: nothing for root itself, sudo where it does
# not ask or there is a terminal to ask on.
find_root() {
    as_root=()
    if [ "$(id -u)" -eq 0 ]; then return; fi
    command -v sudo >/dev/null || give_up "You are not root and there is no sudo here, so nothing was installed."
    if sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    elif [ -t 0 ] && [ -t 2 ]; then
        say "sudo may ask for your password."
        sudo -v || give_up "sudo did not let you in, so nothing was installed."
        as_root=(sudo)
    else
        give_up "sudo wants a password and there is no terminal to ask on, so nothing was installed."
    fi
}

apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1
}

# The package lists are fetched only where there are none or they turn out to be too old. --no-remove:
# a system where this would take something away is left to its owner.
install_with_apt() {
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    local install=(install --no-install-recommends --no-remove "${packages[@]}")
    if compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null && apt "${install[@]}"; then return; fi
    say "Fetching the package lists first."
    if apt update && apt "${install[@]}"; then return; fi
    tail -n 20 "$log" >&2
    give_up "apt-get could not install the packages; its last words stand above."
}

main() {
    check_go
    if [ "$*" = go ]; then return; fi
    if [ "$(uname -s)" != Linux ]; then
        say "The window is built on Linux; this is $(uname -s). The command line program needs only Go: make cli"
        exit 1
    fi
    manager=$(manager_of_system) known=yes
    if [ "$manager" = none ]; then manager=apt known=no; fi
    missing "$@"
    if [ ${#names[@]} -eq 0 ]; then return; fi
    say "Missing here: $(printf '%s, ' "${names[@]}" | sed 's/, $//')."
    if [ "$manager" != apt ] || [ "$known" = no ]; then
        give_up "This script installs packages on Debian and Ubuntu only."
    fi
    find_root
    say "Installing (a minute or two): ${packages[*]}"
    install_with_apt
    missing "$@"
    if [ ${#names[@]} -gt 0 ]; then
        say "The packages are installed, but still not found: $(printf '%s, ' "${names[@]}" | sed 's/, $//')."
        say "Check PATH, CC and PKG_CONFIG_PATH."
        exit 1
    fi
}

main "$@"
