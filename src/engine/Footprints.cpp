#include "engine/Footprints.h"

#include "engine/Mixing.h"
#include "engine/Projection.h"
#include "engine/StageBlocks.h"
#include "engine/StageNumbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

/// Sums of more footprints are computed as products.
constexpr Index mostOuterProducts = 64;

bool canBeRead(const StageState &state)
{
    return state.hasValues() && state.reason.empty();
}

/// The factors of the footprints of one snapshot. Stopped: what was read until then, the rest zeros.
class FootprintSource
{
public:
    FootprintSource(const Snapshot &snapshot, std::stop_token stop)
        : m_snapshot(snapshot)
        , m_A(snapshot.stage(Stage::A))
        , m_V(snapshot.stage(Stage::Vh))
        , m_Wo(snapshot.stage(Stage::Wo))
        , m_stop(std::move(stop))
    {
    }

    bool has(FootprintTarget target, Index head, Index token) const
    {
        if (!canBeRead(m_A) || !canBeRead(m_V) || token < 0 || token >= m_A.values->cols())
            return false;
        const Sizes &sizes = m_snapshot.sizes();
        if (sizes.nHeads % sizes.nKvHeads != 0)
            return false;
        if (target != FootprintTarget::Token && (head < 0 || head >= sizes.nHeads))
            return false;
        return target == FootprintTarget::Head || m_Wo.status == StageStatus::Absent ||
               (canBeRead(m_Wo) && m_Wo.values->rows() == sizes.nHeads * headWidth());
    }

    Index rows() const { return m_A.values->rows(); }
    Index cols(FootprintTarget target) const
    {
        return target == FootprintTarget::Head ? headWidth() : outputWidth();
    }

    /// A_i[:, t] as [n_q, 1].
    Matrix<double> column(Index head, Index token) const
    {
        Matrix<double> column = Matrix<double>::Zero(rows(), 1);
        readBands(*m_A.values, head, token, 1, m_stop, [&](Index first, const MatrixRef<double> &band) {
            column.middleRows(first, band.rows()) = band;
        });
        return column;
    }

    /// v_t as [1, d_v].
    Matrix<double> row(Index head, Index token) const
    {
        const Sizes &sizes = m_snapshot.sizes();
        Matrix<double> row(1, headWidth());
        m_V.values->readBlock(kvHeadOf(head, sizes.nHeads, sizes.nKvHeads), token, 0, 1, headWidth(),
                              row.data(), headWidth());
        return row;
    }

    /// The head's rows of W^O: [d_v, d_out].
    Matrix<double> outputWeight(Index head) const
    {
        const Index width = headWidth();
        if (m_Wo.status == StageStatus::Absent)
            return headOutputWeight<double>(nullptr, m_snapshot.sizes().nHeads * width, head, width);
        Matrix<double> block(width, outputWidth());
        m_Wo.values->readBlock(0, head * width, 0, width, outputWidth(), block.data(), outputWidth());
        return block;
    }

    /// v_t times the head's rows of W^O: [1, d_out].
    Matrix<double> mappedRow(Index head, Index token) const { return row(head, token) * outputWeight(head); }

    void addTo(Matrix<double> &sum, FootprintTarget target, Index head, Index token) const
    {
        if (target == FootprintTarget::Head) {
            sum += column(head, token) * row(head, token);
            return;
        }
        const bool isOneHead = target == FootprintTarget::HeadMapped;
        const Index firstHead = isOneHead ? head : 0;
        const Index endHead = isOneHead ? head + 1 : m_snapshot.sizes().nHeads;
        for (Index i = firstHead; i < endHead; ++i)
            sum += column(i, token) * mappedRow(i, token);
    }

    /// The same for many tokens as one product per head, which is faster than as many outer products.
    void addProductTo(Matrix<double> &sum, FootprintTarget target, Index head,
                      const std::vector<Index> &tokens) const
    {
        const bool isOneHead = target != FootprintTarget::Token;
        const Index firstHead = isOneHead ? head : 0;
        const Index endHead = isOneHead ? head + 1 : m_snapshot.sizes().nHeads;
        const auto count = static_cast<Index>(tokens.size());
        for (Index i = firstHead; i < endHead; ++i) {
            Matrix<double> values(count, headWidth());
            for (Index k = 0; k < count; ++k)
                values.row(k) = row(i, tokens[static_cast<std::size_t>(k)]);
            if (target != FootprintTarget::Head)
                values = Matrix<double>(values * outputWeight(i));
            addBands(sum, i, tokens, values);
        }
    }

private:
    /// sum += A_i[:, tokens] values, a band of rows at a time: A may be computed where it is read.
    void addBands(Matrix<double> &sum, Index head, const std::vector<Index> &tokens,
                  const Matrix<double> &values) const
    {
        Matrix<double> columns;
        const Index keys = m_A.values->cols();
        readBands(*m_A.values, head, 0, keys, m_stop, [&](Index first, const MatrixRef<double> &band) {
            columns.resize(band.rows(), values.rows());
            for (Index k = 0; k < values.rows(); ++k)
                columns.col(k) = band.col(tokens[static_cast<std::size_t>(k)]);
            sum.middleRows(first, band.rows()).noalias() += columns * values;
        });
    }

    Index headWidth() const { return m_V.values->cols(); }
    Index outputWidth() const
    {
        return m_Wo.status == StageStatus::Absent ? m_snapshot.sizes().nHeads * headWidth()
                                                  : m_Wo.values->cols();
    }

    const Snapshot &m_snapshot;
    const StageState &m_A;
    const StageState &m_V;
    const StageState &m_Wo;
    std::stop_token m_stop;
};

StageValuesPtr inPrecisionOf(const Snapshot &snapshot, const Matrix<double> &matrix)
{
    if (snapshot.experiment().precision == Precision::Float32) {
        const Matrix<float> rounded = matrix.cast<float>();
        return valuesOf<float>(rounded.rows(), rounded.cols(), rounded.data());
    }
    return valuesOf<double>(matrix.rows(), matrix.cols(), matrix.data());
}

/// The matrix that all footprints should add up to, or none.
StageValuesPtr targetValues(const Snapshot &snapshot, FootprintTarget target)
{
    switch (target) {
    case FootprintTarget::Head:
        return snapshot.stage(Stage::HeadOut).values;
    case FootprintTarget::HeadMapped:
        return snapshot.stage(Stage::HeadContribution).values;
    case FootprintTarget::Token:
        break;
    }
    return snapshot.stage(Stage::Output).values;
}

} // namespace

bool hasFootprints(const Snapshot &snapshot, FootprintTarget target, Index head, Index token)
{
    return FootprintSource(snapshot, {}).has(target, head, token);
}

StageValuesPtr footprint(const SnapshotPtr &snapshot, FootprintTarget target, Index head, Index token,
                         const std::stop_token &stop)
{
    return footprintSum(snapshot, target, head, {token}, stop);
}

StageValuesPtr footprintColumn(const SnapshotPtr &snapshot, Index head, Index token,
                               const std::stop_token &stop)
{
    const FootprintSource source(*snapshot, stop);
    if (stop.stop_requested() || !source.has(FootprintTarget::Head, head, token))
        return nullptr;
    const Matrix<double> column = source.column(head, token);
    return stop.stop_requested() ? nullptr : inPrecisionOf(*snapshot, column);
}

StageValuesPtr footprintRow(const SnapshotPtr &snapshot, Index head, Index token)
{
    const FootprintSource source(*snapshot, {});
    if (!source.has(FootprintTarget::Head, head, token))
        return nullptr;
    return inPrecisionOf(*snapshot, source.row(head, token));
}

StageValuesPtr footprintSum(const SnapshotPtr &snapshot, FootprintTarget target, Index head,
                            const std::vector<Index> &tokens, const std::stop_token &stop)
{
    const FootprintSource source(*snapshot, stop);
    const auto known = [&](Index token) {
        return source.has(target, head, token);
    };
    if (stop.stop_requested() ||
        !(tokens.empty() ? known(0) : std::all_of(tokens.begin(), tokens.end(), known)))
        return nullptr;
    Matrix<double> sum = Matrix<double>::Zero(source.rows(), source.cols(target));
    if (static_cast<Index>(tokens.size()) > mostOuterProducts) {
        source.addProductTo(sum, target, head, tokens);
    } else {
        for (const Index token : tokens)
            source.addTo(sum, target, head, token);
    }
    return stop.stop_requested() ? nullptr : inPrecisionOf(*snapshot, sum);
}

double footprintResidual(const SnapshotPtr &snapshot, FootprintTarget target, Index head,
                         const std::vector<Index> &tokens)
{
    return residualOfSum(snapshot, target, head, footprintSum(snapshot, target, head, tokens));
}

double residualOfSum(const SnapshotPtr &snapshot, FootprintTarget target, Index head,
                     const StageValuesPtr &sum)
{
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const StageValuesPtr wanted = targetValues(*snapshot, target);
    if (!wanted || !sum || wanted->rows() != sum->rows() || wanted->cols() != sum->cols())
        return unknown;
    Matrix<double> total = numbersOf(*sum, 0);
    const StageState &bias = snapshot->stage(Stage::Bo);
    if (target == FootprintTarget::Token && canBeRead(bias) && bias.values->cols() == total.cols())
        total.rowwise() += numbersOf(*bias.values, 0).row(0);
    const Matrix<double> goal = numbersOf(*wanted, target == FootprintTarget::Token ? 0 : head);
    double largest = 0.0;
    for (Index i = 0; i < total.size(); ++i) {
        const double left = std::abs(goal.data()[i] - total.data()[i]);
        if (std::isnan(left))
            return unknown;
        largest = std::max(largest, left);
    }
    return largest;
}

} // namespace attn
