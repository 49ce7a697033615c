#include "engine/decode/DecodeSession.h"

#include "engine/Evaluator.h"

#include <algorithm>

namespace attn {

namespace {

std::vector<DecodePicture::Total> runningTotals(const DecodeCosting &costing, const DecodeSchedule &schedule,
                                                Index rows)
{
    std::vector<DecodePicture::Total> totals;
    DecodePicture::Total total;
    const Index steps = schedule.stepCount(rows);
    for (Index step = 1; step <= steps; ++step) {
        const Index before = schedule.rowsAfter(step - 1, rows);
        const Index after = schedule.rowsAfter(step, rows);
        const Index keysBefore = before > 0 ? costing.keysOfRow(before - 1) : 0;
        const Index keysAfter = std::max(keysBefore, costing.keysOfRow(after - 1));
        total.rows = after;
        total.cached += costing.costOf(before, after - before, keysAfter - keysBefore).total();
        // Without a cache each step computes again what all steps so far have computed once.
        total.uncached += total.cached;
        total.cacheBytes = costing.cacheBytes(keysAfter);
        total.inputBytes = costing.inputBytes(after, keysAfter);
        totals.push_back(total);
    }
    return totals;
}

} // namespace

void DecodeSession::restart(const SnapshotPtr &snapshot)
{
    m_experiment = snapshot->experimentPtr();
    m_run.reset();
    m_reference.reset();
    Result<KvCacheRun> run = KvCacheRun::start(m_experiment);
    m_unavailable = run.ok() ? std::string() : run.error().message;
    if (!run.ok())
        return;
    m_run = std::move(*run);
    const bool isItsOwnReference = m_experiment->causal || !m_experiment->isSelfAttention();
    if (isItsOwnReference)
        m_reference = snapshot;
    else if (m_run->rowCount() <= mostReferenceTokens)
        m_reference = Evaluator().evaluate(std::make_shared<const Experiment>(decodeReference(*m_experiment)),
                                           snapshot->generation());
}

DecodePicture DecodeSession::at(const SnapshotPtr &snapshot, DecodeSchedule schedule, Index position,
                                Index head)
{
    if (m_experiment != snapshot->experimentPtr())
        restart(snapshot);
    else if (m_reference && (m_experiment->causal || !m_experiment->isSelfAttention()))
        m_reference = snapshot;
    DecodePicture picture;
    picture.unavailable = m_unavailable;
    if (!m_run)
        return picture;
    const Index rows = m_run->rowCount();
    schedule.prompt = std::clamp<Index>(schedule.prompt, 1, longestPrompt);
    schedule.chunk = std::clamp<Index>(schedule.chunk, 1, longestPrompt);
    picture.schedule = schedule;
    picture.rows = rows;
    picture.stepCount = schedule.stepCount(rows);
    picture.position = std::clamp<Index>(position, 0, picture.stepCount);
    picture.isGrowing = m_run->costing().isGrowing();
    picture.precision = m_experiment->precision;
    picture.reference = m_reference;
    picture.totals = runningTotals(m_run->costing(), schedule, rows);
    const Index before = schedule.rowsAfter(picture.position - 1, rows);
    const Index after = schedule.rowsAfter(picture.position, rows);
    if (m_run->fedRows() > before)
        m_run->rewind(before);
    m_run->skip(before - m_run->fedRows());
    if (after == 0)
        return picture;
    picture.step = m_run->feed(after - before);
    Result<KvCacheRun> fresh = KvCacheRun::start(m_experiment);
    if (after > longestPrompt)
        fresh->skip(before);
    picture.recomputed = compareWithStep(picture.step, fresh->feed(after - fresh->fedRows()));
    if (m_reference)
        picture.full = compareWithFullPass(picture.step, *m_reference);
    if (m_experiment->isSelfAttention())
        picture.bidirectional = bidirectionalChange(*m_experiment, before, after,
                                                    std::clamp<Index>(head, 0, m_experiment->nHeads - 1));
    return picture;
}

EditReach DecodeSession::reachOf(const TokenEdit &edit) const
{
    return m_run ? m_run->reachOf(edit) : EditReach{};
}

} // namespace attn
