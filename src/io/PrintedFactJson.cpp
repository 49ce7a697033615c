#include "io/PrintedFactJson.h"

#include "io/StateFields.h"

#include <array>
#include <span>

namespace attn {

namespace {

template<typename Value>
struct NamedValue
{
    Value value;
    const char *name;
};

constexpr std::array quantityNames = {
    NamedValue<FactSource::Quantity>{FactSource::Quantity::Values, "values"},
    NamedValue<FactSource::Quantity>{FactSource::Quantity::Exponentials, "exponentials"},
    NamedValue<FactSource::Quantity>{FactSource::Quantity::ExponentialSum, "exponential_sum"},
    NamedValue<FactSource::Quantity>{FactSource::Quantity::RootOfWidth, "root_of_width"},
    NamedValue<FactSource::Quantity>{FactSource::Quantity::Range, "range"},
    NamedValue<FactSource::Quantity>{FactSource::Quantity::Transposed, "transposed"},
};
constexpr std::array basisNames = {
    NamedValue<FactSource::Basis>{FactSource::Basis::Shown, "shown"},
    NamedValue<FactSource::Basis>{FactSource::Basis::Inputs, "inputs"},
    NamedValue<FactSource::Basis>{FactSource::Basis::Projections, "projections"},
};
constexpr std::array alongNames = {NamedValue<bool>{false, "row"}, NamedValue<bool>{true, "column"}};

template<typename Value, std::size_t count>
const char *nameOf(const std::array<NamedValue<Value>, count> &names, Value value)
{
    for (const NamedValue<Value> &entry : names)
        if (entry.value == value)
            return entry.name;
    return names.front().name;
}

/// The first value when the member is missing.
template<typename Value, std::size_t count>
Value namedField(JsonFields &fields, std::string_view key, const std::array<NamedValue<Value>, count> &names)
{
    if (!fields.has(key))
        return names.front().value;
    const std::string text = fields.text(key);
    std::string expected;
    for (const NamedValue<Value> &entry : names) {
        if (text == entry.name)
            return entry.value;
        expected += (expected.empty() ? "" : ", ") + std::string(entry.name);
    }
    if (fields.ok())
        fields.fail(key, "expected one of " + expected + ", found " + text);
    return names.front().value;
}

Json sourceToJson(const FactSource &source)
{
    Json::Object object{{"quantity", nameOf(quantityNames, source.quantity)}};
    if (source.quantity == FactSource::Quantity::RootOfWidth)
        return object;
    object.emplace_back("stage", stageName(source.stage));
    object.emplace_back("cell", Json::Array{integerJson(source.cell.head), integerJson(source.cell.row),
                                            integerJson(source.cell.col)});
    object.emplace_back("along", nameOf(alongNames, source.alongColumn));
    object.emplace_back("basis", nameOf(basisNames, source.basis));
    return object;
}

CellIndex cellField(JsonFields &fields, std::string_view key)
{
    const std::vector<double> numbers = fields.numbers(key);
    const auto isIndex = [](double number) {
        return number >= 0.0 && number <= static_cast<double>(maxStateInteger) &&
               number == static_cast<double>(static_cast<Index>(number));
    };
    if (numbers.size() != 3 || !isIndex(numbers[0]) || !isIndex(numbers[1]) || !isIndex(numbers[2])) {
        if (fields.ok())
            fields.fail(key, "expected [head, row, column]");
        return {};
    }
    return {static_cast<Index>(numbers[0]), static_cast<Index>(numbers[1]), static_cast<Index>(numbers[2])};
}

std::optional<FactSource> sourceField(JsonFields &parent, std::string_view key)
{
    if (!parent.has(key))
        return std::nullopt;
    FactSource source;
    JsonFields fields(parent.object(key), parent.fieldName(key));
    source.quantity = namedField(fields, "quantity", quantityNames);
    if (source.quantity != FactSource::Quantity::RootOfWidth) {
        const std::string name = fields.text("stage");
        if (const std::optional<Stage> stage = stageFromName(name))
            source.stage = *stage;
        else if (fields.ok())
            fields.fail("stage", "there is no stage " + name);
        source.cell = cellField(fields, "cell");
        source.alongColumn = namedField(fields, "along", alongNames);
        source.basis = namedField(fields, "basis", basisNames);
    }
    if (!fields.ok())
        parent.fail(fields.error());
    return source;
}

} // namespace

Json printedFactsToJson(const std::vector<PrintedFact> &facts)
{
    Json::Array list;
    for (const PrintedFact &fact : facts) {
        Json::Array values;
        for (const double value : fact.values)
            values.push_back(Json::number(value));
        Json::Object object{{"name", fact.name}, {"values", std::move(values)}, {"decimals", fact.decimals}};
        if (fact.source)
            object.emplace_back("source", sourceToJson(*fact.source));
        list.push_back(std::move(object));
    }
    return list;
}

std::vector<PrintedFact> printedFactsField(JsonFields &parent, std::string_view key)
{
    std::vector<PrintedFact> facts;
    if (!parent.has(key))
        return facts;
    if (!parent.at(key).isArray())
        parent.fail(key, std::string("expected a list, found ") + jsonKind(parent.at(key)));
    for (const Json &item : parent.at(key).toArray()) {
        JsonFields fields(item, parent.fieldName(key) + "[" + std::to_string(facts.size()) + "]");
        PrintedFact fact;
        if (fields.ok()) {
            fact.name = fields.text("name");
            fact.values = fields.numbers("values");
            fact.decimals = static_cast<int>(fields.integer("decimals", fact.decimals, 0, 17));
            fact.source = sourceField(fields, "source");
        }
        if (!fields.ok()) {
            parent.fail(fields.error());
            break;
        }
        facts.push_back(std::move(fact));
    }
    return facts;
}

} // namespace attn
