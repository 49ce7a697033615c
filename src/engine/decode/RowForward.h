#pragma once

#include "engine/Masking.h"

#include <limits>
#include <span>
#include <vector>

namespace attn {

/// The masked score of a key that is hidden.
inline constexpr double hiddenKeyScore = -std::numeric_limits<double>::infinity();

/// The pipeline for single rows, in double and in a fixed order of additions, so that a row has the same bits
/// whenever and together with whatever rows it is computed. Pins are laid over each step as in the full pass.
class RowForward
{
public:
    /// Why this experiment has no Q, K, V rows of its own to compute; empty when it has.
    static std::string reasonAgainst(const Experiment &experiment);

    /// experiment: one without such a reason
    explicit RowForward(ExperimentPtr experiment);

    const Sizes &sizes() const { return m_sizes; }
    const Experiment &experiment() const { return *m_experiment; }

    /// Row of Q, K after rotation, and V, heads side by side. out: [h d_k], [h_kv d_k], [h_kv d_v]
    void queryRow(Index row, double *out) const;
    void keyRow(Index key, double *out) const;
    void valueRow(Index key, double *out) const;

    /// Masked scores of one head of a row over the first out.size() keys.
    ///
    /// query: [d_k] of this head; keys: [n, stride] from this KV head's first column on
    void maskedScores(Index head, Index row, const double *query, const double *keys, Index stride,
                      std::span<double> out) const;
    /// Softmax of them, pins over it; true when nothing but -inf was there.
    bool weights(Index head, Index row, std::span<const double> masked, std::span<double> out) const;
    /// Weighted sum of the values. values: [n, stride] from this KV head's first column on; out: [d_v]
    void mix(Index head, Index row, std::span<const double> weights, const double *values, Index stride,
             double *out) const;
    /// Pins over concat, then the product with W^O and b^O. concat: [h d_v]; out: [d_out]
    void output(Index row, double *concat, double *out) const;

    /// Whether the mask lets this head of a query row look at this key.
    bool isAllowed(Index head, Index row, Index key) const;

private:
    struct Projection
    {
        Tensor given;   ///< the stage itself, or null
        Tensor rotated; ///< Qr or Kr, [heads, n, d_k], where the document starts there
        Tensor input;
        std::vector<double> weight; ///< [input columns, width]
        std::vector<double> bias;   ///< [width] or empty
        Index width = 0;
    };

    Projection projection(Stage stage, const Tensor &input, Stage weight, Stage bias, Index width) const;
    void projectRow(const Projection &projection, Index row, double *out) const;
    void takeRotated(const Projection &projection, Stage stage, Index row, double *out) const;
    void rotate(double *row, Index heads, Index position, Stage stage, Index index) const;
    void overlay(Stage stage, Index head, Index row, std::span<double> cells) const;
    double bias(Index head, Index row, Index key) const;

    ExperimentPtr m_experiment;
    Sizes m_sizes;
    MaskParts m_mask;
    Projection m_query;
    Projection m_key;
    Projection m_value;
    std::vector<double> m_outputWeight;
    std::vector<double> m_outputBias;
};

} // namespace attn
