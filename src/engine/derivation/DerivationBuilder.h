#pragma once

#include "engine/Derivation.h"

#include <functional>
#include <vector>

namespace attn {

/// Puts the steps of one cell together from the numbers of a snapshot.
class DerivationBuilder
{
public:
    DerivationBuilder(const Snapshot &snapshot, Stage stage, const CellIndex &cell, Index maxTerms);

    Derivation build();

private:
    /// One term of a sum before it has a name: only the listed terms get one.
    struct Term
    {
        Index index = 0; ///< along the summed axis; -1 = the bias
        double left = 0.0;
        double right = 0.0;
        double value = 0.0;
    };
    struct Names
    {
        std::string left;
        std::string right;
    };
    using Namer = std::function<Names(Index)>;

    bool has(Stage stage) const { return m_snapshot.stage(stage).hasValues(); }
    double at(Stage stage, const CellIndex &cell) const;
    std::vector<double> rowOf(Stage stage, Index head, Index row, Index col, Index count) const;
    std::vector<double> colOf(Stage stage, Index head, Index row, Index col, Index count) const;
    std::string name(Stage stage, const CellIndex &cell) const;
    Index kvHead(Index head) const { return head / (m_sizes.nHeads / m_sizes.nKvHeads); }

    DerivationStep &addStep(DerivationStep::Kind kind, std::string title, double result);
    void addTerm(DerivationStep &step, std::string left, double value) const;
    /// Lists the largest terms of a sum and adds up the rest.
    void fillTerms(DerivationStep &step, std::vector<Term> terms, const Namer &namer) const;
    void addSum(std::string title, std::vector<Term> terms, const Namer &namer);
    static std::vector<Term> products(const std::vector<double> &left, const std::vector<double> &right);

    void deriveComputed();
    void deriveProjection();
    void deriveSplit();
    void deriveRotation();
    void deriveScores();
    void deriveScaled();
    void deriveMask();
    void deriveBias();
    void deriveFullyMasked();
    void deriveSoftmax();
    void deriveHeadOut();
    void deriveConcat();
    void deriveOutput();
    void deriveContribution();
    void derivePin(const double *computed);
    /// row: the masked scores of a softmax
    void remarkOnWeights(const std::vector<double> &row);

    /// Which parts of the mask hide this key, one phrase each.
    std::vector<std::string> hidingParts() const;

    const Snapshot &m_snapshot;
    const Experiment &m_experiment;
    Sizes m_sizes;
    Stage m_stage;
    CellIndex m_cell;
    Index m_maxTerms;
    Derivation m_derivation;
};

} // namespace attn
