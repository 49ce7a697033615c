#!/usr/bin/env python3
"""Checks the symbols of the kernel units in a library: check_kernel_symbols.py NM LIBRARY. Exit 1 with each offence.

A weak symbol would be merged with that of a unit for another instruction set: one of them would run at the wrong speed, or
crash on an older processor. An undefined one would be a call out of the unit: kernels call nothing, so they cannot allocate.
"""

import re
import subprocess
import sys

CALLED = {"memcpy", "memmove", "memset", "_GLOBAL_OFFSET_TABLE_"}


def main():
    listing = subprocess.run([sys.argv[1], "-A", sys.argv[2]], stdout=subprocess.PIPE, text=True, check=True).stdout
    units = set()
    offences = []
    for line in listing.splitlines():
        found = re.search(r"(Kernels(?:Baseline|Avx2|Avx512)\.cpp\.o)\]?:\s*[0-9a-f]*\s+(\w) (\S+)", line)
        if not found:
            continue
        unit, kind, name = found.groups()
        units.add(unit)
        if kind in "WVu":
            offences.append(f"{unit}: {name} may be merged with another unit's")
        elif kind == "U" and name not in CALLED:
            offences.append(f"{unit}: calls {name}")
    if not units:
        offences.append("no kernel units found")
    print("\n".join(offences) if offences else f"clean: {', '.join(sorted(units))}")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
