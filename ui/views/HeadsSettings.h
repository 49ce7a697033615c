#pragma once

#include "render/HeadPages.h"

#include <QJsonObject>

namespace attn {

/// What the heads workspace keeps in the view state.
struct HeadsSettings
{
    HeadsPage page = HeadsPage::Grid;
    bool isLarge = false;     ///< grid: the head in focus is drawn large above it
    bool withLengths = false; ///< grid: A times the length of v beside A
    Stage compared = Stage::Q;
    Index otherHeads = 0;                       ///< single: 0 = otherHeadCount()
    std::optional<std::vector<Index>> combined; ///< none = all heads
    HeadMix mix = HeadMix::Mean;
    PatternQuestion question;
    HeadPatternsOptions::Order order = HeadPatternsOptions::Order::ByHead;
    HeadPattern sortedBy = HeadPattern::First;
    double groupDistance = 0.25;

    bool operator==(const HeadsSettings &) const = default;
};

QJsonObject headsToJson(const HeadsSettings &settings);
/// What makes no sense is taken as absent.
HeadsSettings headsFromJson(const QJsonObject &state);

/// Labels separated by blanks.
std::vector<std::string> delimiterLabelsOf(const QString &text);
QString delimiterText(const std::vector<std::string> &labels);

} // namespace attn
