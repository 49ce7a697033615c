#include "base/VisibleLabel.h"

#include <QString>
#include <QTest>

using namespace attn;

/// The one way tokens are made visible, against what Unicode says of each character (as Qt knows it).
class TestVisibleLabel : public QObject
{
    Q_OBJECT

private slots:
    void signs_data();
    void signs();
    void everyCharacterAsUnicodeSays();
    void visibleLabelsStay();
    void brokenBytes();
};

void TestVisibleLabel::signs_data()
{
    QTest::addColumn<QByteArray>("raw");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("empty") << QByteArray("") << QByteArray("∅");
    QTest::newRow("a space") << QByteArray(" ") << QByteArray("␣");
    QTest::newRow("a line break") << QByteArray("\n") << QByteArray("↵");
    QTest::newRow("a leading space") << QByteArray(" love") << QByteArray("␣love");
    QTest::newRow("a byte-pair space") << QByteArray("Ġlove") << QByteArray("␣love");
    QTest::newRow("Chinese") << QByteArray("编程") << QByteArray("编程");
    QTest::newRow("emoji") << QByteArray("👩‍💻") << QByteArray("👩‍💻");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a⟨U+0000⟩b");
}

void TestVisibleLabel::signs()
{
    QFETCH(QByteArray, raw);
    QFETCH(QByteArray, shown);
    QCOMPARE(visibleLabel(raw.toStdString()), shown.toStdString());
}

void TestVisibleLabel::everyCharacterAsUnicodeSays()
{
    for (char32_t point = 0; point <= 0x1ffff; ++point) {
        const bool joins = point == 0x200c || point == 0x200d;
        // Qt 6.4 knows Unicode 14: what came later is no part of the comparison.
        if (QChar::unicodeVersion(point) == QChar::Unicode_Unassigned ||
            (point >= 0x13439 && point <= 0x1343f))
            continue;
        const QChar::Category category = QChar::category(point);
        const bool isHidden = category == QChar::Other_Control || category == QChar::Separator_Space ||
                              category == QChar::Separator_Line || category == QChar::Separator_Paragraph ||
                              category == QChar::Other_Surrogate ||
                              (category == QChar::Other_Format && !joins);
        const std::u32string inside = {U'a', point, U'b'};
        const std::u32string alone = {point};
        const bool isMarker = point == 0x120 || point == 0x2581 || point == 0x10a;
        if (isMarker)
            continue;
        QVERIFY2((visibleLabel(alone) != alone) == isHidden, qPrintable(QString::number(point, 16)));
        if (category != QChar::Separator_Space)
            QVERIFY2((visibleLabel(inside) != inside) == isHidden, qPrintable(QString::number(point, 16)));
    }
}

void TestVisibleLabel::visibleLabelsStay()
{
    for (const char *raw : {"", " ", "\n", "\t\r\n", " love ", "ĠĠ", "a\u200bb", "编程"}) {
        const std::string once = visibleLabel(std::string(raw));
        QCOMPARE(visibleLabel(once), once);
    }
}

void TestVisibleLabel::brokenBytes()
{
    QCOMPARE(visibleLabel(std::string("a\xff"
                                      "b")),
             std::string("a\ufffd"
                         "b"));
    QCOMPARE(visibleLabel(std::string("\xe4\xbd")), std::string("\ufffd\ufffd"));
    QCOMPARE(visibleLabel(std::string("\xc0\x80")), std::string("\ufffd\ufffd")); // overlong NUL
}

QTEST_APPLESS_MAIN(TestVisibleLabel)
#include "tst_VisibleLabel.moc"
