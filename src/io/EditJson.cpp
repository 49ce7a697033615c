#include "io/StateJson.h"

#include "io/StateFields.h"

#include <array>

namespace attn {

namespace {

Json headJson(Stage stage, Index head)
{
    return stageInfo(stage).heads == HeadAxis::None ? Json() : integerJson(head);
}

/// The fields of one cell as golden files write them.
Json cellEdit(const char *op, const char *stageKey, Stage stage, const CellIndex &cell)
{
    return Json::Object{{"op", op},
                        {stageKey, stageName(stage)},
                        {"head", headJson(stage, cell.head)},
                        {"row", integerJson(cell.row)},
                        {"col", integerJson(cell.col)}};
}

const char *sideName(TokenSide side)
{
    return side == TokenSide::Query ? "q" : "kv";
}

Json textsJson(const std::vector<std::string> &texts)
{
    return Json::Array(texts.begin(), texts.end());
}

struct EditWriter
{
    Json operator()(const SetCells &edit) const
    {
        if (edit.cells.size() != 1 || stageInfo(edit.stage).kind == StageKind::Mask)
            return Json::Object{{"op", "set_cells"},
                                {"matrix", stageName(edit.stage)},
                                {"cells", cellTableToJson(edit.cells)}};
        Json json = cellEdit("set_cell", "matrix", edit.stage, edit.cells[0].cell);
        json.set("value", Json::number(edit.cells[0].value));
        return json;
    }
    Json operator()(const SetTensor &edit) const
    {
        return Json::Object{{"op", "set_matrix"},
                            {"matrix", stageName(edit.stage)},
                            {"value", stageTensorToJson(edit.stage, edit.value, JsonForm::Document)}};
    }
    Json operator()(const PinCells &edit) const
    {
        if (edit.cells.size() != 1)
            return Json::Object{{"op", "pin_cells"},
                                {"stage", stageName(edit.stage)},
                                {"cells", cellTableToJson(edit.cells)}};
        Json json = cellEdit("pin_cell", "stage", edit.stage, edit.cells[0].cell);
        json.set("value", Json::number(edit.cells[0].value));
        return json;
    }
    Json operator()(const UnpinCells &edit) const
    {
        if (edit.cells.size() == 1)
            return cellEdit("unpin_cell", "stage", edit.stage, edit.cells[0]);
        std::vector<CellValue> cells;
        for (const CellIndex &cell : edit.cells)
            cells.push_back({cell, 0.0});
        return Json::Object{
            {"op", "unpin_cells"}, {"stage", stageName(edit.stage)}, {"cells", cellTableToJson(cells)}};
    }
    Json operator()(const PinStage &edit) const
    {
        return Json::Object{{"op", "pin_matrix"},
                            {"stage", stageName(edit.stage)},
                            {"value", stageTensorToJson(edit.stage, edit.value, JsonForm::Document)}};
    }
    Json operator()(const UnpinStage &edit) const
    {
        return Json::Object{{"op", "unpin_matrix"}, {"stage", stageName(edit.stage)}};
    }
    Json operator()(const SetHeads &edit) const
    {
        Json json = Json::Object{
            {"op", "set_heads"}, {"h", integerJson(edit.nHeads)}, {"h_kv", integerJson(edit.nKvHeads)}};
        for (const auto &[stage, matrix] : edit.newMatrices)
            json.set(stageName(stage), stageTensorToJson(stage, matrix, JsonForm::Document));
        return json;
    }
    Json operator()(const SetScale &edit) const
    {
        return Json::Object{{"op", "set_scale"}, {"value", edit.scale ? Json::number(*edit.scale) : Json()}};
    }
    Json operator()(const SetQOffset &edit) const
    {
        return Json::Object{{"op", "set_q_offset"}, {"value", integerJson(edit.offset)}};
    }
    Json operator()(const SetRotary &edit) const
    {
        return Json::Object{{"op", "set_rope"}, {"value", rotaryToJson(edit.rotary)}};
    }
    Json operator()(const SetCausal &edit) const
    {
        return Json::Object{{"op", "set_causal"}, {"value", edit.causal}};
    }
    Json operator()(const SetWindow &edit) const
    {
        return Json::Object{{"op", "set_window"}, {"value", windowToJson(edit.window)}};
    }
    Json operator()(const SetPrecision &edit) const
    {
        return Json::Object{{"op", "set_precision"}, {"value", precisionName(edit.precision)}};
    }
    Json operator()(const InsertToken &edit) const
    {
        const std::array<Index, 1> width = {static_cast<Index>(edit.row.size())};
        return Json::Object{{"op", "insert_token"},
                            {"side", sideName(edit.side)},
                            {"index", integerJson(edit.index)},
                            {"row", edit.row.empty() ? Json() : arrayToJson(width, edit.row)},
                            {"token", edit.label}};
    }
    Json operator()(const DeleteToken &edit) const
    {
        return Json::Object{
            {"op", "delete_token"}, {"side", sideName(edit.side)}, {"index", integerJson(edit.index)}};
    }
    Json operator()(const RenameToken &edit) const
    {
        return Json::Object{{"op", "rename_token"},
                            {"side", sideName(edit.side)},
                            {"index", integerJson(edit.index)},
                            {"token", edit.label}};
    }
    Json operator()(const MoveToken &edit) const
    {
        return Json::Object{{"op", "move_token"},
                            {"side", sideName(edit.side)},
                            {"from", integerJson(edit.from)},
                            {"to", integerJson(edit.to)}};
    }
    Json operator()(const SetTokens &edit) const
    {
        return Json::Object{
            {"op", "set_tokens"}, {"side", sideName(edit.side)}, {"tokens", textsJson(edit.labels)}};
    }
    Json operator()(const InsertDimension &edit) const
    {
        return Json::Object{{"op", "insert_dimension"},
                            {"axis", dimensionName(edit.axis)},
                            {"index", integerJson(edit.index)}};
    }
    Json operator()(const DeleteDimension &edit) const
    {
        return Json::Object{{"op", "delete_dimension"},
                            {"axis", dimensionName(edit.axis)},
                            {"index", integerJson(edit.index)}};
    }
    Json operator()(const SetNotes &edit) const
    {
        return Json::Object{{"op", "set_notes"}, {"value", edit.notes}};
    }
    Json operator()(const SetLab &edit) const
    {
        return Json::Object{
            {"op", "set_lab"}, {"name", edit.name}, {"value", tensorToJson(edit.value, JsonForm::Document)}};
    }
    Json operator()(const SetLabRowNames &edit) const
    {
        return Json::Object{{"op", "set_lab_row_names"}, {"name", edit.name}, {"rows", textsJson(edit.rows)}};
    }
    Json operator()(const SetLabCells &edit) const
    {
        return Json::Object{
            {"op", "set_lab_cells"}, {"name", edit.name}, {"cells", cellTableToJson(edit.cells)}};
    }
    Json operator()(const Compound &edit) const
    {
        Json::Array parts;
        for (const Edit &part : edit.edits)
            parts.push_back(editToJson(part));
        return Json::Object{{"op", "compound"}, {"edits", std::move(parts)}};
    }
};

} // namespace

Json editToJson(const Edit &edit)
{
    return std::visit(EditWriter(), edit);
}

} // namespace attn
