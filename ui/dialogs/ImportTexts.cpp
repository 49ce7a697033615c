#include "dialogs/ImportTexts.h"

#include <QCoreApplication>
#include <QStringList>

namespace attn {

namespace {

/// What a stage holds, for those who know it by another name.
const char *meaningOf(Stage stage)
{
    switch (stage) {
    case Stage::X:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "tokens, one in each row");
    case Stage::Xkv:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "tokens for keys and values");
    case Stage::Wq:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "query weights");
    case Stage::Wk:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "key weights");
    case Stage::Wv:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "value weights");
    case Stage::Wo:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "output weights");
    case Stage::Bq:
    case Stage::Bk:
    case Stage::Bv:
    case Stage::Bo:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "bias, one row");
    case Stage::MaskPadding:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "one flag for each key");
    case Stage::MaskBool:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "mask of true and false");
    case Stage::MaskAdd:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "numbers added to the scaled scores");
    case Stage::MaskAlibi:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "ALiBi slope of each head");
    case Stage::Q:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "queries");
    case Stage::K:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "keys");
    case Stage::V:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "values");
    case Stage::Qr:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "queries after rotation");
    case Stage::Kr:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "keys after rotation");
    case Stage::Scores:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "queries times keys");
    case Stage::Scaled:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "scores after scaling");
    case Stage::Masked:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "scores after the mask");
    case Stage::A:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "attention weights");
    case Stage::HeadOut:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "output of each head");
    case Stage::Concat:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "head outputs side by side");
    case Stage::Output:
        return QT_TRANSLATE_NOOP("attn::ImportWizard", "output of the layer");
    default:
        return "";
    }
}

QString translated(const char *text)
{
    return QCoreApplication::translate("attn::ImportWizard", text);
}

} // namespace

std::vector<Stage> importableStages()
{
    std::vector<Stage> stages;
    for (const StageInfo &info : stageTable())
        if (info.canBeGiven)
            stages.push_back(info.stage);
    return stages;
}

QString importStageText(Stage stage)
{
    return translated(QT_TRANSLATE_NOOP("attn::ImportWizard", "%1: %2"))
        .arg(QLatin1String(stageName(stage)), translated(meaningOf(stage)));
}

QString axisRoleText(AxisRole role)
{
    switch (role) {
    case AxisRole::Batch:
        return translated(QT_TRANSLATE_NOOP("attn::ImportWizard", "batch entry"));
    case AxisRole::Layer:
        return translated(QT_TRANSLATE_NOOP("attn::ImportWizard", "layer"));
    case AxisRole::Head:
        return translated(QT_TRANSLATE_NOOP("attn::ImportWizard", "head"));
    case AxisRole::Row:
        return translated(QT_TRANSLATE_NOOP("attn::ImportWizard", "row"));
    case AxisRole::Col:
        return translated(QT_TRANSLATE_NOOP("attn::ImportWizard", "column"));
    case AxisRole::Unknown:
        break;
    }
    return translated(QT_TRANSLATE_NOOP("attn::ImportWizard", "unknown"));
}

QString importTitle(const TensorFile &file)
{
    const QStringList names = file.fileNames();
    return names.size() == 1 ? names.first()
                             : QCoreApplication::translate("attn::ImportWizard", "%1 and %2 more")
                                   .arg(names.first())
                                   .arg(names.size() - 1);
}

QString fileShapeText(const std::vector<std::int64_t> &shape)
{
    QStringList lengths;
    for (const std::int64_t length : shape)
        lengths.append(QString::number(length));
    return lengths.isEmpty() ? translated(QT_TRANSLATE_NOOP("attn::ImportWizard", "one number"))
                             : lengths.join(QStringLiteral(" × "));
}

} // namespace attn
