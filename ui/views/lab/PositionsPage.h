#pragma once

#include "render/scenes/lab/PositionsLabScene.h"
#include "views/lab/LabPage.h"

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace attn {

/// X = E + P: positional encodings, what the order of words does, rotary and ALiBi as pictures.
class PositionsPage : public LabPage
{
    Q_OBJECT

public:
    explicit PositionsPage(Workbench *workbench, QWidget *parent = nullptr);

    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                  QSizeF room) override;
    void refreshControls() override;
    void onControl(const QString &id) override;

private:
    PositionsLabOptions options() const;
    /// An encoding that fits X; then "learned" means that one.
    bool keepsEncoding() const;
    void refreshWords();
    void keepEncoding(Staying staying);
    void forgetEncoding();
    void changeScores(const QString &id);

    QComboBox *m_kind;
    QDoubleSpinBox *m_base;
    QSpinBox *m_seed;
    QComboBox *m_first;
    QComboBox *m_second;
    QStringList m_names;
};

} // namespace attn
