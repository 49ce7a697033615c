#include "engine/lab/StandardLabs.h"

#include <map>
#include <vector>

namespace attn {

const Tensor &standardLabMatrix(const std::string &name)
{
    static const Tensor nothing;
    const auto matrix = [](Index rows, Index cols, std::vector<double> values) {
        return Tensor::fromDoubles({1, rows, cols}, values);
    };
    static const std::map<std::string, Tensor> standard = {
        {standardLab::vectors, matrix(3, 3, {1, 3, -1, 2, 1, 1, 0, 1, 2})}, // in the plane (1, 2) and (3, 1)
        {standardLab::coefficients, matrix(3, 1, {2, -1, 1})},
        {standardLab::target, matrix(3, 1, {2, 3, 1})},
        {standardLab::mapA, matrix(2, 2, {0, -1, 1, 0})}, // a quarter turn
        {standardLab::mapB, matrix(2, 2, {2, 0, 0, 1})},  // twice as wide
        {standardLab::inputs, matrix(2, 2, {1, 0.5, 0.5, 1.5})},
        {standardLab::factor, matrix(1, 1, {2})},
    };
    const auto found = standard.find(name);
    return found == standard.end() ? nothing : found->second;
}

} // namespace attn
