// What most tests of this layer include.
#pragma once

#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"
#include "support/RandomExperiment.h"

#include "engine/Edit.h"
#include "engine/Evaluator.h"

#include <QTest>

#include <cmath>
