#pragma once

#include "engine/pooling/LineProfile.h"

#include <QObject>
#include <QPointer>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace attn {

/// Reads the row and the column of a cell on a thread of its own: on a large map they take longer than a
/// frame. The newest request wins.
class ProfileReader : public QObject
{
    Q_OBJECT

public:
    struct Request
    {
        StageValuesPtr values;
        Index head = 0;
        Index row = 0;
        Index col = 0;
        Index firstRow = 0, rowCount = 0; ///< of the column's profile
        Index firstCol = 0, colCount = 0; ///< of the row's profile
        Index rowBins = 0, colBins = 0;

        bool operator==(const Request &) const = default;
    };
    struct Profiles
    {
        Request request;
        LineProfile row;    ///< along columns
        LineProfile column; ///< along rows
    };

    explicit ProfileReader(QObject *parent = nullptr);
    ~ProfileReader() override;

    void read(const Request &request);
    /// The newest result; nothing before the first.
    const std::optional<Profiles> &profiles() const { return m_profiles; }

signals:
    void profilesRead();

private:
    void run(const std::stop_token &stop);

    Request m_wanted;
    std::optional<Profiles> m_profiles;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::optional<Request> m_waiting; ///< guarded by m_mutex
    std::jthread m_thread;            ///< last, so that it ends before what it uses
};

} // namespace attn
