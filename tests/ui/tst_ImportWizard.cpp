#include "dialogs/ImportPreview.h"
#include "dialogs/ImportTexts.h"
#include "dialogs/ImportWizard.h"
#include "io/TensorWriters.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <functional>

using namespace attn;

class TestImportWizard : public QObject
{
    Q_OBJECT

private slots:
    void listsTensorsAndUses();
    void refusesAndRecovers();
    void headsAreCheckedAtOnce();
    void maskPolarityIsChosen();
    void transposedPreview();
    void axesFollowTheStage();
    void previewIsTheHeatmap();
    void numbersAreCheckedInPlace();
    void labelsFromLineAndFile();
    void layersAreSwitched();
    void largeFilesAreTriedOnAThread();
    void severalFilesHaveOneTitle();
    void everyControlHasANameAndAKey();
};

namespace {

QString dataPath(const char *name)
{
    return QStringLiteral(ATTN_TEST_DATA "/") + QLatin1String(name);
}

/// A wizard on a file, with ways to find its controls by what they say.
class OpenWizard
{
public:
    explicit OpenWizard(const QString &path)
    {
        auto opened = openTensorFile(path);
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        file = std::move(*opened);
        auto plan = guessImport(*file);
        wizard = std::make_unique<ImportWizard>(file, *plan);
    }

    QTreeWidget *list() const { return wizard->findChild<QTreeWidget *>(); }
    QPushButton *importButton() const
    {
        for (QPushButton *button : wizard->findChildren<QPushButton *>())
            if (button->text() == QLatin1String("&Import"))
                return button;
        return nullptr;
    }
    /// The control whose buddy label reads so.
    template<typename Widget>
    Widget *labelled(const QString &text) const
    {
        for (QLabel *label : wizard->findChildren<QLabel *>())
            if (label->text().remove(u'&') == text)
                return qobject_cast<Widget *>(label->buddy());
        return nullptr;
    }
    QCheckBox *checkBox(const QString &begin) const
    {
        for (QCheckBox *box : wizard->findChildren<QCheckBox *>())
            if (box->text().remove(u'&').startsWith(begin))
                return box;
        return nullptr;
    }
    bool says(const QString &part) const
    {
        for (QLabel *label : wizard->findChildren<QLabel *>())
            if (label->text().contains(part))
                return true;
        return wizard->findChild<QPlainTextEdit *>()->toPlainText().contains(part);
    }
    void select(const QString &tensor) const
    {
        list()->setCurrentItem(list()->findItems(tensor, Qt::MatchExactly).value(0));
    }
    void useAs(int stage) const
    {
        auto *box = labelled<QComboBox>(QStringLiteral("Used as:"));
        box->setCurrentIndex(box->findData(stage));
    }
    const Scene &previewScene() const { return *wizard->findChild<ImportPreview *>()->scene(); }
    double preview(Index row, Index col) const
    {
        const SceneMap &map = previewScene().maps.front();
        return map.values->value(map.head, row, col);
    }

    std::shared_ptr<const TensorFile> file;
    std::unique_ptr<ImportWizard> wizard;
};

} // namespace

void TestImportWizard::listsTensorsAndUses()
{
    OpenWizard open(dataPath("records/stories260K/lily-L2.safetensors"));
    QCOMPARE(open.list()->topLevelItemCount(), 15);
    QTreeWidgetItem *scores = open.list()->findItems(QStringLiteral("scores"), Qt::MatchExactly).value(0);
    QVERIFY(scores);
    QCOMPARE(scores->text(1), QStringLiteral("F32"));
    QCOMPARE(scores->text(2), QStringLiteral("8 × 16 × 16"));
    QCOMPARE(scores->text(3), QStringLiteral("scores, to compare"));
    QVERIFY(open.importButton()->isEnabled());
    QVERIFY(open.says(QStringLiteral("8 heads, 4 key/value heads; given:")));
    QVERIFY(open.says(QStringLiteral("rotary positions on neighbouring columns")));
    QSignalSpy wanted(open.wizard.get(), &ImportWizard::importWanted);
    open.importButton()->click();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(open.wizard->QDialog::result(), int(QDialog::Accepted));
    const auto result = wanted.first().at(1).value<std::shared_ptr<const ImportResult>>();
    QVERIFY(result);
    QCOMPARE(result->experiment.tokens.size(), Index(16));
}

void TestImportWizard::refusesAndRecovers()
{
    OpenWizard open(dataPath("cases/attention/inner-mismatch.npz"));
    QVERIFY(!open.importButton()->isEnabled());
    QVERIFY(open.says(QStringLiteral("X is 4×6")));
    QVERIFY(open.says(QStringLiteral("5×6")));
    open.select(QStringLiteral("WQ"));
    open.useAs(-1);
    QVERIFY(open.importButton()->isEnabled());
    open.useAs(int(Stage::Wq));
    QVERIFY(!open.importButton()->isEnabled());
    open.checkBox(QStringLiteral("Stored transposed"))->setChecked(true);
    QVERIFY(open.importButton()->isEnabled());
    QVERIFY(open.wizard->plan().tensors[1].transposed);
}

void TestImportWizard::headsAreCheckedAtOnce()
{
    OpenWizard open(dataPath("cases/attention/heads-do-not-divide.npz"));
    QVERIFY(open.importButton()->isEnabled());
    auto *heads = open.labelled<QSpinBox>(QStringLiteral("Heads:"));
    QVERIFY(heads);
    heads->setValue(4);
    QVERIFY(open.says(QStringLiteral("10 is not a multiple of 4")));
    QVERIFY(!open.importButton()->isEnabled());
    heads->setValue(5);
    QVERIFY(open.importButton()->isEnabled());
    QCOMPARE(open.wizard->result()->experiment.nKvHeads, Index(5));
}

void TestImportWizard::maskPolarityIsChosen()
{
    OpenWizard open(dataPath("cases/attention/true-means-masked.npz"));
    QVERIFY(open.says(QStringLiteral("please check")));
    QCOMPARE(open.wizard->result()->experiment.matrix(Stage::MaskBool).at(0, 0), 0.0);
    open.labelled<QComboBox>(QStringLiteral("Mask:"))->setCurrentIndex(1);
    QCOMPARE(open.wizard->plan().maskMeaning, ImportPlan::MaskMeaning::Drop);
    QCOMPARE(open.wizard->result()->experiment.matrix(Stage::MaskBool).at(0, 0), 1.0);
}

void TestImportWizard::transposedPreview()
{
    OpenWizard open(dataPath("cases/attention/square-weight-orientation.npz"));
    QVERIFY(open.says(QStringLiteral("square")));
    open.select(QStringLiteral("W"));
    const double upperRight = open.preview(0, 3);
    const double lowerLeft = open.preview(3, 0);
    QVERIFY(upperRight != lowerLeft);
    open.checkBox(QStringLiteral("Stored transposed"))->setChecked(true);
    QCOMPARE(open.preview(0, 3), lowerLeft);
    QCOMPARE(open.preview(3, 0), upperRight);
}

void TestImportWizard::axesFollowTheStage()
{
    OpenWizard open(dataPath("cases/npy/four-d.npy"));
    QCOMPARE(open.wizard->plan().batchCount, Index(2));
    open.labelled<QSpinBox>(QStringLiteral("Batch entry:"))->setValue(1);
    QCOMPARE(open.preview(0, 0), 3.75);
    const auto result = open.wizard->result();
    QVERIFY(result);
    const Tensor &matrix = result->experiment.given.begin()->second;
    QCOMPARE(matrix.at(2, 0, 0), 6.25);
    QCOMPARE(matrix.at(2, 0, 1), 6.3125);
    open.useAs(int(Stage::V));
    QCOMPARE(open.wizard->plan().tensors[0].stage, std::optional(Stage::V));
    QVERIFY(open.importButton()->isEnabled());
}

void TestImportWizard::previewIsTheHeatmap()
{
    OpenWizard open(dataPath("records/stories260K/lily-L2.safetensors"));
    open.select(QStringLiteral("A"));
    QCOMPARE(open.previewScene().maps.size(), std::size_t(8));
    const SceneMap first = open.previewScene().maps.front();
    QCOMPARE(first.rowLabels.value(1), QStringLiteral(" Once"));
    QCOMPARE(first.colLabels, first.rowLabels);
    QVERIFY(first.readOnly);
    QCOMPARE(first.colorMap->kind(), ColorMap::Kind::Sequential);
    // Heads and rows exchanged: 16 matrices of 8 rows.
    for (QComboBox *axis : open.wizard->findChildren<QComboBox *>()) {
        if (axis->accessibleName() == QLatin1String("Axis 0 of length 8"))
            axis->setCurrentIndex(axis->findData(int(AxisRole::Row)));
        if (axis->accessibleName() == QLatin1String("Axis 1 of length 16"))
            axis->setCurrentIndex(axis->findData(int(AxisRole::Head)));
    }
    QCOMPARE(open.previewScene().maps.size(), std::size_t(16));
    const SceneMap &exchanged = open.previewScene().maps.at(3);
    QCOMPARE(exchanged.values->rows(), Index(8));
    QCOMPARE(exchanged.values->value(3, 2, 1), first.values->value(2, 3, 1));
    open.useAs(-1);
    QVERIFY(!open.wizard->findChild<ImportPreview *>()->scene());
    QVERIFY(open.says(QStringLiteral("no preview")));
}

void TestImportWizard::numbersAreCheckedInPlace()
{
    OpenWizard open(dataPath("cases/attention/tutorial-QKV.npz"));
    auto *scale = open.labelled<QLineEdit>(QStringLiteral("Scale:"));
    scale->setText(QStringLiteral("a quarter"));
    QVERIFY(!open.importButton()->isEnabled());
    QVERIFY(open.says(QStringLiteral("“a quarter” is not a number")));
    scale->setText(QStringLiteral("0.25"));
    QVERIFY(open.importButton()->isEnabled());
    QCOMPARE(open.wizard->result()->experiment.scale, std::optional<double>(0.25));
}

void TestImportWizard::labelsFromLineAndFile()
{
    OpenWizard open(dataPath("cases/attention/tutorial-QKV.npz"));
    auto *line = open.labelled<QLineEdit>(QStringLiteral("Token labels:"));
    QTest::keyClicks(line, QStringLiteral("I love GPU"));
    QCOMPARE(open.wizard->result()->experiment.tokens.labels(),
             (std::vector<std::string>{"I", "love", "GPU", "3"}));
    QVERIFY(open.says(QStringLiteral("3 labels for 4 rows")));
    open.wizard->loadLabels(dataPath("cases/json/matrix.json"));
    QVERIFY(open.says(QStringLiteral("no token labels")));
    open.wizard->loadLabels(dataPath("cases/labels/markup.json"));
    QCOMPARE(open.wizard->result()->experiment.tokens.at(0), std::string("<b>bold</b>"));
}

void TestImportWizard::layersAreSwitched()
{
    OpenWizard open(dataPath("records/stories260K/model.safetensors"));
    QCOMPARE(open.list()->currentItem()->text(0), QStringLiteral("layers.0.attention.wq.weight"));
    QVERIFY2(!open.previewScene().maps.empty(), "the first tensor that is used is shown");
    auto *layer = open.labelled<QComboBox>(QStringLiteral("Layer:"));
    QCOMPARE(layer->count(), 5);
    layer->setCurrentIndex(3);
    QCOMPARE(open.wizard->plan().layer, Index(3));
    QTRY_VERIFY(open.importButton()->isEnabled());
}

void TestImportWizard::largeFilesAreTriedOnAThread()
{
    QTemporaryDir folder;
    QFile large(folder.filePath(QStringLiteral("Q.npy")));
    QVERIFY(large.open(QIODevice::WriteOnly));
    const QByteArray header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2000, 500), }\n";
    large.write(QByteArray("\x93NUMPY\x01\x00", 8) + char(header.size()) + '\0' + header +
                QByteArray(4'000'000, '\0'));
    large.close();
    OpenWizard open(large.fileName());
    QVERIFY(!open.importButton()->isEnabled());
    open.labelled<QSpinBox>(QStringLiteral("Heads:"))->setValue(7);
    open.labelled<QSpinBox>(QStringLiteral("Heads:"))->setValue(4);
    QTRY_VERIFY_WITH_TIMEOUT(open.importButton()->isEnabled(), 60000);
    QCOMPARE(open.wizard->result()->experiment.nHeads, Index(4));
}

void TestImportWizard::severalFilesHaveOneTitle()
{
    QTemporaryDir folder;
    QStringList paths;
    for (const char *name : {"q", "k", "v"}) {
        paths.append(folder.filePath(QStringLiteral("%1.npy").arg(QLatin1String(name))));
        QFile file(paths.last());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(npyBytes({name, Dtype::F64, {2, 3}, std::vector<double>(6, 0.5), {}}));
    }
    const std::shared_ptr<const TensorFile> one = std::move(*openTensorFile(paths.first()));
    QCOMPARE(importTitle(*one), QStringLiteral("q.npy"));
    const std::shared_ptr<const TensorFile> three = std::move(*openTensorFiles(paths));
    QCOMPARE(importTitle(*three), QStringLiteral("q.npy and 2 more"));
    const ImportWizard wizard(three, *guessImport(*three));
    QCOMPARE(wizard.windowTitle(), QStringLiteral("Import q.npy and 2 more"));
}

void TestImportWizard::everyControlHasANameAndAKey()
{
    OpenWizard open(dataPath("records/dates-seq2seq/dec0-cross.safetensors"));
    open.wizard->show();
    QSet<QChar> mnemonics;
    const auto checkMnemonic = [&](const QString &text) {
        const qsizetype at = text.indexOf(u'&');
        if (at < 0)
            return;
        const QChar key = text.at(at + 1).toLower();
        QVERIFY2(!mnemonics.contains(key), qPrintable(text));
        mnemonics.insert(key);
    };
    for (QLabel *label : open.wizard->findChildren<QLabel *>())
        if (label->buddy())
            checkMnemonic(label->text());
    for (QAbstractButton *button : open.wizard->findChildren<QAbstractButton *>())
        checkMnemonic(button->text());
    QSet<QWidget *> withBuddy;
    for (QLabel *label : open.wizard->findChildren<QLabel *>())
        if (label->buddy())
            withBuddy.insert(label->buddy());
    for (QWidget *widget : open.wizard->findChildren<QWidget *>()) {
        const bool isControl =
            qobject_cast<QComboBox *>(widget) || qobject_cast<QSpinBox *>(widget) ||
            qobject_cast<QTreeWidget *>(widget) || qobject_cast<QPlainTextEdit *>(widget) ||
            (qobject_cast<QLineEdit *>(widget) && !qobject_cast<QSpinBox *>(widget->parent()));
        if (!isControl || !widget->isVisibleTo(open.wizard.get()))
            continue;
        QVERIFY2(withBuddy.contains(widget) || !widget->accessibleName().isEmpty(),
                 widget->metaObject()->className());
        QVERIFY2(widget->focusPolicy() & Qt::TabFocus, widget->metaObject()->className());
    }
}

QTEST_MAIN(TestImportWizard)
#include "tst_ImportWizard.moc"
