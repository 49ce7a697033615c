#pragma once

#include "base/Result.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace attn {

enum class Verb
{
    Info,
    Compute,
    Render,
    Convert,
    Replay,
};

/// The words of a command line, checked against what the verb takes: an unknown option, one that belongs to
/// another verb, or a missing value is an error with ErrorCode::Usage.
class CommandLine
{
public:
    /// arguments: without the program's name.
    static Result<CommandLine> parse(const QStringList &arguments);

    Verb verb() const { return m_verb; }
    const QStringList &inputs() const { return m_inputs; }

    /// name: with its dashes, "--out".
    bool has(const QString &name) const { return m_values.contains(name); }
    /// The last value given, or empty.
    QString value(const QString &name) const;
    /// All values of a repeated option, in order.
    QStringList values(const QString &name) const { return m_values.value(name); }

    /// Numbers of options; none when absent. Usage errors name the option and the text.
    Result<std::optional<double>> number(const QString &name) const;
    Result<std::optional<qint64>> integer(const QString &name, qint64 lowest) const;

private:
    Verb m_verb = Verb::Info;
    QStringList m_inputs;
    QMap<QString, QStringList> m_values;
};

/// An error of how the program was called.
Error usageError(const QString &message);

/// All verbs and options, for --help.
QString helpText();

} // namespace attn
