#pragma once

#include "base/Result.h"
#include "engine/Snapshot.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace attn {

enum class DataFormat
{
    Npy,
    Npz,
    Safetensors,
    Csv,
    Json,
};
/// "npz", without the dot.
QString dataFormatSuffix(DataFormat format);
Result<DataFormat> dataFormatFromSuffix(const QString &fileName);

/// Stages of a snapshot as one file. npz, safetensors and json carry labels, mask, scale, rotary and pins as
/// metadata (ExportMetadata.h) and reopen without a question; npy and csv hold one matrix (csv with its
/// labels). Tensors have the stage's name and golden axes, float64 or float32 as computed, bool for flags.
Result<QByteArray> stagesAsFile(const Snapshot &snapshot, const std::vector<Stage> &stages,
                                DataFormat format);
/// One file per stage (and head, for csv) into a folder; atomic each.
Result<void> writeStagesToFolder(const Snapshot &snapshot, const std::vector<Stage> &stages,
                                 DataFormat format, const QString &folder);

} // namespace attn
