#include "engine/pooling/LineProfile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

constexpr float profileNan = std::numeric_limits<float>::quiet_NaN();
constexpr float profileInfinity = std::numeric_limits<float>::infinity();

ProfileBin profileBinOf(const float *cells, Index count)
{
    ProfileBin bin{profileInfinity, -profileInfinity};
    for (Index i = 0; i < count; ++i) {
        if (std::isnan(cells[i]))
            return {profileNan, profileNan};
        if (cells[i] == -profileInfinity)
            continue;
        bin.smallest = std::min(bin.smallest, cells[i]);
        bin.greatest = std::max(bin.greatest, cells[i]);
    }
    return bin.greatest < bin.smallest ? ProfileBin{profileNan, profileNan} : bin;
}

LineProfile profileOf(const std::vector<float> &cells, Index first, Index mostBins, BlockStatus status)
{
    LineProfile profile;
    profile.first = first;
    profile.count = static_cast<Index>(cells.size());
    profile.isExact = status == BlockStatus::Exact;
    profile.bins.resize(static_cast<std::size_t>(std::min(profile.count, std::max<Index>(mostBins, 0))));
    for (std::size_t bin = 0; bin < profile.bins.size(); ++bin) {
        const Index begin = profile.begin(bin);
        profile.bins[bin] = profileBinOf(cells.data() + (begin - first), profile.begin(bin + 1) - begin);
    }
    return profile;
}

} // namespace

LineProfile rowProfile(const StageValues &values, Index head, Index row, Index firstCol, Index count,
                       Index mostBins)
{
    std::vector<float> cells(static_cast<std::size_t>(count));
    values.readBlock(head, row, firstCol, 1, count, cells.data(), count);
    return profileOf(cells, firstCol, mostBins, values.blockStatus(head, row, firstCol, 1, count));
}

LineProfile columnProfile(const StageValues &values, Index head, Index col, Index firstRow, Index count,
                          Index mostBins)
{
    std::vector<float> cells(static_cast<std::size_t>(count));
    values.readBlock(head, firstRow, col, count, 1, cells.data(), 1);
    return profileOf(cells, firstRow, mostBins, values.blockStatus(head, firstRow, col, count, 1));
}

} // namespace attn
