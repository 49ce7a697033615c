#pragma once

#include "WindowFixture.h"
#include "views/lab/LabPage.h"
#include "views/lab/LabView.h"

#include <QComboBox>
#include <QUndoStack>

#include <algorithm>

namespace attn {

/// Whether one text of the workspace's picture contains this; not while the picture is still being built.
inline bool shows(SceneWorkspace *workspace, const QString &part)
{
    const auto scene = workspace->view()->scene();
    return scene &&
           std::ranges::any_of(scene->texts, [&](const SceneText &text) { return text.text.contains(part); });
}

/// The map with numbers that only this picture has; null when it is not shown.
inline const SceneMap *derivedMap(const Scene &scene, const QString &id)
{
    for (const SceneMap &map : scene.maps)
        if (map.key.role == MapKey::Role::Derived && map.key.id == id)
            return &map;
    return nullptr;
}

/// The field of a form that a screen reader calls by this name; null when there is none.
template<typename Field>
Field *fieldNamed(QWidget *parent, const QString &name)
{
    for (Field *field : parent->findChildren<Field *>())
        if (field->accessibleName() == name)
            return field;
    return nullptr;
}

/// A window that shows one workspace, and what a test reads and presses there.
struct WorkspaceFixture : WindowFixture
{
    explicit WorkspaceFixture(const QString &name,
                              const QString &document = QStringLiteral("example:computed"))
        : WindowFixture(document)
    {
        window.showWorkspace(name);
        QCoreApplication::processEvents();
    }

    SceneWorkspace *workspace() { return window.currentWorkspace(); }
    SceneView *sceneView() { return workspace()->view(); }
    const Scene &scene()
    {
        QCoreApplication::processEvents();
        return *sceneView()->scene();
    }
    /// All texts of the picture in one line.
    QString texts()
    {
        QStringList all;
        for (const SceneText &text : scene().texts)
            all.append(text.text);
        return all.join(u' ');
    }
    bool hasText(const QString &part)
    {
        QCoreApplication::processEvents();
        return shows(workspace(), part);
    }
    const SceneMap *map(const QString &id) { return derivedMap(scene(), id); }
    template<typename Field>
    Field *field(const QString &name)
    {
        return fieldNamed<Field>(workspace(), name);
    }
    void choose(QComboBox *box, int index)
    {
        box->setCurrentIndex(index);
        emit box->activated(index);
        QCoreApplication::processEvents();
    }
    /// Presses a control of the picture; false when there is none of that id.
    bool press(const QString &id)
    {
        const auto &controls = scene().controls;
        const auto found =
            std::ranges::find_if(controls, [&](const SceneControl &control) { return control.id == id; });
        if (found == controls.end())
            return false;
        sceneView()->pressControl(static_cast<int>(found - controls.begin()));
        QCoreApplication::processEvents();
        return true;
    }
    QUndoStack *undoStack() { return bench()->document()->undoStack(); }
};

/// A window that shows one page of the lab.
struct LabFixture : WorkspaceFixture
{
    explicit LabFixture(const QString &page, const QString &document = QStringLiteral("example:computed"))
        : WorkspaceFixture(QStringLiteral("lab"), document)
    {
        lab()->showPage(page);
        QCoreApplication::processEvents();
    }

    LabView *lab() { return qobject_cast<LabView *>(workspace()); }
};

} // namespace attn
