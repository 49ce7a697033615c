#pragma once

#include "engine/decode/DecodeSession.h"
#include "views/SceneWorkspace.h"

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

    PlaybackBar *playback() { return m_playback; }

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void refreshControls() override;
    bool dependsOnSelection() const override { return true; }
    void resizeEvent(QResizeEvent *event) override;

private:
    QJsonObject state() const;
    void setStateValue(const QString &key, const QJsonValue &value);
    DecodeSchedule schedule() const;
    Index position() const;
    Index editedToken() const;

    QComboBox *m_head;
    QSpinBox *m_prompt;
    QSpinBox *m_chunk;
    PlaybackBar *m_playback;
    DecodeSession m_session;
};

} // namespace attn
