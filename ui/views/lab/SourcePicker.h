#pragma once

#include "engine/lab/VectorSource.h"

#include <QWidget>

#include <array>

class QComboBox;
class QHBoxLayout;
class QSpinBox;

namespace attn {

/// Chooses whose vectors a lab page shows: its own scratch matrix, or two columns or rows of a stage, and in
/// which plane those are drawn.
class SourcePicker : public QWidget
{
    Q_OBJECT

public:
    enum class Planes
    {
        CoordinatesOnly,
        WithOwnPlane, ///< also the plane that both vectors lie in
    };

    explicit SourcePicker(Planes planes, QWidget *parent = nullptr);

    /// Brings the fields in line; emits nothing.
    void show(const VectorSource &source, const Snapshot &snapshot);

signals:
    /// Dimension and count are those of the source that was shown.
    void chosen(const attn::VectorSource &source);

private:
    QSpinBox *addIndex(const QString &name);
    void showStages(const Snapshot &snapshot);
    void take();

    VectorSource m_shown;
    QComboBox *m_kind;
    QWidget *m_stagePart;
    QHBoxLayout *m_stageRow;
    QComboBox *m_stage;
    QSpinBox *m_head;
    std::array<QSpinBox *, 2> m_vectors;
    QComboBox *m_plane;
    std::array<QSpinBox *, 2> m_axes;
};

} // namespace attn
