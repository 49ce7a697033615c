#pragma once

#include "base/Result.h"
#include "document/DocumentChange.h"
#include "io/DocumentFile.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace attn {

/// The files of one running document in the autosave folder:
///
///   <id>.lock        held while the program runs (QLockFile); without it, or when its owner is dead, the
///   work is free <id>-<k>.attn    base k: the whole document, with "autosave" in its view object: {file,
///   title, modified} <id>-<k>.journal what was done after base k, one frame per change: "#<bytes>\n<json>\n"
///
/// Base k+1 is begun before base k is dropped, so at every moment some base and all journals after it are
/// complete. A base may be left out when a newer one follows at once. The first frame of a journal says
/// whether it may be replayed after the one before, or needs its own base (another document was loaded).
struct AutosaveNames
{
    QString folder;
    QString id;

    QString lock() const;
    QString base(int number) const;
    QString journal(int number) const;
    /// Numbers of the bases (journals) that exist, ascending.
    std::vector<int> baseNumbers() const;
    std::vector<int> journalNumbers() const;
    void removeBelow(int number) const;
    void removeAll() const;
};

/// The first frame of a journal.
QByteArray journalStartFrame(bool continuesTheOneBefore);
/// Whether the journal may be replayed after the one before.
bool continuesJournal(const QByteArray &bytes);

/// One change as a frame of the journal.
QByteArray journalFrame(const DocumentChange &change);

struct JournalEntry
{
    DocumentChange::Cause cause = DocumentChange::Cause::Edited; ///< Edited, Undone or Redone
    QByteArray edit;                                             ///< JSON of the edit
    QString text;
    int gesture = 0;
};

/// The complete frames; a last one that was cut off by the kill is left out.
std::vector<JournalEntry> readJournal(const QByteArray &bytes);

} // namespace attn
