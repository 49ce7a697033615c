#pragma once

#include "render/CompareScene.h"
#include "render/scenes/MapFactory.h"

namespace attn {

/// The table of a comparison: one line for each stage.
class CompareTable
{
public:
    CompareTable(const MapFactory &maps, const CompareOptions &options, std::optional<Stage> shown);

    /// Adds the table; returns where it ends.
    double addTo(Scene &scene, double left, double top) const;
    double width() const;

private:
    void addHeadings(Scene &scene, double left, double y) const;
    void addLine(Scene &scene, const StageComparison &result, double left, double y) const;
    QString verdict(const StageComparison &result) const;

    const MapFactory &m_maps;
    const CompareOptions &m_options;
    std::optional<Stage> m_shown;
};

/// A difference for reading: three significant digits, exponents where it is tiny; "0" for none.
QString differenceText(double value);

} // namespace attn
