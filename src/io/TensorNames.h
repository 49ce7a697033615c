#pragma once

#include "engine/Stage.h"
#include "engine/Types.h"

#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// What the name of a tensor says about it.
struct TensorRole
{
    enum class Packing
    {
        None,
        Qkv, ///< query, key and value projections in one matrix
    };

    std::optional<Stage> stage; ///< none: unknown, or packed
    Packing packing = Packing::None;
    bool isPackedBias = false;
    bool isPackedByHead = false;    ///< query_key_value: mostly q, k, v of one head after the other
    bool isModelWeight = false;     ///< named as in a checkpoint (…weight): mostly stored out x in
    bool isWordAmongOthers = false; ///< the stage's name is one word of a longer name: a weak hint
    bool isCausalMask = false;
    bool isDropMask = false; ///< by its name true means hidden (key_padding_mask)
    bool saysRaw = false;    ///< scores before scaling
    std::string block;       ///< the attention block, "layers.3.attention"; empty when there is only one
    std::optional<Index> head;
};

/// Reads names such as "Wq", "q_proj.weight", "encoder.layer.0.attention.self.query.bias",
/// "h.0.attn.c_attn.weight", "Q_rope", "attn_softmax", "A-h3".
TensorRole roleFromName(std::string_view name);

} // namespace attn
