#include "render/figure/SvgDevice.h"

#include "base/NumberText.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QList>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace attn {

namespace {

constexpr double svgDpi = 96.0;

/// Thousandths are far below what any device shows.
QByteArray svgNumber(double value)
{
    const double rounded = std::round(value * 1000.0) / 1000.0;
    return QByteArray::fromStdString(shortestText(rounded == 0.0 ? 0.0 : rounded));
}

QByteArray attribute(const char *name, const QByteArray &value)
{
    return QByteArray(" ") + name + "=\"" + value + '"';
}

QByteArray attribute(const char *name, double value)
{
    return attribute(name, svgNumber(value));
}

/// Escaped, and without the characters that XML 1.0 cannot hold.
QByteArray svgText(const QString &text)
{
    QString allowed;
    const QList<uint> codePoints = text.toUcs4();
    for (const char32_t codePoint : codePoints) {
        const bool isControl =
            codePoint < 0x20 && codePoint != U'\t' && codePoint != U'\n' && codePoint != U'\r';
        const bool isNoCharacter =
            (codePoint & 0xfffe) == 0xfffe || (codePoint >= 0xd800 && codePoint < 0xe000);
        const char32_t shown = isControl || isNoCharacter ? U'\ufffd' : codePoint;
        allowed += QString::fromUcs4(&shown, 1);
    }
    return allowed.toHtmlEscaped().toUtf8();
}

QByteArray colorAttributes(const char *name, const QColor &color)
{
    QByteArray result = attribute(name, color.name(QColor::HexRgb).toLatin1());
    if (color.alpha() < 255)
        result += attribute(name == QByteArray("fill") ? "fill-opacity" : "stroke-opacity",
                            static_cast<double>(color.alphaF()));
    return result;
}

} // namespace

class SvgDevice::Engine final : public QPaintEngine
{
public:
    Engine()
        : QPaintEngine(QPaintEngine::AllFeatures)
    {
    }

    bool begin(QPaintDevice *) override { return true; }
    bool end() override
    {
        setCrisp(false);
        return true;
    }
    Type type() const override { return QPaintEngine::User; }
    void updateState(const QPaintEngineState &) override {}
    const QByteArray &body() const { return m_body; }

    void drawRects(const QRectF *rects, int count) override
    {
        for (int i = 0; i < count; ++i) {
            const Placed placed = place();
            const QRectF rect = rects[i].translated(placed.shift);
            write("rect", attribute("x", rect.x()) + attribute("y", rect.y()) +
                              attribute("width", rect.width()) + attribute("height", rect.height()) +
                              fillAttributes() + strokeAttributes() + placed.transform);
        }
    }
    void drawRects(const QRect *rects, int count) override
    {
        for (int i = 0; i < count; ++i) {
            const QRectF rect(rects[i]);
            drawRects(&rect, 1);
        }
    }

    void drawLines(const QLineF *lines, int count) override
    {
        for (int i = 0; i < count; ++i) {
            const Placed placed = place();
            const QLineF line = lines[i].translated(placed.shift);
            write("line", attribute("x1", line.x1()) + attribute("y1", line.y1()) +
                              attribute("x2", line.x2()) + attribute("y2", line.y2()) + strokeAttributes() +
                              placed.transform);
        }
    }
    void drawLines(const QLine *lines, int count) override
    {
        for (int i = 0; i < count; ++i) {
            const QLineF line(lines[i]);
            drawLines(&line, 1);
        }
    }

    void drawPolygon(const QPointF *points, int count, PolygonDrawMode mode) override
    {
        const Placed placed = place();
        QByteArray list;
        for (int i = 0; i < count; ++i) {
            const QPointF point = points[i] + placed.shift;
            list += (i == 0 ? "" : " ") + svgNumber(point.x()) + ',' + svgNumber(point.y());
        }
        const bool open = mode == PolylineMode;
        write(open ? "polyline" : "polygon",
              attribute("points", list) + (open ? attribute("fill", QByteArray("none")) : fillAttributes()) +
                  strokeAttributes() + placed.transform);
    }
    void drawPolygon(const QPoint *points, int count, PolygonDrawMode mode) override
    {
        QPolygonF polygon;
        for (int i = 0; i < count; ++i)
            polygon << points[i];
        drawPolygon(polygon.constData(), count, mode);
    }

    void drawPath(const QPainterPath &path) override
    {
        const Placed placed = place();
        write("path", attribute("d", pathData(path.translated(placed.shift))) + fillAttributes() +
                          strokeAttributes() + placed.transform);
    }

    void drawPixmap(const QRectF &rect, const QPixmap &pixmap, const QRectF &source) override
    {
        drawImage(rect, pixmap.toImage(), source, Qt::AutoColor);
    }

    void drawImage(const QRectF &rect, const QImage &image, const QRectF &source,
                   Qt::ImageConversionFlags) override
    {
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        const QRect part = source.toRect();
        (part == image.rect() ? image : image.copy(part)).save(&buffer, "PNG");
        const Placed placed = place();
        const QRectF at = rect.translated(placed.shift);
        // Old renderers know optimizeSpeed, browsers pixelated; both mean: do not smooth.
        write("image",
              attribute("x", at.x()) + attribute("y", at.y()) + attribute("width", at.width()) +
                  attribute("height", at.height()) + attribute("preserveAspectRatio", QByteArray("none")) +
                  attribute("image-rendering", QByteArray("optimizeSpeed")) +
                  attribute("style", QByteArray("image-rendering:pixelated")) +
                  attribute("xlink:href", "data:image/png;base64," + png.toBase64()) + placed.transform);
    }

    void drawTextItem(const QPointF &position, const QTextItem &item) override
    {
        setCrisp(false);
        const QString text = item.text();
        if (text.trimmed().isEmpty())
            return;
        const Placed placed = place();
        const QPointF at = position + placed.shift;
        m_body += "<text" + attribute("x", at.x()) + attribute("y", at.y()) + fontAttributes(item.font()) +
                  colorAttributes("fill", painter()->pen().color()) + attribute("textLength", item.width()) +
                  attribute("lengthAdjust", QByteArray("spacingAndGlyphs")) + placed.transform + '>' +
                  svgText(text) + "</text>\n";
    }

private:
    /// Where a primitive goes: a plain shift is added to its numbers, anything else becomes a transform.
    struct Placed
    {
        QPointF shift;
        QByteArray transform;
    };

    Placed place() const
    {
        const QTransform transform = painter()->transform();
        if (transform.type() <= QTransform::TxTranslate)
            return {QPointF(transform.dx(), transform.dy()), {}};
        QByteArray matrix = "matrix(";
        for (const double value : {transform.m11(), transform.m12(), transform.m21(), transform.m22(),
                                   transform.dx(), transform.dy()})
            matrix += svgNumber(value) + ' ';
        matrix.chop(1);
        return {{}, attribute("transform", matrix + ')')};
    }

    QByteArray fillAttributes() const
    {
        const QBrush brush = painter()->brush();
        if (brush.style() == Qt::NoBrush)
            return attribute("fill", QByteArray("none"));
        return colorAttributes("fill", brush.color());
    }

    QByteArray strokeAttributes() const
    {
        const QPen pen = painter()->pen();
        if (pen.style() == Qt::NoPen)
            return {};
        QByteArray result = colorAttributes("stroke", pen.color());
        if (pen.widthF() != 1.0)
            result += attribute("stroke-width", pen.widthF() > 0.0 ? pen.widthF() : 1.0);
        const QList<qreal> pattern = pen.dashPattern();
        if (!pattern.isEmpty()) {
            QByteArray dashes;
            for (const double dash : pattern)
                dashes += (dashes.isEmpty() ? "" : ",") + svgNumber(dash * pen.widthF());
            result += attribute("stroke-dasharray", dashes);
        }
        return result;
    }

    static QByteArray fontAttributes(const QFont &font)
    {
        const bool serif = font.family().contains(QLatin1String("Serif"));
        const QString fallback =
            serif ? QStringLiteral(", Georgia, serif") : QStringLiteral(", Verdana, sans-serif");
        QByteArray result = attribute("font-family", svgText(font.family() % fallback)) +
                            attribute("font-size", QFontInfo(font).pixelSize());
        if (font.bold())
            result += attribute("font-weight", QByteArray("bold"));
        if (font.italic())
            result += attribute("font-style", QByteArray("italic"));
        return result;
    }

    static QByteArray pathData(const QPainterPath &path)
    {
        QByteArray data;
        for (int i = 0; i < path.elementCount(); ++i) {
            const QPainterPath::Element element = path.elementAt(i);
            if (element.type == QPainterPath::MoveToElement)
                data += 'M';
            else if (element.type == QPainterPath::LineToElement)
                data += 'L';
            else
                data += element.type == QPainterPath::CurveToElement ? 'C' : ' ';
            data += svgNumber(element.x) + ' ' + svgNumber(element.y);
        }
        if (path.elementCount() > 2 && QPointF(path.elementAt(0)) == path.currentPosition())
            data += 'Z';
        return data;
    }

    void write(const char *name, const QByteArray &attributes)
    {
        setCrisp(!painter()->testRenderHint(QPainter::Antialiasing));
        m_body += '<' + QByteArray(name) + attributes + "/>\n";
    }

    /// Primitives without antialiasing stand together in a group of sharp ones.
    void setCrisp(bool crisp)
    {
        if (crisp == m_crisp)
            return;
        m_crisp = crisp;
        m_body += crisp ? "<g shape-rendering=\"crispEdges\">\n" : "</g>\n";
    }

    QByteArray m_body;
    bool m_crisp = false;
};

SvgDevice::SvgDevice(const QSizeF &userSize, const QSizeF &printedMm, const QString &title)
    : m_userSize(userSize)
    , m_printedMm(printedMm)
    , m_title(title)
    , m_engine(std::make_unique<Engine>())
{
}

SvgDevice::~SvgDevice() = default;

QPaintEngine *SvgDevice::paintEngine() const
{
    return m_engine.get();
}

QByteArray SvgDevice::svg() const
{
    QByteArray result =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\"";
    result +=
        attribute("width", svgNumber(m_printedMm.width()) + "mm") +
        attribute("height", svgNumber(m_printedMm.height()) + "mm") +
        attribute("viewBox", "0 0 " + svgNumber(m_userSize.width()) + ' ' + svgNumber(m_userSize.height())) +
        attribute("xml:space", QByteArray("preserve")) + ">\n";
    if (!m_title.isEmpty())
        result += "<title>" + svgText(m_title) + "</title>\n";
    return result + m_engine->body() + "</svg>\n";
}

int SvgDevice::metric(PaintDeviceMetric metric) const
{
    switch (metric) {
    case PdmWidth:
        return static_cast<int>(std::ceil(m_userSize.width()));
    case PdmHeight:
        return static_cast<int>(std::ceil(m_userSize.height()));
    case PdmWidthMM:
        return static_cast<int>(std::lround(m_printedMm.width()));
    case PdmHeightMM:
        return static_cast<int>(std::lround(m_printedMm.height()));
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return static_cast<int>(svgDpi);
    case PdmNumColors:
        return std::numeric_limits<int>::max();
    case PdmDepth:
        return 24;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
    }
    return 0;
}

} // namespace attn
