#include "document/ViewState.h"

#include <QJsonDocument>
#include <QTest>

using namespace attn;

class TestViewState : public QObject
{
    Q_OBJECT

private slots:
    void comesBackFromJson();
    void unknownTextsGiveTheDefaults();
    void workspacesKeepTheirOwnObjects();
};

void TestViewState::comesBackFromJson()
{
    ViewState state;
    state.workspace = QStringLiteral("footprints");
    state.stage = Stage::Masked;
    state.cell = {1, 2, 3};
    state.scratch = QStringLiteral("B");
    state.scratchCell = {0, 4, 1};
    state.head = 5;
    state.tileHeads = false;
    state.decimals = 4;
    state.sequentialMap = QStringLiteral("magma");
    state.ranges[Stage::A] = {RangeChoice::Mode::Fixed, -0.5, 1.0};
    state.ranges[Stage::Scores] = {RangeChoice::Mode::PerHead, 0.0, 1.0};
    state.pooling = Pooling::Mean;
    state.zoom = 1.25;
    state.footprintTarget = 2;
    state.footprintOrder = {2, 0, 1};
    state.mutedTokens = {1};
    state.footprintCount = 2;
    state.workspaces = {{QStringLiteral("products"), QJsonObject{{QStringLiteral("step"), 3}}}};
    const QByteArray text = QJsonDocument(state.toJson()).toJson();
    QVERIFY(ViewState::fromJson(QJsonDocument::fromJson(text).object()) == state);
}

void TestViewState::unknownTextsGiveTheDefaults()
{
    const QJsonObject object{{QStringLiteral("stage"), QStringLiteral("no such stage")},
                             {QStringLiteral("decimals"), 900},
                             {QStringLiteral("cell"), QStringLiteral("text")},
                             {QStringLiteral("ranges"), QJsonObject{{QStringLiteral("nope"), 1}}}};
    const ViewState state = ViewState::fromJson(object);
    QVERIFY(state.stage == Stage::X);
    QCOMPARE(state.decimals, 15);
    QVERIFY(state.cell == CellIndex{});
    QVERIFY(state.ranges.empty());
    QVERIFY(ViewState::fromJson({}) == ViewState{});
}

void TestViewState::workspacesKeepTheirOwnObjects()
{
    const QJsonObject flow{{QStringLiteral("threshold"), 0.05}};
    const ViewState state = ViewState().withWorkspaceState(QStringLiteral("flow"), flow);
    QCOMPARE(state.workspaceState(QStringLiteral("flow")), flow);
    QVERIFY(state.workspaceState(QStringLiteral("products")).isEmpty());
    QVERIFY(!(state == ViewState()));
    QJsonObject json = state.toJson();
    QJsonObject damaged = json.value(QStringLiteral("workspaces")).toObject();
    damaged.insert(QStringLiteral("products"), 7);
    json.insert(QStringLiteral("workspaces"), damaged);
    QVERIFY(ViewState::fromJson(json) == state);
    json.insert(QStringLiteral("workspaces"), QStringLiteral("text"));
    QVERIFY(ViewState::fromJson(json) == ViewState());
}

QTEST_APPLESS_MAIN(TestViewState)
#include "tst_ViewState.moc"
