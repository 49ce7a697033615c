#include "io/Import.h"
#include "support/ImportRun.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace attn;
using namespace attn::test;

/// Every record of a trained model in tests/data/records: its tensors come to their places, and the stages
/// that are recomputed from the inputs agree with the results in the file.
class TestImportRecords : public QObject
{
    Q_OBJECT

private slots:
    void recomputedAgrees_data();
    void recomputedAgrees();
    void everyBatchEntryAgrees_data();
    void everyBatchEntryAgrees();
    void modelBlocks_data();
    void modelBlocks();
    void packedPartsAreTheRecordsWeights();
    void gpt2LayersAreSwitched();
    void cachedKeysAndOffset();
    void longRecordMatchesItsRowSummaries();
    void singleArrays_data();
    void singleArrays();
    void textTables();
    void labelsBesideTheFiles();
};

namespace {

QString recordPath(const QString &name)
{
    return QStringLiteral(ATTN_TEST_DATA "/records/") + name;
}

/// importRun on records by their names.
Result<ImportRun> imported(const QStringList &names, const std::function<void(ImportPlan &)> &change = {})
{
    QStringList paths;
    for (const QString &name : names)
        paths.append(recordPath(name));
    return importRun(paths, change);
}

/// Largest absolute difference; infinite when a cell is finite in one and not in the other.
double largestDifference(const StageValues &actual, const Tensor &expected)
{
    if (!(actual.shape() == expected.shape()))
        return HUGE_VAL;
    double largest = 0.0;
    for (Index head = 0; head < expected.heads(); ++head)
        for (Index row = 0; row < expected.rows(); ++row)
            for (Index col = 0; col < expected.cols(); ++col) {
                const double a = actual.value(head, row, col);
                const double b = expected.at(head, row, col);
                if (a == b || (std::isnan(a) && std::isnan(b)))
                    continue;
                largest =
                    std::isfinite(a) && std::isfinite(b) ? std::max(largest, std::abs(a - b)) : HUGE_VAL;
            }
    return largest;
}

/// Tolerances of tests/data/records/README.md, absolute.
struct Tolerances
{
    double scores = 1e-4;
    double weights = 1e-5;
    double others = 1e-5;

    double of(Stage stage) const
    {
        if (stage == Stage::Scores || stage == Stage::Scaled || stage == Stage::Masked)
            return scores;
        // Q and K enter the scores: the same tolerance as theirs.
        if (stage == Stage::Q || stage == Stage::K || stage == Stage::V || stage == Stage::Qr ||
            stage == Stage::Kr)
            return scores;
        return stage == Stage::A ? weights : others;
    }
};

void compareReferences(const ImportRun &record, const Tolerances &tolerances)
{
    QVERIFY2(record.snapshot->problem().empty(), record.snapshot->problem().c_str());
    for (const auto &[stage, tensor] : record.result.reference) {
        const StageState &state = record.snapshot->stage(stage);
        QVERIFY2(state.hasValues(), (std::string(stageName(stage)) + ": " + state.reason).c_str());
        const double difference = largestDifference(*state.values, tensor);
        QVERIFY2(
            difference <= tolerances.of(stage),
            qPrintable(
                QStringLiteral("%1 differs by %2").arg(QLatin1String(stageName(stage))).arg(difference)));
    }
}

QStringList stageNames(const std::map<Stage, Tensor> &stages)
{
    QStringList names;
    for (const auto &[stage, tensor] : stages)
        names.append(QLatin1String(stageName(stage)));
    return names;
}

QString rotaryText(const Experiment &experiment)
{
    if (!experiment.rotary)
        return QStringLiteral("none");
    return experiment.rotary->pairing == Rotary::Pairing::Interleaved ? QStringLiteral("interleaved")
                                                                      : QStringLiteral("half");
}

QString failure(const Result<ImportRun> &record)
{
    return record ? QString() : QString::fromStdString(record.error().message);
}

constexpr const char *allWeights = "X Wq Wk Wv Wo";
constexpr const char *allBiased = "X Wq bq Wk bk Wv bv Wo bo";
constexpr const char *storiesResults = "Q K V Qr Kr scaled A head_out concat output";

} // namespace

void TestImportRecords::recomputedAgrees_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("reference");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("kvHeads");
    QTest::addColumn<QString>("rotary");
    QTest::addColumn<bool>("causal");
    QTest::addColumn<double>("scoresTolerance");
    QTest::addColumn<double>("weightsTolerance");
    QTest::addColumn<double>("othersTolerance");
    const auto row = [](const char *file, const char *given, const char *reference, int heads, int kvHeads,
                        const char *rotary, bool causal, const Tolerances &tolerances = {}) {
        QTest::newRow(file) << QString::fromLatin1(file) << QString::fromLatin1(given)
                            << QString::fromLatin1(reference) << heads << kvHeads
                            << QString::fromLatin1(rotary) << causal << tolerances.scores
                            << tolerances.weights << tolerances.others;
    };
    for (const char *file :
         {"stories260K/lily-L0.npz", "stories260K/lily-L2.npz", "stories260K/lily-L4.npz",
          "stories260K/lily-L2.safetensors", "stories260K/ball-L3.npz", "stories260K/look-L1.npz"})
        row(file, allWeights, storiesResults, 8, 4, "interleaved", true);
    // What the narrower storage of inputs and results loses.
    row("stories260K/lily-L2-f16.safetensors", allWeights, storiesResults, 8, 4, "interleaved", true,
        {3e-2, 2e-3, 3e-2});
    row("stories260K/lily-L2-bf16.safetensors", allWeights, storiesResults, 8, 4, "interleaved", true,
        {2e-1, 2e-2, 2e-1});
    for (const char *file : {"dates-seq2seq/enc0-self.safetensors", "dates-seq2seq/dec0-self.safetensors",
                             "dates-seq2seq/dec1-self.safetensors"})
        row(file, "X Wq bq Wk bk Wv bv Wo bo mask.bool", "Q K V scaled A head_out concat output", 4, 4,
            "none", false);
    for (const char *file : {"dates-seq2seq/dec0-cross.safetensors", "dates-seq2seq/dec1-cross.safetensors"})
        row(file, "X Xkv Wq bq Wk bk Wv bv Wo bo mask.bool", "Q K V scaled A head_out concat output", 4, 4,
            "none", false);
    row("gpt-nano-sort/block0-pytorch.npz", allBiased, "Q K V masked A concat output", 3, 3, "none", true);
    row("gpt-nano-sort/block1.npz", allBiased, "Q K V scaled A head_out concat output", 3, 3, "none", true);
    row("gpt-nano-sort/block2.npz", allBiased, "Q K V scaled A head_out concat output", 3, 3, "none", true);
    for (const char *file : {"gpt2-small/prompt0.safetensors", "gpt2-small/prompt2.safetensors",
                             "gpt2-small/prompt3.safetensors"})
        row(file, "scores", "scaled masked A", 12, 12, "none", true);
    row("gpt2-small/prompt0-L5.json", "masked", "A", 12, 12, "none", false);
    row("gpt2-small/help37-rounded.npz", "A", "", 12, 12, "none", false);
    row("stories260K/kvcache-L1.safetensors", "X Q K V", "A", 8, 4, "none", true);
    row("stories260K/look-L1-A.json", "A", "", 8, 8, "none", false);
    row("dates-seq2seq/cross1-A-4d.npy", "A", "", 4, 4, "none", false);
    row("dates-seq2seq/cross1-march-h0.csv", "A", "", 1, 1, "none", false);
}

void TestImportRecords::recomputedAgrees()
{
    QFETCH(QString, file);
    QFETCH(QString, given);
    QFETCH(QString, reference);
    QFETCH(int, heads);
    QFETCH(int, kvHeads);
    QFETCH(QString, rotary);
    QFETCH(bool, causal);
    QFETCH(double, scoresTolerance);
    QFETCH(double, weightsTolerance);
    QFETCH(double, othersTolerance);
    const auto record = imported({file});
    QVERIFY2(record.ok(), qPrintable(failure(record)));
    const Experiment &experiment = record->result.experiment;
    QCOMPARE(stageNames(experiment.given).join(u' '), given);
    QCOMPARE(stageNames(record->result.reference).join(u' '), reference);
    QCOMPARE(experiment.nHeads, Index(heads));
    QCOMPARE(experiment.nKvHeads, Index(kvHeads));
    QCOMPARE(rotaryText(experiment), rotary);
    QCOMPARE(experiment.causal, causal);
    compareReferences(*record, {scoresTolerance, weightsTolerance, othersTolerance});
}

void TestImportRecords::everyBatchEntryAgrees_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("entries");
    QTest::newRow("padded encoder") << QStringLiteral("dates-seq2seq/enc0-self.safetensors") << 4;
    QTest::newRow("cross attention") << QStringLiteral("dates-seq2seq/dec1-cross.safetensors") << 4;
    QTest::newRow("heads and batch of equal length")
        << QStringLiteral("gpt-nano-sort/block0-pytorch.npz") << 3;
    QTest::newRow("our arithmetic") << QStringLiteral("gpt-nano-sort/block2.npz") << 3;
}

void TestImportRecords::everyBatchEntryAgrees()
{
    QFETCH(QString, file);
    QFETCH(int, entries);
    for (Index batch = 0; batch < entries; ++batch) {
        const auto record = imported({file}, [batch](ImportPlan &plan) { plan.batch = batch; });
        QVERIFY2(record.ok(), qPrintable(failure(record)));
        QCOMPARE(record->plan.batchCount, Index(entries));
        compareReferences(*record, {});
    }
}

void TestImportRecords::modelBlocks_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("blocks");
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("rotary");
    QTest::newRow("grouped queries") << QStringLiteral("stories260K/model.safetensors") << 5
                                     << QStringLiteral("Wq Wk Wv Wo") << QStringLiteral("interleaved");
    QTest::newRow("bfloat16") << QStringLiteral("stories260K/model-bf16.safetensors") << 5
                              << QStringLiteral("Wq Wk Wv Wo") << QStringLiteral("interleaved");
    QTest::newRow("packed") << QStringLiteral("gpt-nano-sort/model.safetensors") << 3
                            << QStringLiteral("Wq bq Wk bk Wv bv Wo bo") << QStringLiteral("none");
    QTest::newRow("encoder and decoder")
        << QStringLiteral("dates-seq2seq/model.safetensors") << 5 << QStringLiteral("Wq bq Wk bk Wv bv Wo bo")
        << QStringLiteral("none");
    QTest::newRow("BERT names") << QStringLiteral("foreign/tiny-bert-untrained.safetensors") << 2
                                << QStringLiteral("Wq bq Wk bk Wv bv Wo bo") << QStringLiteral("none");
}

void TestImportRecords::modelBlocks()
{
    QFETCH(QString, file);
    QFETCH(int, blocks);
    QFETCH(QString, given);
    QFETCH(QString, rotary);
    for (Index layer = 0; layer < blocks; ++layer) {
        const auto model = imported({file}, [layer](ImportPlan &plan) { plan.layer = layer; });
        QVERIFY2(model.ok(), qPrintable(failure(model)));
        QCOMPARE(model->plan.layerCount, Index(blocks));
        QCOMPARE(stageNames(model->result.experiment.given).join(u' '), given);
        QCOMPARE(rotaryText(model->result.experiment), rotary);
        QVERIFY(model->snapshot->problem().empty());
        QCOMPARE(model->snapshot->stage(Stage::Q).status, StageStatus::NotAvailable);
        QVERIFY(model->result.reference.empty());
    }
}

void TestImportRecords::packedPartsAreTheRecordsWeights()
{
    const auto model = imported({QStringLiteral("gpt-nano-sort/model.safetensors")});
    const auto record = imported({QStringLiteral("gpt-nano-sort/block0-pytorch.npz")});
    QVERIFY2(model.ok() && record.ok(), qPrintable(failure(model) + failure(record)));
    for (const Stage stage :
         {Stage::Wq, Stage::Wk, Stage::Wv, Stage::Wo, Stage::Bq, Stage::Bk, Stage::Bv, Stage::Bo})
        QVERIFY2(model->result.experiment.matrix(stage).sameBits(record->result.experiment.matrix(stage)),
                 stageName(stage));
    QVERIFY(model->result.experiment.causal);

    const auto stories =
        imported({QStringLiteral("stories260K/model.safetensors")}, [](ImportPlan &plan) { plan.layer = 4; });
    const auto lily = imported({QStringLiteral("stories260K/lily-L4.npz")});
    QVERIFY2(stories.ok() && lily.ok(), qPrintable(failure(stories) + failure(lily)));
    for (const Stage stage : {Stage::Wq, Stage::Wk, Stage::Wv, Stage::Wo})
        QVERIFY2(stories->result.experiment.matrix(stage).sameBits(lily->result.experiment.matrix(stage)),
                 stageName(stage));
}

void TestImportRecords::gpt2LayersAreSwitched()
{
    for (const Index layer : {0, 5, 11}) {
        const auto record = imported({QStringLiteral("gpt2-small/prompt2.safetensors")},
                                     [layer](ImportPlan &plan) { plan.layer = layer; });
        QVERIFY2(record.ok(), qPrintable(failure(record)));
        QCOMPARE(record->plan.layerCount, Index(12));
        QCOMPARE(record->result.experiment.scale, std::optional<double>(0.125));
        QCOMPARE(record->result.experiment.tokens.at(3), std::string(" was"));
        compareReferences(*record, {});
    }
}

void TestImportRecords::cachedKeysAndOffset()
{
    const auto record = imported({QStringLiteral("stories260K/kvcache-L1.safetensors")});
    QVERIFY2(record.ok(), qPrintable(failure(record)));
    const Experiment &experiment = record->result.experiment;
    QCOMPARE(experiment.qOffset, Index(16));
    QCOMPARE(experiment.keyTokens().size(), Index(20));
    QCOMPARE(experiment.tokens.labels(), (std::vector<std::string>{"k", ",", " but", " it"}));
    QCOMPARE(experiment.tokens.at(0), experiment.keyTokens().at(16));
    QCOMPARE(record->snapshot->stage(Stage::Concat).status, StageStatus::Computed);
}

void TestImportRecords::longRecordMatchesItsRowSummaries()
{
    const auto record = imported({QStringLiteral("stories260K/long512-L3.safetensors")});
    QVERIFY2(record.ok(), qPrintable(failure(record)));
    QCOMPARE(stageNames(record->result.experiment.given).join(u' '), QStringLiteral("V Qr Kr"));
    QVERIFY(record->result.experiment.causal);
    compareReferences(*record, {});
    const StageValues &A = *record->snapshot->stage(Stage::A).values;
    const auto topKey = record->file->load(*record->file->find("row_top_key"));
    const auto topWeight = record->file->load(*record->file->find("row_top_weight"));
    QVERIFY(topKey.ok() && topWeight.ok());
    for (Index head = 0; head < 8; ++head)
        for (Index row = 0; row < 512; ++row) {
            const Index flat = head * 512 + row;
            const double weight = A.value(head, row, static_cast<Index>(topKey->number(flat)));
            QVERIFY(std::abs(weight - topWeight->number(flat)) <= 1e-5);
        }
    const auto head3 = imported({QStringLiteral("stories260K/long512-L3-A-h3-f16.npy")});
    QVERIFY2(head3.ok(), qPrintable(failure(head3)));
    const Tensor &stored = head3->result.experiment.matrix(Stage::A);
    for (Index row = 0; row < 512; row += 7)
        for (Index col = 0; col < 512; col += 5)
            QVERIFY(std::abs(stored.at(row, col) - A.value(3, row, col)) <= 2e-3);
}

void TestImportRecords::singleArrays_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("stage");
    QTest::addColumn<QString>("shape");
    const auto row = [](const char *name, const char *stage, const char *shape) {
        QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(stage)
                            << QString::fromUtf8(shape);
    };
    row("A", "A", "8×16×16");
    row("A-f16", "A", "8×16×16");
    row("A-f64", "A", "8×16×16");
    row("A-fortran", "A", "16×16");
    row("K_rope", "Kr", "4×16×8");
    row("Q_rope", "Qr", "8×16×8");
    row("V", "V", "16×32");
    row("WK", "Wk", "64×32");
    row("WO", "Wo", "64×64");
    row("WQ", "Wq", "64×64");
    row("WV", "Wv", "64×32");
    row("X", "X", "16×64");
    row("out", "output", "16×64");
}

void TestImportRecords::singleArrays()
{
    QFETCH(QString, name);
    QFETCH(QString, stage);
    QFETCH(QString, shape);
    const auto record = imported({QStringLiteral("stories260K/lily-L0-npy/%1.npy").arg(name)});
    QVERIFY2(record.ok(), qPrintable(failure(record)));
    QCOMPARE(stageNames(record->result.experiment.given).join(u' '), stage);
    const Tensor &tensor = record->result.experiment.given.begin()->second;
    QCOMPARE(QString::fromStdString(shapeText(tensor.shape())), shape);
    if (name != QLatin1String("A-fortran"))
        return;
    const auto whole = imported({QStringLiteral("stories260K/lily-L0-npy/A.npy")});
    for (Index r = 0; r < 16; ++r)
        for (Index c = 0; c < 16; ++c)
            QCOMPARE(tensor.at(r, c), whole->result.experiment.matrix(Stage::A).at(3, r, c));
}

void TestImportRecords::textTables()
{
    QStringList files;
    for (const char *name : {"X", "WQ", "WK", "WV", "WO", "V", "out"})
        files.append(QStringLiteral("stories260K/lily-L0-csv/%1.csv").arg(QLatin1String(name)));
    for (int head = 0; head < 8; ++head)
        files.append(QStringLiteral("stories260K/lily-L0-csv/A-h%1.csv").arg(head));
    const auto record = imported(files, [](ImportPlan &plan) {
        plan.nKvHeads = 4;
        plan.rotary = Rotary{};
    });
    QVERIFY2(record.ok(), qPrintable(failure(record)));
    QCOMPARE(stageNames(record->result.experiment.given).join(u' '), QString::fromLatin1(allWeights));
    QCOMPARE(stageNames(record->result.reference).join(u' '), QStringLiteral("V A output"));
    QCOMPARE(record->result.experiment.nHeads, Index(8));
    QCOMPARE(record->result.experiment.tokens.at(1), std::string(" Once"));
    QVERIFY(record->result.experiment.causal);
    // The tables hold float32 numbers in their shortest text.
    compareReferences(*record, {});

    const auto tabbed = imported({QStringLiteral("stories260K/lily-L0-csv/A-h0.tsv")});
    QVERIFY2(tabbed.ok(), qPrintable(failure(tabbed)));
    QCOMPARE(tabbed->result.experiment.tokens.at(15), std::string("."));
    QVERIFY(tabbed->result.experiment.isSelfAttention());
    QVERIFY(!tabbed->result.experiment.matrix(Stage::A).isNull());

    const auto cross = imported({QStringLiteral("dates-seq2seq/cross1-march-h0.csv")});
    QVERIFY2(cross.ok(), qPrintable(failure(cross)));
    QCOMPARE(cross->result.experiment.tokens.at(1), std::string("1"));
    QCOMPARE(cross->result.experiment.keyTokens().at(0), std::string("m"));
    QCOMPARE(cross->result.experiment.keyTokens().size(), Index(24));
}

void TestImportRecords::labelsBesideTheFiles()
{
    const auto stories = labelsFromFile(recordPath(QStringLiteral("stories260K/tokens.json")));
    QVERIFY(stories.ok());
    QCOMPARE(stories->size(), std::size_t(4));
    QCOMPARE((*stories)[0].tokens.size(), std::size_t(16));
    const auto sort = labelsFromFile(recordPath(QStringLiteral("gpt-nano-sort/tokens.json")));
    QVERIFY(sort.ok());
    QCOMPARE(sort->size(), std::size_t(3));
    const auto help = labelsFromFile(recordPath(QStringLiteral("gpt2-small/help37-tokens.json")));
    QVERIFY(help.ok());
    QCOMPARE(help->front().tokens.size(), std::size_t(37));
    const auto dates = labelsFromFile(recordPath(QStringLiteral("dates-seq2seq/tokens.json")));
    QVERIFY(dates.ok());
    QCOMPARE(dates->size(), std::size_t(4));
    const auto useDates = [&](ImportPlan &plan) {
        plan.labels = *dates;
        plan.batch = 1;
    };
    const auto cross = imported({QStringLiteral("dates-seq2seq/dec1-cross.safetensors")}, useDates);
    QVERIFY2(cross.ok(), qPrintable(failure(cross)));
    QCOMPARE(cross->result.experiment.tokens.labels(), (*dates)[1].tokens);
    QCOMPARE(cross->result.experiment.keyTokens().labels(), (*dates)[1].tokensKv);
    const auto encoder = imported({QStringLiteral("dates-seq2seq/enc0-self.safetensors")}, useDates);
    QVERIFY2(encoder.ok(), qPrintable(failure(encoder)));
    QCOMPARE(encoder->result.experiment.tokens.labels(), (*dates)[1].tokensKv);
    QVERIFY(encoder->result.experiment.isSelfAttention());
}

QTEST_GUILESS_MAIN(TestImportRecords)
#include "tst_ImportRecords.moc"
