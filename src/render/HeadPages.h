#pragma once

#include "engine/heads/HeadAlone.h"
#include "engine/heads/HeadCombination.h"
#include "engine/heads/HeadCounts.h"
#include "engine/heads/HeadPatterns.h"
#include "engine/heads/HeadSimilarity.h"
#include "render/SceneBuilders.h"

#include <memory>
#include <optional>
#include <string_view>

namespace attn {

/// The pages of the heads workspace. What takes long to compute is handed in; null = computed here.
///
/// Controls: "head:2" puts a head in focus.

enum class HeadsPage
{
    Grid,     ///< headsScene()
    Cut,      ///< which columns and rows are a head's own
    Single,   ///< one head against several
    Combine,  ///< several heads in one picture
    Patterns, ///< detectors, similar heads, presets
};
/// "grid", "cut", "single", "combine", "patterns": on the command line and in files.
const char *headsPageName(HeadsPage page);
std::optional<HeadsPage> headsPageFromName(std::string_view name);

struct HeadCutOptions
{
    Index head = 0;
    Stage compared = Stage::Q; ///< Q, K, V, A or head_out: shown cell by cell beside the head computed alone
    std::shared_ptr<const Result<HeadAloneCheck>> check; ///< of this snapshot and head
    double width = 1200.0;
};

/// The cut of W^Q, W^K, W^V and Q, K, V into columns, of concat and W^O; what each head adds; and one big
/// matrix beside a small one of the head alone.
///
/// Controls: "compare:K" chooses the stage shown cell by cell; "output:identity", "output:swap",
/// "output:mixing" set W^O.
Scene headCutScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                   const HeadCutOptions &options = {});

struct HeadSingleOptions
{
    Index heads = 1;                                    ///< of the other cut
    Index row = 0;                                      ///< query whose weights are listed
    std::shared_ptr<const Result<RecutSnapshot>> other; ///< of this snapshot and number of heads
    double width = 1200.0;
};

/// The same input cut into another number of heads, beside the document: A of both, d_k and its divisor, and
/// one row of all of them.
Scene headSingleScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                      const HeadSingleOptions &options = {});
/// The number of heads worth comparing with: one, or for one head the smallest cut there is.
Index otherHeadCount(const Experiment &experiment);

struct HeadCombineOptions
{
    std::vector<Index> heads; ///< ascending
    HeadMix mix = HeadMix::Mean;
    std::shared_ptr<const Result<HeadSum>> sum; ///< of this snapshot and heads
    double width = 1200.0;
};

/// Some heads in one picture of weights, and what they add to the output.
///
/// Controls: "mix:2" takes a head in or out, "mix:all", "mix:none"; "how:mean", "how:max", "how:sum".
Scene headCombineScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                       const HeadCombineOptions &options = {});

struct HeadPatternsOptions
{
    enum class Order
    {
        ByHead,
        BySimilarity, ///< the groups one after the other
        ByScore,      ///< of `sortedBy`, highest first
    };

    Index head = 0;
    Index row = 0; ///< that a worked row would set
    PatternQuestion question;
    Order order = Order::ByHead;
    HeadPattern sortedBy = HeadPattern::First;
    double groupDistance = 0.25;
    std::shared_ptr<const HeadPatterns> patterns;     ///< of this snapshot and question
    std::shared_ptr<const HeadSimilarity> similarity; ///< of this snapshot
    double width = 1200.0;
};

/// Scores of every head for every pattern, which heads are alike, and presets that set a pattern by hand.
///
/// Map "patterns": one row for each head, as headsInOrder(). Controls: "sort:head", "sort:group",
/// "sort:first" …; "preset:first" …; "worked:0" … "worked:2".
Scene headPatternsScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                        const HeadPatternsOptions &options = {});
std::vector<Index> headsInOrder(const HeadPatternsOptions &options);

/// "first", "previous", "self", "offset", "delimiter", "uniform", "sink": in ids and files.
const char *headPatternName(HeadPattern pattern);
std::optional<HeadPattern> headPatternFromName(std::string_view name);

/// "Make head 2 attend to the previous token": names the edit of a preset.
QString presetText(HeadPattern pattern, Index head, Index offset);

} // namespace attn
