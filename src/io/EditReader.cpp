#include "io/StateJson.h"

#include "io/JsonFields.h"
#include "io/StateFields.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace attn {

namespace {

/// Carries one edit from its fields; a wrong field is left in `fields`.
using EditReader = Edit (*)(JsonFields &fields, const Experiment &before);

Stage stageField(JsonFields &fields, std::string_view key)
{
    const std::string name = fields.text(key);
    const std::optional<Stage> stage = stageFromName(name);
    if (!stage)
        fields.fail(key, "there is no stage \"" + name + "\"");
    return stage.value_or(Stage::X);
}

Index positionField(JsonFields &fields, std::string_view key)
{
    if (!fields.has(key))
        fields.fail(key, "missing");
    return fields.integer(key, 0, 0, maxStateInteger);
}

double numberField(JsonFields &fields, std::string_view key)
{
    if (!fields.has(key))
        fields.fail(key, "missing");
    return fields.number(key, 0.0);
}

TokenSide sideField(JsonFields &fields)
{
    const std::string side = fields.text("side", "q");
    if (side != "q" && side != "kv")
        fields.fail("side", "expected \"q\" or \"kv\", found \"" + side + "\"");
    return side == "kv" ? TokenSide::KeyValue : TokenSide::Query;
}

CellIndex cellField(JsonFields &fields)
{
    return {fields.integer("head", 0, 0, maxStateInteger), positionField(fields, "row"),
            positionField(fields, "col")};
}

/// A mask that is one matrix per head takes the value in every head.
Edit maskCells(Stage stage, const CellIndex &cell, double value, const Experiment &before)
{
    const Index heads = before.isGiven(stage) ? before.matrix(stage).heads() : 1;
    SetCells edit{stage, {}};
    for (Index head = 0; head < heads; ++head)
        edit.cells.push_back({{head, cell.row, cell.col}, value});
    return edit;
}

std::vector<CellIndex> positionsOf(const std::vector<CellValue> &cells)
{
    std::vector<CellIndex> positions;
    for (const CellValue &cell : cells)
        positions.push_back(cell.cell);
    return positions;
}

Edit readSetHeads(JsonFields &fields, const Experiment &)
{
    SetHeads edit;
    edit.nHeads = fields.integer("h", 1, 1, maxStateInteger);
    edit.nKvHeads = fields.integer("h_kv", edit.nHeads, 1, maxStateInteger);
    for (const Stage stage : {Stage::Wk, Stage::Wv, Stage::Bk, Stage::Bv})
        if (Tensor matrix = fields.tensor(stageName(stage)); !matrix.isNull())
            edit.newMatrices[stage] = std::move(matrix);
    return edit;
}

Edit readInsertToken(JsonFields &fields, const Experiment &)
{
    InsertToken edit{sideField(fields), positionField(fields, "index"), fields.text("token"), {}};
    if (const Tensor row = fields.tensor("row"); !row.isNull()) {
        if (row.heads() != 1 || row.rows() != 1)
            fields.fail("row", "expected one row, found shape " + shapeText(row.shape()));
        edit.row = row.toDoubles();
    }
    return edit;
}

Axis dimensionField(JsonFields &fields)
{
    const std::string name = fields.text("axis");
    const std::optional<Axis> axis = dimensionFromName(name);
    if (!axis)
        fields.fail("axis", "there is no dimension \"" + name + "\"");
    return axis.value_or(Axis::Model);
}

Edit readPrecision(JsonFields &fields, const Experiment &)
{
    const std::optional<Precision> precision = precisionFromName(fields.text("value"));
    if (!precision)
        fields.fail("value", "expected \"float64\" or \"float32\"");
    return SetPrecision{precision.value_or(Precision::Float64)};
}

Edit readCompound(JsonFields &fields, const Experiment &before)
{
    Compound compound;
    if (!fields.at("edits").isArray())
        fields.fail("edits", "expected a list of edits");
    for (const Json &part : fields.at("edits").toArray()) {
        Result<Edit> edit = editFromJson(part, before);
        if (!edit) {
            fields.fail(edit.error());
            break;
        }
        compound.edits.push_back(std::move(*edit));
    }
    return compound;
}

struct EditForm
{
    std::string_view op;
    EditReader read;
};

constexpr std::array editForms = {
    EditForm{"set_cell",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetCells{stageField(f, "matrix"), {{cellField(f), numberField(f, "value")}}};
             }},
    EditForm{"set_cells",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetCells{stageField(f, "matrix"), cellTableField(f, "cells")};
             }},
    EditForm{"set_matrix",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetTensor{stageField(f, "matrix"), f.tensor("value")};
             }},
    EditForm{"pin_cell",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return PinCells{stageField(f, "stage"), {{cellField(f), numberField(f, "value")}}};
             }},
    EditForm{"pin_cells",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return PinCells{stageField(f, "stage"), cellTableField(f, "cells")};
             }},
    EditForm{"unpin_cell",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return UnpinCells{stageField(f, "stage"), {cellField(f)}};
             }},
    EditForm{"unpin_cells",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return UnpinCells{stageField(f, "stage"), positionsOf(cellTableField(f, "cells"))};
             }},
    EditForm{"pin_matrix",
             [](JsonFields &f, const Experiment &) -> Edit {
                 if (!f.has("value"))
                     f.fail("value", "missing");
                 return PinStage{stageField(f, "stage"), f.tensor("value")};
             }},
    EditForm{"unpin_matrix",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return UnpinStage{stageField(f, "stage")};
             }},
    EditForm{"mask_cell",
             [](JsonFields &f, const Experiment &before) -> Edit {
                 return maskCells(Stage::MaskBool, cellField(f), f.boolean("allowed", true) ? 1.0 : 0.0,
                                  before);
             }},
    EditForm{"bias_cell",
             [](JsonFields &f, const Experiment &before) -> Edit {
                 return maskCells(Stage::MaskAdd, cellField(f), numberField(f, "value"), before);
             }},
    EditForm{"set_padding",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetCells{Stage::MaskPadding,
                                 {{{0, 0, positionField(f, "key")}, f.boolean("real", true) ? 1.0 : 0.0}}};
             }},
    EditForm{"set_alibi",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetTensor{Stage::MaskAlibi, f.tensor("value")};
             }},
    EditForm{"set_heads", readSetHeads},
    EditForm{"set_scale",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetScale{f.optionalNumber("value")};
             }},
    EditForm{"set_q_offset",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetQOffset{f.integer("value", 0, -maxStateInteger, maxStateInteger)};
             }},
    EditForm{"set_rope",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetRotary{rotaryField(f, "value")};
             }},
    EditForm{"set_causal",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetCausal{f.boolean("value", false)};
             }},
    EditForm{"set_window",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetWindow{windowField(f, "value")};
             }},
    EditForm{"set_precision", readPrecision},
    EditForm{"insert_token", readInsertToken},
    EditForm{"delete_token",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return DeleteToken{sideField(f), positionField(f, "index")};
             }},
    EditForm{"rename_token",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return RenameToken{sideField(f), positionField(f, "index"), f.text("token")};
             }},
    EditForm{"move_token",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return MoveToken{sideField(f), positionField(f, "from"), positionField(f, "to")};
             }},
    EditForm{"set_tokens",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetTokens{sideField(f), f.texts("tokens").value_or(std::vector<std::string>())};
             }},
    EditForm{"insert_dimension",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return InsertDimension{dimensionField(f), positionField(f, "index")};
             }},
    EditForm{"delete_dimension",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return DeleteDimension{dimensionField(f), positionField(f, "index")};
             }},
    EditForm{"set_notes",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetNotes{f.text("value")};
             }},
    EditForm{"set_lab",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetLab{f.text("name"), f.tensor("value")};
             }},
    EditForm{"set_lab_row_names",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetLabRowNames{f.text("name"), f.texts("rows").value_or(std::vector<std::string>())};
             }},
    EditForm{"set_lab_cells",
             [](JsonFields &f, const Experiment &) -> Edit {
                 return SetLabCells{f.text("name"), cellTableField(f, "cells")};
             }},
    EditForm{"compound", readCompound},
};

} // namespace

Result<Edit> editFromJson(const Json &json, const Experiment &before)
{
    JsonFields fields(json, "edit");
    const std::string op = fields.ok() ? fields.text("op") : std::string();
    if (!fields.ok())
        return fields.error();
    const auto form = std::find_if(editForms.begin(), editForms.end(),
                                   [&op](const EditForm &candidate) { return candidate.op == op; });
    if (form == editForms.end())
        return Error{ErrorCode::BadInput, "edit.op: there is no edit \"" + op + "\""};
    Edit edit = form->read(fields, before);
    if (!fields.ok())
        return fields.error();
    return edit;
}

} // namespace attn
