#pragma once

#include <QByteArray>
#include <QPaintDevice>
#include <QSizeF>
#include <QString>

#include <memory>

namespace attn {

/// A paint device that writes SVG 1.1. Text stays text, rectangles stay rectangles (sharp ones as
/// crispEdges), images are embedded unsmoothed. No clipping: what is drawn must fit. The same drawing gives
/// the same bytes.
class SvgDevice final : public QPaintDevice
{
public:
    /// userSize: the coordinates a painter draws in; printedMm: the size of the picture.
    SvgDevice(const QSizeF &userSize, const QSizeF &printedMm, const QString &title);
    ~SvgDevice() override;

    QPaintEngine *paintEngine() const override;
    /// The whole file; after the painter has ended.
    QByteArray svg() const;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;

    QSizeF m_userSize;
    QSizeF m_printedMm;
    QString m_title;
    std::unique_ptr<Engine> m_engine;
};

} // namespace attn
