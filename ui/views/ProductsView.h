#pragma once

#include "views/ProductsSettings.h"
#include "views/SceneWorkspace.h"

#include <array>

class QAction;
class QComboBox;
class QSpinBox;

namespace attn {

/// Any product of the pipeline, or a free A·B, in four linked views; played, stepped and scrubbed through its
/// sum.
class ProductsView : public SceneWorkspace
{
    Q_OBJECT

public:
    ProductsView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

    PlaybackBar *playback() override { return m_playback; }

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void onControl(const QString &id) override;
    void onDerivedSelected(const MapKey &map, Index row, Index col) override;
    void refreshControls() override;
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    ProductsOptions options() const;
    /// With the room of the picture.
    ProductsOptions shownOptions() const;
    void setOptions(const ProductsOptions &options);
    Result<Product> product() const;
    void addChoices();
    void addSizes();
    void refreshHeads(ProductKind kind, Index head);
    void refreshSizes(bool isFree);
    /// The chosen cell, term or row follows the selection of all views.
    void followSelection();
    void makeFree();
    void resizeFree();

    QComboBox *m_product;
    QComboBox *m_head;
    QComboBox *m_vectors;
    QComboBox *m_form;
    QComboBox *m_order;
    std::array<QSpinBox *, 3> m_sizes{};
    QList<QAction *> m_headActions;
    QList<QAction *> m_sizeActions;
    PlaybackBar *m_playback;
};

} // namespace attn
