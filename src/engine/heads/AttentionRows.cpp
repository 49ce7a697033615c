#include "engine/heads/AttentionRows.h"

#include <algorithm>

namespace attn {

namespace {

constexpr Index mostColsOfWideBand = 8192;
constexpr Index wideBandRows = 64;
constexpr Index narrowBandRows = 8;

} // namespace

AttentionRows::AttentionRows(const Snapshot &snapshot, Index bandRows)
    : m_snapshot(snapshot)
    , m_A(snapshot.stage(Stage::A).values.get())
    , m_allowed(snapshot.stage(Stage::Allowed).values.get())
    , m_fullyMasked(snapshot.stage(Stage::FullyMasked).values.get())
{
    if (!m_A)
        return;
    m_bandRows = bandRows > 0 ? bandRows : m_A->cols() <= mostColsOfWideBand ? wideBandRows : narrowBandRows;
    m_row.weights.resize(static_cast<std::size_t>(m_A->cols()));
    m_row.allowed.assign(m_row.weights.size(), 1.0);
    m_weightBand.resize(static_cast<std::size_t>(m_bandRows) * m_row.weights.size());
    m_hasAllowed = m_allowed && m_allowed->shape() == m_A->shape();
    if (m_hasAllowed)
        m_allowedBand.resize(m_weightBand.size());
}

const AttentionRow &AttentionRows::read(Index head, Index row)
{
    const Index nK = m_A->cols();
    if (head != m_bandHead || row < m_bandFirst || row >= m_bandFirst + m_bandRows)
        readBand(head, row);
    const Index offset = (row - m_bandFirst) * nK;
    std::copy_n(m_weightBand.data() + offset, nK, m_row.weights.data());
    if (m_hasAllowed)
        std::copy_n(m_allowedBand.data() + offset, nK, m_row.allowed.data());
    m_row.allowedCount = std::count_if(m_row.allowed.begin(), m_row.allowed.end(),
                                       [](double allowed) { return allowed != 0.0; });
    const bool isDead = m_fullyMasked && m_fullyMasked->value(0, head, row) != 0.0;
    m_row.isLive = m_row.allowedCount > 0 && !isDead;
    m_row.position = static_cast<double>(row) + static_cast<double>(m_snapshot.experiment().qOffset);
    return m_row;
}

void AttentionRows::readBand(Index head, Index row)
{
    const Index nK = m_A->cols();
    const Index rows = std::min(m_bandRows, m_A->rows() - row);
    m_A->readBlock(head, row, 0, rows, nK, m_weightBand.data(), nK);
    if (m_hasAllowed)
        m_allowed->readBlock(head, row, 0, rows, nK, m_allowedBand.data(), nK);
    m_bandHead = head;
    m_bandFirst = row;
}

} // namespace attn
