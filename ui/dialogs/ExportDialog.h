#pragma once

#include "render/FigureExport.h"
#include "render/SceneBuilders.h"

#include <QDialog>
#include <QTimer>

#include <functional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace attn {

/// What of the document a figure shows.
enum class FigureContent
{
    CurrentView,
    Stage, ///< the selected stage, all its heads
    AllHeads,
    Footprints, ///< one layer per token
    EveryStage, ///< one file per stage
};

/// Everything the export dialog asks; remembered between exports.
struct FigureChoice
{
    FigureContent content = FigureContent::CurrentView;
    FigureOptions options;
    QString sequentialMap; ///< empty: as on screen
    QString divergingMap;
    bool ownRange = false; ///< `range` instead of what is on screen
    DisplayOptions::Range range;
};

/// Asks how a figure is to be exported and previews it. Makes scenes through `sceneOf`, draws them by the one
/// drawing code, and leaves the writing to whoever listens.
class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    using SceneOf = std::function<Scene(const FigureChoice &)>;

    /// `stageName`: of the selected stage, for the list of contents.
    ExportDialog(const FigureChoice &start, const QString &stageName, SceneOf sceneOf,
                 QWidget *parent = nullptr);

    FigureChoice choice() const;
    /// The listener copied the image; stands where the size does until something is changed.
    void sayCopied();

signals:
    void exportWanted(const attn::FigureChoice &choice);
    void copyWanted(const attn::FigureChoice &choice);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void buildForm(const FigureChoice &start, const QString &stageName);
    QWidget *lookRow();
    QWidget *rangeRow();
    void refresh();
    void drawPreview();

    QString m_stageName;
    SceneOf m_sceneOf;
    QComboBox *m_content;
    QComboBox *m_format;
    QDoubleSpinBox *m_width;
    QSpinBox *m_dpi;
    QComboBox *m_ground;
    QCheckBox *m_labels;
    QCheckBox *m_values;
    QCheckBox *m_bars;
    QLineEdit *m_title;
    QComboBox *m_sequentialMap;
    QComboBox *m_divergingMap;
    QComboBox *m_rangeMode;
    QLineEdit *m_minimum;
    QLineEdit *m_maximum;
    QLabel *m_preview;
    QLabel *m_size;
    QPushButton *m_exportButton = nullptr;
    QTimer m_previewTimer;
};

} // namespace attn
