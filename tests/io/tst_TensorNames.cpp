#include "io/TensorNames.h"

#include <QTest>

using namespace attn;

class TestTensorNames : public QObject
{
    Q_OBJECT

private slots:
    void roles_data();
    void roles();
    void packed_data();
    void packed();
    void heads();
    void conventionsInNames();
};

void TestTensorNames::roles_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("stage"); // empty: not a stage
    QTest::addColumn<QString>("block");
    const auto row = [](const char *name, const char *stage, const char *block = "") {
        QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(stage)
                            << QString::fromLatin1(block);
    };
    row("X", "X");
    row("WQ", "Wq");
    row("W_Q", "Wq");
    row("bQ", "bq");
    row("Q", "Q");
    row("Q_rope", "Qr");
    row("K_cache", "K");
    row("head_out", "head_out");
    row("scores_masked", "masked");
    row("attn_softmax", "A");
    row("mask.key_padding", "mask.key_padding");
    row("key_keep", "mask.key_padding");
    row("long512-L3-A-h3-f16", "A");
    row("cross1-A-4d", "A");
    row("look-L1-A", "A");
    row("row_top_key", "");
    row("row_sum", "");
    row("positions_new", "");
    row("idx", "");
    row("layers.3.attention.wq.weight", "Wq", "layers.3.attention");
    row("layers.3.attention.wo.weight", "Wo", "layers.3.attention");
    row("layers.3.attention_norm.weight", "");
    row("layers.3.feed_forward.w1.weight", "");
    row("model.layers.10.self_attn.k_proj.weight", "Wk", "model.layers.10.self.attn");
    row("model.layers.10.self_attn.q_norm.weight", "");
    row("encoder.layer.0.attention.self.query.bias", "bq", "encoder.layer.0.attention");
    row("encoder.layer.0.attention.output.dense.weight", "Wo", "encoder.layer.0.attention");
    row("encoder.layer.0.attention.output.LayerNorm.weight", "");
    row("encoder.layer.0.output.dense.weight", "");
    row("encoder.block.1.layer.0.SelfAttention.v.weight", "Wv", "encoder.block.1.layer.0.self.attention");
    row("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", "");
    row("transformer.layer.2.attention.out_lin.bias", "bo", "transformer.layer.2.attention");
    row("transformer.h.0.attn.c_proj.weight", "Wo", "transformer.h.0.attn");
    row("transformer.h.0.mlp.c_proj.weight", "");
    row("transformer.wte.weight", "");
    row("blocks.4.attn.proj.weight", "Wo", "blocks.4.attn");
    row("blocks.4.attn.hook_pattern", "A", "blocks.4.attn");
    row("dec.1.cross_attn.v.bias", "bv", "dec.1.cross.attn");
    row("down_blocks.0.attn1.to_out.0.weight", "");
    row("", "");
    row("...", "");
}

void TestTensorNames::roles()
{
    QFETCH(QString, name);
    QFETCH(QString, stage);
    QFETCH(QString, block);
    const TensorRole role = roleFromName(name.toStdString());
    QCOMPARE(role.stage ? QString::fromLatin1(stageName(*role.stage)) : QString(), stage);
    QCOMPARE(QString::fromStdString(role.block), block);
}

void TestTensorNames::packed_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isBias");
    QTest::newRow("GPT-2") << QStringLiteral("h.0.attn.c_attn.weight") << false;
    QTest::newRow("GPT-2 bias") << QStringLiteral("h.0.attn.c_attn.bias") << true;
    QTest::newRow("vision") << QStringLiteral("blocks.0.attn.qkv.weight") << false;
    QTest::newRow("torch") << QStringLiteral("layers.0.self_attn.in_proj_bias") << true;
    QTest::newRow("by head") << QStringLiteral("h.0.self_attention.query_key_value.weight") << false;
}

void TestTensorNames::packed()
{
    QFETCH(QString, name);
    QFETCH(bool, isBias);
    const TensorRole role = roleFromName(name.toStdString());
    QVERIFY(!role.stage);
    QCOMPARE(role.packing, TensorRole::Packing::Qkv);
    QCOMPARE(role.isPackedBias, isBias);
    QCOMPARE(role.isPackedByHead, name.contains(QLatin1String("query_key_value")));
}

void TestTensorNames::heads()
{
    QCOMPARE(roleFromName("A-h3").head, std::optional<Index>(3));
    QCOMPARE(roleFromName("layer 0/head.1/A").head, std::optional<Index>(1));
    QCOMPARE(roleFromName("layer 0/head.1/A").stage, std::optional(Stage::A));
    QCOMPARE(roleFromName("h.0.attn.c_attn.weight").head, std::optional<Index>());
    QCOMPARE(roleFromName("head_out").head, std::optional<Index>());
}

void TestTensorNames::conventionsInNames()
{
    QVERIFY(roleFromName("raw_scores").saysRaw);
    QVERIFY(!roleFromName("scores").saysRaw);
    QVERIFY(roleFromName("key_padding_mask").isDropMask);
    QVERIFY(!roleFromName("key_keep").isDropMask);
    QVERIFY(roleFromName("causal_mask").isCausalMask);
    QVERIFY(roleFromName("transformer.h.0.attn.bias").isCausalMask);
    QCOMPARE(roleFromName("transformer.h.0.attn.bias").block, std::string("transformer.h.0.attn"));
    QVERIFY(!roleFromName("bias").isCausalMask);
    QVERIFY(roleFromName("q_proj.weight").isModelWeight);
    QVERIFY(!roleFromName("Wq").isModelWeight);
}

QTEST_APPLESS_MAIN(TestTensorNames)
#include "tst_TensorNames.moc"
