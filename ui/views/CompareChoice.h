#pragma once

#include "engine/Stage.h"

#include <QJsonObject>
#include <QString>

#include <optional>

namespace attn {

/// What the compare workspace shows; saved with the view state.
struct CompareChoice
{
    enum class Source
    {
        Automatic, ///< imported results if there are any, else the kept state, else the document as opened
        AsOpened,
        Kept,
        Reference, ///< results imported with the document
        File,
    };

    Source source = Source::Automatic;
    double tolerance = 1e-5;
    std::optional<Stage> stage;
    QString file;     ///< of Source::File
    QString kept;     ///< a small kept state as document text; larger ones live as long as the window
    QString keptName; ///< when it was kept

    QJsonObject toJson() const;
    static CompareChoice fromJson(const QJsonObject &object);
};

} // namespace attn
