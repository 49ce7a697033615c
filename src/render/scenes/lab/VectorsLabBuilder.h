#pragma once

#include "render/scenes/SceneDraft.h"
#include "render/scenes/lab/PlaneScenes.h"
#include "render/scenes/lab/VectorStatements.h"

#include <array>

namespace attn {

inline constexpr double vectorsMargin = 24.0;

/// One build of the scene of vectors. What is drawn in the plane stands in VectorsPlane.cpp.
class VectorsLabBuilder
{
public:
    VectorsLabBuilder(const MapFactory &maps, const VectorsLabOptions &options, VectorsInView view)
        : m_draft(maps)
        , m_options(options)
        , m_view(std::move(view))
        , m_paints(vectorPaints(maps))
    {
    }

    PlaneScene build();

private:
    void placePlane();
    double largestDrawn() const;
    /// The target of a stage's vectors may lie far outside of what they are drawn to.
    bool isTargetOutside() const
    {
        const std::vector<double> target = targetPoint(m_view.target);
        return !m_made.plane.holds(target[0], target[1]);
    }
    /// Of the plane and what stands below it.
    double firstColumnWidth() const
    {
        const double side = m_made.plane.rect.width();
        return m_view.source.isScratch() ? side : std::max(side, leastNumbersWidth);
    }
    std::vector<double> drawn(std::span<const double> vector) const
    {
        return m_view.drawn.transposed() * vector;
    }
    /// The target as a point of the picture.
    std::vector<double> targetPoint(std::span<const double> target) const
    {
        return m_view.source.isScratch() ? drawn(target) : std::vector<double>(target.begin(), target.end());
    }
    void addGround(NumberPlane &plane);
    void addSpaceGround(NumberPlane &plane);
    void addSpan(NumberPlane &plane);
    void addTargetWay(NumberPlane &plane);
    void addPath(NumberPlane &plane);
    void addVectors(NumberPlane &plane);
    void addTurnPad(NumberPlane &plane);
    double addTracks(double top);
    void addNumbers(double top);
    void addScratchNumbers(double top);
    void addStageNumbers(double top);
    void addStatements();

    SceneDraft m_draft;
    VectorsLabOptions m_options;
    VectorsInView m_view;
    std::array<ScenePaint, 3> m_paints;
    PlaneScene m_made;
};

} // namespace attn
