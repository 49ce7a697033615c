#include "SystemAppearance.h"
#include "ThemeController.h"

#include <QApplication>
#include <QDBusVariant>
#include <QPalette>
#include <QSignalSpy>
#include <QTest>

using namespace attn;

class TestThemeController : public QObject
{
    Q_OBJECT

private slots:
    void followsTheDesktopWhileRunning();
    void aChoiceOfOnesOwnStays();
    void otherSettingsAreIgnored();
    void thePaletteDecidesWithoutAPortal();
};

namespace {

const QString appearance = QStringLiteral("org.freedesktop.appearance");
const QString scheme = QStringLiteral("color-scheme");

QDBusVariant portalValue(uint value)
{
    return QDBusVariant(QVariant::fromValue(value));
}

bool isPaletteDark()
{
    return QApplication::palette().color(QPalette::Window).lightnessF() < 0.5F;
}

} // namespace

void TestThemeController::followsTheDesktopWhileRunning()
{
    ThemeController theme;
    QCOMPARE(theme.choice(), ThemeController::Choice::System);
    const bool isDarkAtFirst = theme.isDark();
    QSignalSpy changed(&theme, &ThemeController::changed);
    theme.system()->onSettingChanged(appearance, scheme, portalValue(isDarkAtFirst ? 2 : 1));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(theme.isDark(), !isDarkAtFirst);
    QCOMPARE(isPaletteDark(), !isDarkAtFirst);
    theme.system()->onSettingChanged(appearance, scheme, portalValue(isDarkAtFirst ? 2 : 1));
    QCOMPARE(changed.size(), 1); // nothing new
    theme.system()->onSettingChanged(appearance, scheme, portalValue(isDarkAtFirst ? 1 : 2));
    QCOMPARE(changed.size(), 2);
    QCOMPARE(isPaletteDark(), isDarkAtFirst);
}

void TestThemeController::aChoiceOfOnesOwnStays()
{
    ThemeController theme;
    theme.setChoice(ThemeController::Choice::Light);
    theme.system()->onSettingChanged(appearance, scheme, portalValue(1));
    QVERIFY(!theme.isDark());
    theme.setChoice(ThemeController::Choice::System); // what was said meanwhile is known
    QVERIFY(theme.isDark());
}

void TestThemeController::otherSettingsAreIgnored()
{
    ThemeController theme;
    const bool isDark = theme.isDark();
    theme.system()->onSettingChanged(QStringLiteral("org.gnome.desktop.interface"), scheme, portalValue(1));
    theme.system()->onSettingChanged(appearance, QStringLiteral("contrast"), portalValue(1));
    QCOMPARE(theme.isDark(), isDark);
}

void TestThemeController::thePaletteDecidesWithoutAPortal()
{
    ThemeController theme;
    theme.system()->setPaletteIsDark(true);
    QVERIFY(theme.isDark());
    theme.system()->onSettingChanged(appearance, scheme, portalValue(2));
    QVERIFY(!theme.isDark()); // the portal knows better
    theme.system()->onSettingChanged(appearance, scheme, portalValue(0));
    QVERIFY(theme.isDark()); // no preference there
}

QTEST_MAIN(TestThemeController)
#include "tst_ThemeController.moc"
