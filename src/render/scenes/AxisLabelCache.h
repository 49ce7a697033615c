#pragma once

#include "engine/Experiment.h"
#include "engine/Stage.h"

#include <QFont>
#include <QStringList>

#include <mutex>
#include <optional>
#include <vector>

namespace attn {

/// Labels along an axis, and the room that the widest one takes.
struct AxisLabels
{
    QStringList labels;
    double width = 0.0;
};

/// Keeps the labels of axes from one scene to the next: of thousands of tokens, making and measuring them
/// takes longer than the rest of a scene, and an edit of numbers leaves them as they are. Thread-safe.
class AxisLabelCache
{
public:
    struct Key
    {
        Axis axis = Axis::One;
        Index count = 0;
        TokenList tokens; ///< that stand along the axis; none: it is numbered
        QFont font;
        bool isMeasured = true;

        bool operator==(const Key &) const = default;
    };

    std::optional<AxisLabels> find(const Key &key) const;
    void keep(const Key &key, const AxisLabels &labels);

private:
    struct Entry
    {
        Key key;
        AxisLabels labels;
    };

    mutable std::mutex m_mutex;
    std::vector<Entry> m_entries; ///< the newest last
};

} // namespace attn
