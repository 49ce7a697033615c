#!/usr/bin/env python3
"""Runs attnscope-bench and the same attention layer in NumPy and PyTorch in turn, and prints the ratios.

  scripts/bench_compare.py --bench build/release/bin/attnscope-bench [--n 512 2048 4096] [--heads 12] [--d 64] [--threads 1]
                           [--dtype f32] [--rounds 5] [--budget 1] [--json]

All sides: float32 (or float64) Q, K, V, softmax(Q K^T / sqrt(d)) V head by head and the output projection, buffers reused, A
consumed head by head and not kept, unless a line says "A kept". NumPy and PyTorch have no partial recompute: after an edit of
one cell their user computes all of it again, so edits are compared with that too. Each side runs in a process of its own, one
after the other in every round, because a shared machine drifts: quoted is the median of the rounds' ratios, and their range.
OpenBLAS of Debian 12 takes its oldest kernel on processors it does not know, so it is told which one to use, by what the processor
can do (--openblas names another, "auto" leaves the choice to it); the kernel is printed. With Debian's reference BLAS alone the comparison
would be none: install libopenblas0-pthread. PyTorch runs with MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=100000000000: otherwise the page faults of its fresh buffers are
measured. NumPy and PyTorch are Debian's python3-numpy and python3-torch; one that is missing is left out.
"""

import argparse
import collections
import json
import os
import resource
import statistics
import subprocess
import sys
import time

OURS = ["full recompute", "X cell, all heads", "X cell, visible head", "Wq cell, all heads"]
ARENA = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "100000000000"}


def openblas_kernel():
    """The newest kernel of OpenBLAS 0.3.21 that this processor can run."""
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        flags = next((line.split() for line in info if line.startswith("flags")), [])
    return "SKYLAKEX" if "avx512bw" in flags else "HASWELL" if "avx2" in flags else "auto"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", help="the program attnscope-bench")
    parser.add_argument("--n", type=int, nargs="+", default=[512, 2048, 4096])
    parser.add_argument("--heads", type=int, default=12)
    parser.add_argument("--d", type=int, default=64)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--dtype", choices=["f32", "f64"], default="f32")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=1.0, help="seconds for each measurement")
    parser.add_argument("--python", default="/usr/bin/python3", help="the interpreter that has NumPy and PyTorch")
    parser.add_argument("--openblas", default=openblas_kernel(), help="the kernel of OpenBLAS; auto: its own choice")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--worker", choices=["numpy", "numpy-kept", "torch"], help=argparse.SUPPRESS)
    return parser.parse_args()


def times_of(budget, once):
    once()
    times = []
    start = time.perf_counter()
    while len(times) < 3 or (time.perf_counter() - start < budget and len(times) < 1000):
        begin = time.perf_counter()
        once()
        times.append((time.perf_counter() - begin) * 1e3)
    times.sort()
    return {"median_ms": times[len(times) // 2], "min_ms": times[0]}


def blas_kernel():
    """The kernel that OpenBLAS has chosen for this processor."""
    import ctypes
    with open("/proc/self/maps", encoding="utf-8") as maps:
        libraries = sorted({line.split()[-1] for line in maps if "blas" in line})
    for path in libraries:
        try:
            name = ctypes.CDLL(path).openblas_get_corename
        except (OSError, AttributeError):
            continue
        name.restype = ctypes.c_char_p
        return "OpenBLAS " + name().decode()
    return os.path.basename(libraries[0]) if libraries else "unknown BLAS"


class NumpyLayer:
    def __init__(self, n, heads, d, dtype, keeps):
        import numpy
        self.np = numpy
        self.dtype = numpy.float32 if dtype == "f32" else numpy.float64
        random = numpy.random.default_rng(7)
        width = heads * d
        scale = 1 / numpy.sqrt(width)
        self.heads, self.d = heads, d
        self.x = random.standard_normal((n, width)).astype(self.dtype)
        self.w = [(random.standard_normal((width, width)) * scale).astype(self.dtype) for _ in range(4)]
        self.a = numpy.empty((heads if keeps else 1, n, n), self.dtype)
        self.q, self.k, self.v, self.z, self.y = (numpy.empty((n, width), self.dtype) for _ in range(5))

    def run(self):
        np, factor = self.np, self.dtype(1 / self.np.sqrt(self.d))
        for weight, out in zip(self.w, (self.q, self.k, self.v)):
            np.matmul(self.x, weight, out=out)
        for head in range(self.heads):
            cols = slice(head * self.d, (head + 1) * self.d)
            a = self.a[head % len(self.a)]
            np.matmul(self.q[:, cols], self.k[:, cols].T, out=a)
            a *= factor
            a -= a.max(1, keepdims=True)
            np.exp(a, out=a)
            a /= a.sum(1, keepdims=True)
            np.matmul(a, self.v[:, cols], out=self.z[:, cols])
        np.matmul(self.z, self.w[3], out=self.y)

    def describe(self):
        return f"NumPy {self.np.__version__}, {blas_kernel()}"


class TorchLayer:
    def __init__(self, n, heads, d, dtype, threads):
        import torch
        self.torch = torch
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        torch.manual_seed(7)
        torch.set_default_dtype(torch.float32 if dtype == "f32" else torch.float64)
        width = heads * d
        self.heads, self.d = heads, d
        self.x = torch.randn(n, width)
        self.w = [torch.randn(width, width) / width ** 0.5 for _ in range(4)]
        self.scores = torch.empty(n, n)
        self.q, self.k, self.v, self.z, self.y = (torch.empty(n, width) for _ in range(5))

    def run(self):
        torch = self.torch
        for weight, out in zip(self.w, (self.q, self.k, self.v)):
            torch.matmul(self.x, weight, out=out)
        for head in range(self.heads):
            cols = slice(head * self.d, (head + 1) * self.d)
            torch.matmul(self.q[:, cols], self.k[:, cols].T, out=self.scores)
            self.scores.mul_(self.d ** -0.5)
            self.z[:, cols] = torch.softmax(self.scores, -1) @ self.v[:, cols]
        torch.matmul(self.z, self.w[3], out=self.y)

    def describe(self):
        isa = [line for line in self.torch.__config__.show().splitlines() if "CPU capability" in line]
        return f"PyTorch {self.torch.__version__}, {isa[0].strip(' -') if isa else 'unknown kernel'}, {blas_kernel()}"


def work(options):
    for n in sorted(options.n):
        if options.worker == "torch":
            layer = TorchLayer(n, options.heads, options.d, options.dtype, options.threads)
        else:
            layer = NumpyLayer(n, options.heads, options.d, options.dtype, options.worker == "numpy-kept")
        times = times_of(options.budget, layer.run)
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"what": options.worker, "n": n, "side": layer.describe(), "peak_rss_mib": rss, **times}), flush=True)


def lines_of(command, environment):
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}, check=False)
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def run_ours(options):
    found = {}
    for what in OURS:
        code, lines = lines_of([options.bench, "--json", "--no-large", "--only", what, "--n", ",".join(map(str, options.n)),
                                "--heads", str(options.heads), "--d", str(options.d), "--threads", str(options.threads),
                                "--dtype", options.dtype, "--budget", str(options.budget)], {})
        if code != 0:
            sys.exit(f"{options.bench}: exit code {code}: a result was wrong")
        found.update({(line["what"], line["n"]): line for line in lines if line["what"] == what})
    return found


def run_other(options, worker):
    threads = str(options.threads)
    environment = {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, **(ARENA if worker == "torch" else {})}
    if options.openblas != "auto":
        environment["OPENBLAS_CORETYPE"] = options.openblas
    code, lines = lines_of([options.python, __file__, "--worker", worker, "--heads", str(options.heads), "--d", str(options.d),
                            "--threads", threads, "--dtype", options.dtype, "--budget", str(options.budget),
                            "--n", *map(str, options.n)], environment)
    return {line["n"]: line for line in lines} if code == 0 else {}


def compared(rounds, options, workers):
    """(what, n, worker) -> ratios of all rounds, and the last times of both sides."""
    table = collections.defaultdict(list)
    for ours, others in rounds:
        for worker in workers:
            for what in OURS:
                for n in options.n:
                    mine, other = ours.get((what, n)), others[worker].get(n)
                    if mine and other:
                        table[what, n, worker].append((mine["median_ms"], other["median_ms"], mine["isa"]))
    return table


def main():
    options = arguments()
    if options.worker:
        return work(options)
    if not options.bench:
        sys.exit("bench_compare.py: expected --bench PROGRAM")
    workers = ["numpy", "numpy-kept", "torch"]
    rounds = []
    for index in range(options.rounds):
        ours = run_ours(options)
        rounds.append((ours, {worker: run_other(options, worker) for worker in workers}))
        print(f"round {index + 1} of {options.rounds}", file=sys.stderr)
    for line in (line for _, others in rounds for lines in others.values() for line in lines.values()):
        if "OpenBLAS" not in line["side"]:
            sys.exit(f"{line['side']}: not OpenBLAS; install libopenblas0-pthread, or the ratios say nothing")
    sides = {worker: next((line["side"] for line in rounds[-1][1][worker].values()), "not installed") for worker in workers}
    if not options.json:
        print(f"{options.heads} heads, d {options.d}, {options.dtype}, {options.threads} thread(s); median of {options.rounds} rounds")
        for worker in workers:
            print(f"  {worker}: {sides[worker]}{', A kept' if worker == 'numpy-kept' else ', A consumed'}"
                  f"{', ' + ' '.join(f'{k}={v}' for k, v in ARENA.items()) if worker == 'torch' else ''}")
        print(f"\n{'attnscope':24} {'n':>6} {'isa':>7} {'ms':>9}  {'against full recompute in':26} {'ms':>9} {'ratio':>7}  range")
    for (what, n, worker), rows in compared(rounds, options, workers).items():
        ratios = sorted(mine / other for mine, other, _ in rows)
        mine = statistics.median(row[0] for row in rows)
        other = statistics.median(row[1] for row in rows)
        if options.json:
            print(json.dumps({"what": what, "n": n, "isa": rows[0][2], "ours_ms": mine, "other": worker, "side": sides[worker],
                              "other_ms": other, "ratio": statistics.median(ratios), "min": ratios[0], "max": ratios[-1],
                              "threads": options.threads, "dtype": options.dtype}))
        else:
            print(f"{what:24} {n:6} {rows[0][2]:>7} {mine:9.3f}  {worker:26} {other:9.2f} {statistics.median(ratios):7.3f}  "
                  f"{ratios[0]:.3f}-{ratios[-1]:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
