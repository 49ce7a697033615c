#include "views/ProductsSettings.h"

#include <algorithm>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

Index indexIn(const QJsonObject &state, QLatin1String key, Index least, Index fallback)
{
    return std::max(least, static_cast<Index>(state.value(key).toInteger(static_cast<qint64>(fallback))));
}

} // namespace

QJsonObject productsToJson(const ProductsOptions &options)
{
    return {{u"product"_s, QString::fromLatin1(productName(options.choice.kind))},
            {u"head"_s, static_cast<qint64>(options.choice.head)},
            {u"i"_s, static_cast<qint64>(options.i)},
            {u"j"_s, static_cast<qint64>(options.j)},
            {u"k"_s, static_cast<qint64>(options.k)},
            {u"step"_s, static_cast<qint64>(options.step)},
            {u"largest_first"_s, options.order == LayerOrder::LargestFirst},
            {u"vectors_as_columns"_s, options.vectors == ProductsOptions::Vectors::AsColumns},
            {u"compact"_s, options.compact}};
}

ProductsOptions productsFromJson(const QJsonObject &state)
{
    ProductsOptions options;
    options.choice.kind =
        productFromName(state.value("product"_L1).toString().toStdString()).value_or(options.choice.kind);
    options.choice.head = indexIn(state, "head"_L1, -1, options.choice.head);
    options.i = indexIn(state, "i"_L1, 0, 0);
    options.j = indexIn(state, "j"_L1, 0, 0);
    options.k = indexIn(state, "k"_L1, 0, 0);
    options.step = indexIn(state, "step"_L1, -1, -1);
    if (state.value("largest_first"_L1).toBool())
        options.order = LayerOrder::LargestFirst;
    if (state.value("vectors_as_columns"_L1).toBool())
        options.vectors = ProductsOptions::Vectors::AsColumns;
    options.compact = state.value("compact"_L1).toBool();
    return options;
}

} // namespace attn
