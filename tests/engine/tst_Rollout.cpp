#include "engine/Rollout.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

class TestRollout : public QObject
{
    Q_OBJECT

private slots:
    void golden_data();
    void golden();
    void computedLayersRollOut();
    void identityStaysIdentity();
};

void TestRollout::golden_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(QStringLiteral("rollout")))
        QTest::newRow(qPrintable(name)) << name;
}

void TestRollout::golden()
{
    QFETCH(QString, name);
    const Json golden = readGolden(name);
    std::vector<StageValuesPtr> layers;
    for (const Json &A : golden["A"].toArray())
        layers.push_back(valuesOf(goldenTensor(A)));
    QVERIFY(layers.size() >= 2);
    for (const auto &[key, residual] : {std::pair("rollout", golden["residual_fraction"].toDouble()),
                                        std::pair("rollout_no_residual", 0.0)}) {
        const std::vector<Tensor> rollouts = attentionRollout(layers, residual);
        const auto &expected = golden[key].toArray();
        QCOMPARE(rollouts.size(), expected.size());
        for (std::size_t i = 0; i < rollouts.size(); ++i)
            COMPARE_MATRIX(*valuesOf(rollouts[i]), goldenTensor(expected[i]), 1e-14);
    }
}

/// The layers of a stack are computed here, too.
void TestRollout::computedLayersRollOut()
{
    for (const char *name : {"rollout_0", "rollout_1"}) {
        const Json golden = readGolden(QString::fromLatin1(name));
        std::vector<StageValuesPtr> layers;
        for (const Json &state : golden["layers"].toArray())
            layers.push_back(evaluated(goldenExperiment(state))->stage(Stage::A).values);
        const Tensor last = attentionRollout(layers).back();
        COMPARE_MATRIX(*valuesOf(last), goldenTensor(golden["rollout"].toArray().back()), 1e-12);
        for (Index row = 0; row < last.rows(); ++row) {
            double sum = 0.0;
            for (Index col = 0; col < last.cols(); ++col)
                sum += last.at(row, col);
            QVERIFY(std::abs(sum - 1.0) < 1e-14);
        }
    }
}

void TestRollout::identityStaysIdentity()
{
    const Tensor identity = Tensor::fromDoubles({1, 3, 3}, std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
    const StageValuesPtr layer = valuesOf(identity);
    QVERIFY(attentionRollout({layer, layer, layer}).back().sameBits(identity));
    QVERIFY(attentionRollout({}).empty());
}

QTEST_APPLESS_MAIN(TestRollout)
#include "tst_Rollout.moc"
