#include "render/LabelText.h"

#include "HeatmapCases.h"
#include "render/Theme.h"

#include <QFontMetricsF>
#include <QJsonArray>
#include <QTest>
#include <QTextBoundaryFinder>

using namespace attn;
using attn::test::caseExpectations;

namespace {

QStringList caseLabels(const QString &file)
{
    QStringList result;
    const QJsonObject expected = caseExpectations(QStringLiteral("labels")).value(file).toObject();
    const QJsonArray labels = expected.value(QStringLiteral("labels")).toArray();
    for (const QJsonValue &label : labels)
        result << label.toString();
    return result;
}

qsizetype graphemeCount(const QString &text)
{
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
    qsizetype count = 0;
    while (finder.toNextBoundary() >= 0)
        ++count;
    return count;
}

} // namespace

class TestLabelText : public QObject
{
    Q_OBJECT

private slots:
    void aNumberIsNotPlacedTwice();
    void signs_data();
    void signs();
    void everyCaseIsVisibleOnOneLine_data();
    void everyCaseIsVisibleOnOneLine();
    void leadingSpaceMarkers();
    void emojiStayWhole();
    void markupStaysLiteral();
    void fontHasTheSigns();
    void fitsWithAnEllipsis();
    void neverSplitsAGrapheme();
};

void TestLabelText::signs_data()
{
    QTest::addColumn<QString>("raw");
    QTest::addColumn<QString>("shown");
    QTest::newRow("empty") << QString() << QStringLiteral("∅");
    QTest::newRow("one space") << " " << QStringLiteral("␣");
    QTest::newRow("three spaces") << "   " << QStringLiteral("␣␣␣");
    QTest::newRow("outer spaces, inner kept") << " a b " << QStringLiteral("␣a b␣");
    QTest::newRow("line break") << "a\nb" << QStringLiteral("a↵b");
    QTest::newRow("Windows line break") << "\r\n" << QStringLiteral("⇤↵");
    QTest::newRow("tab") << "\t" << QStringLiteral("⇥");
    QTest::newRow("embedded NUL") << QStringLiteral("a\u0000b") << QStringLiteral("a⟨U+0000⟩b");
    QTest::newRow("zero width space") << QStringLiteral("a\u200b") << QStringLiteral("a⟨U+200B⟩");
    QTest::newRow("bidi override") << QStringLiteral("\u202eabc") << QStringLiteral("⟨U+202E⟩abc");
    QTest::newRow("lone surrogate") << QString(QChar(0xd83d)) << QStringLiteral("\ufffd");
    QTest::newRow("byte-pair line break") << QStringLiteral("Ċ") << QStringLiteral("↵");
    QTest::newRow("letter inside a word") << QStringLiteral("aĠb") << QStringLiteral("aĠb");
    QTest::newRow("Maltese word") << QStringLiteral("Ċetta") << QStringLiteral("Ċetta");
}

void TestLabelText::signs()
{
    QFETCH(QString, raw);
    QFETCH(QString, shown);
    QCOMPARE(visibleLabel(raw), shown);
}

void TestLabelText::everyCaseIsVisibleOnOneLine_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file : {"space-markers.json", "specials-repeated.json", "line-breaks.json", "emoji.json",
                             "right-to-left.json", "byte-pieces.json", "markup.json"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void TestLabelText::everyCaseIsVisibleOnOneLine()
{
    QFETCH(QString, file);
    const QStringList labels = caseLabels(file);
    QVERIFY(!labels.isEmpty());
    for (const QString &label : labels) {
        const QString shown = visibleLabel(label);
        QVERIFY(!shown.trimmed().isEmpty());
        for (const QChar character : shown)
            QVERIFY(character.category() != QChar::Other_Control);
    }
}

void TestLabelText::leadingSpaceMarkers()
{
    const QString file = QStringLiteral("space-markers.json");
    const QStringList labels = caseLabels(file);
    const QJsonArray expected = caseExpectations(QStringLiteral("labels"))
                                    .value(file)
                                    .toObject()
                                    .value(QStringLiteral("leading_space"))
                                    .toArray();
    QCOMPARE(labels.size(), expected.size());
    for (qsizetype i = 0; i < labels.size(); ++i)
        QCOMPARE(visibleLabel(labels.at(i)).startsWith(u'\u2423'), expected.at(i).toBool());
}

void TestLabelText::emojiStayWhole()
{
    const QStringList labels = caseLabels(QStringLiteral("emoji.json"));
    for (const QString &label : labels)
        QCOMPARE(visibleLabel(label), label);
}

void TestLabelText::markupStaysLiteral()
{
    const QStringList labels = caseLabels(QStringLiteral("markup.json"));
    for (const QString &label : labels)
        QCOMPARE(visibleLabel(label), label);
}

void TestLabelText::fontHasTheSigns()
{
    const QFontMetricsF metrics(Theme::light().textFont);
    for (const char16_t sign : u"␣⍽↵⇤⇥∅…⟨⟩−∞×")
        if (sign != 0)
            QVERIFY2(metrics.inFont(QChar(sign)), qPrintable(QString::number(sign, 16)));
}

void TestLabelText::fitsWithAnEllipsis()
{
    const QFontMetricsF metrics(Theme::light().textFont);
    const QString raw = QStringLiteral("token_number_007");
    const double full = metrics.horizontalAdvance(raw);
    const auto widthOf = [&](const QString &text) {
        return metrics.horizontalAdvance(text);
    };
    QCOMPARE(fittedLabel(raw, widthOf, full), raw);
    const QString shorter = fittedLabel(raw, widthOf, full / 2);
    QVERIFY(shorter.endsWith(u'…') && shorter.size() > 3);
    QVERIFY(metrics.horizontalAdvance(shorter) <= full / 2);
    QCOMPARE(fittedLabel(raw, widthOf, 1.0), QString());
}

void TestLabelText::neverSplitsAGrapheme()
{
    const QFontMetricsF metrics(Theme::light().textFont);
    const QString raw =
        QStringLiteral("e\u0301e\u0301👩‍👩‍👧👍🏽🇨🇳e\u0301e\u0301e\u0301");
    const auto widthOf = [&](const QString &text) {
        return metrics.horizontalAdvance(text);
    };
    for (double width = 0.0; width < widthOf(raw) + 10.0; width += 1.0) {
        QString text = fittedLabel(raw, widthOf, width);
        if (text.endsWith(u'…'))
            text.chop(1);
        QVERIFY(raw.startsWith(text));
        const QString rest = raw.mid(text.size());
        QCOMPARE(graphemeCount(text) + graphemeCount(rest), graphemeCount(raw));
    }
}

void TestLabelText::aNumberIsNotPlacedTwice()
{
    QCOMPARE(placedLabel(43, QStringLiteral("word")), QStringLiteral("44: word"));
    QCOMPARE(placedLabel(43, QStringLiteral("43")), QStringLiteral("43"));
    QCOMPARE(placedLabel(3, QStringLiteral("43")), QStringLiteral("4: 43"));
}

QTEST_MAIN(TestLabelText)
#include "tst_LabelText.moc"
