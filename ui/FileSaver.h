#pragma once

#include "BackgroundTask.h"
#include "io/DocumentFile.h"

#include <deque>
#include <functional>
#include <vector>

namespace attn {

class Workbench;

/// Writes documents as they were when the save was asked for: small ones at once, large ones while the window
/// goes on, one after the other.
class FileSaver : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const Result<void> &written)>;

    explicit FileSaver(Workbench *workbench, QObject *parent = nullptr);

    /// `done` is called once, on the GUI thread; of a small document before this returns.
    void save(const QString &path, DocumentFileData data, DocumentNumbers numbers, Done done);
    bool isBusy() const { return !m_waiting.empty(); }
    /// Once nothing is being written any more; at once where nothing is.
    void whenIdle(std::function<void()> then);

private:
    struct Save
    {
        QString path;
        std::shared_ptr<const DocumentFileData> data;
        DocumentNumbers numbers;
        Done done;
    };

    void startNext();
    void finish(const Result<void> &written);

    Workbench *m_workbench;
    std::deque<Save> m_waiting; ///< the first is being written
    std::vector<std::function<void()>> m_afterwards;
    BackgroundTask m_task;
};

} // namespace attn
