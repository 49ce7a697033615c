// What most tests of this layer include.
#pragma once

#include "render/FigureExport.h"
#include "render/SceneBuilders.h"
#include "render/SceneCases.h"

#include <QTest>

#include <cmath>
