#include "engine/lab/DirectionSet.h"

#include "engine/lab/ConceptDirection.h"

namespace attn {

namespace {

Edit keptAs(const DirectionSet &set, const std::vector<double> &numbers,
            const std::vector<std::string> &names)
{
    const Index width = set.directions.width;
    const Index count = static_cast<Index>(numbers.size()) / width;
    const std::string lab = directionsLab(width);
    if (count == 0)
        return SetLab{lab, {}};
    return Compound{
        {SetLab{lab, Tensor::fromDoubles({1, count, width}, numbers)}, SetLabRowNames{lab, names}}};
}

} // namespace

std::string directionsLab(Index width)
{
    return "directions (" + std::to_string(width) + ")";
}

DirectionSet directionSet(const Experiment &experiment, const TokenVectors &vectors)
{
    DirectionSet set;
    const Tensor &kept = experiment.lab(directionsLab(vectors.width));
    set.isKept = !kept.isNull() && kept.cols() == vectors.width;
    if (set.isKept) {
        set.directions = tokenVectors(*valuesOf(kept), 0);
        for (Index i = 0; i < set.directions.count; ++i)
            set.names.push_back(experiment.labRowName(directionsLab(vectors.width), i));
        return set;
    }
    set.directions.width = vectors.width;
    const auto needsObject = needsObjectDirection();
    if (vectors.width == static_cast<Index>(needsObject.size()))
        set.directions.numbers.assign(needsObject.begin(), needsObject.end());
    else if (vectors.count >= 2)
        set.directions.numbers = differenceOf(vectors, 1, 0);
    else
        set.directions.numbers.assign(static_cast<std::size_t>(vectors.width), 1.0);
    set.directions.count = 1;
    set.names.emplace_back();
    return set;
}

Edit directionAdded(const DirectionSet &set, std::span<const double> direction, const std::string &name)
{
    std::vector<double> numbers = set.directions.numbers;
    numbers.insert(numbers.end(), direction.begin(), direction.end());
    std::vector<std::string> names = set.names;
    names.push_back(name);
    return keptAs(set, numbers, names);
}

Edit directionNamed(const DirectionSet &set, Index index, const std::string &name)
{
    std::vector<std::string> names = set.names;
    names[static_cast<std::size_t>(index)] = name;
    if (set.isKept)
        return SetLabRowNames{directionsLab(set.directions.width), names};
    return keptAs(set, set.directions.numbers, names);
}

Edit directionRemoved(const DirectionSet &set, Index index)
{
    std::vector<double> numbers = set.directions.numbers;
    const auto first = numbers.begin() + index * set.directions.width;
    numbers.erase(first, first + set.directions.width);
    std::vector<std::string> names = set.names;
    names.erase(names.begin() + index);
    return keptAs(set, numbers, names);
}

std::vector<double> differenceOf(const TokenVectors &vectors, Index to, Index from)
{
    std::vector<double> difference;
    for (std::size_t i = 0; i < vectors.row(to).size(); ++i)
        difference.push_back(vectors.row(to)[i] - vectors.row(from)[i]);
    return difference;
}

} // namespace attn
