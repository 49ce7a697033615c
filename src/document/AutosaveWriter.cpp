#include "document/AutosaveWriter.h"

#include <new>
#include <utility>

namespace attn {

AutosaveWriter::AutosaveWriter(AutosaveNames names, Finished finished)
    : m_names(std::move(names))
    , m_finished(std::move(finished))
    , m_thread([this](const std::stop_token &stop) { run(stop); })
{
}

void AutosaveWriter::write(int number, DocumentFileData data)
{
    {
        const std::lock_guard lock(m_mutex);
        m_waiting = Base{number, std::move(data)};
    }
    m_changed.notify_all();
}

void AutosaveWriter::stop()
{
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void AutosaveWriter::waitUntilIdle()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_waiting && !m_isWriting; });
}

void AutosaveWriter::run(const std::stop_token &stop)
{
    while (true) {
        std::optional<Base> base;
        {
            std::unique_lock lock(m_mutex);
            if (!m_changed.wait(lock, stop, [this] { return m_waiting.has_value(); }) ||
                stop.stop_requested())
                return;
            base = std::exchange(m_waiting, std::nullopt);
            m_isWriting = true;
        }
        writeNow(*base);
        {
            const std::lock_guard lock(m_mutex);
            m_isWriting = false;
        }
        m_changed.notify_all();
    }
}

void AutosaveWriter::writeNow(const Base &base) const
{
    qint64 size = 0;
    Result<void> written;
    try {
        const QByteArray bytes = documentBytes(base.data);
        size = bytes.size();
        written = writeFileAtomically(m_names.base(base.number), bytes);
    } catch (const std::bad_alloc &) {
        written = Error{ErrorCode::TooLarge, "there is not enough memory to write the document"};
    }
    if (written)
        m_names.removeBelow(base.number);
    m_finished(size, written);
}

} // namespace attn
