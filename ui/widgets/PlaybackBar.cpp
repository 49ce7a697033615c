#include "widgets/PlaybackBar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {

namespace {

constexpr double stepMilliseconds = 800.0;
constexpr std::array speeds = {0.5, 1.0, 2.0, 4.0, 8.0};

/// A triangle to the right in a square of 16, its back at x.
QPainterPath triangle(double x, double width)
{
    QPainterPath path;
    path.addPolygon(QPolygonF({{x, 3.0}, {x + width, 8.0}, {x, 13.0}}));
    path.closeSubpath();
    return path;
}

QPainterPath bar(double x)
{
    QPainterPath path;
    path.addRect(x, 3.0, 2.5, 10.0);
    return path;
}

QIcon iconOf(const QPainterPath &path, const QPalette &palette, double pixelRatio)
{
    QIcon icon;
    for (const auto &[mode, group] :
         {std::pair{QIcon::Normal, QPalette::Active}, std::pair{QIcon::Disabled, QPalette::Disabled}}) {
        QPixmap picture((QSizeF(16.0, 16.0) * pixelRatio).toSize());
        picture.setDevicePixelRatio(pixelRatio);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(path, palette.color(group, QPalette::ButtonText));
        painter.end();
        icon.addPixmap(picture, mode);
    }
    return icon;
}

} // namespace

PlaybackBar::PlaybackBar(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    m_back = addButton(tr("One step back"));
    m_play = addButton(tr("Play"));
    m_forward = addButton(tr("One step forward"));
    m_slider = new QSlider(Qt::Horizontal, this);
    m_slider->setAccessibleName(tr("Step"));
    m_slider->installEventFilter(this);
    layout->addWidget(m_slider, 1);
    m_label = new QLabel(this);
    layout->addWidget(m_label);
    m_speed = new QComboBox(this);
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(tr("Speed"));
    for (const double speed : speeds)
        m_speed->addItem(tr("%1×").arg(speed));
    m_speed->setCurrentIndex(1);
    layout->addWidget(m_speed);
    setFocusProxy(m_slider);

    connect(m_back, &QToolButton::clicked, this, &PlaybackBar::stepBack);
    connect(m_forward, &QToolButton::clicked, this, &PlaybackBar::stepForward);
    connect(m_play, &QToolButton::clicked, this, [this] { isPlaying() ? pause() : play(); });
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        pause();
        setPosition(value);
    });
    connect(m_speed, &QComboBox::currentIndexChanged, this, &PlaybackBar::setInterval);
    connect(&m_timer, &QTimer::timeout, this, &PlaybackBar::advance);
    setInterval();
    drawIcons();
    refresh();
}

void PlaybackBar::setInterval()
{
    const double speed = speeds[std::size_t(m_speed->currentIndex())];
    m_timer.setInterval(std::max(1, int(std::lround(stepMilliseconds / speed / m_perStep))));
}

void PlaybackBar::setPositionsPerStep(int positions)
{
    positions = std::max(1, positions);
    if (positions == m_perStep)
        return;
    m_perStep = positions;
    setInterval();
    refresh();
}

QToolButton *PlaybackBar::addButton(const QString &name)
{
    auto *button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::TabFocus);
    layout()->addWidget(button);
    return button;
}

void PlaybackBar::setStepCount(int count)
{
    count = std::max(0, count);
    if (count == m_count)
        return;
    m_count = count;
    pause();
    setPosition(m_position);
    refresh();
}

void PlaybackBar::setPosition(int position)
{
    position = std::clamp(position, 0, m_count);
    const bool moved = position != m_position;
    m_position = position;
    refresh();
    if (moved)
        emit positionChanged(position);
}

void PlaybackBar::setReducedMotion(bool reduced)
{
    m_reducedMotion = reduced;
    if (reduced)
        pause();
    refresh();
}

void PlaybackBar::play()
{
    if (m_reducedMotion || !isVisible() || m_count == 0 || isPlaying())
        return;
    if (m_position == m_count)
        setPosition(0);
    setPlaying(true);
}

void PlaybackBar::pause()
{
    if (isPlaying())
        setPlaying(false);
}

void PlaybackBar::stepForward()
{
    pause();
    setPosition((m_position / m_perStep + 1) * m_perStep);
}

void PlaybackBar::stepBack()
{
    pause();
    setPosition((m_position - 1) / m_perStep * m_perStep);
}

void PlaybackBar::setPlaying(bool playing)
{
    if (playing)
        m_timer.start();
    else
        m_timer.stop();
    drawIcons();
    refresh();
    emit playingChanged(playing);
}

void PlaybackBar::advance()
{
    setPosition(m_position + 1);
    if (m_position == m_count)
        pause();
}

void PlaybackBar::refresh()
{
    const QSignalBlocker blocker(m_slider);
    m_slider->setRange(0, m_count);
    m_slider->setValue(m_position);
    m_slider->setPageStep(m_perStep);
    m_slider->setSingleStep(std::max(1, m_perStep / 10));
    m_label->setText(tr("%1 of %2").arg(m_position / m_perStep).arg(m_count / m_perStep));
    m_back->setEnabled(m_position > 0);
    m_forward->setEnabled(m_position < m_count);
    m_play->setEnabled(m_count > 0 && !m_reducedMotion);
    const QString name = isPlaying() ? tr("Pause") : tr("Play");
    m_play->setAccessibleName(name);
    m_play->setToolTip(m_reducedMotion ? tr("Motion is reduced: take the steps one by one.") : name);
}

void PlaybackBar::drawIcons()
{
    const double ratio = devicePixelRatioF();
    QPainterPath backwards = QTransform(-1, 0, 0, 1, 16, 0).map(triangle(6.5, 7.0));
    backwards.addPath(bar(11.0));
    QPainterPath forwards = triangle(6.5, 7.0);
    forwards.addPath(bar(2.5));
    QPainterPath pauseBars = bar(4.0);
    pauseBars.addPath(bar(9.5));
    m_back->setIcon(iconOf(backwards, palette(), ratio));
    m_forward->setIcon(iconOf(forwards, palette(), ratio));
    m_play->setIcon(iconOf(isPlaying() ? pauseBars : triangle(4.0, 9.0), palette(), ratio));
}

bool PlaybackBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_slider && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier) {
            isPlaying() ? pause() : play();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void PlaybackBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        drawIcons();
}

void PlaybackBar::hideEvent(QHideEvent *event)
{
    pause();
    QWidget::hideEvent(event);
}

} // namespace attn
