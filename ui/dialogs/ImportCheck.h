#pragma once

#include "io/Import.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <thread>

namespace attn {

/// Tries out import plans: at once for small files, on a thread of its own for large ones. A new plan
/// replaces one that waits; results of replaced plans are dropped.
class ImportCheck : public QObject
{
    Q_OBJECT

public:
    explicit ImportCheck(std::shared_ptr<const TensorFile> file, QObject *parent = nullptr);

    void check(const ImportPlan &plan);
    bool isBusy() const { return m_isRunning; }

signals:
    void started();
    /// `result` is null when the plan cannot be carried out; `problem` says why.
    void finished(const std::shared_ptr<const attn::ImportResult> &result, const QString &problem);

private:
    struct Outcome
    {
        std::shared_ptr<const ImportResult> result;
        QString problem;
    };

    static Outcome outcomeOf(const TensorFile &file, const ImportPlan &plan);
    bool isLarge(const ImportPlan &plan) const;
    void startThread(const ImportPlan &plan);
    void onThreadFinished(const Outcome &outcome);

    std::shared_ptr<const TensorFile> m_file;
    std::optional<ImportPlan> m_waiting;
    bool m_isRunning = false;
    std::jthread m_thread; ///< last, so that it ends before what it uses
};

} // namespace attn
