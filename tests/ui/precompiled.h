// What most tests of this layer include.
#pragma once

#include "WindowFixture.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
