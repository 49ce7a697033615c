#include "base/NumberText.h"
#include "render/SceneBuilders.h"
#include "render/SceneCases.h"
#include "render/scenes/lab/PlaneScenes.h"

#include <QTest>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

namespace {

/// The numbers of a map as they are drawn, row after row.
QStringList shownRows(const SceneMap &map)
{
    QStringList rows;
    for (Index row = 0; row < map.values->rows(); ++row) {
        QStringList cells;
        for (Index col = 0; col < map.values->cols(); ++col)
            cells.append(
                QString::fromStdString(displayText(map.values->value(map.head, row, col), map.decimals)));
        rows.append(cells.join(u' '));
    }
    return rows;
}

/// Rows are separated by "/".
QStringList linesOf(const QString &rows)
{
    QStringList lines = rows.split(u'/');
    for (QString &line : lines)
        line = line.simplified();
    return lines;
}

void addWorkedNumbers(const char *name, const char *state, Stage stage, int decimals, const QString &rows,
                      Index head = 0)
{
    QTest::newRow(name) << QString::fromLatin1(state) << stage << head << decimals << linesOf(rows);
}

} // namespace

/// The worked numbers of the source tutorial and their recomputation, as they are shown. CURRICULUM sections
/// 2 and 4.
class TestWorkedNumbers : public QObject
{
    Q_OBJECT

private slots:
    void boardShows_data();
    void boardShows();
    void footprintsShow();
    void singularValuesAreShown();
};

void TestWorkedNumbers::boardShows_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<Stage>("stage");
    QTest::addColumn<Index>("head");
    QTest::addColumn<int>("decimals");
    QTest::addColumn<QStringList>("rows");
    const char *computed = "seed_a_computed";
    const char *printed = "seed_g_as_printed";
    const char *byHand = "seed_c_attention_pinned";

    addWorkedNumbers("1.9 X", computed, Stage::X, 1,
                     u"1.0 0.2 0.3 0.5 0.1 0.4 / 0.4 0.9 0.1 0.2 0.3 0.5 / 0.3 0.1 0.8 0.6 0.2 0.1 /"
                     " 0.2 0.5 0.7 0.9 0.4 0.3"_s);
    addWorkedNumbers("1.10 W^Q", computed, Stage::Wq, 1,
                     u"0.1 0.2 0.0 0.3 0.1 0.2 / 0.0 0.1 0.4 0.2 0.3 0.0 / 0.3 0.0 0.1 0.1 0.2 0.3 /"
                     " 0.2 0.3 0.2 0.0 0.1 0.2 / 0.1 0.2 0.3 0.1 0.0 0.2 / 0.2 0.1 0.0 0.3 0.2 0.1"_s);
    addWorkedNumbers("1.10 Q = X W^Q, computed", computed, Stage::Q, 2,
                     u"0.38 0.43 0.24 0.50 0.35 0.45 / 0.24 0.34 0.50 0.49 0.45 0.26 /"
                     " 0.43 0.30 0.30 0.24 0.30 0.47 / 0.51 0.47 0.57 0.36 0.46 0.54"_s);
    addWorkedNumbers("1.10 Q as printed", printed, Stage::Q, 2,
                     u"0.38 0.42 0.28 0.47 0.29 0.44 / 0.32 0.43 0.50 0.45 0.39 0.34 /"
                     " 0.47 0.34 0.33 0.38 0.32 0.49 / 0.51 0.46 0.43 0.40 0.34 0.51"_s);
    const QString K = u"0.45 0.22 0.30 0.55 0.24 0.40 / 0.31 0.39 0.20 0.43 0.37 0.28 /"
                      " 0.34 0.29 0.44 0.33 0.28 0.46 / 0.49 0.38 0.46 0.33 0.35 0.51"_s;
    const QString V = u"0.45 0.30 0.40 0.29 0.38 0.25 / 0.41 0.25 0.46 0.23 0.32 0.44 /"
                      " 0.31 0.52 0.26 0.39 0.48 0.30 / 0.35 0.49 0.33 0.47 0.44 0.38"_s;
    addWorkedNumbers("1.10 K, computed", computed, Stage::K, 2, K);
    addWorkedNumbers("1.10 K as printed", printed, Stage::K, 2, K);
    addWorkedNumbers("1.10 V, computed", computed, Stage::V, 2, V);
    addWorkedNumbers("1.10 V as printed", printed, Stage::V, 2, V);

    addWorkedNumbers(
        "1.12 scores as printed", printed, Stage::Scores, 2,
        u"0.85 0.68 0.72 0.88 / 0.78 0.72 0.75 0.90 / 0.82 0.70 0.76 0.91 / 0.93 0.75 0.82 1.02"_s);
    addWorkedNumbers(
        "1.12 scores of the printed Q and K", "seed_b_qkv_pinned", Stage::Scores, 4,
        u"0.8515 0.7702 0.8129 0.9556 / 0.8657 0.7999 0.8676 1.0086 / 0.8671 0.7633 0.8440 0.9986 /"
        " 0.9653 0.8641 0.9578 1.1336"_s);
    addWorkedNumbers(
        "1.12 scores, computed", computed, Stage::Scores, 4,
        u"0.8766 0.8040 0.8295 0.9770 / 0.8143 0.7570 0.8075 0.9286 / 0.7415 0.6561 0.7446 0.8866 /"
        " 1.0283 0.9316 1.0565 1.2459"_s);
    addWorkedNumbers("1.12 scaled as printed", printed, Stage::Scaled, 3,
                     u"0.347 0.278 0.294 0.359 / 0.318 0.294 0.306 0.367 / 0.335 0.286 0.310 0.372 /"
                     " 0.380 0.306 0.335 0.417"_s);
    addWorkedNumbers("1.12 scaled, computed", computed, Stage::Scaled, 6,
                     u"0.357870 0.328232 0.338642 0.398859 / 0.332437 0.309044 0.329660 0.379099 /"
                     " 0.302716 0.267852 0.303982 0.361953 / 0.419802 0.380324 0.431314 0.508637"_s);
    addWorkedNumbers("1.12 A, computed", computed, Stage::A, 6,
                     u"0.250401 0.243089 0.245632 0.260878 / 0.248640 0.242891 0.247951 0.260517 /"
                     " 0.248260 0.239754 0.248575 0.263411 / 0.245956 0.236435 0.248804 0.268805"_s);
    addWorkedNumbers("1.12 A of the printed Q and K", "seed_b_qkv_pinned", Stage::A, 6,
                     u"0.250304 0.242133 0.246391 0.261171 / 0.247872 0.241302 0.248064 0.262762 /"
                     " 0.249733 0.239371 0.247389 0.263506 / 0.248287 0.238238 0.247528 0.265946"_s);
    addWorkedNumbers(
        "1.12 A set by hand", byHand, Stage::A, 2,
        u"0.60 0.15 0.10 0.15 / 0.25 0.15 0.10 0.50 / 0.10 0.10 0.30 0.50 / 0.10 0.20 0.55 0.15"_s);

    addWorkedNumbers("1.13 output as printed", printed, Stage::Output, 2,
                     u"0.42 0.32 0.40 0.30 0.38 0.29 / 0.38 0.41 0.36 0.38 0.41 0.35 /"
                     " 0.36 0.43 0.34 0.40 0.42 0.35 / 0.35 0.44 0.32 0.38 0.44 0.32"_s);
    addWorkedNumbers(
        "1.13 output of the A set by hand", byHand, Stage::Output, 4,
        u"0.4150 0.3430 0.3845 0.3180 0.3900 0.3030 / 0.3800 0.4095 0.3600 0.3810 0.4110 0.3485 /"
        " 0.3540 0.4560 0.3290 0.4040 0.4340 0.3490 / 0.3500 0.4395 0.3245 0.3600 0.4320 0.3350"_s);
    addWorkedNumbers(
        "1.13 output, computed", computed, Stage::Output, 4,
        u"0.3798 0.3915 0.3619 0.3469 0.4056 0.3424 / 0.3795 0.3919 0.3616 0.3471 0.4059 0.3424 /"
        " 0.3793 0.3927 0.3611 0.3479 0.4063 0.3422 / 0.3788 0.3940 0.3605 0.3491 0.4068 0.3423"_s);

    addWorkedNumbers("1.16 Q as printed in the part on several heads", "seed_g2_as_printed_two_heads",
                     Stage::Q, 2,
                     u"0.39 0.42 0.28 0.47 0.29 0.44 / 0.32 0.43 0.50 0.45 0.39 0.34 /"
                     " 0.47 0.34 0.33 0.38 0.32 0.49 / 0.51 0.46 0.43 0.40 0.34 0.51"_s);
    const char *twoByHand = "seed_d2_two_heads_attention_pinned";
    addWorkedNumbers("1.16 A of head 1 set by hand", twoByHand, Stage::A, 1,
                     u"0.5 0.2 0.1 0.2 / 0.2 0.1 0.1 0.6 / 0.1 0.1 0.3 0.5 / 0.1 0.2 0.5 0.2"_s);
    addWorkedNumbers("1.16 A of head 2 set by hand", twoByHand, Stage::A, 1,
                     u"0.3 0.3 0.2 0.2 / 0.5 0.2 0.1 0.2 / 0.3 0.2 0.3 0.2 / 0.4 0.2 0.2 0.2"_s, 1);
    addWorkedNumbers("1.16 two heads side by side", twoByHand, Stage::Concat, 3,
                     u"0.408 0.350 0.384 0.328 0.394 0.343 / 0.372 0.431 0.350 0.324 0.390 0.319 /"
                     " 0.354 0.456 0.329 0.344 0.410 0.329 / 0.352 0.438 0.328 0.334 0.400 0.324"_s);
    addWorkedNumbers("1.16 A of head 1, of the printed Q and K", "seed_d1_two_heads_computed", Stage::A, 6,
                     u"0.244801 0.243223 0.248460 0.263516 / 0.242511 0.239492 0.251770 0.266227 /"
                     " 0.246143 0.240384 0.248757 0.264716 / 0.243959 0.238913 0.249126 0.268002"_s);
    addWorkedNumbers("1.16 A of head 2, of the printed Q and K", "seed_d1_two_heads_computed", Stage::A, 6,
                     u"0.255803 0.245458 0.246324 0.252414 / 0.254556 0.248157 0.245464 0.251823 /"
                     " 0.253553 0.244524 0.247564 0.254359 / 0.253718 0.244373 0.247383 0.254525"_s,
                     1);
    addWorkedNumbers("1.16 A of head 1, computed", "seed_d1x_two_heads_from_x", Stage::A, 6,
                     u"0.244883 0.244304 0.247999 0.262814 / 0.243215 0.239619 0.252866 0.264300 /"
                     " 0.246654 0.241134 0.248900 0.263312 / 0.242749 0.236046 0.250812 0.270393"_s);
    addWorkedNumbers("1.16 A of head 2, computed", "seed_d1x_two_heads_from_x", Stage::A, 6,
                     u"0.255784 0.245866 0.245795 0.252556 / 0.254904 0.250310 0.244215 0.250571 /"
                     " 0.250940 0.244335 0.249121 0.255604 / 0.251621 0.244715 0.247529 0.256135"_s,
                     1);

    addWorkedNumbers("1.17 causal A, computed", "seed_e_a_causal", Stage::A, 6,
                     u"1.000000 0.000000 0.000000 0.000000 / 0.505848 0.494152 0.000000 0.000000 /"
                     " 0.337040 0.325492 0.337467 0.000000 / 0.245956 0.236435 0.248804 0.268805"_s);
    addWorkedNumbers(
        "1.17 causal output, computed", "seed_e_a_causal", Stage::Output, 4,
        u"0.4500 0.3000 0.4000 0.2900 0.3800 0.2500 / 0.4302 0.2753 0.4296 0.2604 0.3504 0.3439 /"
        " 0.3897 0.3580 0.3723 0.3042 0.3942 0.3287 / 0.3788 0.3940 0.3605 0.3491 0.4068 0.3423"_s);
    addWorkedNumbers(
        "1.17 causal A, by hand and renormalised", "seed_e_c_causal_renormalised", Stage::A, 4,
        u"1.0000 0.0000 0.0000 0.0000 / 0.6250 0.3750 0.0000 0.0000 / 0.2000 0.2000 0.6000 0.0000 /"
        " 0.1000 0.2000 0.5500 0.1500"_s);
    addWorkedNumbers("1.17 causal output, by hand", "seed_e_c_causal_renormalised", Stage::Output, 5,
                     u"0.45000 0.30000 0.40000 0.29000 0.38000 0.25000 /"
                     " 0.43500 0.28125 0.42250 0.26750 0.35750 0.32125 /"
                     " 0.35800 0.42200 0.32800 0.33800 0.42800 0.31800 /"
                     " 0.35000 0.43950 0.32450 0.36000 0.43200 0.33500"_s);
}

void TestWorkedNumbers::boardShows()
{
    QFETCH(QString, state);
    QFETCH(Stage, stage);
    QFETCH(Index, head);
    QFETCH(int, decimals);
    QFETCH(QStringList, rows);
    const SnapshotPtr snapshot = goldenSnapshot(state);
    DisplayOptions display;
    display.decimals = decimals;
    const Scene scene = boardScene(snapshot, display, BoardOptions{});
    const SceneMap *map = findMap(scene, stage, head);
    QVERIFY(map);
    QVERIFY(map->showNumbers);
    QCOMPARE(shownRows(*map), rows);
}

/// CURRICULUM 4.4: what each token leaves on the output, of the A set by hand.
void TestWorkedNumbers::footprintsShow()
{
    const QStringList layers = {
        u"0.2700 0.1800 0.2400 0.1740 0.2280 0.1500 / 0.1125 0.0750 0.1000 0.0725 0.0950 0.0625 /"
        " 0.0450 0.0300 0.0400 0.0290 0.0380 0.0250 / 0.0450 0.0300 0.0400 0.0290 0.0380 0.0250"_s,
        u"0.0615 0.0375 0.0690 0.0345 0.0480 0.0660 / 0.0615 0.0375 0.0690 0.0345 0.0480 0.0660 /"
        " 0.0410 0.0250 0.0460 0.0230 0.0320 0.0440 / 0.0820 0.0500 0.0920 0.0460 0.0640 0.0880"_s,
        u"0.0310 0.0520 0.0260 0.0390 0.0480 0.0300 / 0.0310 0.0520 0.0260 0.0390 0.0480 0.0300 /"
        " 0.0930 0.1560 0.0780 0.1170 0.1440 0.0900 / 0.1705 0.2860 0.1430 0.2145 0.2640 0.1650"_s,
        u"0.0525 0.0735 0.0495 0.0705 0.0660 0.0570 / 0.1750 0.2450 0.1650 0.2350 0.2200 0.1900 /"
        " 0.1750 0.2450 0.1650 0.2350 0.2200 0.1900 / 0.0525 0.0735 0.0495 0.0705 0.0660 0.0570"_s};
    DisplayOptions display;
    display.decimals = 4;
    const Scene scene = footprintsScene(goldenSnapshot(u"seed_c_attention_pinned"_s), display);
    Index shown = 0;
    for (const SceneMap &map : scene.maps) {
        if (map.key.role != MapKey::Role::FootprintLayer)
            continue;
        QCOMPARE(shownRows(map), linesOf(layers.at(map.key.token)));
        ++shown;
    }
    QCOMPARE(shown, Index{4});
}

/// CURRICULUM 4.8, of W^Q.
void TestWorkedNumbers::singularValuesAreShown()
{
    const Scene scene = weightLabScene(goldenSnapshot(u"seed_a_computed"_s), {}, {});
    QVERIFY(hasText(scene, u"σ = 0.9527, 0.4306, 0.3675, 0.2751, 0.148, 0.06648"_s));
    QVERIFY(hasText(scene, u"largest : smallest = 14.33"_s));
    QVERIFY(hasText(scene, u"rank 6 of 6"_s));
}

QTEST_MAIN(TestWorkedNumbers)
#include "tst_WorkedNumbers.moc"
