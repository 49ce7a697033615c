#include "widgets/WrapLayout.h"

#include <QHBoxLayout>
#include <QTest>
#include <QWidget>

using namespace attn;

class TestWrapLayout : public QObject
{
    Q_OBJECT

private slots:
    void whatHasNoRoomGoesToTheNextLine();
    void deletesEachItem();
};

namespace {

/// Counts itself while it exists.
class CountedItem : public QSpacerItem
{
public:
    CountedItem(int length, int *count)
        : QSpacerItem(length, 10)
        , m_count(count)
    {
        ++*m_count;
    }
    ~CountedItem() override { --*m_count; }
    bool isEmpty() const override { return false; }

private:
    int *m_count;
};

} // namespace

void TestWrapLayout::whatHasNoRoomGoesToTheNextLine()
{
    int count = 0;
    WrapLayout layout;
    layout.setContentsMargins(0, 0, 0, 0);
    layout.setSpacing(5);
    for (int i = 0; i < 3; ++i)
        layout.addItem(new CountedItem(100, &count));
    QCOMPARE(layout.heightForWidth(310), 10);
    QCOMPARE(layout.heightForWidth(309), 25);
    QCOMPARE(layout.heightForWidth(100), 40);
}

void TestWrapLayout::deletesEachItem()
{
    int count = 0;
    {
        WrapLayout layout;
        for (int i = 0; i < 3; ++i) {
            auto *together = new QHBoxLayout;
            together->addItem(new CountedItem(10, &count));
            layout.addLayout(together);
            layout.addItem(new CountedItem(10, &count));
        }
        QCOMPARE(count, 6);
    }
    QCOMPARE(count, 0);
}

QTEST_MAIN(TestWrapLayout)
#include "tst_WrapLayout.moc"
