#pragma once

#include "engine/Edit.h"

#include <random>

namespace attn::test {

/// How large a random experiment may be.
struct RandomSizes
{
    Index fewestTokens = 1;
    Index mostTokens = 9;
    Index mostKvHeads = 3;
    Index mostGroups = 3; ///< query heads of a KV head
    Index mostHeadWidth = 6;
    Index mostModelWidth = 7;
};

/// Draws whole experiments, single changes and edits; the same seed gives the same ones.
class RandomExperiments
{
public:
    explicit RandomExperiments(unsigned seed, const RandomSizes &sizes = {})
        : m_generator(seed)
        , m_sizes(sizes)
    {
    }

    /// A consistent experiment: any start, heads, masks, rotary, pins, cross attention.
    Experiment next();

    /// An edit of any kind; applyEdit may refuse it.
    Edit edit(const Experiment &experiment);

    /// The experiment with one thing changed: a cell, a pin, a mask, a setting. Stays consistent.
    Experiment changed(const Experiment &experiment);

    Index between(Index low, Index high);
    bool chance(double probability);
    double number();
    Tensor matrix(const Shape &shape);

private:
    void addStart(Experiment &experiment, Index dHeadK, Index dHeadV);
    void addMasks(Experiment &experiment);
    void addPins(Experiment &experiment);
    CellIndex cellOf(const Shape &shape);
    std::vector<CellValue> someCells(const Shape &shape, bool areFlags);
    Edit cellEdit(const Experiment &experiment);
    Edit pinEdit(const Experiment &experiment);
    Edit maskEdit(const Experiment &experiment);
    Edit structureEdit(const Experiment &experiment);
    Tensor flags(const Shape &shape);

    std::mt19937 m_generator;
    RandomSizes m_sizes;
};

} // namespace attn::test
