#include "FileSaver.h"

#include "Workbench.h"

#include <QFileInfo>

#include <utility>

namespace attn {

namespace {

/// What is turned into text and written within a few frames.
constexpr Index mostWrittenAtOnce = Index(1) << 18;

/// Numbers that are written out: those that lie in other files only if they are to be embedded.
Index writtenNumbers(const DocumentFileData &data, DocumentNumbers numbers)
{
    Index count = 0;
    const auto add = [&](const Tensor &tensor) {
        if (!tensor.isNull() && (!tensor.mapping() || numbers == DocumentNumbers::Embedded))
            count += tensor.shape().size();
    };
    for (const auto &[stage, tensor] : data.experiment.given)
        add(tensor);
    for (const auto &[stage, tensor] : data.reference)
        add(tensor);
    for (const auto &[name, tensor] : data.experiment.labs)
        add(tensor);
    for (const auto &[stage, pins] : data.experiment.pins)
        count += pins.count();
    return count;
}

} // namespace

FileSaver::FileSaver(Workbench *workbench, QObject *parent)
    : QObject(parent)
    , m_workbench(workbench)
{
}

void FileSaver::save(const QString &path, DocumentFileData data, DocumentNumbers numbers, Done done)
{
    if (m_waiting.empty() && writtenNumbers(data, numbers) <= mostWrittenAtOnce) {
        done(writeFileAtomically(path, documentBytes(data, numbers)));
        return;
    }
    m_waiting.push_back(
        {path, std::make_shared<const DocumentFileData>(std::move(data)), numbers, std::move(done)});
    if (m_waiting.size() == 1)
        startNext();
}

void FileSaver::startNext()
{
    const Save &next = m_waiting.front();
    m_workbench->sayUntilChange(tr("Saving %1…").arg(QFileInfo(next.path).fileName()));
    // What has begun is written to its end: a half-written file never takes the place of the old one.
    m_task.start([this, path = next.path, data = next.data, numbers = next.numbers](const std::stop_token &) {
        const Result<void> written = writeFileAtomically(path, documentBytes(*data, numbers));
        return [this, written] {
            finish(written);
        };
    });
}

void FileSaver::finish(const Result<void> &written)
{
    const Save save = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_workbench->say({});
    save.done(written);
    if (!m_waiting.empty()) {
        startNext();
        return;
    }
    for (const std::function<void()> &then : std::exchange(m_afterwards, {}))
        then();
}

void FileSaver::whenIdle(std::function<void()> then)
{
    if (isBusy())
        m_afterwards.push_back(std::move(then));
    else
        then();
}

} // namespace attn
