#include "FileReader.h"

#include "Workbench.h"

#include <QFileInfo>

namespace attn {

namespace {

/// What is read and parsed within a few frames.
constexpr qint64 mostReadAtOnce = 2 << 20;

} // namespace

FileReader::FileReader(Workbench *workbench, QObject *parent)
    : QObject(parent)
    , m_workbench(workbench)
{
}

void FileReader::read(const QStringList &paths, Read reading)
{
    qint64 bytes = 0;
    for (const QString &path : paths)
        bytes += QFileInfo(path).size();
    if (bytes <= mostReadAtOnce) {
        cancel();
        reading()();
        return;
    }
    const QString name = QFileInfo(paths.first()).fileName();
    m_workbench->sayUntilChange(tr("Reading %1…").arg(name));
    m_task.start([this, reading = std::move(reading)](const std::stop_token &) {
        return [this, done = reading()] {
            m_workbench->say({});
            done();
        };
    });
}

void FileReader::cancel()
{
    if (m_task.isBusy())
        m_workbench->say({});
    m_task.cancel();
}

} // namespace attn
