#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QWidget>

namespace attn {

/// F6: moves the keyboard focus from pane to pane, so that no table or scene traps it.
class PaneSwitcher : public QObject
{
    Q_OBJECT

public:
    explicit PaneSwitcher(QObject *parent)
        : QObject(parent)
    {
    }

    /// In the order in which they are visited. The pane, or its first child that takes the focus, gets it.
    void addPane(QWidget *pane) { m_panes.append(pane); }

public slots:
    void next() { step(1); }
    void previous() { step(-1); }

private:
    void step(int direction);

    QList<QPointer<QWidget>> m_panes;
};

} // namespace attn
