#pragma once

#include "io/Json.h"
#include "io/TensorFile.h"

#include <QString>

#include <string>
#include <vector>

namespace attn::test {

/// One file of tests/data/cases with the outcome that its expect.json states.
struct FileCase
{
    QString folder;
    QString fileName;
    QString outcome; ///< "load", "note" or "error"
    Json expected;   ///< the file's object in expect.json

    QString path() const;
};

/// Every case of a folder, in the order of its expect.json.
std::vector<FileCase> fileCases(const QString &folder);

/// The bytes of a file below tests/data; fails the test program when it is not there.
QByteArray testDataBytes(const QString &relativePath);

/// Empty when the tensor has the expected shape, dtype (where stated) and values, bit for bit in its own
/// type; else the first difference in words.
QString tensorDifference(const FileTensor &actual, const Json &expected);

/// The strings of a JSON array.
std::vector<std::string> stringsOf(const Json &array);

} // namespace attn::test
