#pragma once

#include "engine/Experiment.h"

#include <string>

namespace attn {

/// How a stage follows from others, with the biases, rotation and W^O this experiment has.
std::string formulaText(const Experiment &experiment, Stage stage);
std::string formulaLatex(const Experiment &experiment, Stage stage);

/// "W^Q", "\text{scores}": a stage as a symbol in LaTeX.
std::string stageLatex(Stage stage);

/// "1/√6" for the default scale, else the number.
std::string scaleText(const Experiment &experiment);

} // namespace attn
