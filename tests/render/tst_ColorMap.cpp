#include "render/ColorMap.h"
#include "render/Theme.h"

#include <QTest>

#include <cmath>

using namespace attn;

namespace {

double linear(int byte)
{
    const double value = byte / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(QRgb color)
{
    return 0.2126 * linear(qRed(color)) + 0.7152 * linear(qGreen(color)) + 0.0722 * linear(qBlue(color));
}

double contrast(QRgb one, QRgb other)
{
    const double a = luminance(one) + 0.05;
    const double b = luminance(other) + 0.05;
    return a > b ? a / b : b / a;
}

/// OKLab lightness of an sRGB colour, the inverse direction of what the tables are made with.
double oklabLightness(QRgb color)
{
    const double r = linear(qRed(color));
    const double g = linear(qGreen(color));
    const double b = linear(qBlue(color));
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
}

QStringList allNames()
{
    return ColorMap::names(ColorMap::Kind::Sequential) + ColorMap::names(ColorMap::Kind::Diverging);
}

} // namespace

class TestColorMap : public QObject
{
    Q_OBJECT

private slots:
    void publishedEnds();
    void namesAndDefaults();
    void sequentialLightnessRises();
    void divergingArmsAreEquallyLight();
    void placesReachTheirEntry();
    void numbersAreReadableOnEveryColor();
    void themeTextIsReadable();
};

void TestColorMap::publishedEnds()
{
    const auto map = [](const char16_t *name) {
        return ColorMap::byName(QString::fromUtf16(name), ColorMap::Kind::Diverging, false);
    };
    QCOMPARE(map(u"viridis").rgb(0.0), qRgb(0x44, 0x01, 0x54));
    QCOMPARE(map(u"viridis").rgb(1.0), qRgb(0xfd, 0xe7, 0x25));
    QCOMPARE(map(u"magma").rgb(0.0), qRgb(0, 0, 4));
    QCOMPARE(map(u"magma").rgb(1.0), qRgb(252, 253, 191));
    QCOMPARE(map(u"cividis").rgb(0.0), qRgb(0, 34, 78));
    QCOMPARE(map(u"gray").rgb(0.0), qRgb(0, 0, 0));
    QCOMPARE(map(u"gray").rgb(1.0), qRgb(255, 255, 255));
}

void TestColorMap::namesAndDefaults()
{
    QCOMPARE(ColorMap::names(ColorMap::Kind::Sequential),
             QStringList({QStringLiteral("viridis"), QStringLiteral("magma"), QStringLiteral("cividis"),
                          QStringLiteral("gray")}));
    for (const QString &name : allNames())
        QCOMPARE(ColorMap::byName(name, ColorMap::Kind::Sequential, true).name(), name);
    const QString unknown = QStringLiteral("jet");
    QCOMPARE(ColorMap::byName(unknown, ColorMap::Kind::Sequential, false).name(), QStringLiteral("viridis"));
    QCOMPARE(ColorMap::byName(unknown, ColorMap::Kind::Diverging, false).name(),
             QStringLiteral("blue-orange"));
}

void TestColorMap::sequentialLightnessRises()
{
    for (const QString &name : ColorMap::names(ColorMap::Kind::Sequential)) {
        const ColorMap map = ColorMap::byName(name, ColorMap::Kind::Sequential, false);
        for (std::size_t i = 4; i < 256; ++i) {
            const bool rises = oklabLightness(map.table()[i]) > oklabLightness(map.table()[i - 4]);
            QVERIFY2(rises, qPrintable(name));
        }
    }
}

void TestColorMap::divergingArmsAreEquallyLight()
{
    for (const QString &name : ColorMap::names(ColorMap::Kind::Diverging)) {
        for (const bool dark : {false, true}) {
            const ColorMap map = ColorMap::byName(name, ColorMap::Kind::Diverging, dark);
            for (int step = 0; step <= 100; ++step) {
                const double low = oklabLightness(map.rgb(0.5 - step / 200.0));
                const double high = oklabLightness(map.rgb(0.5 + step / 200.0));
                // One table step plus the rounding to 8 bits; a colour outside sRGB would be off by more.
                QVERIFY2(
                    std::abs(low - high) < 0.012,
                    qPrintable(QStringLiteral("%1 at %2: %3 %4").arg(name).arg(step).arg(low).arg(high)));
            }
            const double centre = oklabLightness(map.rgb(0.5));
            QVERIFY(dark ? centre < 0.3 : centre > 0.95);
            QVERIFY(qAbs(qRed(map.rgb(0.5)) - qBlue(map.rgb(0.5))) <= 1);
        }
    }
}

void TestColorMap::placesReachTheirEntry()
{
    const ColorMap map = ColorMap::byName({}, ColorMap::Kind::Sequential, false);
    for (std::size_t i = 0; i < 256; ++i)
        QCOMPARE(map.rgb(static_cast<double>(i) / 255.0), map.table()[i]);
    QCOMPARE(map.rgb(-3.0), map.table().front());
    QCOMPARE(map.rgb(7.0), map.table().back());
}

void TestColorMap::numbersAreReadableOnEveryColor()
{
    for (const QString &name : allNames()) {
        for (const bool dark : {false, true}) {
            const ColorMap map = ColorMap::byName(name, ColorMap::Kind::Sequential, dark);
            for (const QRgb color : map.table())
                QVERIFY(contrast(color, readableOn(color).rgb()) >= 4.5);
        }
    }
    for (int i = 0; i < 256; ++i)
        QVERIFY(contrast(qRgb(i, i, i), readableOn(qRgb(i, i, i)).rgb()) >= 4.5);
}

void TestColorMap::themeTextIsReadable()
{
    for (const Theme &theme : {Theme::light(), Theme::dark()}) {
        for (const QColor &ground : {theme.ground, theme.card}) {
            for (const QColor &ink : {theme.text, theme.mutedText, theme.accent, theme.pin, theme.warning})
                QVERIFY2(contrast(ground.rgb(), ink.rgb()) >= 4.5, qPrintable(ink.name()));
        }
    }
}

QTEST_GUILESS_MAIN(TestColorMap)
#include "tst_ColorMap.moc"
