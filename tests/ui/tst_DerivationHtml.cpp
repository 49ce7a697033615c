#include "views/DerivationHtml.h"

#include <QAbstractTextDocumentLayout>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QTest>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>

#include <algorithm>

using namespace attn;

/// How a number came about, set into a narrow pane.
class TestDerivationHtml : public QObject
{
    Q_OBJECT

private slots:
    void namesAreNeverBroken_data();
    void namesAreNeverBroken();
    void nothingIsWiderThanThePane_data();
    void nothingIsWiderThanThePane();
    void longNamesHaveTheirWholeAsTip();
};

namespace {

DerivationStep softmaxStep(const std::string &key)
{
    DerivationStep step;
    step.kind = DerivationStep::Kind::Sum;
    step.title = "Sum of the exponentials";
    for (const double value : {0.25, 0.5})
        step.terms.push_back({"exp(masked[" + key + ", love])", {}, value, 0.0, value});
    step.result = 0.75;
    return step;
}

DerivationStep productStep(const std::string &key)
{
    DerivationStep step;
    step.kind = DerivationStep::Kind::Sum;
    step.title = "Dot product";
    step.terms.push_back({"Q[" + key + ", q0]", "K[" + key + ", k0]", 0.25, -0.5, -0.125});
    step.result = -0.125;
    return step;
}

void lay(QTextDocument &document, const Derivation &derivation, int width)
{
    const QFont font = QGuiApplication::font();
    document.setDefaultFont(font);
    document.setHtml(derivationHtml(derivation, Theme::light(), 2, QFontMetrics(font), width));
    document.setTextWidth(width + 2 * document.documentMargin() + 8);
}

} // namespace

void TestDerivationHtml::namesAreNeverBroken_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("width");
    for (const int width : {120, 160, 220, 300}) {
        QTest::addRow("short token, %d wide", width) << QStringLiteral("I") << width;
        QTest::addRow("long token, %d wide", width) << QStringLiteral("programming languages") << width;
        QTest::addRow("ideographs, %d wide", width) << QStringLiteral("注意力机制的程序设计语言") << width;
    }
}

void TestDerivationHtml::namesAreNeverBroken()
{
    QFETCH(QString, key);
    QFETCH(int, width);
    Derivation derivation;
    derivation.steps = {softmaxStep(key.toStdString()), productStep(key.toStdString())};
    QTextDocument document;
    lay(document, derivation, width);
    int lines = 0;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        document.documentLayout()->blockBoundingRect(block);
        const std::string text = block.text().toStdString();
        if (text == derivation.steps[0].title || text == derivation.steps[1].title)
            continue;
        QVERIFY2(block.layout()->lineCount() <= 1, qPrintable(block.text()));
        lines += block.layout()->lineCount();
    }
    QVERIFY(lines > 6);
    QVERIFY(document.size().width() <= width + 2 * document.documentMargin() + 8);
}

void TestDerivationHtml::nothingIsWiderThanThePane_data()
{
    QTest::addColumn<int>("width");
    for (int width = 120; width <= 260; width += 4)
        QTest::addRow("%d wide", width) << width;
}

/// A name that takes the whole line does not push the numbers below it out of sight.
void TestDerivationHtml::nothingIsWiderThanThePane()
{
    QFETCH(int, width);
    Derivation derivation;
    DerivationStep quotient;
    quotient.kind = DerivationStep::Kind::Softmax;
    quotient.title = "Divided by the sum";
    quotient.terms.push_back({"exp(masked[love, prog])", "sum", 1.461, 5.6079, 0.2605});
    quotient.result = 0.2605;
    DerivationStep sum = softmaxStep("love");
    sum.omittedCount = 4084;
    sum.omittedSum = 5512.4321;
    derivation.steps = {sum, quotient};
    derivation.remarks = {"The 4 scores of this row that enter the softmax lie between 0.309 and 0.3791."};
    QTextDocument document;
    lay(document, derivation, width);
    QVERIFY2(document.size().width() <= document.textWidth(),
             qPrintable(QStringLiteral("%1 of %2").arg(document.size().width()).arg(document.textWidth())));
    QVERIFY(document.toPlainText().contains(QStringLiteral("1.4610 / 5.6079")));
    QVERIFY(document.toPlainText().contains(QStringLiteral("4084 smaller terms together")));
    QVERIFY(document.toPlainText().contains(QStringLiteral("5512.4321")));
}

void TestDerivationHtml::longNamesHaveTheirWholeAsTip()
{
    Derivation derivation;
    derivation.steps = {softmaxStep("a token that is far too long for a pane")};
    const QFontMetrics metrics(QGuiApplication::font());
    const QString narrow = derivationHtml(derivation, Theme::light(), 2, metrics, 120);
    QVERIFY(narrow.contains(QStringLiteral("title=\"exp(masked[a token")));
    QVERIFY(narrow.contains(QChar(0x2026)));
    QVERIFY(!derivationHtml(derivation, Theme::light(), 2, metrics, 2000).contains(QChar(0x2026)));
}

QTEST_MAIN(TestDerivationHtml)
#include "tst_DerivationHtml.moc"
