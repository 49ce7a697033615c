#include "ThemeMenu.h"

#include "ActionRegistry.h"
#include "SettingsStore.h"
#include "ThemeController.h"
#include "Workbench.h"

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
        QString key;
    };
    const Entry entries[] = {
        {ThemeController::Choice::System, u"system"_s, QCoreApplication::translate("Theme", "As the &system"),
         u"T, S"_s},
        {ThemeController::Choice::Light, u"light"_s, QCoreApplication::translate("Theme", "&Light"),
         u"T, L"_s},
        {ThemeController::Choice::Dark, u"dark"_s, QCoreApplication::translate("Theme", "&Dark"), u"T, D"_s}};
    QMenu *themes = menu->addMenu(QCoreApplication::translate("Theme", "&Theme"));
    auto *group = new QActionGroup(themes);
    for (const Entry &entry : entries) {
        QAction *action = actions.add(themes, QString(u"theme."_s + entry.name), entry.text,
                                      {ActionRegistry::chord(entry.key)});
        action->setCheckable(true);
        action->setChecked(entry.choice == theme->choice());
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, theme, [theme, settings, entry] {
            theme->setChoice(entry.choice);
            settings->setTheme(entry.name);
        });
    }
}

void addMotionAction(ActionRegistry &actions, QMenu *menu, SettingsStore *settings, Workbench *workbench)
{
    QAction *still = actions.add(menu, QStringLiteral("view.reducedMotion"),
                                 QCoreApplication::translate("Theme", "Reduced &motion"),
                                 {ActionRegistry::chord(QStringLiteral("V, M"))});
    still->setCheckable(true);
    still->setChecked(settings->reducedMotion());
    workbench->setReducedMotion(still->isChecked());
    QObject::connect(still, &QAction::triggered, workbench, [settings, workbench](bool on) {
        settings->setReducedMotion(on);
        workbench->setReducedMotion(on);
    });
}

} // namespace attn
