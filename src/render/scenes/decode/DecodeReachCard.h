#pragma once

#include "render/scenes/SceneDraft.h"
#include "render/scenes/decode/DecodeScene.h"

namespace attn {

/// What an edit of a token that is fed already makes wrong: rows of the cache, outputs, and what follows.
class DecodeReachCard
{
public:
    DecodeReachCard(SceneDraft &draft, const DecodeOptions &options, const DecodePicture &picture)
        : m_draft(draft)
        , m_options(options)
        , m_picture(picture)
    {
    }

    /// Sentences and rows of squares; the ground of the card is the caller's.
    void addTo(const QRectF &card);

private:
    void addReach(const QRectF &place);
    void addReachLine(const QString &name, const QRectF &place, Index count, Index all,
                      const std::vector<Index> &wrong);
    QString tokenName(Index token) const;
    QString queryName(Index token) const;
    bool isOfQuery() const;
    QString staleCacheText() const;
    QString whyKept(Stage stage, Stage rotated, const QString &name) const;
    QString staleOutputText() const;
    QString whyNoOutput() const;
    QString laterText() const;

    SceneDraft &m_draft;
    const DecodeOptions &m_options;
    const DecodePicture &m_picture;
};

} // namespace attn
