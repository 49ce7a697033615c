#!/usr/bin/env bash
# Installs the Debian 12 packages that the build needs, if any is missing. As root, or as a user with sudo.
#   scripts/packages.sh [extra package…]
set -euo pipefail

packages=(g++ cmake ninja-build qt6-base-dev qt6-svg-dev libeigen3-dev zlib1g-dev rapidjson-dev fonts-dejavu-core
          fonts-noto-cjk "$@")

missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [[ $state == "install ok installed" ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    command -v sudo >/dev/null || { echo "Missing packages: ${missing[*]}. Install them as root, or install sudo." >&2; exit 1; }
    as_root=(sudo)
fi
echo "Installing ${#missing[@]} Debian packages: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
