#include "engine/lab/PositionalEncoding.h"
#include "engine/lab/RotaryPicture.h"
#include "engine/lab/TokenOrder.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

Experiment seed(const QString &name = QStringLiteral("seed_a_computed"))
{
    return *goldenExperiment(readGolden(name)["state"]);
}

Experiment edited(const Experiment &experiment, const Result<Edit> &edit)
{
    ATTN_ASSERT(edit.ok(), "an edit");
    Result<EditOutcome> outcome = applyEdit(experiment, *edit);
    ATTN_ASSERT(outcome.ok(), "the edit fits");
    return std::move(outcome->experiment);
}

Experiment withEncoding(Staying staying, const PositionChoice &choice = {})
{
    const Experiment experiment = seed();
    return edited(experiment, encodingEdit(experiment, encodingOf(experiment, choice), staying));
}

} // namespace

/// X = E + P, and what the order of tokens does.
class TestPositionalEncoding : public QObject
{
    Q_OBJECT

private slots:
    void goldenSinusoids();
    void goldenSum();
    void goldenRotaryAngles();
    void goldenAlibi();
    void XStaysOrFollows();
    void editsOfEAndPWriteX();
    void editsThatLeaveXAlone();
    void learnedKeepsItsNumbers();
    void documentsWithoutX();
    void encodingsOfWrongShapeAreSeen();
    void embeddingsFollowTheirTokens();
    void orderIsNotSeenWithoutPositions_data();
    void orderIsNotSeenWithoutPositions();
    void swapMovesWordsAndLeavesPositions();
    void rotatedDotsDependOnTheDistance();
};

void TestPositionalEncoding::goldenSinusoids()
{
    const Json golden = readGolden(QStringLiteral("positional_encoding"));
    for (const Json &entry : golden["cases"].toArray()) {
        const Tensor encoding = sinusoidalEncoding(
            static_cast<Index>(entry["n"].toInteger()), static_cast<Index>(entry["d"].toInteger()),
            entry["base"].toDouble(), static_cast<Index>(entry["first"].toInteger()));
        COMPARE_MATRIX(encoding.toDoubles(), goldenTensor(entry["encoding"]).toDoubles(), 1e-12);
    }
}

void TestPositionalEncoding::goldenSum()
{
    const Json file = readGolden(QStringLiteral("positional_encoding"));
    const Json &golden = file["added_to_x"];
    const Experiment experiment = seed();
    COMPARE_MATRIX(experiment.matrix(Stage::X).toDoubles(), goldenTensor(golden["X"]).toDoubles(), 1e-15);
    const Experiment added = withEncoding(Staying::Embeddings);
    COMPARE_MATRIX(added.matrix(Stage::X).toDoubles(), goldenTensor(golden["sum"]).toDoubles(), 1e-12);
    QVERIFY(added.lab(embeddingLab).sameBits(experiment.matrix(Stage::X)));
}

void TestPositionalEncoding::goldenRotaryAngles()
{
    const Json golden = readGolden(QStringLiteral("rope"));
    for (const Json &entry : golden["cases"].toArray()) {
        Rotary rotary;
        rotary.pairing =
            entry["mode"].toString() == "half" ? Rotary::Pairing::Half : Rotary::Pairing::Interleaved;
        rotary.base = entry["base"].toDouble();
        rotary.rotDim = entry["rot_dim"].toInteger();
        const Tensor angles = goldenTensor(entry["angles"]);
        const std::vector<double> positions = goldenTensor(entry["positions"]).toDoubles();
        const auto &pairs = entry["pairs"].toArray();
        for (Index row = 0; row < angles.rows(); ++row)
            for (Index pair = 0; pair < angles.cols(); ++pair) {
                const auto position = static_cast<Index>(positions[static_cast<std::size_t>(row)]);
                QVERIFY(std::abs(rotaryAngle(rotary, position, pair, angles.cols()) - angles.at(row, pair)) <
                        1e-12);
                const auto columns = rotaryPair(rotary, pair, angles.cols());
                const Json &expected = pairs[static_cast<std::size_t>(pair)];
                QCOMPARE(columns.first, static_cast<Index>(expected.toArray()[0].toInteger()));
                QCOMPARE(columns.second, static_cast<Index>(expected.toArray()[1].toInteger()));
            }
    }
}

void TestPositionalEncoding::goldenAlibi()
{
    const Json golden = readGolden(QStringLiteral("masks"));
    for (const Json &entry : golden["alibi_bias"].toArray()) {
        const Tensor bias = goldenTensor(entry["bias"]);
        const Tensor slopes = defaultAlibiSlopes(bias.heads());
        for (Index head = 0; head < bias.heads(); ++head) {
            const StageValuesPtr table = alibiBiasTable(slopes.at(0, head), bias.rows(), bias.cols(),
                                                        static_cast<Index>(entry["q_offset"].toInteger()));
            for (Index row = 0; row < bias.rows(); ++row)
                for (Index col = 0; col < bias.cols(); ++col)
                    QCOMPARE(table->value(0, row, col), bias.at(head, row, col));
        }
    }
}

void TestPositionalEncoding::XStaysOrFollows()
{
    const Experiment experiment = seed();
    const Experiment split = withEncoding(Staying::X);
    QVERIFY(split.matrix(Stage::X).sameBits(experiment.matrix(Stage::X)));
    const PositionState state = positionState(split);
    QVERIFY(state.isKept);
    QCOMPARE(state.differing, Index(0));
    QVERIFY(std::abs(state.E.at(0, 1) - (0.2 - 1.0)) < 1e-15); // cos 0 = 1
    // Another P under the same E: X follows.
    const Experiment none =
        edited(split, encodingEdit(split, encodingOf(split, {PositionChoice::Kind::None, 1.0, 0, 1}),
                                   Staying::Embeddings));
    QVERIFY(none.matrix(Stage::X).sameBits(split.lab(embeddingLab)));
}

void TestPositionalEncoding::editsOfEAndPWriteX()
{
    const Experiment split = withEncoding(Staying::X);
    for (const char *name : {embeddingLab, positionLab}) {
        const Experiment changed =
            edited(split, withFollowingX(split, SetLabCells{name, {{{0, 2, 3}, 5.0}}}));
        const double other =
            split.lab(name == std::string(embeddingLab) ? positionLab : embeddingLab).at(2, 3);
        QCOMPARE(changed.matrix(Stage::X).at(2, 3), 5.0 + other);
        for (Index i = 0; i < 24; ++i)
            if (i != 2 * 6 + 3)
                QCOMPARE(changed.matrix(Stage::X).at(i / 6, i % 6), split.matrix(Stage::X).at(i / 6, i % 6));
        QCOMPARE(positionState(changed).differing, Index(0));
    }
    const Tensor zeros = Tensor::zeros({1, 4, 6});
    const Experiment bare = edited(split, withFollowingX(split, SetLab{positionLab, zeros}));
    QVERIFY(bare.matrix(Stage::X).sameBits(split.lab(embeddingLab)));
}

void TestPositionalEncoding::editsThatLeaveXAlone()
{
    Experiment split = withEncoding(Staying::X);
    split = edited(split, Edit(SetCells{Stage::X, {{{0, 2, 3}, 9.0}}}));
    const PositionState state = positionState(split);
    QCOMPARE(state.differing, Index(1));
    QVERIFY(std::abs(state.largestGap - 8.4) < 1e-12);
    // X was set by itself there: it does not follow.
    const Experiment changed = edited(split, withFollowingX(split, SetLabCells{"E", {{{0, 2, 3}, 5.0}}}));
    QCOMPARE(changed.matrix(Stage::X).at(2, 3), 9.0);
    const Result<Edit> other = withFollowingX(split, SetLab{"A", Tensor::zeros({1, 2, 2})});
    QVERIFY(other.ok() && std::holds_alternative<SetLab>(*other));
    QVERIFY(!withFollowingX(split, SetLabCells{"E", {{{0, 9, 3}, 5.0}}}).ok());
    const Result<Edit> removed = withFollowingX(split, SetLab{"E", {}});
    QVERIFY(removed.ok() && std::holds_alternative<SetLab>(*removed));
}

void TestPositionalEncoding::learnedKeepsItsNumbers()
{
    const PositionChoice learned{PositionChoice::Kind::Learned, 10000.0, 0, 3};
    const Experiment experiment = seed();
    const Tensor first = encodingOf(experiment, learned);
    QVERIFY(first.sameBits(encodingOf(experiment, learned))); // seeded
    Experiment kept = withEncoding(Staying::Embeddings, learned);
    kept = edited(kept, withFollowingX(kept, SetLabCells{"P", {{{0, 0, 0}, 0.75}}}));
    QCOMPARE(encodingOf(kept, learned).at(0, 0), 0.75);
}

void TestPositionalEncoding::documentsWithoutX()
{
    const Experiment given = seed(QStringLiteral("given_00_qkv"));
    QVERIFY(positionState(given).X.isNull());
    QVERIFY(!encodingEdit(given, Tensor::zeros({1, 1, 1}), Staying::X).ok());
    QVERIFY(!swapWordsEdit(given, 0, 1).ok());
    QVERIFY(!orderEffects(std::make_shared<const Experiment>(given), {}, 0, 1).ok());
}

void TestPositionalEncoding::encodingsOfWrongShapeAreSeen()
{
    Experiment split = withEncoding(Staying::X);
    split.labs[embeddingLab] = Tensor::zeros({1, 5, 6});
    QVERIFY(!positionState(split).fits);
    QVERIFY(!encodingEdit(split, Tensor::zeros({1, 5, 6}), Staying::X).ok());
    // Taken anew, E and P fit again.
    split = edited(split, encodingEdit(split, encodingOf(split, {}), Staying::X));
    QVERIFY(positionState(split).fits);
    QCOMPARE(positionState(split).differing, Index(0));
}

/// Each word keeps its embedding, wherever it goes, and X stays E + P.
void TestPositionalEncoding::embeddingsFollowTheirTokens()
{
    const Experiment split = withEncoding(Staying::X);
    const auto row = [](const Experiment &experiment, const char *name, Index at) {
        std::vector<double> numbers;
        for (Index col = 0; col < experiment.lab(name).cols(); ++col)
            numbers.push_back(experiment.lab(name).at(at, col));
        return numbers;
    };
    const Experiment shorter = edited(split, Edit(DeleteToken{TokenSide::Query, 2}));
    QCOMPARE(row(shorter, embeddingLab, 2), row(split, embeddingLab, 3));
    QCOMPARE(row(shorter, positionLab, 2), row(split, positionLab, 3));
    const Experiment moved = edited(split, Edit(MoveToken{TokenSide::Query, 0, 2}));
    QCOMPARE(row(moved, embeddingLab, 2), row(split, embeddingLab, 0));
    QCOMPARE(row(moved, embeddingLab, 0), row(split, embeddingLab, 1));
    const std::vector<double> numbers = {1, 2, 3, 4, 5, 6};
    const Experiment longer = edited(split, Edit(InsertToken{TokenSide::Query, 1, "really", numbers}));
    QCOMPARE(row(longer, embeddingLab, 1), numbers);
    QCOMPARE(row(longer, positionLab, 1), std::vector<double>(6, 0.0));
    for (const Experiment &after : {shorter, moved, longer}) {
        QVERIFY(positionState(after).fits);
        QCOMPARE(positionState(after).differing, Index(0));
    }
}

void TestPositionalEncoding::orderIsNotSeenWithoutPositions_data()
{
    QTest::addColumn<QString>("golden");
    for (const char *golden :
         {"seed_a_computed", "seed_d1x_two_heads_from_x", "seed_e_a_causal", "random_004_plain",
          "random_010_rope_interleaved_causal", "random_007_grouped_query"})
        QTest::newRow(golden) << QString::fromLatin1(golden);
}

/// CURRICULUM section 6, 11: a permutation of the tokens permutes the output rows in the same way.
void TestPositionalEncoding::orderIsNotSeenWithoutPositions()
{
    QFETCH(QString, golden);
    Experiment experiment = seed(golden);
    experiment =
        edited(experiment, encodingEdit(experiment, encodingOf(experiment, {}), Staying::Embeddings));
    const Index last = experiment.tokens.size() - 1;
    const auto effects =
        orderEffects(std::make_shared<const Experiment>(experiment), experiment.lab(positionLab), 0, last);
    QVERIFY2(effects.ok(), effects.ok() ? "" : effects.error().message.c_str());
    QCOMPARE(effects->size(), std::size_t(3));
    // The sums of a row run in another order: rounding alone.
    QVERIFY((*effects)[0].largest <= 1e-13 * std::max(1.0, (*effects)[0].outputSize));
    QVERIFY((*effects)[1].largest > 1e-3);
    QVERIFY((*effects)[2].largest > 1e-3);
    QCOMPARE((*effects)[0].differences.size(), std::size_t(last + 1));
}

void TestPositionalEncoding::swapMovesWordsAndLeavesPositions()
{
    const Experiment split = withEncoding(Staying::X);
    const Experiment swapped = edited(split, swapWordsEdit(split, 0, 2));
    QCOMPARE(swapped.tokens.at(0), std::string("GPU"));
    QVERIFY(swapped.lab(positionLab).sameBits(split.lab(positionLab)));
    for (Index col = 0; col < 6; ++col) {
        QCOMPARE(swapped.lab(embeddingLab).at(0, col), split.lab(embeddingLab).at(2, col));
        QCOMPARE(swapped.matrix(Stage::X).at(0, col),
                 split.lab(embeddingLab).at(2, col) + split.lab(positionLab).at(0, col));
        QCOMPARE(swapped.matrix(Stage::X).at(1, col), split.matrix(Stage::X).at(1, col));
    }
    QCOMPARE(positionState(swapped).differing, Index(0));
    const Experiment plain = seed();
    const Experiment bare = edited(plain, swapWordsEdit(plain, 0, 2));
    QCOMPARE(bare.matrix(Stage::X).at(2, 0), plain.matrix(Stage::X).at(0, 0));
    QVERIFY(bare.labs.empty());
}

void TestPositionalEncoding::rotatedDotsDependOnTheDistance()
{
    Rotary rotary;
    rotary.base = 50.0;
    const std::vector<double> query = {0.3, -1.2, 0.5, 0.7, 0.1, -0.4};
    const std::vector<double> key = {1.0, 0.2, -0.3, 0.9, 0.6, 0.8};
    const StageValuesPtr table = rotaryDotTable(rotary, query, key, 12);
    for (Index i = 1; i < 12; ++i)
        for (Index j = 1; j < 12; ++j)
            QVERIFY(std::abs(table->value(0, i, j) - table->value(0, i - 1, j - 1)) < 1e-13);
    QVERIFY(std::abs(table->value(0, 5, 0) - table->value(0, 0, 5)) > 1e-3); // before is not after
}

QTEST_APPLESS_MAIN(TestPositionalEncoding)
#include "tst_PositionalEncoding.moc"
