#pragma once

#include "EditController.h"
#include "ExperimentController.h"
#include "FileController.h"
#include "MainWindow.h"
#include "SettingsStore.h"
#include "ThemeController.h"
#include "Workbench.h"
#include "views/MessageBar.h"
#include "views/SceneWorkspace.h"

#include <QTest>

namespace attn {

/// A shown window with an example, computing inline.
struct WindowFixture
{
    explicit WindowFixture(const QString &name = QStringLiteral("example:computed"))
        : window(&theme, &settings, ComputeService::Mode::Inline)
    {
        window.files()->open({name});
        window.show();
        ATTN_ASSERT(QTest::qWaitForWindowActive(&window), "the window shows");
        QCoreApplication::processEvents();
    }

    Workbench *bench() { return window.workbench(); }
    double value(Stage stage, Index row, Index col, Index head = 0)
    {
        return bench()->snapshot()->stage(stage).values->value(head, row, col);
    }

    ThemeController theme;
    SettingsStore settings;
    MainWindow window;
};

} // namespace attn
