#include "widgets/LimitedSpinBox.h"

#include <QCoreApplication>

#include <optional>

namespace attn {

namespace {

/// The number between prefix and suffix.
template<typename Box>
std::optional<double> typedNumber(const Box &box, QString text)
{
    if (text.startsWith(box.prefix()))
        text.remove(0, box.prefix().size());
    if (!box.suffix().isEmpty() && text.endsWith(box.suffix()))
        text.chop(box.suffix().size());
    bool isNumber = false;
    const double number = box.locale().toDouble(text.trimmed(), &isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

/// Whether it is a number outside of the range; such may be typed, but are not taken.
template<typename Box>
bool isOutside(const Box &box, const QString &text)
{
    const std::optional<double> number = typedNumber(box, text);
    return number && (*number < double(box.minimum()) || *number > double(box.maximum()));
}

/// textOf: how the box writes a number of its own.
template<typename Box, typename TextOf>
QString refusal(const Box &box, const QString &text, TextOf textOf)
{
    const auto shown = [&](auto number) {
        if (number == box.minimum() && !box.specialValueText().isEmpty())
            return box.specialValueText();
        return QString(box.prefix() + textOf(number) + box.suffix()).trimmed();
    };
    return QCoreApplication::translate("LimitedSpinBox", "“%1” lies outside of %2 … %3: %4 stays.")
        .arg(text.trimmed(), shown(box.minimum()), shown(box.maximum()), shown(box.value()));
}

} // namespace

QValidator::State LimitedSpinBox::validate(QString &text, int &pos) const
{
    const QValidator::State state = QSpinBox::validate(text, pos);
    return state == QValidator::Invalid && isOutside(*this, text) ? QValidator::Intermediate : state;
}

void LimitedSpinBox::fixup(QString &text) const
{
    QSpinBox::fixup(text);
    if (isOutside(*this, text))
        emit refused(refusal(*this, text, [this](int number) { return textFromValue(number); }));
}

QValidator::State LimitedDoubleSpinBox::validate(QString &text, int &pos) const
{
    const QValidator::State state = QDoubleSpinBox::validate(text, pos);
    return state == QValidator::Invalid && isOutside(*this, text) ? QValidator::Intermediate : state;
}

void LimitedDoubleSpinBox::fixup(QString &text) const
{
    QDoubleSpinBox::fixup(text);
    if (isOutside(*this, text))
        emit refused(refusal(*this, text, [this](double number) { return textFromValue(number); }));
}

} // namespace attn
