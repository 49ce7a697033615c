#pragma once

#include "engine/Edit.h"

#include <QObject>

#include <array>
#include <functional>
#include <optional>

class QMenu;
class QWidget;

namespace attn {

class ActionRegistry;
class Workbench;

/// Settings of the experiment as undoable edits: heads, scale, mask parts, rotary, precision, tokens and
/// dimensions. Immediate effect; the menus always show the present state.
class ExperimentController : public QObject
{
    Q_OBJECT

public:
    ExperimentController(Workbench *workbench, QWidget *window);

    void addActions(ActionRegistry &actions, QMenu *menu);
    QMenu *headsMenu() const { return m_headsMenu; }
    QMenu *scaleMenu() const { return m_scaleMenu; }
    QMenu *maskMenu() const { return m_maskMenu; }

    void setHeads(Index nHeads, Index nKvHeads);
    void setScale(std::optional<double> scale);
    void setCausal(bool causal);
    void setWindow(std::optional<Window> window);
    void setQOffset(Index offset);
    void setRotary(std::optional<Rotary> rotary);
    void setPrecision(Precision precision);
    /// Adds a mask matrix that hides nothing and selects it, or removes it.
    void setMaskMatrix(Stage stage, bool present);

    /// "2 heads", "2 heads, 1 KV head", "scale 1/√d_k", "mask: causal, window": for buttons.
    QString headsText() const;
    QString scaleText() const;
    QString maskText() const;

private:
    struct SelectedToken
    {
        TokenSide side = TokenSide::Query;
        Index index = 0;
        Index count = 0;
        QString label;
    };
    struct SelectedDimension
    {
        Axis axis = Axis::Model;
        Index index = 0;
    };
    std::optional<SelectedToken> selectedToken() const;
    std::optional<SelectedDimension> selectedDimension() const;

    void addHeadsMenu(ActionRegistry &actions, QMenu *menu);
    void addScaleMenu(ActionRegistry &actions, QMenu *menu);
    void addMaskMenu(ActionRegistry &actions, QMenu *menu);
    void addRotaryMenu(ActionRegistry &actions, QMenu *menu);
    void addPrecisionMenu(ActionRegistry &actions, QMenu *menu);
    void addTokenMenu(ActionRegistry &actions, QMenu *menu);
    void addDimensionMenu(ActionRegistry &actions, QMenu *menu);
    void fillHeadsMenu(QMenu *menu);

    void askForScale();
    void askForWindow();
    void askForNotes();
    /// Carries out an edit of the token list; asks before numbers of a mapped file are read into memory.
    void changeTokens(TokenSide side, const QString &title, const std::function<void()> &change);
    void insertToken(int step);
    void deleteToken();
    void renameToken();
    void moveToken(int step);
    void insertDimension();
    void deleteDimension();
    void askForText(const QString &title, const QString &label, const QString &start,
                    std::function<void(const QString &)> then);

    Workbench *m_workbench;
    QWidget *m_window;
    QMenu *m_headsMenu = nullptr;
    std::array<Index, 3> m_headsMenuShows{}; ///< width, heads and KV heads it was filled for
    QMenu *m_scaleMenu = nullptr;
    QMenu *m_maskMenu = nullptr;
};

} // namespace attn
