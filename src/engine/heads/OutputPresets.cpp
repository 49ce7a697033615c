#include "engine/heads/OutputPresets.h"

namespace attn {

Tensor outputPreset(OutputPreset preset, Index heads, Index width)
{
    std::vector<double> numbers(static_cast<std::size_t>(width * width), 0.0);
    const Index headWidth = width / heads;
    const auto cell = [&](Index row, Index col) -> double & {
        return numbers[static_cast<std::size_t>(row * width + col)];
    };
    for (Index head = 0; head < heads; ++head)
        for (Index i = 0; i < headWidth; ++i) {
            const Index row = head * headWidth + i;
            if (preset == OutputPreset::Mixing)
                for (Index other = 0; other < heads; ++other)
                    cell(row, other * headWidth + i) = 1.0 / static_cast<double>(heads);
            else
                cell(row, (preset == OutputPreset::Swap ? heads - 1 - head : head) * headWidth + i) = 1.0;
        }
    return Tensor::fromDoubles({1, width, width}, numbers);
}

Result<Edit> outputPresetEdit(const Experiment &experiment, OutputPreset preset)
{
    const Sizes sizes = sizesOf(experiment);
    const Index width = sizes.nHeads * sizes.dHeadV;
    if (width == 0)
        return Error{ErrorCode::NotFound, "the width of the heads is not known here"};
    if (width > widestOutputPreset)
        return Error{ErrorCode::TooLarge, "concat has " + std::to_string(width) + " columns; at most " +
                                              std::to_string(widestOutputPreset) + " are set by a preset"};
    const Tensor &bias = experiment.matrix(Stage::Bo);
    if (!bias.isNull() && bias.cols() != width)
        return Error{ErrorCode::ShapeMismatch, "bo has " + std::to_string(bias.cols()) +
                                                   " columns; this W^O would need " + std::to_string(width)};
    return Edit(SetTensor{Stage::Wo, outputPreset(preset, sizes.nHeads, width)});
}

} // namespace attn
