#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>

namespace attn {

/// A spin box that takes any number to be typed, and says so when it is none of its range, instead of
/// dropping digits or changing it without a word: it keeps the value it had.
class LimitedSpinBox : public QSpinBox
{
    Q_OBJECT

public:
    using QSpinBox::QSpinBox;

signals:
    /// One sentence: what was typed, what is possible, and what stays.
    void refused(const QString &sentence) const;

protected:
    QValidator::State validate(QString &text, int &pos) const override;
    void fixup(QString &text) const override;
};

class LimitedDoubleSpinBox : public QDoubleSpinBox
{
    Q_OBJECT

public:
    using QDoubleSpinBox::QDoubleSpinBox;

signals:
    void refused(const QString &sentence) const;

protected:
    QValidator::State validate(QString &text, int &pos) const override;
    void fixup(QString &text) const override;
};

} // namespace attn
