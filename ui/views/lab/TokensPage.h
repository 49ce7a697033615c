#pragma once

#include "engine/lab/DirectionSet.h"
#include "render/scenes/lab/TokensLabScene.h"
#include "views/lab/LabPage.h"

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace attn {

/// The rows of a stage as vectors: tables, their principal plane, and concept directions.
class TokensPage : public LabPage
{
    Q_OBJECT

public:
    explicit TokensPage(Workbench *workbench, QWidget *parent = nullptr);

    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                  QSizeF room) override;
    void refreshControls() override;
    void onControl(const QString &id) override;
    void onShapeClicked(const QString &id) override;
    void onDerivedSelected(const MapKey &map, Index row, Index col) override;
    QString whyDerivedStays(const MapKey &map) const override;

private:
    Stage stage() const;
    /// Head of the stage, from the head in focus.
    Index head() const;
    TokensLabOptions options() const;
    /// The vectors as the scene reads them; nothing without a snapshot that has them.
    std::optional<TokenVectors> vectors(Index rows) const;
    void chooseToken(Index token);
    /// The directions and what they are read with; nothing without vectors.
    struct Directions
    {
        TokenVectors rows;
        DirectionSet set;
        Index chosen = 0;
    };
    std::optional<Directions> directions() const;
    QString shownName(const Directions &directions, Index index) const;
    void nameDirection();
    void refreshName();
    void addDifference(const Directions &now);
    void changeDirections(const Edit &edit, const QString &text, Index chosen);
    void refreshTokens();

    QComboBox *m_stage;
    QComboBox *m_head;
    QCheckBox *m_centred;
    QComboBox *m_to;
    QComboBox *m_from;
    QLineEdit *m_name;
    QStringList m_names;
};

} // namespace attn
