#pragma once

#include "benchmarks/BenchOptions.h"
#include "benchmarks/Measurement.h"

namespace attn::bench {

/// Each runs in a process of its own, so that its peak of memory is its own too. They print what
/// options.wants().

/// An edit of an example of four tokens.
void benchExample(Report &report, const BenchOptions &options);
/// The engine alone, at one number of tokens: a full recompute and every kind of edit.
void benchEngine(Report &report, const BenchOptions &options, long n);
/// Cells of a map, statistics of rows, the pooled overview.
void benchMaps(Report &report, const BenchOptions &options, long n);
/// How an edit grows with the number of tokens.
void benchGrowth(Report &report, const BenchOptions &options);
/// Colours of a picture, and drawing it.
void benchColors(Report &report, const BenchOptions &options);
/// From an edit to the repainted window, at one number of tokens; 4: the worked example.
void benchWindow(Report &report, const BenchOptions &options, long n);
/// The same with one map in sight, and while a number is scrubbed.
void benchMapFrames(Report &report, const BenchOptions &options, long n);
/// From a move of a dragged point in the lab to the repainted window.
void benchDrag(Report &report, const BenchOptions &options);
/// A window on a file of 131072 tokens: opening, panning, zooming, editing.
void benchLargeWindow(Report &report, const BenchOptions &options);
/// From the start of a process to its first complete picture, of the worked example and of a file.
void benchStart(Report &report, const BenchOptions &options);

/// What a process started by benchStart does; returns its exit code.
int runChild(const BenchOptions &options);

} // namespace attn::bench
