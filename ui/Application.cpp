#include "Application.h"

#include "FileController.h"
#include "MainWindow.h"
#include "RecoveryController.h"
#include "SettingsStore.h"
#include "ThemeController.h"
#include "UndoPassage.h"
#include "WheelGuard.h"
#include "Workbench.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QTimer>
#include <QTranslator>

#include <cstring>

// Resources of a static library are registered by hand; the macro works outside of namespaces only.
static void registerInterfaceResources()
{
    Q_INIT_RESOURCE(ui);
}

namespace attn {

namespace {

using namespace Qt::StringLiterals;

/// --help and --version work without a display, where Qt would abort.
void useNoDisplayForTextOptions(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        const char *text = argv[i];
        const bool isTextOption = !std::strcmp(text, "--help") || !std::strcmp(text, "-h") ||
                                  !std::strcmp(text, "--version") || !std::strcmp(text, "-v");
        if (isTextOption && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen");
    }
}

/// The interface language decides how numbers look everywhere; both languages use the decimal point.
void installLanguage(QApplication &application, const SettingsStore &settings)
{
    const QString wanted = settings.language();
    const QLocale system = wanted.isEmpty() ? QLocale::system() : QLocale(wanted);
    const bool isChinese = system.language() == QLocale::Chinese;
    QLocale locale(isChinese ? QLocale::Chinese : QLocale::English);
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    QLocale::setDefault(locale);
    const auto load = [&](const QString &name, const QString &folder) {
        auto *translator = new QTranslator(&application);
        if (translator->load(locale, name, u"_"_s, folder))
            QApplication::installTranslator(translator);
        else
            delete translator;
    };
    load(u"qtbase"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    load(u"attnscope"_s, u":/i18n"_s);
}

ThemeController::Choice themeNamed(const QString &name)
{
    if (name == "light"_L1)
        return ThemeController::Choice::Light;
    if (name == "dark"_L1)
        return ThemeController::Choice::Dark;
    return ThemeController::Choice::System;
}

} // namespace

int runApplication(int argc, char **argv)
{
    useNoDisplayForTextOptions(argc, argv);
    registerInterfaceResources();
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"attnscope"_s);
    QApplication::setApplicationDisplayName({});
    QApplication::setApplicationVersion(QStringLiteral(ATTN_VERSION));
    QGuiApplication::setDesktopFileName(u"attnscope"_s);
    QApplication::setWindowIcon(QIcon(u":/attnscope.svg"_s));

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::translate("Application", "Attention you can edit: open, change any number, export."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        u"files"_s, QApplication::translate("Application", "A document, tensor files, or example:NAME."),
        u"[files…]"_s);
    parser.process(application);

    SettingsStore settings;
    installLanguage(application, settings);
    WheelGuard wheelGuard;
    application.installEventFilter(&wheelGuard);
    UndoPassage undoPassage;
    application.installEventFilter(&undoPassage);
    ThemeController theme;
    theme.setChoice(themeNamed(settings.theme()));

    MainWindow window(&theme, &settings);
    RecoveryController recovery(window.workbench(), window.files(), &window);
    QObject::connect(&window, &MainWindow::lostWorkWanted, &recovery, [&recovery] { recovery.offer(true); });
    window.files()->open({u"example:computed"_s});
    window.show();
    const QStringList files = parser.positionalArguments();
    // After the first picture, so that a damaged file or an offer finds a working window behind it.
    QTimer::singleShot(0, &window, [&window, &recovery, files] {
        if (!files.isEmpty())
            window.files()->open(files);
        recovery.offer();
    });
    return QApplication::exec();
}

} // namespace attn
