#include "render/scenes/lab/NamePlaces.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {

namespace {

constexpr int ringPlaces = 16;
constexpr int ringCount = 6;
constexpr double ringStep = 12.0;

} // namespace

bool NamePlaces::isFree(const QRectF &rect) const
{
    return m_room.contains(rect) &&
           std::ranges::none_of(m_taken, [&](const QRectF &taken) { return taken.intersects(rect); });
}

bool NamePlaces::isClear(const QRectF &rect) const
{
    return std::ranges::none_of(m_avoided, [&](const QRectF &avoided) { return avoided.intersects(rect); });
}

QRectF NamePlaces::placeAtOneOf(std::span<const QRectF> rects)
{
    auto found =
        std::ranges::find_if(rects, [this](const QRectF &rect) { return isFree(rect) && isClear(rect); });
    if (found == rects.end())
        found = std::ranges::find_if(rects, [this](const QRectF &rect) { return isFree(rect); });
    const QRectF taken = found == rects.end() ? rects.front() : *found;
    keep(taken);
    return taken;
}

std::optional<QRectF> NamePlaces::place(const QPointF &point, const QPointF &wanted, const QSizeF &size)
{
    const auto around = [&](const QPointF &middle) {
        QRectF rect(QPointF(), size);
        rect.moveCenter(middle);
        // At a border of the room it moves inside; whether it is free there is seen like anywhere else.
        rect.moveLeft(
            std::clamp(rect.left(), m_room.left(), std::max(m_room.left(), m_room.right() - rect.width())));
        rect.moveTop(
            std::clamp(rect.top(), m_room.top(), std::max(m_room.top(), m_room.bottom() - rect.height())));
        return rect;
    };
    const auto taken = [this](const QRectF &rect) {
        keep(rect);
        return rect;
    };
    std::vector<QRectF> tried = {around(wanted)};
    const QPointF towards = wanted - point;
    const double start = std::atan2(towards.y(), towards.x());
    for (int ring = 0; ring < ringCount; ++ring) {
        // An ellipse, as names are wider than high.
        const double across = 0.5 * size.width() + 8.0 + ring * ringStep;
        const double down = 0.5 * size.height() + 8.0 + ring * ringStep;
        for (int i = 0; i < ringPlaces; ++i) {
            const int turn = i % 2 == 0 ? i / 2 : -(i + 1) / 2; // first the places next to the wanted one
            const double angle = start + turn * 2.0 * std::numbers::pi / ringPlaces;
            tried.push_back(around(point + QPointF(across * std::cos(angle), down * std::sin(angle))));
        }
    }
    // Further out a name no longer belongs to its point for the eye: there a line is the lesser evil.
    const auto nearOnes = tried.begin() + 1 + 2 * ringPlaces;
    auto found = std::find_if(tried.begin(), nearOnes,
                              [this](const QRectF &rect) { return isFree(rect) && isClear(rect); });
    if (found == nearOnes)
        found = std::ranges::find_if(tried, [this](const QRectF &rect) { return isFree(rect); });
    return found == tried.end() ? std::nullopt : std::optional(taken(*found));
}

} // namespace attn
