#pragma once

#include "BackgroundTask.h"

#include <QStringList>

#include <functional>

namespace attn {

class Workbench;

/// Reads what is opened: small files at once, large ones while the window goes on. The newest request wins.
class FileReader : public QObject
{
    Q_OBJECT

public:
    /// Reads, on any thread; what it returns is then done on the GUI thread.
    using Read = std::function<std::function<void()>()>;

    explicit FileReader(Workbench *workbench, QObject *parent = nullptr);

    /// paths: what `reading` reads. Its errors are its own to report.
    void read(const QStringList &paths, Read reading);
    /// Nothing that is still being read is opened any more.
    void cancel();
    bool isBusy() const { return m_task.isBusy(); }

private:
    Workbench *m_workbench;
    BackgroundTask m_task;
};

} // namespace attn
