#include "widgets/ProfileReader.h"

#include <QMetaObject>

#include <utility>

namespace attn {

ProfileReader::ProfileReader(QObject *parent)
    : QObject(parent)
    , m_thread([this](const std::stop_token &stop) { run(stop); })
{
}

ProfileReader::~ProfileReader()
{
    m_thread.request_stop();
    m_thread.join();
}

void ProfileReader::read(const Request &request)
{
    if (request == m_wanted)
        return;
    m_wanted = request;
    {
        const std::lock_guard lock(m_mutex);
        m_waiting = request;
    }
    m_changed.notify_all();
}

void ProfileReader::run(const std::stop_token &stop)
{
    while (true) {
        Request request;
        {
            std::unique_lock lock(m_mutex);
            if (!m_changed.wait(lock, stop, [this] { return m_waiting.has_value(); }) ||
                stop.stop_requested())
                return;
            request = *std::exchange(m_waiting, std::nullopt);
        }
        const StageValues &values = *request.values;
        Profiles profiles{request,
                          rowProfile(values, request.head, request.row, request.firstCol, request.colCount,
                                     request.colBins),
                          columnProfile(values, request.head, request.col, request.firstRow, request.rowCount,
                                        request.rowBins)};
        QMetaObject::invokeMethod(
            this,
            [this, profiles = std::move(profiles)] {
                m_profiles = profiles;
                emit profilesRead();
            },
            Qt::QueuedConnection);
    }
}

} // namespace attn
