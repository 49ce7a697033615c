#include "render/scenes/FootprintChoice.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

std::vector<Index> tokenOrder(const FootprintsOptions &options, Index tokens)
{
    std::vector<Index> order;
    std::vector<bool> seen(static_cast<std::size_t>(tokens), false);
    const auto add = [&](Index token) {
        if (token < 0 || token >= tokens || seen[static_cast<std::size_t>(token)])
            return;
        seen[static_cast<std::size_t>(token)] = true;
        order.push_back(token);
    };
    for (const Index token : options.order)
        add(token);
    for (Index token = 0; token < tokens; ++token)
        add(token);
    return order;
}

} // namespace

FootprintChoice footprintChoice(const Snapshot &snapshot, const FootprintsOptions &options,
                                const std::stop_token &stop)
{
    const Index tokens = snapshot.stage(Stage::A).values->cols();
    FootprintChoice choice;
    choice.shown = tokenOrder(options, tokens);
    if (tokens > mostShownInFull) {
        const std::vector<double> norms = footprintNorms(snapshot, options.target, options.head, stop);
        const auto norm = [&norms](Index token) {
            const double value = norms[static_cast<std::size_t>(token)];
            return std::isnan(value) ? HUGE_VAL : value;
        };
        std::stable_sort(choice.shown.begin(), choice.shown.end(),
                         [&norm](Index a, Index b) { return norm(a) > norm(b); });
        choice.rest.assign(choice.shown.begin() + shownOfMany, choice.shown.end());
        std::sort(choice.rest.begin(), choice.rest.end());
        choice.shown.resize(static_cast<std::size_t>(shownOfMany));
    }
    std::vector<Index> layers = choice.shown;
    layers.insert(layers.end(), choice.rest.begin(), choice.rest.end());
    const Index limit = options.accumulated < 0 ? tokens : std::min(options.accumulated, tokens);
    for (Index i = 0; i < limit; ++i) {
        const Index token = layers[static_cast<std::size_t>(i)];
        if (options.solo >= 0 ? token == options.solo : !options.muted.contains(token))
            choice.added.push_back(token);
    }
    if (options.solo >= 0 && choice.added.empty())
        choice.added = {options.solo};
    choice.isComplete = static_cast<Index>(choice.added.size()) == tokens;
    return choice;
}

} // namespace attn
