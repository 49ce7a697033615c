#!/usr/bin/env bash
# Installs what is missing, builds the program and starts it on the worked example.
# Without a display it renders the example's board, heads and footprints to image files and says where.
#   ./run.sh [file…]      opens these files instead
set -euo pipefail
cd "$(dirname "$0")"

scripts/packages.sh
echo "Building (release)"
cmake --preset release -DATTN_BUILD_TESTS=OFF -DCMAKE_MESSAGE_LOG_LEVEL=WARNING
cmake --build build/release --target attnscope attnscope-cli

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    echo "Starting build/release/bin/attnscope"
    exec build/release/bin/attnscope "$@"
fi

out=out/example
mkdir -p "$out"
echo "No display: rendering the worked example"
for view in board heads footprints; do
    build/release/bin/attnscope-cli render "${1:-example:computed}" --view "$view" --out "$out/$view.png"
    echo "  $out/$view.png"
done
