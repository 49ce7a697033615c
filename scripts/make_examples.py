#!/usr/bin/env python3
"""Writes resources/examples/*.attn from the golden states and trained records in tests/data.

usage: python3 scripts/make_examples.py     (standard library only; rewrites exactly the same files)
"""

import json
import pathlib
import random
import struct

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "data" / "golden"
RECORDS = ROOT / "tests" / "data" / "records"
TARGET = ROOT / "resources" / "examples"

PRINTED_DECIMALS = {"X": 1, "Wq": 1, "Q": 2, "K": 2, "V": 2}

def source(stage, cell, basis="inputs", quantity="values", along="row"):
    """What a printed fact is the value of: a stage from the cell [head, row, col] on."""
    return {"quantity": quantity, "stage": stage, "cell": cell, "along": along, "basis": basis}


# What the worked example prints in prose only, and what it is the value of (None: nothing in the document says).
FACTS_ONE_HEAD = [
    ("Q[I, f1]", [0.38], 2, source("Q", [0, 0, 0])),
    ("Q[I, f1] in the part on several heads", [0.39], 2, source("Q", [0, 0, 0])),
    ("K transposed", [0.45, 0.31, 0.34, 0.49, 0.22, 0.39, 0.29, 0.38, 0.30, 0.20, 0.44, 0.46, 0.55, 0.43, 0.33, 0.33,
                      0.24, 0.37, 0.28, 0.35, 0.40, 0.28, 0.46, 0.51], 2, source("K", [0, 0, 0], "shown", "transposed")),
    ("q_love · k_prog", [0.90], 2, source("scores", [0, 1, 3])),
    ("square root of d_k = 6", [2.449], 3, {"quantity": "root_of_width"}),
    ("row love: exponentials", [1.374, 1.342, 1.358, 1.443], 3,
     source("scaled", [0, 1, 0], "shown", "exponentials")),
    ("row love: sum of the exponentials", [5.517], 3, source("scaled", [0, 1, 0], "shown", "exponential_sum")),
    ("row love: softmax, from the printed scaled scores", [0.249, 0.243, 0.246, 0.262], 3, source("A", [0, 1, 0])),
    ("row love: softmax, from the printed Q and K", [0.249, 0.243, 0.246, 0.262], 3,
     source("A", [0, 1, 0], "projections")),
    ("nearly even: the smallest and the largest weight", [0.243, 0.262], 3,
     source("A", [0, 0, 0], "inputs", "range")),
    ("row love of the output", [0.380, 0.410, 0.360, 0.381, 0.411, 0.349], 3, source("output", [0, 1, 0])),
    ("footprint of prog: its weight in each row", [0.15, 0.50, 0.50, 0.15], 2,
     source("A", [0, 0, 3], "shown", "values", "column")),
    ("comparison: row love with one head", [0.3, 0.1, 0.1, 0.5], 2, source("A", [0, 1, 0], "shown")),
    ("direction that needs an object", [0.3, 0.5, 0.1, 0.6, 0.2, 0.4], 1, None),
]
FACTS_TWO_HEADS = [
    ("Q[I, f1] in the part on several heads", [0.39], 2, source("Q", [0, 0, 0])),
    ("comparison: row love with one head", [0.3, 0.1, 0.1, 0.5], 1, None),
    ("comparison: row love in head A", [0.1, 0.1, 0.1, 0.7], 1, source("A", [0, 1, 0], "shown")),
    ("comparison: row love in head B", [0.6, 0.1, 0.1, 0.2], 1, source("A", [1, 1, 0], "shown")),
]

NO_WEIGHTS_PRINTED = ("W^K and W^V are not printed in the source; these give its printed K and V exactly.")
CHOSEN_WO = "W^O is not printed in the source; this one is chosen."

# name: (golden file, title, notes, decimals, facts)
FROM_GOLDEN = {
    "computed": ("seed_a_computed", "Worked example: everything computed",
                 "Four tokens, one head of width 6, all computed from X. " + NO_WEIGHTS_PRINTED, {}, []),
    "as-printed": ("seed_g_as_printed", "Worked example: as printed",
                   "Q, K, V, scores, scaled, A and output are pinned to the numbers that the source prints. Unpin a "
                   "stage to see what it really is.", None, FACTS_ONE_HEAD),
    "as-printed-two-heads": ("seed_g2_as_printed_two_heads", "Worked example: as printed, two heads",
                             "Q, K, V and both weight matrices are pinned to the numbers that the source prints. "
                             + CHOSEN_WO, None, FACTS_TWO_HEADS),
    "by-hand": ("seed_c_attention_pinned", "Worked example: attention set by hand",
                "A is set by hand: it is not the softmax of the scores. The output follows from it.",
                {**PRINTED_DECIMALS, "A": 2}, []),
    "two-heads": ("seed_d1x_two_heads_from_x", "Two heads: everything computed",
                  "The same weights cut into two heads of width 3. " + CHOSEN_WO, {}, []),
    "two-heads-by-hand": ("seed_d2_two_heads_attention_pinned", "Two heads: attention set by hand",
                          "Both weight matrices are set by hand. " + CHOSEN_WO, {**PRINTED_DECIMALS, "A": 1}, []),
    "causal": ("seed_e_a_causal", "Causal mask: everything computed",
               "Each token sees itself and what comes before it.", {}, []),
    "causal-by-hand": ("seed_e_c_causal_renormalised", "Causal mask: attention set by hand",
                       "The scaled scores are pinned to ln A of the matrix set by hand, so that the mask leaves each "
                       "row of it restricted to the past and summing to 1.", {}, []),
    "cross": ("seed_f_cross_attention", "Cross-attention: Chinese asks English",
              "Queries from three Chinese tokens, keys and values from the four English ones. The Chinese token "
              "vectors are chosen.", {}, []),
    "cross-two-heads": ("seed_f2_cross_attention_two_heads", "Cross-attention: two heads",
                        "The same with two heads. The Chinese token vectors and W^O are chosen.", {}, []),
}


def is_scalar(value):
    return not isinstance(value, (list, dict))


def is_flat(value):
    return isinstance(value, list) and all(map(is_scalar, value))


def text(value, indent=0):
    """JSON as the program writes it: lists of numbers and short objects on one line."""
    if is_scalar(value):
        return json.dumps(value, ensure_ascii=False)
    parts = value if isinstance(value, list) else list(value.values())
    short = is_flat(value) if isinstance(value, list) else len(parts) <= 4 and all(
        is_scalar(part) or is_flat(part) for part in parts)
    items = [text(part, indent + 1) for part in parts]
    if isinstance(value, dict):
        items = [f"{json.dumps(key, ensure_ascii=False)}: {item}" for key, item in zip(value, items)]
    opening, closing = "[]" if isinstance(value, list) else "{}"
    if short:
        return opening + ", ".join(items) + closing
    line = "\n" + " " * (indent + 1)
    return opening + line + ("," + line).join(items) + "\n" + " " * indent + closing


def write(name, title, notes, state, decimals, facts):
    document = {
        "format": "attnscope", "version": 1, "title": title, "notes": notes, "precision": "float64", "state": state,
        "decimals": decimals,
        "printed_facts": [{"name": n, "values": v, "decimals": d, **({"source": s} if s else {})}
                          for n, v, d, s in facts],
    }
    (TARGET / f"{name}.attn").write_text(text(document) + "\n", encoding="utf-8")


def matrix(rows):
    return {"shape": [len(rows), len(rows[0])], "data": [number for row in rows for number in row]}


def four_sizes():
    """n = 5, d_model = 4, d_k = 3, d_v = 2: a wrong transposition or axis cannot hide."""
    draw = random.Random(4)

    def rows(count, width, step, most):
        return matrix([[round(draw.randint(-most, most) * step, 1) for _ in range(width)] for _ in range(count)])

    state = {"tokens": ["The", "cat", "drinks", "warm", "milk"], "X": rows(5, 4, 0.1, 10), "Wq": rows(4, 3, 0.5, 4),
             "Wk": rows(4, 3, 0.5, 4), "Wv": rows(4, 2, 0.5, 3), "Wo": rows(2, 4, 0.5, 2), "h": 1, "h_kv": 1}
    write("four-sizes", "Four different sizes",
          "5 tokens, d_model = 4, d_k = 3, d_v = 2: every shape tells which axis it is.", state, {}, [])


def safetensors(path):
    raw = path.read_bytes()
    (size,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        if entry["dtype"] == "F32":
            data = struct.unpack(f"<{(end - begin) // 4}f", raw[8 + size + begin:8 + size + end])
            tensors[name] = {"dtype": "float32", "shape": entry["shape"], "data": list(data)}
    return tensors


def trained_stories():
    tensors = safetensors(RECORDS / "stories260K" / "lily-L2.safetensors")
    sentences = json.loads((RECORDS / "stories260K" / "tokens.json").read_text(encoding="utf-8"))
    tokens = sentences["lily"]["tokens"]
    licence = (TARGET / "LICENSES.md").read_text(encoding="utf-8").split("## trained-stories\n", 1)[1].strip()
    state = {"tokens": tokens, "X": tensors["X"], "Wq": tensors["WQ"], "Wk": tensors["WK"], "Wv": tensors["WV"],
             "Wo": tensors["WO"], "h": 8, "h_kv": 4, "rope": {"mode": "interleaved", "base": 10000.0, "rot_dim": None},
             "mask": {"causal": True}}
    write("trained-stories", "Trained model: one layer of a story teller",
          "Layer 2 of stories260K: 8 query heads share 4 key/value heads of width 8, rotary positions on neighbouring "
          "pairs, causal.\n\n" + licence, state, {}, [])


def main():
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, (source, title, notes, decimals, facts) in FROM_GOLDEN.items():
        golden = json.loads((GOLDEN / f"{source}.json").read_text(encoding="utf-8"))
        if decimals is None:
            decimals = {**PRINTED_DECIMALS, **golden["printed_decimals"]}
        write(name, title, notes, golden["state"], decimals, facts)
    four_sizes()
    trained_stories()


if __name__ == "__main__":
    main()
