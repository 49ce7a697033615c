#include "widgets/SceneAccessible.h"

#include "widgets/SceneItemAccessible.h"
#include "widgets/SceneTableAccessible.h"

#include <QAccessibleWidget>
#include <QHash>

#include <algorithm>
#include <utility>

namespace attn {

namespace {

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
        setItemCount<SceneButtonAccessible>(m_buttons, 0);
        setItemCount<SceneGripAccessible>(m_grips, 0);
        setItemCount<SceneShapeAccessible>(m_shapes, 0);
        setItemCount<SceneStatementAccessible>(m_statements, 0);
    }

    SceneView *view() const { return static_cast<SceneView *>(widget()); }

    /// Follows the scene; tables of maps that stay are kept. Returns whether tables came or went.
    bool update()
    {
        std::vector<TableEntry> kept;
        const Scene *scene = view()->isVisible() ? view()->scene().get() : nullptr;
        if (scene)
            for (const SceneMap &map : view()->scene()->maps)
                if (mapRows(map) > 0 && mapCols(map) > 0)
                    kept.push_back(takeTable(map.key));
        bool changed = !m_tables.empty() || kept.size() != m_tableCount;
        for (const TableEntry &gone : std::exchange(m_tables, {}))
            QAccessible::deleteAccessibleInterface(gone.id);
        m_tables = std::move(kept);
        m_tableCount = m_tables.size();
        const std::size_t shapes = scene ? std::size_t(view()->reachableShapeCount()) : 0;
        const std::size_t statements = scene ? view()->statements().size() : 0;
        changed = changed || shapes != m_shapes.size() || statements != m_statements.size();
        setItemCount<SceneButtonAccessible>(m_buttons, scene ? scene->controls.size() : 0);
        setItemCount<SceneGripAccessible>(m_grips, scene ? scene->grips.size() : 0);
        setItemCount<SceneShapeAccessible>(m_shapes, shapes);
        setItemCount<SceneStatementAccessible>(m_statements, statements);
        return changed;
    }

    SceneTableAccessible *tableOf(const MapKey &key) const
    {
        const auto found = std::ranges::find(m_tables, key, &TableEntry::key);
        return found == m_tables.end() ? nullptr : found->table;
    }

    QAccessibleInterface *button(int index) const { return itemAt(m_buttons, index); }
    QAccessibleInterface *grip(int index) const { return itemAt(m_grips, index); }
    QAccessibleInterface *shape(int index) const { return itemAt(m_shapes, index); }
    QAccessibleInterface *focusedShape() const
    {
        const SceneShape *focused = view()->focusedShape();
        return focused ? shape(view()->reachableIndex(focused->id)) : nullptr;
    }
    QAccessibleInterface *focusedGrip() const
    {
        const SceneGrip *focused = view()->focusedGrip();
        return focused ? grip(int(focused - view()->scene()->grips.data())) : nullptr;
    }

    int childCount() const override { return statementsFrom() + int(m_statements.size()); }

    QAccessibleInterface *child(int index) const override
    {
        if (index < 0)
            return nullptr;
        if (index < buttonsFrom())
            return m_tables[std::size_t(index)].table;
        if (index < gripsFrom())
            return button(index - buttonsFrom());
        if (index < shapesFrom())
            return grip(index - gripsFrom());
        return index < statementsFrom() ? shape(index - shapesFrom())
                                        : itemAt(m_statements, index - statementsFrom());
    }

    /// Asked for every child by whoever reads all of them: items know their place.
    int indexOfChild(const QAccessibleInterface *wanted) const override
    {
        if (const auto *item = dynamic_cast<const SceneItemAccessible *>(wanted)) {
            const int before = firstOf(item->kind());
            return child(before + item->index()) == wanted ? before + item->index() : -1;
        }
        for (int i = 0; i < int(m_tables.size()); ++i)
            if (child(i) == wanted)
                return i;
        return -1;
    }

    QAccessibleInterface *childAt(int x, int y) const override
    {
        for (int i = statementsFrom() - 1; i >= 0; --i)
            if (child(i)->rect().contains(x, y))
                return child(i);
        for (int i = statementsFrom(); i < childCount(); ++i) // behind everything that can be used
            if (child(i)->rect().contains(x, y))
                return child(i);
        return nullptr;
    }

    QAccessibleInterface *focusChild() const override
    {
        if (!view()->hasFocus())
            return nullptr;
        if (view()->focusedShape())
            return focusedShape();
        if (view()->focusedGrip())
            return focusedGrip();
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

    int buttonsFrom() const { return int(m_tables.size()); }
    int gripsFrom() const { return buttonsFrom() + int(m_buttons.size()); }
    int shapesFrom() const { return gripsFrom() + int(m_grips.size()); }
    int statementsFrom() const { return shapesFrom() + int(m_shapes.size()); }
    int firstOf(SceneItemAccessible::Kind kind) const
    {
        using Kind = SceneItemAccessible::Kind;
        return kind == Kind::Button  ? buttonsFrom()
               : kind == Kind::Grip  ? gripsFrom()
               : kind == Kind::Shape ? shapesFrom()
                                     : statementsFrom();
    }

    static QAccessibleInterface *itemAt(const std::vector<QAccessible::Id> &ids, int index)
    {
        const bool exists = index >= 0 && index < int(ids.size());
        return exists ? QAccessible::accessibleInterface(ids[std::size_t(index)]) : nullptr;
    }

    template<typename Item>
    void setItemCount(std::vector<QAccessible::Id> &ids, std::size_t count)
    {
        while (ids.size() > count) {
            QAccessible::deleteAccessibleInterface(ids.back());
            ids.pop_back();
        }
        while (ids.size() < count)
            ids.push_back(QAccessible::registerAccessibleInterface(new Item(view(), int(ids.size()))));
    }

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
    std::vector<QAccessible::Id> m_grips;
    std::vector<QAccessible::Id> m_shapes;
    std::vector<QAccessible::Id> m_statements;
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

void announceFocusedGrip(SceneView &view)
{
    if (SceneViewAccessible *accessible = accessibleOf(view); accessible && view.hasFocus())
        announceFocus(accessible->focusedGrip());
}

void announceFocusedShape(SceneView &view)
{
    if (!view.focusedShape())
        return;
    if (SceneViewAccessible *accessible = accessibleOf(view); accessible && view.hasFocus())
        announceFocus(accessible->focusedShape());
}

void announceShown(SceneView &view)
{
    SceneViewAccessible *accessible = liveAccessibles().value(&view);
    if (!accessible || !accessible->update())
        return;
    QAccessibleEvent event(accessible, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
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
    if (QAccessibleInterface *grip = accessible->focusedGrip(); grip && view.hasFocus()) {
        QAccessibleEvent moved(grip, QAccessible::DescriptionChanged); // the description speaks its place
        QAccessible::updateAccessibility(&moved);
        return;
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
