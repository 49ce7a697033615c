#include "engine/derivation/DerivationBuilder.h"

#include "base/NumberText.h"
#include "base/VisibleLabel.h"
#include "engine/derivation/Formulas.h"

#include <cmath>

namespace attn {

namespace {

std::string rowTimesColumn(const std::string &row, Stage left, const std::string &col, Stage right)
{
    return "Row " + row + " of " + stageName(left) + " times column " + col + " of " + stageName(right);
}

} // namespace

void DerivationBuilder::deriveProjection()
{
    const bool isQuery = m_stage == Stage::Q;
    const Stage weight = isQuery ? Stage::Wq : (m_stage == Stage::K ? Stage::Wk : Stage::Wv);
    const Stage bias = isQuery ? Stage::Bq : (m_stage == Stage::K ? Stage::Bk : Stage::Bv);
    const Stage source = !isQuery && m_experiment.isGiven(Stage::Xkv) ? Stage::Xkv : Stage::X;
    if (!has(source) || !has(weight))
        return;
    const Index depth = m_snapshot.stage(weight).values->rows();
    std::vector<Term> terms =
        products(rowOf(source, 0, m_cell.row, 0, depth), colOf(weight, 0, 0, m_cell.col, depth));
    if (has(bias)) {
        const double b = at(bias, {0, 0, m_cell.col});
        terms.push_back({-1, b, 0.0, b});
    }
    addSum(rowTimesColumn(visibleLabel(rowLabel(m_experiment, source, m_cell.row)), source,
                          visibleLabel(colLabel(m_experiment, weight, m_cell.col)), weight) +
               (has(bias) ? ", plus the bias" : ""),
           std::move(terms), [&](Index k) -> Names {
               if (k < 0)
                   return {name(bias, {0, 0, m_cell.col}), {}};
               return {name(source, {0, m_cell.row, k}), name(weight, {0, k, m_cell.col})};
           });
}

void DerivationBuilder::deriveSplit()
{
    const Stage whole = m_stage == Stage::Qh ? Stage::Q : (m_stage == Stage::Kh ? Stage::K : Stage::V);
    if (!has(whole))
        return;
    const Index width = m_snapshot.stage(m_stage).values->cols();
    const CellIndex from{0, m_cell.row, m_cell.head * width + m_cell.col};
    DerivationStep &step = addStep(DerivationStep::Kind::Copy,
                                   std::string("The same number as in ") + stageName(whole), at(whole, from));
    addTerm(step, name(whole, from), at(whole, from));
}

void DerivationBuilder::deriveRotation()
{
    const bool isQuery = m_stage == Stage::Qr;
    const Stage whole = isQuery ? Stage::Q : Stage::K;
    if (!has(whole) || !m_experiment.rotary)
        return;
    const Rotary &rotary = *m_experiment.rotary;
    const Index width = m_sizes.dHeadK;
    const Index turned = rotary.rotDim.value_or(width - width % 2);
    const Index first = m_cell.head * width;
    const CellIndex own{0, m_cell.row, first + m_cell.col};
    if (m_cell.col >= turned) {
        DerivationStep &step =
            addStep(DerivationStep::Kind::Copy, "Not among the columns that turn", at(whole, own));
        addTerm(step, name(whole, own), at(whole, own));
        return;
    }
    const bool isInterleaved = rotary.pairing == Rotary::Pairing::Interleaved;
    const Index half = turned / 2;
    const Index pair = isInterleaved ? m_cell.col / 2 : m_cell.col % half;
    const bool isFirst = isInterleaved ? m_cell.col % 2 == 0 : m_cell.col < half;
    const Index step = isInterleaved ? 1 : half;
    const CellIndex partner{0, m_cell.row, own.col + (isFirst ? step : -step)};
    const Index position = m_cell.row + (isQuery ? m_experiment.qOffset : 0);
    const double angle =
        static_cast<double>(position) *
        std::pow(rotary.base, -2.0 * static_cast<double>(pair) / static_cast<double>(turned));
    const double cosine = std::cos(angle);
    const double sine = isFirst ? -std::sin(angle) : std::sin(angle);
    const double x = at(whole, own);
    const double y = at(whole, partner);
    DerivationStep &turn = addStep(
        DerivationStep::Kind::Rotate,
        "Pair " + std::to_string(pair + 1) + " at position " + std::to_string(position) + " turns by " +
            std::to_string(position) + " · " + shortestText(rotary.base) + "^(−" + std::to_string(2 * pair) +
            "/" + std::to_string(turned) + ") = " + significantText(angle, 10) + " radians",
        x * cosine + y * sine);
    turn.terms.push_back({name(whole, own), "cos", x, cosine, x * cosine});
    turn.terms.push_back({name(whole, partner), isFirst ? "−sin" : "sin", y, sine, y * sine});
}

void DerivationBuilder::deriveScores()
{
    const bool isQRotated = has(Stage::Qr);
    const bool isKRotated = has(Stage::Kr);
    const Stage left = isQRotated ? Stage::Qr : Stage::Q;
    const Stage right = isKRotated ? Stage::Kr : Stage::K;
    if (!has(left) || !has(right))
        return;
    const Index width = m_sizes.dHeadK;
    const Index kv = kvHead(m_cell.head);
    const Index qFirst = isQRotated ? 0 : m_cell.head * width;
    const Index kFirst = isKRotated ? 0 : kv * width;
    const Index qPage = isQRotated ? m_cell.head : 0;
    const Index kPage = isKRotated ? kv : 0;
    addSum("Dot product of row " + visibleLabel(rowLabel(m_experiment, left, m_cell.row)) + " of " +
               stageName(left) + " and row " + visibleLabel(rowLabel(m_experiment, right, m_cell.col)) +
               " of " + stageName(right),
           products(rowOf(left, qPage, m_cell.row, qFirst, width),
                    rowOf(right, kPage, m_cell.col, kFirst, width)),
           [&](Index k) -> Names {
               return {name(left, {qPage, m_cell.row, qFirst + k}),
                       name(right, {kPage, m_cell.col, kFirst + k})};
           });
}

void DerivationBuilder::deriveScaled()
{
    if (!has(Stage::Scores))
        return;
    const double score = at(Stage::Scores, m_cell);
    DerivationStep &step = addStep(DerivationStep::Kind::Scale, "The score times " + scaleText(m_experiment),
                                   score * m_sizes.scale);
    step.terms.push_back(
        {name(Stage::Scores, m_cell), scaleText(m_experiment), score, m_sizes.scale, score * m_sizes.scale});
}

void DerivationBuilder::deriveHeadOut()
{
    if (!has(Stage::A) || !has(Stage::V))
        return;
    const Index keys = m_sizes.nK;
    const Index vCol = kvHead(m_cell.head) * m_sizes.dHeadV + m_cell.col;
    addSum("Values mixed by the weights of row " + visibleLabel(rowLabel(m_experiment, Stage::A, m_cell.row)),
           products(rowOf(Stage::A, m_cell.head, m_cell.row, 0, keys), colOf(Stage::V, 0, 0, vCol, keys)),
           [&](Index j) -> Names {
               return {name(Stage::A, {m_cell.head, m_cell.row, j}), name(Stage::V, {0, j, vCol})};
           });
}

void DerivationBuilder::deriveConcat()
{
    if (!has(Stage::HeadOut))
        return;
    const Index width = m_snapshot.stage(Stage::HeadOut).values->cols();
    const CellIndex from{m_cell.col / width, m_cell.row, m_cell.col % width};
    DerivationStep &step =
        addStep(DerivationStep::Kind::Copy,
                "Column " + std::to_string(from.col + 1) + " of head " + std::to_string(from.head + 1),
                at(Stage::HeadOut, from));
    addTerm(step, name(Stage::HeadOut, from), at(Stage::HeadOut, from));
}

void DerivationBuilder::deriveOutput()
{
    if (!has(Stage::Concat))
        return;
    std::vector<Term> terms;
    const bool hasWo = has(Stage::Wo);
    const bool hasBo = has(Stage::Bo);
    if (hasWo) {
        const Index depth = m_snapshot.stage(Stage::Wo).values->rows();
        terms = products(rowOf(Stage::Concat, 0, m_cell.row, 0, depth),
                         colOf(Stage::Wo, 0, 0, m_cell.col, depth));
    } else {
        const double value = at(Stage::Concat, m_cell);
        if (!hasBo) {
            DerivationStep &step = addStep(DerivationStep::Kind::Copy,
                                           "Without W^O the output is the concatenated heads", value);
            addTerm(step, name(Stage::Concat, m_cell), value);
            return;
        }
        terms.push_back({m_cell.col, value, 0.0, value});
    }
    if (hasBo) {
        const double b = at(Stage::Bo, {0, 0, m_cell.col});
        terms.push_back({-1, b, 0.0, b});
    }
    const std::string mapped =
        rowTimesColumn(visibleLabel(rowLabel(m_experiment, Stage::Concat, m_cell.row)), Stage::Concat,
                       visibleLabel(colLabel(m_experiment, Stage::Wo, m_cell.col)), Stage::Wo);
    addSum((hasWo ? mapped : std::string("The concatenated heads")) + (hasBo ? ", plus the bias" : ""),
           std::move(terms), [&](Index k) -> Names {
               if (k < 0)
                   return {name(Stage::Bo, {0, 0, m_cell.col}), {}};
               return {name(Stage::Concat, {0, m_cell.row, k}),
                       hasWo ? name(Stage::Wo, {0, k, m_cell.col}) : std::string()};
           });
}

void DerivationBuilder::deriveContribution()
{
    if (!has(Stage::Concat))
        return;
    const Index width = m_snapshot.stage(Stage::Concat).values->cols() / m_sizes.nHeads;
    const Index first = m_cell.head * width;
    const std::string head = "head " + std::to_string(m_cell.head + 1);
    if (!has(Stage::Wo)) {
        const bool isOwn = m_cell.col >= first && m_cell.col < first + width;
        const CellIndex from{0, m_cell.row, m_cell.col};
        DerivationStep &step = addStep(DerivationStep::Kind::Copy,
                                       isOwn ? "Without W^O: the columns of " + head
                                             : "Without W^O, " + head + " fills other columns",
                                       isOwn ? at(Stage::Concat, from) : 0.0);
        if (isOwn)
            addTerm(step, name(Stage::Concat, from), at(Stage::Concat, from));
        return;
    }
    addSum("The columns of " + head + " times its rows of W^O",
           products(rowOf(Stage::Concat, 0, m_cell.row, first, width),
                    colOf(Stage::Wo, 0, first, m_cell.col, width)),
           [&](Index k) -> Names {
               return {name(Stage::Concat, {0, m_cell.row, first + k}),
                       name(Stage::Wo, {0, first + k, m_cell.col})};
           });
}

} // namespace attn
