#include "widgets/WrapLayout.h"

#include <algorithm>

namespace attn {

WrapLayout::WrapLayout(QWidget *parent)
    : QLayout(parent)
{
}

/// One after the other: a layout that goes looks for itself among the items of the one around it.
WrapLayout::~WrapLayout()
{
    while (QLayoutItem *item = takeAt(count() - 1))
        delete item;
}

void WrapLayout::addLayout(QLayout *layout)
{
    addChildLayout(layout);
    addItem(layout);
}

void WrapLayout::addItem(QLayoutItem *item)
{
    m_items.emplace_back(item);
}

QLayoutItem *WrapLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[std::size_t(index)].get() : nullptr;
}

QLayoutItem *WrapLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem *item = m_items[std::size_t(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

int WrapLayout::heightForWidth(int width) const
{
    return place(QRect(0, 0, width, 0), true);
}

QSize WrapLayout::sizeHint() const
{
    const QMargins margins = contentsMargins();
    int width = 0;
    for (const auto &item : m_items)
        if (!item->isEmpty())
            width += item->sizeHint().width() + (width > 0 ? spacing() : 0);
    width += margins.left() + margins.right();
    return {width, heightForWidth(width)};
}

QSize WrapLayout::minimumSize() const
{
    QSize least;
    for (const auto &item : m_items)
        if (!item->isEmpty())
            least = least.expandedTo(item->minimumSize());
    return least.grownBy(contentsMargins());
}

void WrapLayout::setGeometry(const QRect &rect)
{
    QLayout::setGeometry(rect);
    place(rect, false);
}

int WrapLayout::place(const QRect &rect, bool isMeasuring) const
{
    const QMargins margins = contentsMargins();
    const QRect room = rect.marginsRemoved(margins);
    int y = room.top();
    int lineHeight = 0;
    std::vector<std::pair<QLayoutItem *, QRect>> line;
    const auto endLine = [&] {
        for (const auto &[item, at] : line)
            if (!isMeasuring)
                item->setGeometry(at.translated(0, (lineHeight - at.height()) / 2));
        line.clear();
    };
    int x = room.left();
    for (const auto &item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize wanted = item->sizeHint().expandedTo(item->minimumSize());
        const int width = std::min(wanted.width(), std::max(room.width(), item->minimumSize().width()));
        if (!line.empty() && x + width > room.left() + room.width()) {
            endLine();
            y += lineHeight + spacing();
            x = room.left();
            lineHeight = 0;
        }
        line.emplace_back(item.get(), QRect(x, y, width, wanted.height()));
        x += width + spacing();
        lineHeight = std::max(lineHeight, wanted.height());
    }
    endLine();
    return y + lineHeight - rect.top() + margins.bottom();
}

} // namespace attn
