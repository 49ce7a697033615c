#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace attn {

/// Beside each other in lines, like words: what has no room in a line goes to the next one.
class WrapLayout : public QLayout
{
    Q_OBJECT

public:
    explicit WrapLayout(QWidget *parent = nullptr);
    ~WrapLayout() override;

    /// What stays together, such as a field and its name. Takes ownership.
    void addLayout(QLayout *layout);
    void addItem(QLayoutItem *item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect &rect) override;

private:
    /// Places the items, or only measures; returns the height they take.
    int place(const QRect &rect, bool isMeasuring) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

} // namespace attn
