#include "PlaybackMenu.h"

#include "ActionRegistry.h"
#include "widgets/PlaybackBar.h"

#include <QCoreApplication>
#include <QMenu>

namespace attn {

void addPlaybackMenu(ActionRegistry &actions, QMenu *menu, const std::function<PlaybackBar *()> &currentBar)
{
    using namespace Qt::StringLiterals;
    QMenu *playback = menu->addMenu(QCoreApplication::translate("Playback", "Pla&y"));
    const auto add = [&](const QString &id, const QString &text, const QKeySequence &key, auto act) {
        QAction *action = actions.add(playback, id, text, {key});
        QObject::connect(action, &QAction::triggered, action, [currentBar, act] {
            if (PlaybackBar *bar = currentBar())
                act(*bar);
        });
    };
    add(u"play.toggle"_s, QCoreApplication::translate("Playback", "&Play or pause"), Qt::Key_F8,
        [](PlaybackBar &bar) { bar.isPlaying() ? bar.pause() : bar.play(); });
    add(u"play.back"_s, QCoreApplication::translate("Playback", "One step &back"), Qt::SHIFT | Qt::Key_F9,
        [](PlaybackBar &bar) { bar.stepBack(); });
    add(u"play.forward"_s, QCoreApplication::translate("Playback", "One step &forward"), Qt::Key_F9,
        [](PlaybackBar &bar) { bar.stepForward(); });
}

} // namespace attn
