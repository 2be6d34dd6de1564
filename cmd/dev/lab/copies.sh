#!/usr/bin/env bash
# Copies, inside the virtual PC, on file systems that many kernels lack, on images on its NVMe drive.
#
#   cmd/dev/lab/copies.sh PROGRAM [NAME...]    NAMEs of cmd/dev/check-copy.sh
set -euo pipefail

mkdir -p /mnt/images
mkfs.ext4 -q /dev/lab/nvme
mount /dev/lab/nvme /mnt/images
exec "$(dirname "$0")/../check-copy.sh" -c "$1" -d /mnt/images -s 32MiB "${@:2}"
