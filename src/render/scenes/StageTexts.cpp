#include "render/scenes/StageTexts.h"

#include "base/NumberText.h"
#include "render/SceneBuilders.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn {

QString stageSymbol(Stage stage)
{
    switch (stage) {
    case Stage::Xkv:
        return QStringLiteral("X_{kv}");
    case Stage::Wq:
        return QStringLiteral("W^{Q}");
    case Stage::Wk:
        return QStringLiteral("W^{K}");
    case Stage::Wv:
        return QStringLiteral("W^{V}");
    case Stage::Wo:
        return QStringLiteral("W^{O}");
    case Stage::Bq:
        return QStringLiteral("b^{Q}");
    case Stage::Bk:
        return QStringLiteral("b^{K}");
    case Stage::Bv:
        return QStringLiteral("b^{V}");
    case Stage::Bo:
        return QStringLiteral("b^{O}");
    case Stage::MaskPadding:
        return QStringLiteral("M_{padding}");
    case Stage::MaskBool:
        return QStringLiteral("M_{bool}");
    case Stage::MaskAdd:
        return QStringLiteral("M_{add}");
    case Stage::MaskAlibi:
        return QStringLiteral("m_{ALiBi}");
    case Stage::Qr:
        return QStringLiteral("Q_{rot}");
    case Stage::Kr:
        return QStringLiteral("K_{rot}");
    case Stage::Scores:
        return QStringLiteral("QK^{T}");
    case Stage::Scaled:
        return QStringLiteral("QK^{T}_{scaled}");
    case Stage::HeadOut:
        return QStringLiteral("AV");
    case Stage::Qh:
        return QStringLiteral("Q_{i}");
    case Stage::Kh:
        return QStringLiteral("K_{i}");
    case Stage::Vh:
        return QStringLiteral("V_{i}");
    case Stage::FullyMasked:
        return QStringLiteral("fully masked");
    case Stage::ASoft:
        return QStringLiteral("A_{soft}");
    case Stage::HeadContribution:
        return QStringLiteral("A_{i}V_{i}W^{O}_{i}");
    default:
        return QString::fromLatin1(stageName(stage));
    }
}

QString scoresSymbol(const Snapshot &snapshot, const QString &query)
{
    if (snapshot.stage(Stage::Qr).hasValues())
        return query + QStringLiteral("_{rot}K_{rot}^{T}");
    return query + QStringLiteral("K^{T}");
}

QString scaledSymbol(const Snapshot &snapshot, const QString &query)
{
    const QString scores = scoresSymbol(snapshot, query);
    const double scale = snapshot.sizes().scale;
    if (!snapshot.experiment().scale && snapshot.sizes().dHeadK > 0)
        return scores + QStringLiteral("/√d_{k}");
    if (scale == 1.0)
        return scores;
    return scores + QStringLiteral(" · ") + factorText(scale);
}

QString factorText(double factor)
{
    const QString text = QString::fromStdString(significantText(factor, 3)).replace(u'-', QChar(0x2212));
    return factor < 0.0 ? QString(u'(' + text + u')') : text;
}

QString symbolIn(const Snapshot &snapshot, Stage stage)
{
    if (stage == Stage::Scores)
        return scoresSymbol(snapshot);
    return stage == Stage::Scaled ? scaledSymbol(snapshot) : stageSymbol(stage);
}

QString stateText(const StageState &state)
{
    if (state.isPinnedWhole)
        return QCoreApplication::translate("Scene", "pinned");
    if (state.pinnedCount > 0)
        return QCoreApplication::translate("Scene", "%n pinned", nullptr,
                                           static_cast<int>(state.pinnedCount));
    switch (state.status) {
    case StageStatus::Given:
        return QCoreApplication::translate("Scene", "given");
    case StageStatus::Computed:
        return QCoreApplication::translate("Scene", "computed");
    case StageStatus::NotAvailable:
        return QCoreApplication::translate("Scene", "not available");
    case StageStatus::Absent:
        break;
    }
    return {};
}

QString shapeTextOf(const StageState &state)
{
    return state.hasValues() ? QString::fromStdString(shapeText(state.values->shape())) : QString();
}

QStringList maskRules(const Experiment &experiment)
{
    QStringList lines;
    if (experiment.causal)
        lines.append(QCoreApplication::translate("Scene", "causal: no later key"));
    if (experiment.window) {
        const auto limit = [](const std::optional<Index> &value) {
            return value ? QString::number(*value) : QStringLiteral("∞");
        };
        lines.append(QCoreApplication::translate("Scene", "window: %1 back, %2 ahead")
                         .arg(limit(experiment.window->left), limit(experiment.window->right)));
    }
    if (!lines.isEmpty() && experiment.qOffset != 0)
        lines.append(
            QCoreApplication::translate("Scene", "first query at position %1").arg(experiment.qOffset));
    return lines;
}

bool hasMask(const Snapshot &snapshot)
{
    if (!maskRules(snapshot.experiment()).isEmpty())
        return true;
    for (const Stage stage : {Stage::MaskPadding, Stage::MaskBool, Stage::MaskAdd, Stage::MaskAlibi})
        if (snapshot.stage(stage).status != StageStatus::Absent)
            return true;
    return false;
}

QStringList maskLines(const Snapshot &snapshot)
{
    QStringList lines = maskRules(snapshot.experiment());
    if (!hasMask(snapshot))
        return lines;
    const StageState &weights = snapshot.stage(Stage::A);
    if (weights.status == StageStatus::Given)
        lines.append(QCoreApplication::translate("Scene", "no effect: A is given"));
    else if (weights.isPinnedWhole)
        lines.append(QCoreApplication::translate("Scene", "no effect: A is pinned"));
    else if (weights.pinnedCount > 0)
        lines.append(QCoreApplication::translate("Scene", "no effect on pinned cells of A"));
    return lines;
}

QString percentText(double share)
{
    // Not quite nothing and not quite all are said in words of the same places: "0.0" and "100.0" would say
    // that nothing is left.
    constexpr double half = 0.0005;
    if (share > 0.0 && share < half)
        return QStringLiteral("< 0.1 %");
    if (share < 0.0 && share > -half)
        return QStringLiteral("> \u22120.1 %");
    if (share < 1.0 && share >= 1.0 - half)
        return QStringLiteral("> 99.9 %");
    return QString::fromStdString(withTrueMinus(displayText(100.0 * share, 1))) + QStringLiteral(" %");
}

QString figureText(double value, int decimals)
{
    if (std::isnan(value))
        return QStringLiteral("–");
    const bool tiny = value != 0.0 && std::abs(value) < std::pow(0.1, decimals);
    return QString::fromStdString(withTrueMinus(displayText(value, tiny ? decimals + 2 : decimals)));
}

QString countText(Index count)
{
    QString digits = QString::number(count);
    for (qsizetype place = digits.size() - 3; place > 0; place -= 3)
        digits.insert(place, QChar(0x202f));
    return digits;
}

Index kvHeadOf(const Experiment &experiment, Index head)
{
    const Index kvHeads = std::clamp<Index>(experiment.nKvHeads, 1, std::max<Index>(experiment.nHeads, 1));
    return head / std::max<Index>(experiment.nHeads / kvHeads, 1);
}

QString headTitle(const Experiment &experiment, Index head)
{
    const QString title = QCoreApplication::translate("Scene", "Head %1").arg(head + 1);
    if (experiment.nKvHeads == experiment.nHeads)
        return title;
    return title + QCoreApplication::translate("Scene", " · KV head %1").arg(kvHeadOf(experiment, head) + 1);
}

QString headTitle(const Experiment &experiment, Stage stage, Index head)
{
    if (stageInfo(stage).heads == HeadAxis::KeyValue && experiment.nKvHeads != experiment.nHeads)
        return QCoreApplication::translate("Scene", "KV head %1").arg(head + 1);
    return QCoreApplication::translate("Scene", "Head %1").arg(head + 1);
}

} // namespace attn
