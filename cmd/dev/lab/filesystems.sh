#!/usr/bin/env bash
# Makes file systems, inside the virtual PC, on images on its NVMe drive and looks at what is said of their numbers.
#
#   cmd/dev/lab/filesystems.sh PROGRAM [NAME...]    NAMEs of cmd/dev/check-filesystems.sh
set -euo pipefail

mkdir -p /mnt/images
mkfs.ext4 -q /dev/lab/nvme
mount /dev/lab/nvme /mnt/images
exec "$(dirname "$0")/../check-filesystems.sh" -c "$1" -d /mnt/images "${@:2}"
