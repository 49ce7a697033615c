#pragma once

#include "base/Result.h"
#include "engine/Stage.h"
#include "engine/StageValues.h"
#include "engine/Tensor.h"
#include "io/Json.h"

#include <span>
#include <string>
#include <vector>

namespace attn {

class ReferencedFiles;

/// How an experiment is written.
enum class JsonForm
{
    Golden,   ///< every number as text, pins as whole matrices: the form of golden files
    Document, ///< matrices above `maxTextNumbers` as base64 of little-endian numbers with their CRC-32,
              ///< those that lie in a mapped file by where they lie; single pinned cells as a list
    Embedded, ///< Document, with every number in it
};
inline constexpr Index maxTextNumbers = 4096;

/// {"shape": [..], "data": [..]}; float32 storage adds "dtype": "float32". Two axes, or three with several
/// heads. As a block: {"dtype": "float64", "shape": [..], "crc32": "8 hex digits", "base64": ".."}. In a
/// file:
/// {"dtype", "shape", "file": {"path", "bytes", "modified", "fingerprint"} (engine/MappedNumbers.h),
/// "offset", "head_stride", "row_stride", "piece_cols", "piece_stride", "cells": [n, 4] of head, row, col,
/// value that differ}; a file that has changed since it was mapped, and a matrix of which a quarter differs,
/// is embedded.
Json tensorToJson(const Tensor &tensor, JsonForm form = JsonForm::Golden);

/// The same with the axes that golden files give a stage: biases and other single rows have one axis, scores
/// always three; masks are "dtype": "bool".
Json stageTensorToJson(Stage stage, const Tensor &tensor, JsonForm form = JsonForm::Golden);
Json stageValuesToJson(Stage stage, const StageValues &values);

/// The lengths of a stage's axes in golden files.
std::vector<Index> stageAxes(Stage stage, const Shape &shape);

/// Any array of that form with one ([1, n]), two or three axes; nested lists of numbers too. `where` names
/// the field in errors: "state.Wq". files: opens those that the array lies in; null = by their path alone.
Result<Tensor> tensorFromJson(const Json &json, const std::string &where, ReferencedFiles *files = nullptr);

/// {"shape": [..], "data": [..]} of plain numbers with any number of axes.
Json arrayToJson(std::span<const Index> shape, std::span<const double> data, const char *dtype = nullptr);

} // namespace attn
