// What most tests of this layer include.
#pragma once

#include "io/DocumentFile.h"
#include "io/Import.h"
#include "io/StateJson.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
