#pragma once

#include "engine/decode/DecodeSession.h"
#include "views/SceneWorkspace.h"

#include <memory>

class QComboBox;
class QSpinBox;

namespace attn {

class PlaybackBar;

/// Feeds the tokens one by one, or in chunks, with a KV cache.
class DecodeView : public SceneWorkspace
{
    Q_OBJECT

public:
    DecodeView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

    PlaybackBar *playback() override { return m_playback; }

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void refreshControls() override;
    bool dependsOnSelection() const override { return true; }
    void resizeEvent(QResizeEvent *event) override;

private:
    QJsonObject state() const;
    void setStateValue(const QString &key, const QJsonValue &value);
    DecodeSchedule schedule() const;
    Index position() const;
    TokenEdit edited() const;

    QComboBox *m_head;
    QSpinBox *m_prompt;
    QSpinBox *m_chunk;
    /// What the choices ask for: reads the session, on whatever thread builds the scene.
    SceneWorker::Build stepBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) const;

    PlaybackBar *m_playback;
    /// Used by one build at a time; another one when the scenes of a document begin to be built elsewhere.
    std::shared_ptr<DecodeSession> m_session = std::make_shared<DecodeSession>();
    bool m_isHeavy = false;
};

} // namespace attn
