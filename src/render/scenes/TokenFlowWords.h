#pragma once

#include "render/FlowScene.h"
#include "render/scenes/FlowDrawing.h"

namespace attn {

/// What the picture of the flow from token to token says in words.
class TokenFlowWords
{
public:
    /// All are kept by reference; labels may be measured later.
    TokenFlowWords(const MapFactory &maps, const TokenFlowOptions &options, const FlowLabels &sources,
                   const FlowLabels &targets)
        : m_maps(maps)
        , m_options(options)
        , m_sourceLabels(sources)
        , m_targetLabels(targets)
    {
    }

    /// What the widths are, and of which heads.
    QString width() const;
    /// What the token that is shown alone gives or takes; links: its own.
    QString alone(const FlowLinks &links) const;
    QString link(const FlowLink &link) const;
    /// The selected link, and the weight that the inspector shows where it is another number; may be empty.
    QString selected(const FlowLinks &links) const;
    /// How many links are drawn and how much is hidden.
    QString hidden(const FlowLinks &links) const;
    /// By which rule links are left out; may be empty. isCut: whether their number was limited.
    QString rule(bool isCut) const;
    QString number(double value) const;
    bool isSigned() const { return m_options.question.measure == FlowMeasure::Contribution; }

private:
    QString heads() const;
    bool hasSeveralHeads() const
    {
        return m_maps.state(Stage::A).values->heads() > 1 && m_options.question.heads.size() != 1;
    }

    const MapFactory &m_maps;
    const TokenFlowOptions &m_options;
    const FlowLabels &m_sourceLabels;
    const FlowLabels &m_targetLabels;
};

} // namespace attn
