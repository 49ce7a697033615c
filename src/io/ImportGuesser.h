#pragma once

#include "engine/Tensor.h"
#include "io/Import.h"
#include "io/ImportAxes.h"
#include "io/ImportMetadata.h"
#include "io/TensorNames.h"

#include <optional>
#include <vector>

namespace attn {

/// Builds the plan for one file, step by step; each step uses what those before found out.
class ImportGuesser
{
public:
    explicit ImportGuesser(const TensorFile &file);

    ImportPlan plan();

private:
    /// A tensor whose stage may be guessed: its slot, its entry in the file, its name's meaning.
    struct Candidate
    {
        std::size_t entry = 0;
        TensorRole role;
        ImportSlot slot;
    };

    // ImportGuesser.cpp: which tensor is which stage, heads, axes, layers
    void readOwnMetadata();
    void readNames();
    void settleScores();
    void settleDoubles();
    void settleSingleHeads();
    void guessLoneTensor();
    Stage stageFromValues(const Candidate &candidate) const;
    void guessHeads();
    void guessBatch();
    void guessLayers();
    void assignAxes();
    void countAxes();
    AxisContext contextOf(const Candidate &candidate) const;

    // ImportConventions.cpp: orientation, masks, rotary, causal, offset, precision, labels
    void guessOrientation();
    void splitPacked();
    void appendParts(const Candidate &packed, bool isOutByIn, Index total, Index queryWidth,
                     std::vector<Candidate> &split);
    void askAboutSquareWeights();
    void guessMasks();
    void readMask(Candidate &candidate);
    void guessOffset();
    void guessRotary();
    void guessCausal();
    void dropUncheckableOutput();
    void guessPrecision();
    void readLabels();
    void readTextTensor(std::size_t entry);

    const std::vector<std::int64_t> &shapeOf(const Candidate &candidate) const
    {
        return m_file.entries()[candidate.entry].shape;
    }
    Candidate *find(Stage stage);
    const Candidate *find(Stage stage) const;
    /// The tensor in the form of its stage, for the first layer and batch entry; nothing when it cannot be
    /// loaded or is too large for a check.
    std::optional<Tensor> loaded(const Candidate &candidate) const;
    std::optional<Tensor> loaded(Stage stage) const;

    void guessed(const std::string &sentence) { m_plan.guesses.push_back(sentence); }
    void asked(const std::string &sentence) { m_plan.questions.push_back(sentence); }
    void noted(const std::string &sentence) { m_plan.notes.push_back(sentence); }

    const TensorFile &m_file;
    ImportPlan m_plan;
    ImportFacts m_facts;
    std::optional<Experiment> m_own; ///< what our own export says about itself
    std::vector<Candidate> m_candidates;
    std::optional<Index> m_batch;
};

} // namespace attn
