#pragma once

#include "render/Scene.h"
#include "render/cells/HeatmapCache.h"
#include "render/painting/RestingShapes.h"
#include "render/painting/TextCache.h"

#include <QAbstractScrollArea>
#include <QElapsedTimer>
#include <QTimer>

#include <memory>
#include <optional>

namespace attn {

/// Shows a scene: zoom, pan, scroll bars, and painting of the exposed part by the one painter.
///
/// Ctrl+wheel zooms about the pointer, the wheel scrolls, dragging with the middle button or with Space held
/// pans. Until the user zooms, the scene is kept fitted to the window, in its width or as a whole, but not so
/// small that its texts could not be read: then it scrolls. zoomFit() goes as small as it takes.
class SceneCanvas : public QAbstractScrollArea
{
    Q_OBJECT

public:
    enum class Fit
    {
        Whole, ///< all of the scene
        Width, ///< its width; it may be higher than the window
    };

    explicit SceneCanvas(QWidget *parent = nullptr);

    /// Null shows the empty ground.
    void setScene(std::shared_ptr<const Scene> scene);
    const std::shared_ptr<const Scene> &scene() const { return m_scene; }

    void setTheme(const Theme &theme);
    const Theme &theme() const { return m_options.theme; }
    /// Labels, values, colour bars and theme; zoom, controls and highlight are this widget's own.
    void setPaintOptions(const ScenePaintOptions &options);
    void setHighlight(const SceneHighlight &highlight);
    const SceneHighlight &highlight() const { return m_options.highlight; }

    /// Marks for a moment, by how much they differ, the visible cells that differ from an earlier scene.
    void markChangesSince(const Scene &before);
    void clearChangeMarks();
    bool isMarkingChanges() const { return m_options.changes != nullptr; }
    /// Reads large maps without waiting; whoever owns it has the viewport repainted when more is known. May
    /// be null, and must outlive the widget.
    void setPooledMaps(PooledMaps *maps) { m_pooled = maps; }
    /// Off: large maps stay as they were painted last, as newer numbers are about to come.
    void setRefining(bool on) { m_isRefining = on; }
    bool isRefining() const { return m_isRefining; }

    void setFit(Fit fit);
    Fit fit() const { return m_fit; }
    /// Device-independent pixels per scene unit.
    double zoom() const { return m_zoom; }
    bool isFitted() const { return m_fitted; }
    /// Zooms so that the scene point under this place of the viewport stays there.
    void setZoom(double zoom, QPointF about);

    QPointF toScene(QPointF viewportPoint) const;
    QRectF fromScene(const QRectF &sceneRect) const; ///< in the viewport
    void ensureVisible(const QRectF &sceneRect);
    /// Rows of the map that takes most of the window; nothing when no map is in sight.
    struct SeenRows
    {
        MapKey map;
        Index first = 0;
        Index count = 0;
    };
    std::optional<SeenRows> seenRows() const;

    QSize sizeHint() const override;

public slots:
    void zoomIn();
    void zoomOut();
    void zoomFit();
    /// As if the user had not zoomed yet: another picture begins.
    void resetZoom();
    void zoomActual();

signals:
    void zoomChanged(double zoom);
    /// Another part of the scene is in sight, or another scene.
    void viewMoved();

protected:
    /// What stands on top of the scene, in viewport coordinates.
    virtual void paintOverlay(QPainter &painter);
    /// After another scene was set; `before` may be null.
    virtual void onSceneReplaced(const std::shared_ptr<const Scene> &before);
    /// After zooming, scrolling, resizing.
    virtual void onViewMoved();
    /// Scrolls to where a picture that has no room as a whole begins.
    virtual void showStart();

    bool isPanning() const { return m_panFrom.has_value(); }
    bool isSpaceHeld() const { return m_spaceHeld; }
    /// Takes the event when it begins a pan.
    bool beginPan(const QMouseEvent &event);

    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    struct PanStart
    {
        QPointF mouse;
        QPoint scroll;
    };

    void fadeChangeMarks();
    double fittingZoom() const;
    double largestZoom() const;
    QPointF origin() const; ///< of the scene in the viewport, on a device pixel
    void applyZoom(double zoom);
    enum class Refit
    {
        Anew, ///< as if it had not been shown before
        Kept, ///< after an edit: does not jump for a little more room
    };
    void refit(Refit how = Refit::Anew);
    void updateScrollBars();
    void updatePanCursor();

    std::shared_ptr<const Scene> m_scene;
    ScenePaintOptions m_options;
    HeatmapCache m_heatmaps;
    TextCache m_texts;
    RestingShapes m_resting;
    QTimer m_fadeTimer; ///< runs while changes are marked
    QElapsedTimer m_sinceChange;
    PooledMaps *m_pooled = nullptr;
    std::uint64_t m_pooledRevision = 0; ///< that is painted
    bool m_isRefining = true;
    std::optional<PanStart> m_panFrom;
    double m_zoom = 1.0;
    Fit m_fit = Fit::Whole;
    bool m_fitted = true;
    bool m_fitsAll = false;   ///< asked for by zoomFit()
    bool m_showsWhole = true; ///< else it is too large for that, and scrolls
    bool m_isFresh = true;    ///< the next scene is another picture
    bool m_spaceHeld = false;
};

} // namespace attn
