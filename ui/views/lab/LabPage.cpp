#include "views/lab/LabPage.h"

#include "Workbench.h"

#include <QHBoxLayout>
#include <QLabel>

namespace attn {

namespace {

const QString labName = QStringLiteral("lab");

} // namespace

LabPage::LabPage(Workbench *workbench, const QString &id, const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_workbench(workbench)
    , m_id(id)
    , m_title(title)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 4);
    layout->setAlignment(Qt::AlignLeft);
    layout->setSpacing(4);
    setAccessibleName(title);
}

QHBoxLayout *LabPage::row() const
{
    return qobject_cast<QHBoxLayout *>(layout());
}

LabSelection LabPage::selection() const
{
    const ViewState &view = m_workbench->viewState();
    return {view.stage, view.cell, view.head};
}

QJsonObject LabPage::state() const
{
    return m_workbench->viewState().workspaceState(labName).value(m_id).toObject();
}

void LabPage::setState(const QJsonObject &state)
{
    QJsonObject lab = m_workbench->viewState().workspaceState(labName);
    lab.insert(m_id, state);
    m_workbench->setViewState(m_workbench->viewState().withWorkspaceState(labName, lab));
}

void LabPage::setStateValue(const QString &key, const QJsonValue &value)
{
    QJsonObject changed = state();
    changed.insert(key, value);
    setState(changed);
}

void LabPage::addControl(const QString &label, QWidget *control)
{
    auto *text = new QLabel(label, this);
    text->setBuddy(control);
    text->setContentsMargins(8, 0, 0, 0);
    row()->addWidget(text);
    row()->addWidget(control);
}

} // namespace attn
