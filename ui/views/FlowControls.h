#pragma once

#include "views/FlowChoice.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QMenu;
class QSpinBox;
class QToolButton;

namespace attn {

class WrapLayout;

/// The two rows of controls above the flow: what is shown, and which links. Knows no document.
class FlowControls : public QWidget
{
    Q_OBJECT

public:
    explicit FlowControls(QWidget *parent = nullptr);

    /// What can be chosen from.
    struct Lists
    {
        QStringList queries;
        QStringList keys;
        QStringList columns;  ///< of the output
        QStringList features; ///< of X and of Xkv, the longer one
        int heads = 1;

        bool operator==(const Lists &) const = default;
    };
    void setLists(const Lists &lists);
    void setChoice(const FlowChoice &choice);
    /// Tokens of what is selected: one that is to be shown alone is that one first.
    void setSelected(Index query, Index key);

signals:
    void chosen(const attn::FlowChoice &choice);

private:
    QLabel *addLabelled(WrapLayout *row, const QString &text, QWidget *field);
    void buildShown(WrapLayout *row);
    void buildFilter(WrapLayout *row);
    void buildHeadsMenu();
    void toggleHead(Index head);
    void choose(const std::function<void(FlowChoice &)> &change);
    void refresh();
    void fill(QComboBox *box, const QStringList &items);
    QStringList sourceNames() const;
    QStringList targetNames() const;
    QString headsText() const;

    Lists m_lists;
    FlowChoice m_choice;
    Index m_selectedQuery = 0;
    Index m_selectedKey = 0;
    bool m_isRefreshing = false;
    QComboBox *m_picture;
    QToolButton *m_heads;
    QMenu *m_headsMenu;
    QComboBox *m_measure;
    QLabel *m_measureLabel = nullptr;
    QComboBox *m_toward;
    QLabel *m_towardLabel = nullptr;
    QComboBox *m_token;
    QLabel *m_tokenLabel = nullptr;
    QComboBox *m_column;
    QLineEdit *m_typed;
    QComboBox *m_alone;
    QComboBox *m_aloneToken;
    QSpinBox *m_mass;
    QDoubleSpinBox *m_threshold;
    QSpinBox *m_mostLinks;
    QCheckBox *m_stacked;
};

} // namespace attn
