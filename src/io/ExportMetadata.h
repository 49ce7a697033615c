#pragma once

#include "base/Result.h"
#include "engine/Experiment.h"

#include <string>

namespace attn {

/// What our own npz and safetensors files say about themselves, so that they reopen without a question.
///
/// The metadata is one JSON text: {"format": "attnscope-stages", "version": 1, "precision": "float64",
/// "decimals": {..}, "state": {..}}. `state` is the document form of the state (StateJson.h: tokens, h, h_kv,
/// d_k, d_v, scale, q_offset, rope, causal, window, pins ...) with every matrix of the document left out: X
/// ... bo, `given` and the mask matrices are tensors of the file, named as the stages are ("X", "mask.bool",
/// "A"). A stage that is not in the file is simply not there. The numbers are those after pins.
///
/// safetensors: the entry "attnscope" of "__metadata__". npz: a member "attnscope_metadata.npy", a scalar of
/// dtype <U; numpy.load shows it as a text. json needs none: it has the golden form with the complete state.
inline constexpr const char *exportMetadataKey = "attnscope";
inline constexpr const char *exportMetadataMember = "attnscope_metadata";

std::string exportMetadata(const Experiment &experiment);

/// The experiment without its matrices. The caller puts the file's tensors into `given`.
Result<Experiment> experimentFromMetadata(const std::string &text);

} // namespace attn
