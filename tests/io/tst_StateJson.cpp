#include "io/StateJson.h"

#include "support/JsonCompare.h"

#include <QDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

class TestStateJson : public QObject
{
    Q_OBJECT

private slots:
    void goldenStatesSurvive_data();
    void goldenStatesSurvive();
    void documentFormSurvives_data();
    void documentFormSurvives();
    void missingFieldsAreDefaults();
    void statedScaleWithoutFlag();
    void errorsNameTheField_data();
    void errorsNameTheField();
    void contradictionsAreKeptOnRequest();
    void largeMatricesBecomeBlocks();
    void damagedBlocksAreRefused_data();
    void damagedBlocksAreRefused();
    void nestedListsAreRead();
    void goldenEditsSurvive_data();
    void goldenEditsSurvive();
    void furtherEditsSurvive_data();
    void furtherEditsSurvive();
    void maskCellTakesEveryHead();
    void wrongEditsAreRefused_data();
    void wrongEditsAreRefused();
};

namespace {

/// Every state anywhere inside a golden file.
void collectStates(const Json &json, std::vector<Json> &states)
{
    if (json["state"].contains("scale_is_default"))
        states.push_back(json["state"]);
    for (const auto &member : json.toObject())
        collectStates(member.second, states);
    for (const Json &item : json.toArray())
        collectStates(item, states);
}

void addGoldenRows(const QString &pattern = u"*.json"_s)
{
    QTest::addColumn<QString>("name");
    const QDir folder(QStringLiteral(ATTN_TEST_DATA "/golden"));
    for (const QString &name : folder.entryList({pattern}, QDir::Files))
        QTest::newRow(qPrintable(name)) << name;
}

Json parsed(const char *text)
{
    const Result<JsonText> json = parseJson(text);
    if (!json)
        qFatal("%s", json.error().message.c_str());
    return json->value;
}

Json smallState()
{
    return parsed(R"({"tokens": ["a", "b"], "X": {"shape": [2, 3], "data": [1, 2, 3, 4, 5, 6]},
        "Wq": {"shape": [3, 4], "data": [1,2,3,4,5,6,7,8,9,10,11,12]},
        "Wk": {"shape": [3, 4], "data": [1,2,3,4,5,6,7,8,9,10,11,12]},
        "Wv": {"shape": [3, 2], "data": [1,2,3,4,5,6]}, "h": 2, "h_kv": 2})");
}

} // namespace

void TestStateJson::goldenStatesSurvive_data()
{
    addGoldenRows();
}

void TestStateJson::goldenStatesSurvive()
{
    QFETCH(QString, name);
    std::vector<Json> states;
    collectStates(readTestJson(u"golden/"_s + name), states);
    for (const Json &state : states) {
        const Result<Experiment> experiment = experimentFromState(state);
        QVERIFY2(experiment.ok(), experiment.ok() ? "" : experiment.error().message.c_str());
        const QString difference = jsonDifference(stateToJson(*experiment), state);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
}

void TestStateJson::documentFormSurvives_data()
{
    addGoldenRows();
}

void TestStateJson::documentFormSurvives()
{
    QFETCH(QString, name);
    std::vector<Json> states;
    collectStates(readTestJson(u"golden/"_s + name), states);
    for (const Json &state : states) {
        const Result<Experiment> experiment = experimentFromState(state);
        QVERIFY(experiment.ok());
        const Result<Experiment> again = experimentFromState(stateToJson(*experiment, JsonForm::Document));
        QVERIFY(again.ok());
        QVERIFY(sameContent(*experiment, *again));
    }
}

void TestStateJson::missingFieldsAreDefaults()
{
    const Result<Experiment> experiment = experimentFromState(smallState());
    QVERIFY2(experiment.ok(), experiment.ok() ? "" : experiment.error().message.c_str());
    QVERIFY(!experiment->scale && !experiment->causal && !experiment->rotary && !experiment->window);
    QVERIFY(experiment->isSelfAttention());
    QCOMPARE(stateToJson(*experiment)["scale"].toDouble(), 1.0 / std::sqrt(2.0));
    QCOMPARE(stateToJson(*experiment)["d_v"].toInteger(), std::int64_t(1));

    Json state = smallState();
    state.set("tokens", Json());
    const Result<Experiment> numbered = experimentFromState(state);
    QVERIFY(numbered.ok());
    QCOMPARE(numbered->tokens.labels(), (std::vector<std::string>{"0", "1"}));
}

void TestStateJson::statedScaleWithoutFlag()
{
    Json state = smallState();
    state.set("scale", 0.25);
    QCOMPARE(experimentFromState(state)->scale.value_or(0.0), 0.25);
    state.set("scale_is_default", true);
    QVERIFY(!experimentFromState(state)->scale.has_value());
}

void TestStateJson::errorsNameTheField_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char *name, const char *key, const char *value, const char *message) {
        QTest::newRow(name) << QByteArray(key) << QByteArray(value) << QByteArray(message);
    };
    row("too few rows", "Wq", R"({"shape": [2, 4], "data": [1,2,3,4,5,6,7,8]})",
        "state.Wq: expected 3 rows, found 2");
    row("too few columns", "Wk", R"({"shape": [3, 2], "data": [1,2,3,4,5,6]})",
        "state.Wk: expected 4 columns, found 2");
    row("too few numbers", "X", R"({"shape": [2, 3], "data": [1,2,3,4,5]})",
        "state.X: shape [2, 3] needs 6 numbers, found 5");
    row("word in data", "X", R"({"shape": [2, 3], "data": [1,2,"four",4,5,6]})",
        "state.X: number 2: expected a number, found text");
    row("overflowing shape", "X", R"({"shape": [1099511627776, 1099511627776], "data": []})",
        "state.X: shape");
    row("negative length", "X", R"({"shape": [-2, 3], "data": []})", "state.X: \"shape\" holds");
    row("four axes", "X", R"({"shape": [1, 1, 2, 3], "data": [1,2,3,4,5,6]})", "state.X: \"shape\" must");
    row("unknown dtype", "X", R"({"dtype": "complex", "shape": [2, 3], "data": [1,2,3,4,5,6]})",
        "state.X: unknown dtype \"complex\"");
    row("text for a matrix", "Wv", R"("Wv")", "state.Wv: expected {\"shape\", \"data\"}, found text");
    row("heads as text", "h", R"("2")", "state.h: expected a whole number, found text");
    row("no heads", "h", "0", "state.h: expected a number from 1");
    row("fractional heads", "h", "1.5", "state.h: expected a whole number");
    row("heads that do not divide", "h_kv", "4", "state.h_kv: 4 does not divide h = 2");
    row("token count", "n_q", "3", "state.n_q: expected 2 as there are tokens, found 3");
    row("token that is no text", "tokens", "[\"a\", 2]", "state.tokens: entry 1: expected text");
    row("three tokens", "tokens", R"(["a", "b", "c"])", "state.X: expected 3 rows, found 2");
    row("head width", "d_k", "3", "state.Wq: expected 6 columns, found 4");
    row("rope mode", "rope", R"({"mode": "twisted"})",
        "state.rope.mode: expected \"interleaved\" or \"half\"");
    row("window", "mask", R"({"window": [1]})", "state.mask.window: expected [left, right]");
    row("mask flags", "mask", R"({"bool": {"shape": [2, 2], "data": [0, 1, 2, 1]}})",
        "state.mask.bool: expected only 0 and 1");
    row("mask shape", "mask", R"({"key_padding": {"shape": [3], "data": [0, 1, 1]}})",
        "state.mask.key_padding: expected 2 columns, found 3");
    row("pins of an unknown stage", "pins", R"({"B": {}})",
        "state.pins.B: this is no stage that can be pinned");
    row("pins of an input", "pins", R"({"X": {}})", "state.pins.X: this is no stage that can be pinned");
    row("pins without where", "pins", R"({"Q": {"value": {"shape": [2, 4], "data": [1,2,3,4,5,6,7,8]}}})",
        "state.pins.Q.where: missing");
    row("pinned stage of another shape", "pins",
        R"({"Q": {"value": {"shape": [1, 1], "data": [1]}, "where": {"shape": [1, 1], "data": [1]}}})",
        "state.pins.Q: expected 2 rows, found 1");
    row("cells that are none", "pins", R"({"A": {"cells": {"shape": [1, 4], "data": [0, -1, 0, 0.5]}}})",
        "state.pins.A.cells: row 0 names no cell");
    row("given stage of an unknown name", "given", R"({"weights": null})",
        "state.given.weights: this is no stage");
}

void TestStateJson::errorsNameTheField()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, message);
    Json state = smallState();
    state.set(key.toStdString(), parsed(value.constData()));
    const Result<Experiment> experiment = experimentFromState(state);
    QVERIFY(!experiment.ok());
    QVERIFY2(QByteArray::fromStdString(experiment.error().message).startsWith(message),
             experiment.error().message.c_str());
}

void TestStateJson::contradictionsAreKeptOnRequest()
{
    Json state = smallState();
    state.set("Wq", parsed(R"({"shape": [2, 4], "data": [1,2,3,4,5,6,7,8]})"));
    const Result<Experiment> experiment = experimentFromState(state, StateCheck::None);
    QVERIFY(experiment.ok());
    QCOMPARE(experiment->matrix(Stage::Wq).rows(), Index(2));
}

void TestStateJson::largeMatricesBecomeBlocks()
{
    std::vector<float> numbers(5000);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = std::sin(static_cast<float>(i));
    numbers[7] = -0.0f;
    numbers[8] = std::numeric_limits<float>::quiet_NaN();
    numbers[9] = -std::numeric_limits<float>::infinity();
    const Tensor tensor = Tensor::fromFloats({2, 25, 100}, numbers);
    const Json json = tensorToJson(tensor, JsonForm::Document);
    QVERIFY(json.contains("base64") && !json.contains("data"));
    const Result<Tensor> back = tensorFromJson(json, "t");
    QVERIFY(back.ok());
    QVERIFY(back->storage() == Tensor::Storage::Float32);
    QVERIFY(back->sameBits(tensor));
    QVERIFY(tensorFromJson(tensorToJson(tensor), "t")->storage() == Tensor::Storage::Float32);
}

void TestStateJson::damagedBlocksAreRefused_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("another checksum")
        << QByteArray("crc32") << QByteArray("\"00000000\"") << QByteArray("checksum");
    QTest::newRow("no checksum") << QByteArray("crc32") << QByteArray("null") << QByteArray("crc32");
    QTest::newRow("cut text") << QByteArray("base64") << QByteArray("\"AAAA\"")
                              << QByteArray("needs 40000 bytes");
    QTest::newRow("no base64") << QByteArray("base64") << QByteArray("\"A*A=\"") << QByteArray("base64 text");
    QTest::newRow("another shape") << QByteArray("shape") << QByteArray("[50, 101]")
                                   << QByteArray("needs 40400");
}

void TestStateJson::damagedBlocksAreRefused()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, message);
    Json json = tensorToJson(Tensor::filled({1, 50, 100}, 0.5), JsonForm::Document);
    json.set(key.toStdString(), parsed(value.constData()));
    const Result<Tensor> back = tensorFromJson(json, "state.X");
    QVERIFY(!back.ok());
    QCOMPARE(back.error().code, ErrorCode::Damaged);
    QVERIFY2(QByteArray::fromStdString(back.error().message).contains(message), back.error().message.c_str());
    QVERIFY(back.error().message.starts_with("state.X: "));
}

void TestStateJson::nestedListsAreRead()
{
    const Result<Tensor> tensor = tensorFromJson(parsed("[[1, 2, \"-Infinity\"], [4, 5, 6]]"), "t");
    QVERIFY(tensor.ok());
    QCOMPARE(tensor->at(0, 2), -HUGE_VAL);
    QCOMPARE(tensor->at(1, 0), 4.0);
    const Result<Tensor> ragged = tensorFromJson(parsed("[[1, 2, 3], [4, 5]]"), "t");
    QVERIFY(!ragged.ok());
    QCOMPARE(ragged.error().message, std::string("t[1]: expected a list of 3 entries, found 2"));
    QVERIFY(tensorFromJson(parsed("[]"), "t").ok());
    QVERIFY(!tensorFromJson(parsed("[[[[1]]]]"), "t").ok());
}

void TestStateJson::goldenEditsSurvive_data()
{
    addGoldenRows(u"edits_*.json"_s);
}

void TestStateJson::goldenEditsSurvive()
{
    QFETCH(QString, name);
    const Json file = readTestJson(u"golden/"_s + name);
    Json state = file["state"];
    for (const Json &step : file["steps"].toArray()) {
        const Result<Experiment> before = experimentFromState(state);
        QVERIFY(before.ok());
        const Result<Edit> edit = editFromJson(step["edit"], *before);
        QVERIFY2(edit.ok(), edit.ok() ? "" : edit.error().message.c_str());
        const Json written = editToJson(*edit);
        const Result<Edit> again = editFromJson(written, *before);
        QVERIFY2(again.ok(), again.ok() ? "" : again.error().message.c_str());
        const QString difference = jsonDifference(editToJson(*again), written);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
        QCOMPARE(again->index(), edit->index());
        for (const auto &[key, value] : step["state_changes"].toObject())
            state.set(key, value);
    }
}

void TestStateJson::furtherEditsSurvive_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *text) {
        QTest::newRow(text) << QByteArray(text);
    };
    row(R"({"op": "set_lab", "name": "A", "value": {"shape": [1, 2], "data": [0.5, -1.0]}})");
    row(R"({"op": "set_lab", "name": "A", "value": null})");
    row(R"({"op": "set_lab_row_names", "name": "A", "rows": ["", "up"]})");
    row(R"({"op": "set_lab_cells", "name": "A", "cells": {"shape": [1, 4], "data": [0.0, 0.0, 1.0, 7.0]}})");
    row(R"({"op": "rename_token", "side": "kv", "index": 1, "token": "new"})");
    row(R"({"op": "move_token", "side": "q", "from": 0, "to": 1})");
    row(R"({"op": "set_tokens", "side": "q", "tokens": ["x", ""]})");
    row(R"({"op": "insert_dimension", "axis": "head_key", "index": 1})");
    row(R"({"op": "delete_dimension", "axis": "output", "index": 0})");
    row(R"({"op": "set_q_offset", "value": -3})");
    row(R"({"op": "set_precision", "value": "float32"})");
    row(R"({"op": "set_notes", "value": "two\nlines"})");
    row(R"({"op": "set_window", "value": [null, 2]})");
    row(R"({"op": "set_rope", "value": {"mode": "half", "base": 500, "rot_dim": 2}})");
    row(R"({"op": "set_matrix", "matrix": "mask.bool", "value": null})");
    row(R"({"op": "set_cells", "matrix": "X", "cells": {"shape": [2, 4], "data": [0, 0, 1, 0.5, 0, 1, 1, "NaN"]}})");
    row(R"({"op": "pin_cells", "stage": "A", "cells": {"shape": [2, 4], "data": [1, 0, 1, 0.5, 0, 1, 1, -0.0]}})");
    row(R"({"op": "unpin_cells", "stage": "A", "cells": {"shape": [2, 4], "data": [1, 0, 1, 0, 0, 1, 1, 0]}})");
    row(R"({"op": "compound", "edits": [{"op": "set_causal", "value": true}, {"op": "compound", "edits": []}]})");
}

void TestStateJson::furtherEditsSurvive()
{
    QFETCH(QByteArray, text);
    const Json json = parsed(text.constData());
    const Result<Edit> edit = editFromJson(json, Experiment());
    QVERIFY2(edit.ok(), edit.ok() ? "" : edit.error().message.c_str());
    const QString difference = jsonDifference(editToJson(*edit), json);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TestStateJson::maskCellTakesEveryHead()
{
    Experiment before;
    before.given[Stage::MaskBool] = Tensor::filled({3, 2, 2}, 1.0);
    const Result<Edit> edit =
        editFromJson(parsed(R"({"op": "mask_cell", "row": 1, "col": 0, "allowed": false})"), before);
    QVERIFY(edit.ok());
    const auto &cells = std::get<SetCells>(*edit).cells;
    QCOMPARE(cells.size(), std::size_t(3));
    QCOMPARE(cells[2].cell, (CellIndex{2, 1, 0}));
    QCOMPARE(cells[2].value, 0.0);
}

void TestStateJson::wrongEditsAreRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char *text, const char *message) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(message);
    };
    row("7", "edit: expected an object, found a whole number");
    row("{}", "edit.op: there is no edit \"\"");
    row(R"({"op": "explode"})", "edit.op: there is no edit \"explode\"");
    row(R"({"op": "set_cell", "matrix": "W", "row": 0, "col": 0, "value": 1})",
        "edit.matrix: there is no stage \"W\"");
    row(R"({"op": "set_cell", "matrix": "X", "row": -1, "col": 0, "value": 1})",
        "edit.row: expected a number from 0");
    row(R"({"op": "set_cell", "matrix": "X", "col": 0, "value": 1})", "edit.row: missing");
    row(R"({"op": "set_cell", "matrix": "X", "row": 0, "col": 0, "value": "one"})",
        "edit.value: expected a number");
    row(R"({"op": "pin_matrix", "stage": "A"})", "edit.value: missing");
    row(R"({"op": "insert_token", "side": "up", "index": 0, "token": "x"})",
        "edit.side: expected \"q\" or \"kv\"");
    row(R"({"op": "insert_dimension", "axis": "time", "index": 0})", "edit.axis: there is no dimension");
    row(R"({"op": "compound", "edits": [{"op": "explode"}]})", "edit.op: there is no edit");
}

void TestStateJson::wrongEditsAreRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, message);
    const Result<Edit> edit = editFromJson(parsed(text.constData()), Experiment());
    QVERIFY(!edit.ok());
    QVERIFY2(QByteArray::fromStdString(edit.error().message).startsWith(message),
             edit.error().message.c_str());
}

QTEST_APPLESS_MAIN(TestStateJson)
#include "tst_StateJson.moc"
