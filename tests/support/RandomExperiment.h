#pragma once

#include "engine/Experiment.h"

#include <random>

namespace attn::test {

/// Draws whole experiments and single changes; the same seed gives the same ones.
class RandomExperiments
{
public:
    explicit RandomExperiments(unsigned seed)
        : m_generator(seed)
    {
    }

    /// A consistent experiment of up to 9 tokens: any start, heads, masks, rotary, pins, cross attention.
    Experiment next();

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
    Tensor flags(const Shape &shape);

    std::mt19937 m_generator;
};

} // namespace attn::test
