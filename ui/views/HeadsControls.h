#pragma once

#include "views/HeadsSettings.h"

#include <QObject>

class QAction;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QSpinBox;
class QToolBar;

namespace attn {

/// The row of controls of the heads workspace: the page, and what that page asks for. Knows no document.
class HeadsControls : public QObject
{
    Q_OBJECT

public:
    explicit HeadsControls(QToolBar *bar);

    /// What the document offers.
    struct Offer
    {
        int heads = 1;
        Index focus = 0;
        std::vector<Index> headCounts; ///< into which it can be cut
        Index otherHeads = 1;
        bool hasSharedRange = true;
    };
    void show(const HeadsSettings &settings, const Offer &offer);

signals:
    /// A setting was changed by hand.
    void changed(const attn::HeadsSettings &settings);
    /// -1 = none is shown large.
    void headChosen(attn::Index head);
    void sharedRangeChosen(bool shared);

private:
    QList<QAction *> addLabelled(const QString &text, QWidget *field, const QString &tip);
    void addGridControls();
    void addPageControls();
    void fillHeads(const Offer &offer);
    template<typename Change>
    void change(const Change &change);

    QToolBar *m_bar;
    HeadsSettings m_settings;
    QComboBox *m_page;
    QComboBox *m_head;
    QCheckBox *m_sharedRange;
    QCheckBox *m_lengths;
    QComboBox *m_otherHeads;
    QSpinBox *m_offset;
    QLineEdit *m_delimiters;
    QDoubleSpinBox *m_distance;
    QList<QAction *> m_headActions;
    QList<QAction *> m_gridActions;
    QList<QAction *> m_singleActions;
    QList<QAction *> m_patternActions;
};

} // namespace attn
