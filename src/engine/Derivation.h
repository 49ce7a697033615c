#pragma once

#include "engine/Snapshot.h"

#include <string>
#include <vector>

namespace attn {

/// One line of "how this number came about": `left * right = value`, or a single named value. In a softmax
/// step: `exp(left) = value` (right empty), or `left / right = value`.
struct DerivationTerm
{
    std::string left;  ///< "X[love, f3]"
    std::string right; ///< "Wq[f3, f1]"; empty for a single value
    double leftValue = 0.0;
    double rightValue = 0.0;
    double value = 0.0; ///< the product, or the value
};

struct DerivationStep
{
    enum class Kind
    {
        Sum,     ///< terms are added: dot product, mixture, bias
        Scale,   ///< one value times the scale
        Mask,    ///< allowed? plus bias, or hidden and by which part
        Softmax, ///< maximum, exponentials, their sum, the quotient
        Copy,    ///< taken over from another stage (split, concat)
        Rotate,  ///< x cos - y sin
        Pinned,  ///< set by hand over `computed`
        Given,   ///< the document's own number
    };

    Kind kind = Kind::Given;
    std::string title;                 ///< one line of text
    std::vector<DerivationTerm> terms; ///< largest magnitude first when shortened, else in index order
    Index omittedCount = 0;            ///< terms beyond those listed
    double omittedSum = 0.0;
    double result = 0.0;
};

struct Derivation
{
    Stage stage = Stage::X;
    CellIndex cell;
    double value = 0.0;
    std::string name;    ///< cellName
    std::string formula; ///< symbolic, "Q = X W^Q + b^Q"; the stage's name for the document's own matrices
    std::string formulaLatex; ///< empty for the document's own matrices
    std::vector<DerivationStep> steps;
    /// What the number says, one sentence each: of a weight, how uneven its row is and what would change it.
    std::vector<std::string> remarks;
};

/// How a cell got its value, with the real numbers of the snapshot. Long sums list the `maxTerms` largest
/// terms first.
Derivation derive(const Snapshot &snapshot, Stage stage, const CellIndex &cell, Index maxTerms = 12);

std::string derivationText(const Derivation &derivation);
std::string derivationLatex(const Derivation &derivation);

/// "A[head 1: love, prog]": a cell by its labels, as they are shown.
std::string cellName(const Experiment &experiment, Stage stage, const CellIndex &cell);
/// Label of one row or column of a stage: the token, or the 1-based feature "f3"; raw text.
std::string rowLabel(const Experiment &experiment, Stage stage, Index row);
std::string colLabel(const Experiment &experiment, Stage stage, Index col);
/// What sentences call a scratch matrix: the factors of the free product are "left A" and "right B", so that
/// nobody takes the one for the weights A.
std::string labTitle(const std::string &name);
/// "left A[2, 1]": a cell of a scratch matrix, counted from 1.
std::string labCellName(const std::string &name, const CellIndex &cell);

} // namespace attn
