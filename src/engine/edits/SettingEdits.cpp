#include "engine/edits/EditDraft.h"

#include "base/NumberText.h"

#include <cmath>

namespace attn {

Result<void> change(EditDraft &draft, const SetScale &edit)
{
    if (edit.scale && !std::isfinite(*edit.scale))
        return Error{ErrorCode::BadInput,
                     "scale: expected a finite number, found " + shortestText(*edit.scale)};
    draft.experiment.scale = edit.scale;
    return {};
}

Result<void> change(EditDraft &draft, const SetQOffset &edit)
{
    draft.experiment.qOffset = edit.offset;
    return {};
}

Result<void> change(EditDraft &draft, const SetRotary &edit)
{
    if (edit.rotary) {
        const Rotary &rotary = *edit.rotary;
        if (!std::isfinite(rotary.base) || rotary.base <= 0.0)
            return Error{ErrorCode::BadInput,
                         "rotary base: expected a finite number above 0, found " + shortestText(rotary.base)};
        if (rotary.rotDim && (*rotary.rotDim < 0 || *rotary.rotDim % 2 != 0))
            return Error{ErrorCode::BadInput,
                         "rotary columns: expected an even number, found " + std::to_string(*rotary.rotDim)};
        const Index width = sizesOf(draft.experiment).dHeadK;
        if (rotary.rotDim && width > 0 && *rotary.rotDim > width)
            return Error{ErrorCode::BadInput, "rotary columns: expected at most the head width " +
                                                  std::to_string(width) + ", found " +
                                                  std::to_string(*rotary.rotDim)};
    }
    draft.experiment.rotary = edit.rotary;
    return {};
}

Result<void> change(EditDraft &draft, const SetCausal &edit)
{
    draft.experiment.causal = edit.causal;
    return {};
}

Result<void> change(EditDraft &draft, const SetWindow &edit)
{
    draft.experiment.window = edit.window;
    return {};
}

Result<void> change(EditDraft &draft, const SetPrecision &edit)
{
    draft.experiment.precision = edit.precision;
    return {};
}

Result<void> change(EditDraft &draft, const SetNotes &edit)
{
    draft.experiment.notes = edit.notes;
    return {};
}

} // namespace attn
