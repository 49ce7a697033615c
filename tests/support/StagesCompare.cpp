#include "support/StagesCompare.h"

#include "support/JsonCompare.h"
#include "support/MatrixCompare.h"

using namespace Qt::StringLiterals;

namespace attn::test {

namespace {

std::vector<double> numbersOf(const Json &array)
{
    std::vector<double> numbers;
    for (const Json &number : array["data"].toArray())
        numbers.push_back(number.toDouble());
    return numbers;
}

} // namespace

QString arrayDifference(const Json &actual, const Json &expected, double tolerance)
{
    if (const QString found = jsonDifference(actual["shape"], expected["shape"], u"shape"_s);
        !found.isEmpty())
        return found;
    return matrixDifference(numbersOf(actual), numbersOf(expected), tolerance);
}

QString arraysDifference(const Json &actual, const Json &expected, double tolerance)
{
    for (const auto &[name, array] : expected.toObject()) {
        if (!actual.contains(name))
            return QString::fromStdString(name) + u" is missing"_s;
        const QString found = arrayDifference(actual[name], array, tolerance);
        if (!found.isEmpty())
            return QString::fromStdString(name) + u": "_s + found;
    }
    return {};
}

} // namespace attn::test
