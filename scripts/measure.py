#!/usr/bin/env python3
"""Runs all measurements of AttnScope in one go and writes the table of README "Measured" to stdout, as Markdown.

  scripts/measure.py [--bench build/release/bin/attnscope-bench] [--threads 1] [--rounds 3] [--budget 1] [--quick] [--keep FILE]

First the machine's own limits and every measurement of attnscope-bench, each checked against plain loops in double and bit for bit
against a fresh evaluation; then scripts/bench_compare.py, the same layer in NumPy and PyTorch in turn. About 9 minutes on two
processors. What it runs is told on stderr; --keep writes all lines of both as JSON. --quick is a trial of the script itself, not
a measurement. On a machine that does other work the times say little: run it alone. Exit code 1 when a result was wrong.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

# What the table shows: name, the measurement it is from (and its n), and the budget it is held against.
ROWS = [
    ("4×6 example: edit to all numbers", "4 x 6 example: edit to all numbers", None, "≤ 0.005 ms"),
    ("4×6 example: edit to repainted window", "edit to repainted window, worked example", None, "≤ 3 ms"),
    ("start-up to the first picture", "start-up: process to first picture", None, "≤ 1 s"),
    ("full recompute", "full recompute", "each", "≥ 50 % of Eigen's tile at 512, 2048"),
    ("X cell, visible head", "X cell, visible head", "each", "≤ 6 ms at 4096"),
    ("X cell, all 12 heads, output where it is looked at", "X cell, all heads", "each", "≤ 100 ms at 4096"),
    ("X cell, all 12 heads and all of the output", "X cell, all heads and output", "each", ""),
    ("W^Q cell, visible head", "Wq cell, visible head", "each", ""),
    ("W^V cell, visible head", "Wv cell, visible head", "each", ""),
    ("W^O cell, all of the output", "Wo cell, all heads", "each", ""),
    ("causal mask on or off, visible head", "causal mask on or off, visible head", "each", ""),
    ("growth of an X cell, visible head", "growth of an X cell: exponent over n 1024-16384", None, "≤ 1.15"),
    ("tile of a map, 1000×1000 cells of A", "map tile, 1000 x 1000 cells of A", "each", "≤ 4 ms, 131072 : 4096 ≤ 1.2"),
    ("row statistics, 64 rows", "row statistics, 64 rows", "each", ""),
    ("row statistics, 1000 rows", "row statistics, 1000 rows", "each", "≤ 400 ms at 131072"),
    ("overview, max and mean, 2048×2048 cells", "overview of A, max and mean, a tile of 2048 x 2048 cells", "each",
     "≥ 0.7 Gcells/s (AVX-512), 0.4 (AVX2)"),
    ("131072 tokens: file to first picture", "131072 tokens: file to first picture", None, "≤ 1.1 s"),
    ("131072 tokens: first weights after it", "131072 tokens: to exact weights in sight", None, "≤ 400 ms"),
    ("131072 tokens: a frame while panning", "131072 tokens: pan", None, "≤ 16 ms p95"),
    ("131072 tokens: a frame while zooming", "131072 tokens: zoom", None, "≤ 16 ms p95"),
    ("131072 tokens: Q cell to the next frame", "131072 tokens: Q cell to frame", None, ""),
    ("131072 tokens: Q cell to the whole head", "131072 tokens: Q cell to whole head", None, "≤ 1 s"),
    ("edit to frame, heads workspace", "edit to frame, heads workspace", "each", "≤ 8 ms median, ≤ 16 ms p95"),
    ("edit to frame, one map of 1000×1000 px", "edit to frame, one map of 1000 x 1000 px", "each", "≤ 8 ms median, ≤ 16 ms p95"),
    ("scrubbed cell to frame, one map of 1000×1000 px", "scrubbed cell to frame, one map of 1000 x 1000 px", "each",
     "≤ 16 ms p95"),
    ("the same under a causal mask", "scrubbed cell to frame, the same with a causal mask", "each", "≤ 16 ms p95"),
    ("beside them in turn: a plain loop of 8 ms", "a plain loop of 8 ms, in turn with the frames", "each", ""),
    ("12 heads at 512: file to first picture", "file to first picture: 12 heads, heads workspace", None, "≤ 0.3 s, ≤ 300 MB"),
    ("lab: a dragged vector to the repainted window", "drag to repainted window, lab vectors", None, ""),
    ("lab: a dragged map to the repainted window", "drag to repainted window, lab maps", None, ""),
    ("colour map + draw, 1000×1000 px", "colour map + draw, 1000 x 1000 px", None, "≥ 1 Gpx/s"),
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default="build/release/bin/attnscope-bench")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="of the comparison with NumPy and PyTorch")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds for each measurement")
    parser.add_argument("--quick", action="store_true", help="small sizes, short measurements")
    parser.add_argument("--keep", help="a file for all lines, as JSON")
    return parser.parse_args()


def told(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def lines_of(command):
    told(" ".join(command))
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def number(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        names = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
    return f"{len(names)} × {names[0]}" if names else "unknown processor"


def print_limits(lines):
    print("| the machine's own limits | |\n|---|--:|")
    for line in lines:
        if line["what"].startswith("limit: ") or line["what"] == "exponentials":
            kind = f", {line['isa']}, {line['dtype']}" if line["isa"] else ""
            print(f"| {line['what'].removeprefix('limit: ')}{kind} | {number(line['rate'])} {line['rate_unit']} |")
    print()


def print_ours(lines):
    print("| AttnScope | n | median ms | p95 ms | rate | peak MiB | budget |\n|---|--:|--:|--:|--:|--:|---|")
    for name, what, which, budget in ROWS:
        found = [line for line in lines if line["what"] == what]
        for line in found if which else found[-1:]:
            rate = f"{number(line['rate'])} {line['rate_unit']}" if "rate" in line else ""
            p95 = number(line["p95_ms"]) if "p95_ms" in line else ""
            n = line["n"] if "over n 1024-16384" not in what else "1024–16384"
            print(f"| {name} | {n or ''} | {number(line['median_ms'])} | {p95} | {rate} | {line['peak_rss_mib']:.0f} "
                  f"| {budget} |")
            name, budget = "", ""
    print()


def print_comparison(lines, rounds):
    if not lines:
        print("NumPy and PyTorch are not installed here.")
        return
    sides = {line["other"]: line["side"] for line in lines}
    print(f"Ratios to a full recompute elsewhere, {lines[0]['threads']} thread(s), {lines[0]['dtype']}, median of {rounds} round(s) "
          "in turn:")
    for other, side in sides.items():
        kept = "all heads of A kept" if other == "numpy-kept" else "A consumed head by head"
        print(f"- {other}: {side}, {kept}, buffers reused")
    print("\n| AttnScope | n | ms | against | ms | ratio | range |\n|---|--:|--:|---|--:|--:|--:|")
    for line in lines:
        print(f"| {line['what']} | {line['n']} | {number(line['ours_ms'])} | {line['other']} | {number(line['other_ms'])} "
              f"| {line['ratio']:.3f} | {line['min']:.3f}–{line['max']:.3f} |")


def main():
    options = arguments()
    start = time.monotonic()
    sizes = ["256", "512"] if options.quick else ["512", "2048", "4096"]
    budget = "0.05" if options.quick else str(options.budget)
    rounds = "1" if options.quick else str(options.rounds)
    bench = [options.bench, "--json", "--limits", "--threads", str(options.threads), "--budget", budget, "--n", ",".join(sizes)]
    if options.quick:
        bench.append("--no-large")
    code, ours = lines_of(bench)
    compare = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench_compare.py")
    compared_code, compared = lines_of([sys.executable, compare, "--bench", options.bench, "--json", "--threads", str(options.threads),
                                        "--budget", budget, "--rounds", rounds, "--n", *sizes])
    if options.keep:
        with open(options.keep, "w", encoding="utf-8") as file:
            json.dump({"ours": ours, "compared": compared}, file, indent=1)
    isa = next((line["isa"] for line in ours if line["what"] == "full recompute"), "")
    print(f"{processor()}, {isa}, {options.threads} thread(s) of the engine, {time.strftime('%Y-%m-%d')}, made by `scripts/measure.py`; "
          "12 heads of width 64, float32, unless a line says otherwise.\n")
    print_limits(ours)
    print_ours(ours)
    print_comparison(compared, rounds)
    told(f"{(time.monotonic() - start) / 60:.1f} minutes")
    return 1 if code or compared_code else 0


if __name__ == "__main__":
    sys.exit(main())
