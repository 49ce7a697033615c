#pragma once

#include "base/NumberText.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <limits>
#include <vector>

namespace attn::test {

/// A plain comma-separated table of numbers of cases/heatmap, read without the project's own reader.
inline std::vector<std::vector<double>> caseTable(const QString &fileName)
{
    QFile file(QStringLiteral(ATTN_TEST_DATA "/cases/heatmap/") + fileName);
    std::vector<std::vector<double>> rows;
    if (!file.open(QIODevice::ReadOnly))
        return rows;
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (line.trimmed().isEmpty())
            continue;
        std::vector<double> row;
        for (const QByteArray &cell : line.split(',')) {
            const auto value = parseNumber(cell.toStdString());
            row.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
        }
        rows.push_back(row);
    }
    return rows;
}

inline QJsonObject caseExpectations(const QString &folder)
{
    QFile file(QStringLiteral(ATTN_TEST_DATA "/cases/%1/expect.json").arg(folder));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("cases")).toObject();
}

} // namespace attn::test
