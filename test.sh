#!/usr/bin/env bash
# Installs what is missing, builds the optimised program and its tests, and runs them all.
#   ./test.sh             everything: release tests, sanitizers, thread sanitizer, format
#   ./test.sh release     one part: release | asan | tsan | format
set -euo pipefail
cd "$(dirname "$0")"

scripts/packages.sh python3 python3-numpy locales clang-format poppler-utils libxml2-utils lld
# A locale with a decimal comma, kept beside the build: its numbers must be read and written the same.
if [[ ! -d build/locale/de_DE.UTF-8 ]]; then
    mkdir -p build/locale
    localedef -i de_DE -f UTF-8 build/locale/de_DE.UTF-8
fi
export LOCPATH=$PWD/build/locale

parts=("$@")
((${#parts[@]})) || parts=(format release asan tsan)

for part in "${parts[@]}"; do
    case $part in
    format)
        echo "== format"
        find src ui tests -name '*.h' -o -name '*.cpp' | xargs clang-format --dry-run -Werror
        ;;
    release | asan | tsan)
        echo "== $part"
        cmake --preset "$part" -DATTN_BUILD_TESTS=ON -DCMAKE_MESSAGE_LOG_LEVEL=WARNING
        cmake --build --preset "$part"
        ctest --preset "$part"
        ;;
    *)
        echo "test.sh: unknown part '$part' (format, release, asan, tsan)" >&2
        exit 2
        ;;
    esac
done
