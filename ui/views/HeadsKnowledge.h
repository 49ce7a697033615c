#pragma once

#include "render/HeadPages.h"

#include <memory>
#include <mutex>
#include <stop_token>

namespace attn {

/// Keeps the newest result that was computed of one snapshot for one question; asked from several threads.
template<typename Question, typename Answer>
class KeptAnswer
{
public:
    using AnswerPtr = std::shared_ptr<const Answer>;

    /// compute: asks the token itself. Stopped: what it returned is not kept.
    template<typename Compute>
    AnswerPtr of(const SnapshotPtr &snapshot, const Question &question, const std::stop_token &stop,
                 const Compute &compute)
    {
        if (AnswerPtr known = find(snapshot, question))
            return known;
        auto answer = std::make_shared<const Answer>(compute());
        if (stop.stop_requested())
            return answer;
        const std::scoped_lock lock(m_mutex);
        m_snapshot = snapshot;
        m_question = question;
        m_answer = answer;
        return answer;
    }

    /// Null when it is not known.
    AnswerPtr find(const SnapshotPtr &snapshot, const Question &question)
    {
        const std::scoped_lock lock(m_mutex);
        return m_answer && m_snapshot == snapshot && m_question == question ? m_answer : nullptr;
    }

    /// Lets go of what was computed of another snapshot.
    void keepOnly(const SnapshotPtr &snapshot)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_snapshot == snapshot)
            return;
        m_snapshot.reset();
        m_answer.reset();
    }

private:
    std::mutex m_mutex;
    SnapshotPtr m_snapshot;
    Question m_question{};
    AnswerPtr m_answer;
};

/// What the pages of the heads workspace have computed, so that a change of the page or of a colour costs
/// nothing again.
struct HeadsKnowledge
{
    KeptAnswer<int, Metrics> metrics;
    KeptAnswer<Index, Result<HeadAloneCheck>> alone;
    KeptAnswer<Index, Result<RecutSnapshot>> recut;
    KeptAnswer<std::vector<Index>, Result<HeadSum>> sum;
    KeptAnswer<PatternQuestion, HeadPatterns> patterns;
    KeptAnswer<int, HeadSimilarity> similarity;

    void keepOnly(const SnapshotPtr &snapshot)
    {
        metrics.keepOnly(snapshot);
        alone.keepOnly(snapshot);
        recut.keepOnly(snapshot);
        sum.keepOnly(snapshot);
        patterns.keepOnly(snapshot);
        similarity.keepOnly(snapshot);
    }
};

} // namespace attn
