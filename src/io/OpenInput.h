#pragma once

#include "base/Result.h"
#include "engine/Experiment.h"
#include "io/Import.h"
#include "io/Json.h"
#include "io/TensorFile.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

enum class InputKind
{
    Document, ///< *.attn
    State,    ///< JSON with a golden-form "state": golden files, results of the command line
    Example,  ///< example:NAME
    Tensors,  ///< tensor files
};

/// What was opened, ready to become a document.
struct OpenedInput
{
    InputKind kind = InputKind::Document;
    Experiment experiment;
    std::map<Stage, Tensor> reference; ///< results in the file, to compare with
    QJsonObject view;                  ///< of a document
    QString title;                     ///< of an example, or the file's name
    std::vector<std::string> notes;
    std::shared_ptr<const TensorFile> tensors; ///< for tensor files: to import another layer or batch entry
    std::optional<ImportPlan> plan;
};

/// Changes what was guessed before the import is carried out.
using PlanCorrection = std::function<Result<void>(ImportPlan &)>;

/// Opens one document, state or example, or one or several tensor files, found out from the content. Errors
/// name the file, the field, what was expected and what was found.
Result<OpenedInput> openInput(const QStringList &inputs, const PlanCorrection &correct = {});

/// What a single input is, without reading more of it than needed. Several inputs are always tensors.
Result<InputKind> inputKind(const QStringList &inputs);

/// Whether JSON is a golden-form state or has one as its member "state".
bool holdsState(const Json &json);

} // namespace attn
