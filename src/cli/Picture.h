#pragma once

#include "cli/ComputedInput.h"
#include "render/FigureExport.h"
#include "render/SceneBuilders.h"

#include <QStringList>

#include <optional>

namespace attn {

/// Everything --view and its companions ask for.
struct Picture
{
    FigureOptions figure;
    DisplayOptions display;
    QString view;
    std::optional<Index> head;
    std::optional<Index> row;  ///< query row of the softmax
    std::optional<Index> step; ///< of decode and softmax; none = the last
};

/// What a picture is made from. Lives no longer than the call it is made for.
struct PictureRequest
{
    const Picture &picture;
    const CommandLine &line;
    const ComputedInput &input;

    const SnapshotPtr &snapshot() const { return input.snapshot; }
};

/// What --view takes.
QStringList pictureViews();

/// The scene of one of pictureViews(), from options that belong to it. Fails for stages, heads and rows that
/// the document does not have.
Result<Scene> sceneOfPicture(const PictureRequest &asked);

} // namespace attn
