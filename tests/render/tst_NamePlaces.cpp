#include "render/scenes/lab/NamePlaces.h"

#include <QTest>

#include <random>

using namespace attn;

class TestNamePlaces : public QObject
{
    Q_OBJECT

private slots:
    void wantedPlaceIsTaken();
    void takenPlacesAreAvoided();
    void linesAreCrossedOnlyWithoutAnotherPlace();
    void placesStayInTheRoom();
    void fullRoomsHaveNone();
    void manyNamesNeverOverlap();
};

void TestNamePlaces::wantedPlaceIsTaken()
{
    NamePlaces places({0, 0, 200, 200});
    const auto place = places.place({100, 100}, {120, 90}, {20, 16});
    QVERIFY(place.has_value());
    QCOMPARE(place->center(), QPointF(120, 90));
    QVERIFY(!places.isFree(*place));
}

void TestNamePlaces::takenPlacesAreAvoided()
{
    NamePlaces places({0, 0, 200, 200});
    const QRectF taken(105, 80, 60, 20);
    places.keep(taken);
    const auto place = places.place({100, 100}, {120, 90}, {20, 16});
    QVERIFY(place.has_value());
    QVERIFY(!place->intersects(taken));
    // Next to its point all the same.
    QVERIFY(QLineF(place->center(), {100, 100}).length() < 40.0);
}

void TestNamePlaces::linesAreCrossedOnlyWithoutAnotherPlace()
{
    NamePlaces places({0, 0, 200, 200});
    const QRectF line(110, 0, 4, 200);
    places.avoid(line);
    const auto beside = places.place({100, 100}, {115, 90}, {20, 16});
    QVERIFY(beside.has_value());
    QVERIFY(!beside->intersects(line));
    QVERIFY(places.isFree(line.adjusted(0, 20, 0, -20)));
    NamePlaces narrow({0, 0, 200, 200});
    narrow.avoid({0, 0, 200, 200});
    QCOMPARE(narrow.place({100, 100}, {115, 90}, {20, 16})->center(), QPointF(115, 90));
}

void TestNamePlaces::placesStayInTheRoom()
{
    const QRectF room(0, 0, 200, 200);
    NamePlaces places(room);
    for (const QPointF &corner : {room.topLeft(), room.topRight(), room.bottomLeft(), room.bottomRight()}) {
        const auto place = places.place(corner, corner + (corner - room.center()) * 0.1, {40, 18});
        QVERIFY(place.has_value());
        QVERIFY(room.contains(*place));
    }
}

void TestNamePlaces::fullRoomsHaveNone()
{
    NamePlaces places({0, 0, 200, 200});
    places.keep({0, 0, 200, 200});
    QVERIFY(!places.place({100, 100}, {120, 90}, {20, 16}));
    NamePlaces tiny({0, 0, 10, 10});
    QVERIFY(!tiny.place({5, 5}, {5, 5}, {20, 16})); // wider than the room
}

/// Whether they all find a place or not.
void TestNamePlaces::manyNamesNeverOverlap()
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> at(0.0, 200.0);
    NamePlaces places({0, 0, 200, 200});
    std::vector<QRectF> placed;
    for (int i = 0; i < 80; ++i) {
        const QPointF point(at(random), at(random));
        if (const auto place = places.place(point, point + QPointF(20, 0), {24, 16}))
            placed.push_back(*place);
    }
    QVERIFY(placed.size() > 30);
    for (std::size_t i = 0; i < placed.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            QVERIFY(!placed[i].intersects(placed[j]));
}

QTEST_APPLESS_MAIN(TestNamePlaces)
#include "tst_NamePlaces.moc"
