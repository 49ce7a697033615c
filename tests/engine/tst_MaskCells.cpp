#include "engine/masks/MaskCells.h"
#include "support/GoldenFile.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <numeric>

using namespace attn;
using namespace attn::test;

namespace {

Experiment tokensOnly(Index queries, Index keys)
{
    Experiment experiment;
    experiment.tokens = TokenList(std::vector<std::string>(static_cast<std::size_t>(queries), "q"));
    if (queries != keys)
        experiment.tokensKv = TokenList(std::vector<std::string>(static_cast<std::size_t>(keys), "k"));
    return experiment;
}

} // namespace

class TestMaskCells : public QObject
{
    Q_OBJECT

private slots:
    void goldenCausalMasks();
    void codesAgreeWithTheStage_data();
    void codesAgreeWithTheStage();
    void everyHidingPartIsNamed();
    void countsAddUp();
    void blocksEqualSingleCells();
};

void TestMaskCells::goldenCausalMasks()
{
    for (const char *kind : {"causal", "window"}) {
        const Json golden = readGolden(QStringLiteral("masks"));
        for (const Json &entry : golden[kind].toArray()) {
            Experiment experiment = tokensOnly(entry["n_q"].toInteger(), entry["n_k"].toInteger());
            experiment.qOffset = entry["q_offset"].toInteger();
            experiment.causal = QLatin1String(kind) == QLatin1String("causal");
            const auto limit = [](const Json &value) {
                return value.isNull() ? std::nullopt : std::optional<Index>(value.toInteger());
            };
            if (!experiment.causal)
                experiment.window = Window{limit(entry["left"]), limit(entry["right"])};
            const Tensor allowed = goldenTensor(entry["allowed"]);
            const StageValuesPtr codes = hidingPartsOf(experiment);
            const int code = HidingCode::of(experiment.causal ? MaskPart::Causal : MaskPart::Window);
            for (Index row = 0; row < allowed.rows(); ++row)
                for (Index col = 0; col < allowed.cols(); ++col)
                    QCOMPARE(codes->value(0, row, col),
                             allowed.at(row, col) == 1.0 ? double(HidingCode::allowed) : code);
        }
    }
}

void TestMaskCells::codesAgreeWithTheStage_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(QStringLiteral("forward")))
        QTest::newRow(qPrintable(name)) << name;
}

void TestMaskCells::codesAgreeWithTheStage()
{
    QFETCH(QString, name);
    const Json golden = readGolden(name);
    const ExperimentPtr experiment = goldenExperiment(golden["state"]);
    const Tensor allowed = goldenTensor(golden["stages"]["allowed"]);
    QVERIFY(experiment && !allowed.isNull());
    const StageValuesPtr codes = hidingPartsOf(*experiment);
    QCOMPARE(codes->rows(), allowed.rows());
    for (Index head = 0; head < codes->heads(); ++head) {
        const MaskCounts counts = maskCountsOf(*experiment, head);
        Index seen = 0;
        std::vector<Index> none;
        for (Index row = 0; row < allowed.rows(); ++row) {
            Index ofRow = 0;
            for (Index col = 0; col < allowed.cols(); ++col) {
                const bool isAllowed = allowed.at(allowed.heads() == 1 ? 0 : head, row, col) == 1.0;
                QCOMPARE(codes->value(head, row, col) == HidingCode::allowed, isAllowed);
                ofRow += isAllowed ? 1 : 0;
            }
            QCOMPARE(counts.allowedKeys[static_cast<std::size_t>(row)], ofRow);
            seen += ofRow;
            if (ofRow == 0)
                none.push_back(row);
        }
        QCOMPARE(counts.allowed, seen);
        QCOMPARE(counts.fullyMasked, none);
    }
}

void TestMaskCells::everyHidingPartIsNamed()
{
    Experiment experiment = tokensOnly(3, 3);
    experiment.causal = true;
    experiment.window = Window{0, std::nullopt};
    experiment.given[Stage::MaskPadding] = Tensor::fromDoubles({1, 1, 3}, std::vector<double>{1, 1, 0});
    experiment.given[Stage::MaskBool] =
        Tensor::fromDoubles({1, 3, 3}, std::vector<double>{1, 1, 0, 1, 1, 1, 1, 1, 1});
    std::vector<double> add(9, 0.0);
    add[2] = -std::numeric_limits<double>::infinity();
    add[4] = -3.0;
    experiment.given[Stage::MaskAdd] = Tensor::fromDoubles({1, 3, 3}, add);
    const MaskParts mask = maskPartsOf(experiment);
    const std::vector<MaskPart> corner = {MaskPart::Causal, MaskPart::Padding, MaskPart::Boolean,
                                          MaskPart::Additive};
    QCOMPARE(hiddenBy(mask, {0, 0, 2}).parts(), corner);
    QCOMPARE(hiddenBy(mask, {0, 1, 0}).parts(), std::vector<MaskPart>{MaskPart::Window});
    QVERIFY(hiddenBy(mask, {0, 1, 1}).isEmpty()); // a finite bias hides nothing
    QCOMPARE(HidingCode::of(hiddenBy(mask, {0, 0, 2})), HidingCode::several);
    QCOMPARE(maskPartsSet(experiment).count(), 5);
    QVERIFY(!maskPartsSet(experiment).has(MaskPart::Alibi));
}

void TestMaskCells::countsAddUp()
{
    RandomExperiments random(20);
    for (int i = 0; i < 100; ++i) {
        const Experiment experiment = random.next();
        for (Index head = 0; head < experiment.nHeads; ++head) {
            const MaskCounts counts = maskCountsOf(experiment, head);
            Index all = 0;
            Index alone = 0;
            for (int part = 0; part < maskPartCount; ++part) {
                all += counts.of(static_cast<MaskPart>(part));
                alone += counts.aloneBy(static_cast<MaskPart>(part));
            }
            QVERIFY(alone <= counts.hiddenCells());
            QVERIFY(all >= counts.hiddenCells());
            QCOMPARE(counts.allowed,
                     std::accumulate(counts.allowedKeys.begin(), counts.allowedKeys.end(), Index(0)));
            QCOMPARE(counts.of(MaskPart::Alibi), Index(0));
        }
    }
}

void TestMaskCells::blocksEqualSingleCells()
{
    RandomExperiments random(21);
    for (int i = 0; i < 60; ++i) {
        const Experiment experiment = random.next();
        const StageValuesPtr codes = hidingPartsOf(experiment);
        const Index rows = codes->rows() / 2 + 1;
        const Index cols = codes->cols() / 2 + 1;
        const Index row = codes->rows() - rows;
        const Index col = codes->cols() - cols;
        std::vector<double> block(static_cast<std::size_t>(rows * cols));
        codes->readBlock(codes->heads() - 1, row, col, rows, cols, block.data(), cols);
        Index hidden = 0;
        for (Index r = 0; r < rows; ++r) {
            for (Index c = 0; c < cols; ++c) {
                const double code = codes->value(codes->heads() - 1, row + r, col + c);
                QCOMPARE(block[static_cast<std::size_t>(r * cols + c)], code);
                hidden += code != HidingCode::allowed ? 1 : 0;
            }
            QCOMPARE(hiddenKeysOf(maskPartsOf(experiment), codes->heads() - 1, row + r, col, cols), hidden);
            hidden = 0;
        }
    }
}

QTEST_APPLESS_MAIN(TestMaskCells)
#include "tst_MaskCells.moc"
