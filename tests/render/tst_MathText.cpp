#include "render/MathText.h"

#include "render/Theme.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace attn;

namespace {

QRect inkBounds(const QImage &image)
{
    QRect bounds;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (qGray(image.pixel(x, y)) < 160)
                bounds |= QRect(x, y, 1, 1);
        }
    }
    return bounds;
}

QRect inkOf(const QString &markup, Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter)
{
    QImage image(200, 80, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QFont font = Theme::light().symbolFont;
    font.setPixelSize(30);
    drawMathText(painter, QRectF(0, 0, 200, 80), alignment, markup, font);
    return inkBounds(image);
}

} // namespace

class TestMathText : public QObject
{
    Q_OBJECT

private slots:
    void plainText();
    void raisedIsHigherLoweredIsLower();
    void bothScriptsStandAboveEachOther();
    void wordsAreUpright();
    void alignmentIsKept();
};

void TestMathText::plainText()
{
    QCOMPARE(plainMathText(QStringLiteral("W^{Q}")), QStringLiteral("W^Q"));
    QCOMPARE(plainMathText(QStringLiteral("QK^{T}/√d_{k}")), QStringLiteral("QK^T/√d_k"));
}

void TestMathText::raisedIsHigherLoweredIsLower()
{
    const QRect plain = inkOf(QStringLiteral("x"));
    const QRect raised = inkOf(QStringLiteral("x^{2}"));
    const QRect lowered = inkOf(QStringLiteral("x_{2}"));
    QVERIFY(raised.top() < plain.top());
    QCOMPARE(raised.bottom(), plain.bottom());
    QVERIFY(lowered.bottom() > plain.bottom());
    QVERIFY(raised.width() > plain.width());
}

void TestMathText::bothScriptsStandAboveEachOther()
{
    const QFont font = Theme::light().symbolFont;
    const double both = mathTextWidth(QStringLiteral("A^{1}_{2}"), font);
    QCOMPARE(both, mathTextWidth(QStringLiteral("A^{1}"), font));
    QVERIFY(mathTextWidth(QStringLiteral("A^{1}_{2}B"), font) > both);
    QVERIFY(mathTextWidth(QStringLiteral("A^{"), font) > 0.0); // unfinished markup is drawn as far as it goes
}

void TestMathText::wordsAreUpright()
{
    // A word has the width of the upright font, a symbol that of the italic one.
    QFont font = Theme::light().symbolFont;
    QFont italic = font;
    italic.setItalic(true);
    QCOMPARE(mathTextWidth(QStringLiteral("softmax"), font),
             QFontMetricsF(font).horizontalAdvance(QStringLiteral("softmax")));
    QCOMPARE(mathTextWidth(QStringLiteral("A"), font),
             QFontMetricsF(italic).horizontalAdvance(QStringLiteral("A")));
    QCOMPARE(mathTextWidth(QStringLiteral("12"), font),
             QFontMetricsF(font).horizontalAdvance(QStringLiteral("12")));
}

void TestMathText::alignmentIsKept()
{
    const QRect left = inkOf(QStringLiteral("W^{Q}"));
    const QRect right = inkOf(QStringLiteral("W^{Q}"), Qt::AlignRight | Qt::AlignVCenter);
    const QRect centre = inkOf(QStringLiteral("W^{Q}"), Qt::AlignCenter);
    QVERIFY(left.left() < 6);
    QVERIFY(right.right() > 192);
    QVERIFY(qAbs(centre.center().x() - 100) <= 3);
    const QRect top = inkOf(QStringLiteral("W^{Q}"), Qt::AlignLeft | Qt::AlignTop);
    QVERIFY(top.top() < left.top());
}

QTEST_MAIN(TestMathText)
#include "tst_MathText.moc"
