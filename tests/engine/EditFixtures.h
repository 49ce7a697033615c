#pragma once

#include "engine/Edit.h"

#include <QtGlobal>

namespace attn::test {

/// Numbers that are all different, so that a wrong row or column shows.
inline Tensor counting(Index rows, Index cols, double first = 0.0, Index heads = 1)
{
    std::vector<double> numbers;
    for (Index i = 0; i < heads * rows * cols; ++i)
        numbers.push_back(first + static_cast<double>(i));
    return Tensor::fromDoubles({heads, rows, cols}, numbers);
}

/// 4 tokens, d_model 5, 2 heads of d_k 3 and d_v 2, d_out 7: no two sizes alike.
inline Experiment twoHeads()
{
    Experiment e;
    e.tokens = TokenList({"I", "love", "GPU", "prog"});
    e.nHeads = 2;
    e.nKvHeads = 2;
    e.given = {{Stage::X, counting(4, 5)},       {Stage::Wq, counting(5, 6, 100)},
               {Stage::Wk, counting(5, 6, 200)}, {Stage::Wv, counting(5, 4, 300)},
               {Stage::Wo, counting(4, 7, 400)}, {Stage::Bq, counting(1, 6, 500)},
               {Stage::Bo, counting(1, 7, 600)}, {Stage::MaskPadding, Tensor::filled({1, 1, 4}, 1.0)}};
    return e;
}

/// 3 query tokens over 4 key tokens, Q, K, V given.
inline Experiment givenCross()
{
    Experiment e;
    e.tokens = TokenList({"a", "b", "c"});
    e.tokensKv = TokenList({"k", "l", "m", "n"});
    e.nHeads = 2;
    e.nKvHeads = 1;
    e.given = {{Stage::Q, counting(3, 4)}, {Stage::K, counting(4, 2, 50)}, {Stage::V, counting(4, 3, 80)}};
    return e;
}

inline Experiment givenScores()
{
    Experiment e;
    e.tokens = TokenList({"a", "b"});
    e.nHeads = 2;
    e.nKvHeads = 2;
    e.statedDHeadK = 3;
    e.given = {{Stage::Scores, counting(2, 2, 0, 2)}, {Stage::V, counting(2, 4)}};
    return e;
}

inline Experiment with(Experiment e, const Edit &edit)
{
    Result<EditOutcome> outcome = applyEdit(e, edit);
    if (!outcome)
        qFatal("%s", outcome.error().message.c_str());
    return std::move(outcome->experiment);
}

inline Experiment pinned()
{
    Experiment e = with(twoHeads(), PinCells{Stage::A, {{{1, 1, 3}, 0.5}, {{0, 2, 0}, 0.25}}});
    e = with(e, PinCells{Stage::Q, {{{0, 1, 2}, 9.0}, {{0, 1, 4}, 8.0}}});
    return with(e, PinStage{Stage::Scores, counting(4, 4, 0, 2)});
}

} // namespace attn::test
