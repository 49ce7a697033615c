#include "io/StageTensor.h"

#include "io/TensorJson.h"

#include <type_traits>

namespace attn {

namespace {

bool isFlagStage(Stage stage)
{
    return stage == Stage::MaskBool || stage == Stage::MaskPadding || stage == Stage::Allowed ||
           stage == Stage::FullyMasked;
}

template<typename Number, typename Scalar>
std::vector<Number> stageNumbers(const StageValues &values)
{
    const Shape shape = values.shape();
    std::vector<Scalar> numbers(static_cast<std::size_t>(shape.size()));
    for (Index head = 0; head < shape.heads && !numbers.empty(); ++head)
        values.readBlock(head, 0, 0, shape.rows, shape.cols, numbers.data() + head * shape.rows * shape.cols,
                         shape.cols);
    if constexpr (std::is_same_v<Number, Scalar>)
        return numbers;
    else
        return std::vector<Number>(numbers.begin(), numbers.end());
}

std::vector<std::int64_t> goldenAxes(Stage stage, const Shape &shape)
{
    std::vector<std::int64_t> axes;
    for (const Index length : stageAxes(stage, shape))
        axes.push_back(length);
    return axes;
}

} // namespace

FileTensor fileTensorOf(Stage stage, const StageValues &values)
{
    FileTensor tensor{stageName(stage), Dtype::F64, goldenAxes(stage, values.shape()), {}, {}};
    if (isFlagStage(stage)) {
        tensor.dtype = Dtype::Bool;
        tensor.data = stageNumbers<std::int64_t, double>(values);
    } else if (values.isSinglePrecision()) {
        tensor.dtype = Dtype::F32;
        tensor.data = stageNumbers<float, float>(values);
    } else {
        tensor.data = stageNumbers<double, double>(values);
    }
    return tensor;
}

} // namespace attn
