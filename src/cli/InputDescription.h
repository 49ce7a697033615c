#pragma once

#include "io/OpenInput.h"

#include <string>
#include <vector>

namespace attn {

/// What `info` tells about an input, as text or JSON.
struct InputDescription
{
    struct Matrix
    {
        std::string name;
        std::string dtype;
        std::vector<std::int64_t> shape;
        std::vector<std::string> stages; ///< what it is taken for; several for a packed matrix
        std::vector<std::string> axes;   ///< "head", "row", "col", "batch", "layer", "unknown"
        std::string remark;              ///< "stored out x in", "to compare with", why it cannot be read
        bool isReadable = true;
    };

    std::string file;
    std::vector<Matrix> matrices;
    std::vector<std::string> tokens;
    std::vector<std::string> tokensKv; ///< empty: the same
    std::vector<std::string> features; ///< column headings of a matrix whose columns are no keys
    std::vector<std::string> guesses;  ///< conventions, one sentence each
    std::vector<std::string> notes;
};

InputDescription describeExperiment(const std::string &file, const OpenedInput &opened);
InputDescription describeTensors(const std::string &file, const TensorFile &tensors, const ImportPlan &plan);

std::string descriptionText(const InputDescription &description);
Json descriptionJson(const InputDescription &description);

} // namespace attn
