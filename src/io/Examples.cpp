#include "io/Examples.h"

#include <QCoreApplication>

#include <algorithm>

// Q_INIT_RESOURCE declares a function of the global namespace.
static void registerExampleFiles()
{
    Q_INIT_RESOURCE(examples);
}

namespace attn {

const std::vector<ExampleInfo> &examples()
{
    static const std::vector<ExampleInfo> all = {
        {"computed", QT_TRANSLATE_NOOP("Examples", "Worked example: everything computed")},
        {"as-printed", QT_TRANSLATE_NOOP("Examples", "Worked example: as printed")},
        {"as-printed-two-heads", QT_TRANSLATE_NOOP("Examples", "Worked example: as printed, two heads")},
        {"by-hand", QT_TRANSLATE_NOOP("Examples", "Worked example: attention set by hand")},
        {"two-heads", QT_TRANSLATE_NOOP("Examples", "Two heads: everything computed")},
        {"two-heads-by-hand", QT_TRANSLATE_NOOP("Examples", "Two heads: attention set by hand")},
        {"causal", QT_TRANSLATE_NOOP("Examples", "Causal mask: everything computed")},
        {"causal-by-hand", QT_TRANSLATE_NOOP("Examples", "Causal mask: attention set by hand")},
        {"cross", QT_TRANSLATE_NOOP("Examples", "Cross-attention: Chinese asks English")},
        {"cross-two-heads", QT_TRANSLATE_NOOP("Examples", "Cross-attention: two heads")},
        {"four-sizes", QT_TRANSLATE_NOOP("Examples", "Four different sizes")},
        {"trained-stories", QT_TRANSLATE_NOOP("Examples", "Trained model: one layer of a story teller")},
    };
    return all;
}

Result<DocumentFileData> loadExample(const QString &name)
{
    const std::vector<ExampleInfo> &all = examples();
    const bool isKnown = std::any_of(all.begin(), all.end(), [&name](const ExampleInfo &info) {
        return name == QLatin1String(info.name);
    });
    const QString label = QStringLiteral("example:") + name;
    if (!isKnown) {
        std::string names;
        for (const ExampleInfo &info : all)
            names += (names.empty() ? "" : ", ") + std::string(info.name);
        return Error{ErrorCode::NotFound,
                     label.toStdString() + ": there is no such example; there are " + names};
    }
    registerExampleFiles();
    const Result<QByteArray> bytes = readFile(QStringLiteral(":/examples/%1.attn").arg(name));
    if (!bytes)
        return bytes.error();
    return parseDocument(*bytes, label);
}

} // namespace attn
