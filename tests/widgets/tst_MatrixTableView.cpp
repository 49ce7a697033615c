#include "widgets/MatrixTableView.h"

#include "base/NumberText.h"
#include "widgets/MatrixItemDelegate.h"

#include <QAbstractTableModel>
#include <QSignalSpy>
#include <QTest>

#include <vector>

using namespace attn;

namespace {

/// 4x3 numbers: two places to look at, all to edit; refuses numbers above 100; column 2 can be made
/// read-only.
class NumberModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : 4; }
    int columnCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : 3; }

    QVariant data(const QModelIndex &index, int role) const override
    {
        const double value = numbers[std::size_t(index.row() * 3 + index.column())];
        if (role == Qt::EditRole)
            return QString::fromStdString(shortestText(value));
        return role == Qt::DisplayRole ? QString::fromStdString(displayText(value, 2)) : QVariant();
    }

    bool setData(const QModelIndex &index, const QVariant &text, int role) override
    {
        const std::optional<double> value = parseNumber(text.toString().toStdString());
        if (role != Qt::EditRole || !value || *value > 100.0) {
            emit refused(QStringLiteral("At most 100."));
            return false;
        }
        ++writes;
        numbers[std::size_t(index.row() * 3 + index.column())] = *value;
        emit dataChanged(index, index);
        return true;
    }

    Qt::ItemFlags flags(const QModelIndex &index) const override
    {
        const bool readOnly = readOnlyColumn >= 0 && index.column() == readOnlyColumn;
        return QAbstractTableModel::flags(index) | (readOnly ? Qt::NoItemFlags : Qt::ItemIsEditable);
    }

    void setNumber(int row, int column, double value)
    {
        numbers[std::size_t(row * 3 + column)] = value;
        emit dataChanged(index(row, column), index(row, column));
    }

    std::vector<double> numbers = {0.123456789, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32};
    int readOnlyColumn = -1;
    int writes = 0;

signals:
    void refused(const QString &reason);
};

} // namespace

class TestMatrixTableView : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void numbersAreNeverCut();
    void keysMove_data();
    void keysMove();
    void keysWhileEditing_data();
    void keysWhileEditing();
    void returnGoesToWhereTabbingBegan();
    void returnAndTabStayInsideABlock();
    void tabNeverTraps();
    void f2ShowsTheFullNumber();
    void openingAndClosingChangesNothing();
    void wrongTextStaysOpen();
    void modelRefusesInPlace();
    void checkRefusesInPlace();
    void escapeDrops();
    void clickElsewhereCommits();
    void recomputeLeavesTheEditorAlone();
    void controlReturnFillsTheSelection();
    void deleteCopyPaste();
    void readOnlySaysSo();
    void blocksAreExtendedFromTheSharedSelection();

private:
    CellEditor *editor() const
    {
        for (CellEditor *found : m_view->viewport()->findChildren<CellEditor *>())
            if (found->isVisible())
                return found;
        return nullptr;
    }
    void doubleClick(int row, int column)
    {
        const QPoint place = m_view->visualRect(at(row, column)).center();
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {}, place);
    }
    void select(int row, int column) { m_view->selectBlock(at(row, column), at(row, column)); }
    QModelIndex at(int row, int column) const { return m_model->index(row, column); }
    double number(int row, int column) const { return m_model->numbers[std::size_t(row * 3 + column)]; }
    QPoint place() const { return {m_view->currentIndex().row(), m_view->currentIndex().column()}; }

    std::unique_ptr<QWidget> m_window;
    std::unique_ptr<NumberModel> m_model;
    MatrixTableView *m_view = nullptr;
    QLineEdit *m_other = nullptr;
};

void TestMatrixTableView::init()
{
    m_model = std::make_unique<NumberModel>();
    m_window = std::make_unique<QWidget>();
    m_window->resize(500, 400);
    m_view = new MatrixTableView(m_window.get());
    m_view->setGeometry(0, 0, 500, 300);
    m_view->setModel(m_model.get());
    connect(m_model.get(), &NumberModel::refused, m_view, &MatrixTableView::showRefusal);
    m_other = new QLineEdit(m_window.get());
    m_other->setGeometry(0, 320, 100, 30);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_view->setFocus();
}

void TestMatrixTableView::cleanup()
{
    m_window.reset();
    m_model.reset();
}

/// "1.00e-300" cut to "1.00e-3" is another number.
void TestMatrixTableView::numbersAreNeverCut()
{
    struct Opened : MatrixItemDelegate
    {
        using MatrixItemDelegate::initStyleOption;
    };
    Opened delegate;
    NumberModel model;
    const auto shown = [&](double number, int widthInDigits) {
        model.numbers[0] = number;
        QStyleOptionViewItem option;
        option.fontMetrics = QFontMetrics(QApplication::font());
        option.rect = QRect(0, 0, widthInDigits * option.fontMetrics.horizontalAdvance(u'8') + 8, 20);
        delegate.initStyleOption(&option, model.index(0, 0));
        return option.text;
    };
    QCOMPARE(shown(0.25, 6), QStringLiteral("0.25"));
    QCOMPARE(shown(1.234e-300, 12), QStringLiteral("1.23e-300"));
    QCOMPARE(shown(1.234e-300, 7), QString::fromUtf8("1e\u2212300"));
}

void TestMatrixTableView::keysMove_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<QPoint>("to"); // row, column
    QTest::addColumn<int>("selected");
    const int none = Qt::NoModifier;
    const int shift = Qt::ShiftModifier;
    const int control = Qt::ControlModifier;
    QTest::newRow("Return goes down") << int(Qt::Key_Return) << none << QPoint(2, 1) << 1;
    QTest::newRow("Shift+Return goes up") << int(Qt::Key_Return) << shift << QPoint(0, 1) << 1;
    QTest::newRow("Enter goes down") << int(Qt::Key_Enter) << int(Qt::KeypadModifier) << QPoint(2, 1) << 1;
    QTest::newRow("Tab goes right") << int(Qt::Key_Tab) << none << QPoint(1, 2) << 1;
    QTest::newRow("Shift+Tab goes left") << int(Qt::Key_Backtab) << shift << QPoint(1, 0) << 1;
    QTest::newRow("down") << int(Qt::Key_Down) << none << QPoint(2, 1) << 1;
    QTest::newRow("left") << int(Qt::Key_Left) << none << QPoint(1, 0) << 1;
    QTest::newRow("Ctrl+down to the edge") << int(Qt::Key_Down) << control << QPoint(3, 1) << 1;
    QTest::newRow("Ctrl+left to the edge") << int(Qt::Key_Left) << control << QPoint(1, 0) << 1;
    QTest::newRow("Home") << int(Qt::Key_Home) << none << QPoint(1, 0) << 1;
    QTest::newRow("Ctrl+Home") << int(Qt::Key_Home) << control << QPoint(0, 0) << 1;
    QTest::newRow("Ctrl+End") << int(Qt::Key_End) << control << QPoint(3, 2) << 1;
    QTest::newRow("Shift+down extends") << int(Qt::Key_Down) << shift << QPoint(2, 1) << 2;
    QTest::newRow("Ctrl+Shift+down extends") << int(Qt::Key_Down) << (control | shift) << QPoint(3, 1) << 3;
    QTest::newRow("Ctrl+A selects all") << int(Qt::Key_A) << control << QPoint(1, 1) << 12;
}

void TestMatrixTableView::keysMove()
{
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(QPoint, to);
    QFETCH(int, selected);
    select(1, 1);
    QTest::keyClick(m_view, Qt::Key(key), Qt::KeyboardModifiers(modifiers));
    QCOMPARE(place(), to);
    QCOMPARE(m_view->selectionModel()->selectedIndexes().size(), selected);
    QVERIFY(!editor());
    QVERIFY(m_view->hasFocus());
    QCOMPARE(m_model->writes, 0);
}

void TestMatrixTableView::keysWhileEditing_data()
{
    QTest::addColumn<bool>("typed");
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<bool>("commits");
    QTest::addColumn<QPoint>("to");
    const int none = Qt::NoModifier;
    const int shift = Qt::ShiftModifier;
    QTest::newRow("Return") << true << int(Qt::Key_Return) << none << true << QPoint(2, 1);
    QTest::newRow("Shift+Return") << true << int(Qt::Key_Return) << shift << true << QPoint(0, 1);
    QTest::newRow("Tab") << true << int(Qt::Key_Tab) << none << true << QPoint(1, 2);
    QTest::newRow("Shift+Tab") << true << int(Qt::Key_Backtab) << shift << true << QPoint(1, 0);
    QTest::newRow("left after typing") << true << int(Qt::Key_Left) << none << true << QPoint(1, 0);
    QTest::newRow("up after typing") << true << int(Qt::Key_Up) << none << true << QPoint(0, 1);
    QTest::newRow("down after F2") << false << int(Qt::Key_Down) << none << true << QPoint(2, 1);
    QTest::newRow("left after F2 moves the caret")
        << false << int(Qt::Key_Left) << none << false << QPoint(1, 1);
}

void TestMatrixTableView::keysWhileEditing()
{
    QFETCH(bool, typed);
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(bool, commits);
    QFETCH(QPoint, to);
    select(1, 1);
    QTest::keyClick(m_view, typed ? Qt::Key_Minus : Qt::Key_F2);
    QVERIFY(editor());
    QTest::keyClicks(editor(), typed ? QStringLiteral("5") : QStringLiteral(".5"));
    QTest::keyClick(editor(), Qt::Key(key), Qt::KeyboardModifiers(modifiers));
    QCOMPARE(number(1, 1), commits ? (typed ? -5.0 : 11.5) : 11.0);
    QCOMPARE(place(), to);
    QCOMPARE(editor() == nullptr, commits);
}

void TestMatrixTableView::returnGoesToWhereTabbingBegan()
{
    select(0, 1);
    QTest::keyClick(m_view, Qt::Key_4);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTest::keyClick(m_view, Qt::Key_5);
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(number(0, 1), 4.0);
    QCOMPARE(number(0, 2), 5.0);
    QCOMPARE(place(), QPoint(1, 1));
    // An arrow ends the tabbing.
    QTest::keyClick(m_view, Qt::Key_Tab);
    QTest::keyClick(m_view, Qt::Key_Down);
    QTest::keyClick(m_view, Qt::Key_Return);
    QCOMPARE(place(), QPoint(3, 2));
    // Return in the last row stays there, Tab in the last column, too.
    QTest::keyClick(m_view, Qt::Key_Return);
    QTest::keyClick(m_view, Qt::Key_Tab);
    QCOMPARE(place(), QPoint(3, 2));
}

void TestMatrixTableView::returnAndTabStayInsideABlock()
{
    m_view->selectBlock(at(2, 2), at(1, 1));
    QList<QPoint> visited;
    for (int i = 0; i < 4; ++i) {
        QTest::keyClick(m_view, Qt::Key_Return);
        visited.append(place());
    }
    QCOMPARE(visited, QList<QPoint>({{2, 1}, {1, 2}, {2, 2}, {1, 1}}));
    visited.clear();
    for (int i = 0; i < 4; ++i) {
        QTest::keyClick(m_view, Qt::Key_Tab);
        visited.append(place());
    }
    QCOMPARE(visited, QList<QPoint>({{1, 2}, {2, 1}, {2, 2}, {1, 1}}));
    QTest::keyClick(m_view, Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(place(), QPoint(2, 2));
    QTest::keyClick(m_view, Qt::Key_7);
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(number(2, 2), 7.0);
    QCOMPARE(place(), QPoint(1, 1));
    QTest::keyClick(m_view, Qt::Key_Return);
    m_view->selectBlock(at(2, 2), at(1, 1)); // the shared selection comes again after each edit
    QCOMPARE(place(), QPoint(2, 1));
    QCOMPARE(m_view->selectionModel()->selectedIndexes().size(), 4);
}

void TestMatrixTableView::tabNeverTraps()
{
    select(0, 0);
    QTest::keyClick(m_view, Qt::Key_Tab, Qt::ControlModifier);
    QVERIFY(m_other->hasFocus());
    m_view->setFocus();
    QTest::keyClick(m_view, Qt::Key_F6);
    QVERIFY(m_other->hasFocus());
    m_view->setFocus();
    QTest::keyClick(m_view, Qt::Key_3);
    QTest::keyClick(editor(), Qt::Key_Tab, Qt::ControlModifier);
    QVERIFY(m_other->hasFocus());
    QCOMPARE(number(0, 0), 3.0);
}

void TestMatrixTableView::f2ShowsTheFullNumber()
{
    select(0, 0);
    QTest::keyClick(m_view, Qt::Key_F2);
    QCOMPARE(editor()->text(), QStringLiteral("0.123456789"));
    QCOMPARE(editor()->cursorPosition(), 11);
    QVERIFY(!editor()->hasSelectedText());
    QTest::keyClick(editor(), Qt::Key_Escape);
    doubleClick(0, 0);
    QVERIFY(editor());
    QCOMPARE(editor()->text(), QStringLiteral("0.123456789"));
}

void TestMatrixTableView::openingAndClosingChangesNothing()
{
    for (const Qt::Key close : {Qt::Key_Return, Qt::Key_Tab, Qt::Key_Escape, Qt::Key_Down}) {
        select(0, 0);
        QTest::keyClick(m_view, Qt::Key_F2);
        QTest::keyClick(editor(), close);
        QVERIFY(!editor());
    }
    select(0, 0);
    QTest::keyClick(m_view, Qt::Key_F2);
    m_other->setFocus();
    QVERIFY(!editor());
    QCOMPARE(m_model->writes, 0);
    QCOMPARE(number(0, 0), 0.123456789);
}

void TestMatrixTableView::wrongTextStaysOpen()
{
    select(1, 0);
    QTest::keyClick(m_view, Qt::Key_A);
    QTest::keyClicks(editor(), QStringLiteral("bc"));
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Tab, Qt::Key_Up}) {
        QTest::keyClick(editor(), key);
        QVERIFY(editor());
        QVERIFY2(editor()->shownProblem().contains(u"abc"), qPrintable(editor()->shownProblem()));
        QCOMPARE(editor()->toolTip(), editor()->shownProblem());
        QCOMPARE(place(), QPoint(1, 0));
    }
    QCOMPARE(m_model->writes, 0);
    m_other->setFocus();
    QVERIFY(!editor());
    QCOMPARE(number(1, 0), 10.0);
}

void TestMatrixTableView::modelRefusesInPlace()
{
    select(1, 0);
    QTest::keyClick(m_view, Qt::Key_1);
    QTest::keyClicks(editor(), QStringLiteral("01"));
    QTest::keyClick(editor(), Qt::Key_Return);
    QVERIFY(editor());
    QCOMPARE(editor()->shownProblem(), QStringLiteral("At most 100."));
    QCOMPARE(number(1, 0), 10.0);
    QTest::keyClick(editor(), Qt::Key_Backspace);
    QTest::keyClick(editor(), Qt::Key_Return);
    QVERIFY(!editor());
    QCOMPARE(number(1, 0), 10.0);
    QCOMPARE(m_model->writes, 1);
    QCOMPARE(place(), QPoint(2, 0));
}

void TestMatrixTableView::checkRefusesInPlace()
{
    m_view->setValueCheck([](const QModelIndex &index, double value) {
        return index.column() == 1 && value < 0.0 ? QStringLiteral("Not below 0.") : QString();
    });
    select(1, 1);
    QTest::keyClick(m_view, Qt::Key_Minus);
    QTest::keyClick(editor(), Qt::Key_1);
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(editor()->shownProblem(), QStringLiteral("Not below 0."));
    QCOMPARE(m_model->writes, 0);
}

void TestMatrixTableView::escapeDrops()
{
    select(1, 0);
    QTest::keyClick(m_view, Qt::Key_7);
    QTest::keyClick(editor(), Qt::Key_Escape);
    QVERIFY(!editor());
    QVERIFY(m_view->hasFocus());
    QCOMPARE(m_model->writes, 0);
    QCOMPARE(place(), QPoint(1, 0));
}

void TestMatrixTableView::clickElsewhereCommits()
{
    select(1, 0);
    QTest::keyClick(m_view, Qt::Key_7);
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, m_view->visualRect(at(3, 2)).center());
    QCOMPARE(number(1, 0), 7.0);
    QCOMPARE(m_model->writes, 1);
    QCOMPARE(place(), QPoint(3, 2));
}

void TestMatrixTableView::recomputeLeavesTheEditorAlone()
{
    select(1, 0);
    QTest::keyClick(m_view, Qt::Key_7);
    m_model->setNumber(1, 0, 99.0);
    QCOMPARE(editor()->text(), QStringLiteral("7"));
}

void TestMatrixTableView::controlReturnFillsTheSelection()
{
    QSignalSpy filled(m_view, &MatrixTableView::selectionFilled);
    m_view->selectBlock(at(0, 0), at(2, 1));
    QTest::keyClick(m_view, Qt::Key_6);
    QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(filled.size(), 1);
    QCOMPARE(filled[0][0].toDouble(), 6.0);
    QCOMPARE(m_model->writes, 0); // the block is one step, written by whoever listens
    QCOMPARE(place(), QPoint(2, 1));
    QCOMPARE(m_view->selectionModel()->selectedIndexes().size(), 6);
    select(3, 1);
    QTest::keyClick(m_view, Qt::Key_6);
    QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(filled.size(), 1);
    QCOMPARE(number(3, 1), 6.0);
    QCOMPARE(place(), QPoint(3, 1));
}

void TestMatrixTableView::deleteCopyPaste()
{
    QSignalSpy deleted(m_view, &MatrixTableView::deleteRequested);
    QSignalSpy copied(m_view, &MatrixTableView::copyRequested);
    QSignalSpy cut(m_view, &MatrixTableView::cutRequested);
    QSignalSpy pasted(m_view, &MatrixTableView::pasteRequested);
    select(1, 1);
    QTest::keyClick(m_view, Qt::Key_Delete);
    QTest::keyClick(m_view, Qt::Key_Backspace);
    QTest::keyClick(m_view, Qt::Key_C, Qt::ControlModifier);
    QTest::keyClick(m_view, Qt::Key_X, Qt::ControlModifier);
    QTest::keyClick(m_view, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(deleted.size(), 2);
    QCOMPARE(copied.size(), 1);
    QCOMPARE(cut.size(), 1);
    QCOMPARE(pasted.size(), 1);
    QVERIFY(!editor());
}

void TestMatrixTableView::readOnlySaysSo()
{
    m_model->readOnlyColumn = 2;
    QSignalSpy hit(m_view, &MatrixTableView::readOnlyHit);
    QSignalSpy deleted(m_view, &MatrixTableView::deleteRequested);
    select(1, 2);
    QTest::keyClick(m_view, Qt::Key_1);
    QTest::keyClick(m_view, Qt::Key_F2);
    QTest::keyClick(m_view, Qt::Key_Delete);
    doubleClick(1, 2);
    QCOMPARE(hit.size(), 4);
    QCOMPARE(hit[0][0].toModelIndex(), at(1, 2));
    QCOMPARE(deleted.size(), 0);
    QVERIFY(!editor());
    QCOMPARE(place(), QPoint(1, 2)); // a digit does not search
}

void TestMatrixTableView::blocksAreExtendedFromTheSharedSelection()
{
    QSignalSpy selected(m_view, &MatrixTableView::blockSelected);
    m_view->selectBlock(at(1, 1), at(2, 1));
    QCOMPARE(selected.size(), 0);
    QTest::keyClick(m_view, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected[0][0].toModelIndex(), at(1, 1));
    QCOMPARE(selected[0][1].toModelIndex(), at(2, 2));
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, Qt::ShiftModifier,
                      m_view->visualRect(at(0, 0)).center());
    QCOMPARE(selected.last()[0].toModelIndex(), at(1, 1));
    QCOMPARE(selected.last()[1].toModelIndex(), at(0, 0));
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, m_view->visualRect(at(3, 0)).center());
    QCOMPARE(selected.last()[0].toModelIndex(), at(3, 0));
    QCOMPARE(selected.last()[1].toModelIndex(), at(3, 0));
}

QTEST_MAIN(TestMatrixTableView)
#include "tst_MatrixTableView.moc"
