#pragma once

#include "base/Result.h"
#include "document/AutosaveFiles.h"
#include "io/DocumentFile.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace attn {

/// Writes the bases of an autosave on a thread of its own, so that a large document holds nobody up. A base
/// that waits gives way to a newer one; what it followed on stays until the newer one is complete.
class AutosaveWriter
{
public:
    /// Called on the writer's thread after each base: its size in bytes, or what went wrong.
    using Finished = std::function<void(qint64 bytes, const Result<void> &written)>;

    AutosaveWriter(AutosaveNames names, Finished finished);
    ~AutosaveWriter() { stop(); }

    void write(int number, DocumentFileData data);
    /// Waits for the base that is being written and drops one that waits; nothing is written afterwards.
    void stop();
    /// Tests only.
    void waitUntilIdle();

private:
    struct Base
    {
        int number = 0;
        DocumentFileData data;
    };

    void run(const std::stop_token &stop);
    void writeNow(const Base &base) const;

    AutosaveNames m_names;
    Finished m_finished;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::optional<Base> m_waiting;
    bool m_isWriting = false;
    std::jthread m_thread; ///< last, so that it ends before what it uses
};

} // namespace attn
