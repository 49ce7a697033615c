#include "engine/heads/WeightTimesLength.h"

#include "engine/FlowLinks.h"
#include "engine/heads/ValuesOnRead.h"

namespace attn {

Result<StageValuesPtr> weightsTimesLength(const SnapshotPtr &snapshot)
{
    FlowQuestion question;
    question.measure = FlowMeasure::WeightTimesLength;
    const std::string problem = flowProblem(*snapshot, question);
    if (!problem.empty())
        return Error{ErrorCode::NotFound, problem};
    const StageValuesPtr A = snapshot->stage(Stage::A).values;
    std::vector<std::vector<double>> lengths;
    for (Index head = 0; head < A->heads(); ++head) {
        question.heads = {head};
        lengths.push_back(flowFactors(*snapshot, question).front());
    }
    ReadRule rule;
    rule.shape = A->shape();
    rule.isSinglePrecision = A->isSinglePrecision();
    rule.read = [A, lengths = std::move(lengths)](Index head, Index row, Index col, Index rowCount,
                                                  Index colCount, double *out, Index stride) {
        A->readBlock(head, row, col, rowCount, colCount, out, stride);
        const double *factors = lengths[static_cast<std::size_t>(head)].data() + col;
        for (Index r = 0; r < rowCount; ++r)
            for (Index c = 0; c < colCount; ++c)
                out[r * stride + c] *= factors[c];
    };
    rule.status = [A](Index head, Index row, Index col, Index rowCount, Index colCount) {
        return A->blockStatus(head, row, col, rowCount, colCount);
    };
    return valuesOnRead(std::move(rule));
}

} // namespace attn
