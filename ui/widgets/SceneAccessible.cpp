#include "widgets/SceneAccessible.h"

#include "widgets/SceneTableAccessible.h"

#include <QAccessibleWidget>
#include <QHash>

#include <algorithm>
#include <utility>

namespace attn {

namespace {

/// One control of the scene as a button.
class SceneButtonAccessible : public QAccessibleInterface, public QAccessibleActionInterface
{
public:
    SceneButtonAccessible(SceneView *view, int index)
        : m_view(view)
        , m_index(index)
    {
    }

    const SceneControl *control() const
    {
        const bool exists = m_view && m_view->scene() && m_index < int(m_view->scene()->controls.size());
        return exists ? &m_view->scene()->controls[std::size_t(m_index)] : nullptr;
    }

    bool isValid() const override { return control() != nullptr; }
    QObject *object() const override { return nullptr; }
    QWindow *window() const override { return m_view ? m_view->window()->windowHandle() : nullptr; }
    QAccessibleInterface *parent() const override
    {
        return m_view ? QAccessible::queryAccessibleInterface(m_view) : nullptr;
    }
    QAccessibleInterface *child(int) const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    void setText(QAccessible::Text, const QString &) override {}

    QString text(QAccessible::Text text) const override
    {
        const SceneControl *shown = control();
        if (text != QAccessible::Name || !shown)
            return {};
        return shown->name.isEmpty() ? shown->text : shown->name;
    }

    QRect rect() const override
    {
        if (!control())
            return {};
        const QRect inViewport = m_view->fromScene(control()->rect).toAlignedRect();
        return {m_view->viewport()->mapToGlobal(inViewport.topLeft()), inViewport.size()};
    }

    QAccessible::Role role() const override
    {
        return control() && control()->checkable ? QAccessible::CheckBox : QAccessible::Button;
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        const SceneControl *shown = control();
        if (!shown) {
            state.invalid = true;
            return state;
        }
        state.focusable = true;
        state.focused = m_view->hasFocus() && m_view->focusedControl() == m_index;
        state.checkable = shown->checkable;
        state.checked = shown->checkable && shown->checked;
        state.disabled = !shown->enabled;
        state.invisible = !m_view->isVisible();
        return state;
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface *>(this)
                                                    : nullptr;
    }

    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString &actionName) override
    {
        if (control() && actionName == pressAction())
            m_view->pressControl(m_index);
    }
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    QPointer<SceneView> m_view;
    int m_index;
};

class SceneViewAccessible;

/// The interfaces that exist, so that they follow their views whoever asked for them.
QHash<const SceneView *, SceneViewAccessible *> &liveAccessibles()
{
    static QHash<const SceneView *, SceneViewAccessible *> live;
    return live;
}

class SceneViewAccessible : public QAccessibleWidget
{
public:
    explicit SceneViewAccessible(SceneView *view)
        : QAccessibleWidget(view, QAccessible::Pane)
        , m_view(view)
    {
        liveAccessibles().insert(view, this);
        update();
    }

    ~SceneViewAccessible() override
    {
        liveAccessibles().remove(m_view);
        for (const TableEntry &entry : m_tables)
            QAccessible::deleteAccessibleInterface(entry.id);
        for (const QAccessible::Id id : m_buttons)
            QAccessible::deleteAccessibleInterface(id);
    }

    SceneView *view() const { return static_cast<SceneView *>(widget()); }

    /// Follows the scene; tables of maps that stay are kept. Returns whether tables came or went.
    bool update()
    {
        std::vector<TableEntry> kept;
        if (view()->scene())
            for (const SceneMap &map : view()->scene()->maps)
                if (mapRows(map) > 0 && mapCols(map) > 0)
                    kept.push_back(takeTable(map.key));
        const bool changed = !m_tables.empty() || kept.size() != m_tableCount;
        for (const TableEntry &gone : std::exchange(m_tables, {}))
            QAccessible::deleteAccessibleInterface(gone.id);
        m_tables = std::move(kept);
        m_tableCount = m_tables.size();
        const std::size_t buttons = view()->scene() ? view()->scene()->controls.size() : 0;
        while (m_buttons.size() > buttons) {
            QAccessible::deleteAccessibleInterface(m_buttons.back());
            m_buttons.pop_back();
        }
        while (m_buttons.size() < buttons)
            m_buttons.push_back(QAccessible::registerAccessibleInterface(
                new SceneButtonAccessible(view(), int(m_buttons.size()))));
        return changed;
    }

    SceneTableAccessible *tableOf(const MapKey &key) const
    {
        const auto found = std::ranges::find(m_tables, key, &TableEntry::key);
        return found == m_tables.end() ? nullptr : found->table;
    }

    QAccessibleInterface *button(int index) const
    {
        const bool exists = index >= 0 && index < int(m_buttons.size());
        return exists ? QAccessible::accessibleInterface(m_buttons[std::size_t(index)]) : nullptr;
    }

    int childCount() const override { return int(m_tables.size() + m_buttons.size()); }

    QAccessibleInterface *child(int index) const override
    {
        if (index >= 0 && index < int(m_tables.size()))
            return m_tables[std::size_t(index)].table;
        return button(index - int(m_tables.size()));
    }

    int indexOfChild(const QAccessibleInterface *wanted) const override
    {
        for (int i = 0; i < childCount(); ++i)
            if (child(i) == wanted)
                return i;
        return -1;
    }

    QAccessibleInterface *childAt(int x, int y) const override
    {
        for (int i = childCount() - 1; i >= 0; --i)
            if (child(i)->rect().contains(x, y))
                return child(i);
        return nullptr;
    }

    QAccessibleInterface *focusChild() const override
    {
        if (!view()->hasFocus())
            return nullptr;
        if (view()->focusedControl() >= 0)
            return button(view()->focusedControl());
        const SceneMap *map = view()->currentMap();
        SceneTableAccessible *table = map ? tableOf(map->key) : nullptr;
        return table ? table->cellOf(view()->currentCell()) : nullptr;
    }

private:
    struct TableEntry
    {
        MapKey key;
        SceneTableAccessible *table = nullptr;
        QAccessible::Id id = 0;
    };

    TableEntry takeTable(const MapKey &key)
    {
        const auto found = std::ranges::find(m_tables, key, &TableEntry::key);
        if (found == m_tables.end()) {
            auto *table = new SceneTableAccessible(view(), key);
            return {key, table, QAccessible::registerAccessibleInterface(table)};
        }
        const TableEntry entry = *found;
        m_tables.erase(found);
        entry.table->update();
        return entry;
    }

    const SceneView *m_view; ///< only as a key: it may be gone before this
    std::vector<TableEntry> m_tables;
    std::vector<QAccessible::Id> m_buttons;
    std::size_t m_tableCount = 0;
};

QAccessibleInterface *sceneAccessibleFactory(const QString &, QObject *object)
{
    auto *view = qobject_cast<SceneView *>(object);
    return view ? new SceneViewAccessible(view) : nullptr;
}

SceneViewAccessible *accessibleOf(SceneView &view)
{
    if (QAccessible::isActive())
        QAccessible::queryAccessibleInterface(&view);
    return liveAccessibles().value(&view);
}

void announceFocus(QAccessibleInterface *interface)
{
    if (!interface)
        return;
    QAccessibleEvent event(interface, QAccessible::Focus);
    QAccessible::updateAccessibility(&event);
}

} // namespace

void installSceneAccessibility()
{
    QAccessible::installFactory(sceneAccessibleFactory);
}

void announceCurrentCell(SceneView &view)
{
    SceneViewAccessible *accessible = accessibleOf(view);
    const SceneMap *map = view.currentMap();
    SceneTableAccessible *table = accessible && map ? accessible->tableOf(map->key) : nullptr;
    if (!table || !view.hasFocus())
        return;
    table->update();
    announceFocus(table->cellOf(view.currentCell()));
}

void announceFocusedControl(SceneView &view)
{
    if (SceneViewAccessible *accessible = accessibleOf(view); accessible && view.hasFocus())
        announceFocus(accessible->button(view.focusedControl()));
}

void announceScene(SceneView &view, const std::shared_ptr<const Scene> &before)
{
    SceneViewAccessible *accessible = accessibleOf(view);
    if (!accessible)
        return;
    if (accessible->update() && before) {
        QAccessibleEvent event(accessible, QAccessible::ObjectReorder);
        QAccessible::updateAccessibility(&event);
    }
    const SceneMap *map = view.currentMap();
    SceneTableAccessible *table = map ? accessible->tableOf(map->key) : nullptr;
    if (!table || !view.hasFocus())
        return;
    QAccessibleInterface *cell = table->cellOf(view.currentCell());
    if (!cell)
        return;
    QAccessibleValueChangeEvent event(cell, cell->valueInterface()->currentValue());
    QAccessible::updateAccessibility(&event);
    QAccessibleEvent renamed(cell, QAccessible::NameChanged); // the name speaks the value
    QAccessible::updateAccessibility(&renamed);
}

} // namespace attn
