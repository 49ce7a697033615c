#include "dialogs/ImportCheck.h"

#include <QMetaObject>

#include <new>

namespace attn {

namespace {

/// Numbers that are read and arranged well within a frame or two.
constexpr std::int64_t largestInlineCheck = 500'000;

} // namespace

ImportCheck::ImportCheck(std::shared_ptr<const TensorFile> file, QObject *parent)
    : QObject(parent)
    , m_file(std::move(file))
{
}

void ImportCheck::check(const ImportPlan &plan)
{
    if (m_isRunning) {
        m_waiting = plan;
        return;
    }
    if (isLarge(plan)) {
        startThread(plan);
        return;
    }
    const Outcome outcome = outcomeOf(*m_file, plan);
    emit finished(outcome.result, outcome.problem);
}

ImportCheck::Outcome ImportCheck::outcomeOf(const TensorFile &file, const ImportPlan &plan)
{
    try {
        auto result = importExperiment(file, plan);
        if (!result)
            return {nullptr, QString::fromStdString(result.error().message)};
        return {std::make_shared<const ImportResult>(std::move(*result)), {}};
    } catch (const std::bad_alloc &) {
        return {nullptr, tr("There is not enough memory for these tensors.")};
    }
}

bool ImportCheck::isLarge(const ImportPlan &plan) const
{
    std::int64_t numbers = 0;
    for (const ImportSlot &slot : plan.tensors) {
        const auto index = slot.stage ? m_file->find(slot.tensor) : std::nullopt;
        if (!index)
            continue;
        std::int64_t count = 1;
        for (const std::int64_t length : m_file->entries()[*index].shape)
            count *= length;
        numbers += count;
    }
    return numbers > largestInlineCheck;
}

void ImportCheck::startThread(const ImportPlan &plan)
{
    m_isRunning = true;
    emit started();
    m_thread = std::jthread([this, file = m_file, plan] {
        const Outcome outcome = outcomeOf(*file, plan);
        QMetaObject::invokeMethod(
            this, [this, outcome] { onThreadFinished(outcome); }, Qt::QueuedConnection);
    });
}

void ImportCheck::onThreadFinished(const Outcome &outcome)
{
    m_isRunning = false;
    if (!m_waiting) {
        emit finished(outcome.result, outcome.problem);
        return;
    }
    const ImportPlan plan = *std::exchange(m_waiting, std::nullopt);
    check(plan);
}

} // namespace attn
