#pragma once

#include "widgets/SceneView.h"

#include <QAccessibleInterface>
#include <QPointer>

namespace attn {

/// What is no map in a scene, for screen readers: one control as a button, one grip as a slider, one
/// shape that can be pointed at as an item of a list, one statement as text. Items are told apart by their
/// index in the scene.
class SceneItemAccessible : public QAccessibleInterface
{
public:
    enum class Kind
    {
        Button,
        Grip,
        Shape,
        Statement,
    };

    SceneItemAccessible(SceneView *view, Kind kind, int index)
        : m_view(view)
        , m_kind(kind)
        , m_index(index)
    {
    }

    Kind kind() const { return m_kind; }
    int index() const { return m_index; } ///< among those of its kind

    QObject *object() const override { return nullptr; }
    QWindow *window() const override;
    QAccessibleInterface *parent() const override;
    QAccessibleInterface *child(int) const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    void setText(QAccessible::Text, const QString &) override {}
    QRect rect() const override;

protected:
    virtual QRectF sceneRect() const = 0;

    QPointer<SceneView> m_view;
    Kind m_kind;
    int m_index;
};

/// One that can be pressed.
class ScenePressedAccessible : public SceneItemAccessible, public QAccessibleActionInterface
{
public:
    using SceneItemAccessible::SceneItemAccessible;

    void *interface_cast(QAccessible::InterfaceType type) override;
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString &actionName) override;
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

protected:
    virtual void press() = 0;
};

class SceneButtonAccessible : public ScenePressedAccessible
{
public:
    SceneButtonAccessible(SceneView *view, int index)
        : ScenePressedAccessible(view, Kind::Button, index)
    {
    }

    bool isValid() const override { return control() != nullptr; }
    QString text(QAccessible::Text text) const override;
    QAccessible::Role role() const override;
    QAccessible::State state() const override;

private:
    const SceneControl *control() const;
    QRectF sceneRect() const override;
    void press() override;
};

class SceneGripAccessible : public SceneItemAccessible
{
public:
    SceneGripAccessible(SceneView *view, int index)
        : SceneItemAccessible(view, Kind::Grip, index)
    {
    }

    bool isValid() const override { return grip() != nullptr; }
    QString text(QAccessible::Text text) const override;
    QAccessible::Role role() const override { return QAccessible::Slider; }
    QAccessible::State state() const override;

private:
    const SceneGrip *grip() const;
    QRectF sceneRect() const override;
};

class SceneShapeAccessible : public ScenePressedAccessible
{
public:
    SceneShapeAccessible(SceneView *view, int index)
        : ScenePressedAccessible(view, Kind::Shape, index)
    {
    }

    bool isValid() const override { return shape() != nullptr; }
    QString text(QAccessible::Text text) const override;
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override;

private:
    const SceneShape *shape() const;
    QRectF sceneRect() const override;
    void press() override;
};

class SceneStatementAccessible : public SceneItemAccessible
{
public:
    SceneStatementAccessible(SceneView *view, int index)
        : SceneItemAccessible(view, Kind::Statement, index)
    {
    }

    bool isValid() const override { return statement() != nullptr; }
    QString text(QAccessible::Text text) const override;
    QAccessible::Role role() const override { return QAccessible::StaticText; }
    QAccessible::State state() const override;

private:
    const SceneStatement *statement() const;
    QRectF sceneRect() const override;
};

} // namespace attn
