#pragma once

#include "base/Result.h"
#include "cli/CommandLine.h"

#include <QByteArray>

#include <string>
#include <vector>

namespace attn {

/// What a verb has to say when it is done.
struct VerbResult
{
    QByteArray output;              ///< for stdout
    std::vector<std::string> notes; ///< what was odd but did not stop it, for stderr
};

/// One function for each verb, in a file of its own. Errors with ErrorCode::Usage are wrong calls.
Result<VerbResult> runInfo(const CommandLine &line);
Result<VerbResult> runCompute(const CommandLine &line);
Result<VerbResult> runRender(const CommandLine &line);
Result<VerbResult> runConvert(const CommandLine &line);
Result<VerbResult> runReplay(const CommandLine &line);

} // namespace attn
