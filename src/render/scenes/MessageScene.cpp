#include "render/scenes/StageCard.h"

#include <QCoreApplication>

namespace attn {

namespace {

constexpr double messageMargin = 24.0;
constexpr double messageWidth = 592.0;
constexpr double messageLine = 18.0;

} // namespace

Scene messageScene(const QString &title, const QString &reason)
{
    const QStringList lines = wrappedLines(reason, Theme::light().textFont, messageWidth - 24.0);
    Scene scene;
    SceneBox box;
    box.rect = {messageMargin, messageMargin, messageWidth,
                46.0 + messageLine * static_cast<double>(lines.size())};
    box.filled = false;
    box.dashed = true;
    scene.boxes.push_back(box);
    scene.size = {box.rect.right() + messageMargin, box.rect.bottom() + messageMargin};
    double y = box.rect.top() + 8.0;
    scene.texts.push_back({QRectF(messageMargin + 12.0, y, messageWidth - 24.0, 24.0), title,
                           SceneText::Style::Warning, Qt::AlignLeft | Qt::AlignVCenter});
    y += 26.0;
    for (const QString &line : lines) {
        scene.texts.push_back({QRectF(messageMargin + 12.0, y, messageWidth - 24.0, messageLine), line,
                               SceneText::Style::Muted, Qt::AlignLeft | Qt::AlignVCenter});
        y += messageLine;
    }
    return scene;
}

Scene unavailableScene(const Snapshot &snapshot, Stage stage)
{
    const std::string &why = snapshot.stage(stage).reason;
    return messageScene(QCoreApplication::translate("Scene", "%1 is not available")
                            .arg(QString::fromLatin1(stageName(stage))),
                        QString::fromStdString(why.empty() ? snapshot.problem() : why));
}

} // namespace attn
