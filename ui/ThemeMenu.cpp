#include "ThemeMenu.h"

#include "ActionRegistry.h"
#include "SettingsStore.h"
#include "ThemeController.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>

namespace attn {

void addThemeMenu(ActionRegistry &actions, QMenu *menu, ThemeController *theme, SettingsStore *settings)
{
    using namespace Qt::StringLiterals;
    struct Entry
    {
        ThemeController::Choice choice;
        QString name;
        QString text;
    };
    const Entry entries[] = {
        {ThemeController::Choice::System, u"system"_s,
         QCoreApplication::translate("Theme", "As the &system")},
        {ThemeController::Choice::Light, u"light"_s, QCoreApplication::translate("Theme", "&Light")},
        {ThemeController::Choice::Dark, u"dark"_s, QCoreApplication::translate("Theme", "&Dark")}};
    QMenu *themes = menu->addMenu(QCoreApplication::translate("Theme", "&Theme"));
    auto *group = new QActionGroup(themes);
    for (const Entry &entry : entries) {
        QAction *action = actions.add(themes, QString(u"theme."_s + entry.name), entry.text);
        action->setCheckable(true);
        action->setChecked(entry.choice == theme->choice());
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, theme, [theme, settings, entry] {
            theme->setChoice(entry.choice);
            settings->setTheme(entry.name);
        });
    }
}

} // namespace attn
