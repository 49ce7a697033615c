#include "dialogs/ExportDialog.h"

#include "base/NumberText.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace attn {

namespace {

enum class Ground
{
    Light,
    Dark,
    TransparentLight,
    TransparentDark,
};

enum class RangeEntry
{
    AsShown,
    Shared,
    PerHead,
    Fixed,
};

constexpr int previewWidth = 520;
constexpr int previewHeight = 400;
/// A file's numbers and lines are drawn for its own size; a small drawing would leave out what has no room
/// there.
constexpr int widestPreviewDrawing = 2400;

QComboBox *mapBox(ColorMap::Kind kind, const QString &current, const QString &asShown, QWidget *parent)
{
    auto *box = new QComboBox(parent);
    box->addItem(asShown, QString());
    for (const QString &name : ColorMap::names(kind))
        box->addItem(name, name);
    box->setCurrentIndex(std::max(0, box->findData(current)));
    return box;
}

RangeEntry rangeEntryOf(const FigureChoice &choice)
{
    if (!choice.ownRange)
        return RangeEntry::AsShown;
    switch (choice.range.mode) {
    case DisplayOptions::RangeMode::PerHead:
        return RangeEntry::PerHead;
    case DisplayOptions::RangeMode::Fixed:
        return RangeEntry::Fixed;
    case DisplayOptions::RangeMode::Shared:
        break;
    }
    return RangeEntry::Shared;
}

Ground groundOf(const FigureOptions &options)
{
    if (options.transparent)
        return options.dark ? Ground::TransparentDark : Ground::TransparentLight;
    return options.dark ? Ground::Dark : Ground::Light;
}

int drawingWidth(const Scene &scene, const FigureOptions &options)
{
    constexpr double mmPerInch = 25.4;
    const double natural = options.format == FigureOptions::Format::Png
                               ? options.widthMm / mmPerInch * options.dpi
                               : scene.size.width();
    return static_cast<int>(std::clamp(natural, 1.0, double(widestPreviewDrawing)));
}

/// What a transparent figure may stand on, so that one sees what is transparent.
QPixmap onChequers(const QPixmap &figure, bool isDark)
{
    constexpr int square = 8;
    QPixmap result(figure.size());
    result.fill(isDark ? QColor(0x2b2e33) : QColor(0xffffff));
    QPainter painter(&result);
    const QColor other = isDark ? QColor(0x3a3e44) : QColor(0xe4e4e4);
    for (int y = 0; y < result.height(); y += square)
        for (int x = (y / square) % 2 * square; x < result.width(); x += 2 * square)
            painter.fillRect(x, y, square, square, other);
    painter.drawPixmap(0, 0, figure);
    return result;
}

} // namespace

ExportDialog::ExportDialog(const FigureChoice &start, const QString &stageName, SceneOf sceneOf,
                           QWidget *parent)
    : QDialog(parent)
    , m_stageName(stageName)
    , m_sceneOf(std::move(sceneOf))
    , m_content(new QComboBox(this))
    , m_format(new QComboBox(this))
    , m_width(new QDoubleSpinBox(this))
    , m_dpi(new QSpinBox(this))
    , m_ground(new QComboBox(this))
    , m_labels(new QCheckBox(tr("&Labels"), this))
    , m_values(new QCheckBox(tr("&Values"), this))
    , m_bars(new QCheckBox(tr("Colour &bars"), this))
    , m_title(new QLineEdit(this))
    , m_sequentialMap(mapBox(ColorMap::Kind::Sequential, start.sequentialMap, tr("As on screen"), this))
    , m_divergingMap(mapBox(ColorMap::Kind::Diverging, start.divergingMap, tr("As on screen"), this))
    , m_rangeMode(new QComboBox(this))
    , m_minimum(new QLineEdit(this))
    , m_maximum(new QLineEdit(this))
    , m_preview(new QLabel(this))
    , m_size(new QLabel(this))
{
    setWindowTitle(tr("Export figure"));
    m_previewTimer.setSingleShot(true);
    m_previewTimer.setInterval(120);
    connect(&m_previewTimer, &QTimer::timeout, this, &ExportDialog::drawPreview);
    buildForm(start, stageName);
    refresh();
}

void ExportDialog::buildForm(const FigureChoice &start, const QString &stageName)
{
    m_content->addItem(tr("Current view"), int(FigureContent::CurrentView));
    m_content->addItem(tr("Stage %1").arg(stageName), int(FigureContent::Stage));
    m_content->addItem(tr("All heads"), int(FigureContent::AllHeads));
    m_content->addItem(tr("All footprints"), int(FigureContent::Footprints));
    m_content->addItem(tr("Every stage, one file each"), int(FigureContent::EveryStage));
    m_content->setCurrentIndex(m_content->findData(int(start.content)));
    m_format->addItem(QStringLiteral("PNG"), int(FigureOptions::Format::Png));
    m_format->addItem(QStringLiteral("SVG"), int(FigureOptions::Format::Svg));
    m_format->addItem(QStringLiteral("PDF"), int(FigureOptions::Format::Pdf));
    m_format->setCurrentIndex(m_format->findData(int(start.options.format)));
    m_width->setRange(10.0, 2000.0);
    m_width->setDecimals(1);
    m_width->setSuffix(tr(" mm"));
    m_width->setValue(start.options.widthMm);
    m_dpi->setRange(36, 2400);
    m_dpi->setSuffix(tr(" dpi"));
    m_dpi->setValue(start.options.dpi);
    m_ground->addItem(tr("Light"), int(Ground::Light));
    m_ground->addItem(tr("Dark"), int(Ground::Dark));
    m_ground->addItem(tr("Transparent, dark text"), int(Ground::TransparentLight));
    m_ground->addItem(tr("Transparent, light text"), int(Ground::TransparentDark));
    m_ground->setCurrentIndex(m_ground->findData(int(groundOf(start.options))));
    m_labels->setChecked(start.options.showLabels);
    m_values->setChecked(start.options.showValues);
    m_bars->setChecked(start.options.showColorBars);
    m_title->setText(start.options.title);
    m_title->setPlaceholderText(tr("none"));
    m_rangeMode->addItem(tr("As on screen"), int(RangeEntry::AsShown));
    m_rangeMode->addItem(tr("One range for all heads"), int(RangeEntry::Shared));
    m_rangeMode->addItem(tr("Each head its own"), int(RangeEntry::PerHead));
    m_rangeMode->addItem(tr("Fixed"), int(RangeEntry::Fixed));
    m_rangeMode->setCurrentIndex(m_rangeMode->findData(int(rangeEntryOf(start))));
    m_minimum->setText(QString::fromStdString(shortestText(start.range.minimum)));
    m_maximum->setText(QString::fromStdString(shortestText(start.range.maximum)));

    auto *form = new QFormLayout;
    form->addRow(tr("&Content:"), m_content);
    form->addRow(tr("&Format:"), m_format);
    form->addRow(tr("&Width:"), m_width);
    form->addRow(tr("&Resolution:"), m_dpi);
    form->addRow(tr("&Ground:"), m_ground);
    form->addRow(tr("Show:"), lookRow());
    form->addRow(tr("&Title:"), m_title);
    form->addRow(tr("Colours of &weights:"), m_sequentialMap);
    form->addRow(tr("Colours of &signed values:"), m_divergingMap);
    form->addRow(tr("R&ange:"), m_rangeMode);
    form->addRow(QString(), rangeRow());

    m_preview->setMinimumSize(previewWidth, previewHeight);
    m_preview->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_size->setAlignment(Qt::AlignCenter);
    auto *previewSide = new QVBoxLayout;
    previewSide->addWidget(m_preview, 1);
    previewSide->addWidget(m_size);
    auto *sides = new QHBoxLayout;
    sides->addLayout(form);
    sides->addLayout(previewSide, 1);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_exportButton = buttons->addButton(tr("&Export…"), QDialogButtonBox::ActionRole);
    m_exportButton->setDefault(true);
    QPushButton *copyButton = buttons->addButton(tr("Co&py image"), QDialogButtonBox::ActionRole);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(sides);
    layout->addWidget(buttons);

    for (QComboBox *box : {m_content, m_format, m_ground, m_sequentialMap, m_divergingMap, m_rangeMode})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    for (QCheckBox *box : {m_labels, m_values, m_bars})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);
    for (QLineEdit *edit : {m_title, m_minimum, m_maximum})
        connect(edit, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    connect(m_width, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
    connect(m_dpi, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
    connect(m_exportButton, &QPushButton::clicked, this, [this] { emit exportWanted(choice()); });
    connect(copyButton, &QPushButton::clicked, this, [this] { emit copyWanted(choice()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QWidget *ExportDialog::lookRow()
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QCheckBox *box : {m_labels, m_values, m_bars})
        layout->addWidget(box);
    layout->addStretch();
    return row;
}

QWidget *ExportDialog::rangeRow()
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_minimum->setAccessibleName(tr("Low end of the range"));
    m_maximum->setAccessibleName(tr("High end of the range"));
    layout->addWidget(m_minimum);
    layout->addWidget(new QLabel(tr("to"), row));
    layout->addWidget(m_maximum);
    return row;
}

FigureChoice ExportDialog::choice() const
{
    FigureChoice choice;
    choice.content = static_cast<FigureContent>(m_content->currentData().toInt());
    choice.options.format = static_cast<FigureOptions::Format>(m_format->currentData().toInt());
    choice.options.widthMm = m_width->value();
    choice.options.dpi = m_dpi->value();
    const auto ground = static_cast<Ground>(m_ground->currentData().toInt());
    choice.options.dark = ground == Ground::Dark || ground == Ground::TransparentDark;
    choice.options.transparent = ground == Ground::TransparentLight || ground == Ground::TransparentDark;
    choice.options.showLabels = m_labels->isChecked();
    choice.options.showValues = m_values->isChecked();
    choice.options.showColorBars = m_bars->isChecked();
    choice.options.title = m_title->text();
    choice.sequentialMap = m_sequentialMap->currentData().toString();
    choice.divergingMap = m_divergingMap->currentData().toString();
    const auto range = static_cast<RangeEntry>(m_rangeMode->currentData().toInt());
    choice.ownRange = range != RangeEntry::AsShown;
    choice.range.mode = range == RangeEntry::PerHead ? DisplayOptions::RangeMode::PerHead
                        : range == RangeEntry::Fixed ? DisplayOptions::RangeMode::Fixed
                                                     : DisplayOptions::RangeMode::Shared;
    choice.range.minimum = parseNumber(m_minimum->text().toStdString()).value_or(0.0);
    choice.range.maximum = parseNumber(m_maximum->text().toStdString()).value_or(1.0);
    return choice;
}

void ExportDialog::sayCopied()
{
    m_size->setText(tr("The image is on the clipboard."));
}

void ExportDialog::refresh()
{
    const FigureChoice now = choice();
    m_dpi->setEnabled(now.options.format == FigureOptions::Format::Png);
    const bool isFixed = now.ownRange && now.range.mode == DisplayOptions::RangeMode::Fixed;
    m_minimum->setEnabled(isFixed);
    m_maximum->setEnabled(isFixed);
    const auto low = parseNumber(m_minimum->text().toStdString());
    const auto high = parseNumber(m_maximum->text().toStdString());
    const bool isRangeValid = !isFixed || (low && high && *low < *high);
    m_exportButton->setEnabled(isRangeValid);
    if (!isRangeValid)
        m_size->setText(tr("The range needs two numbers, the smaller one first."));
    else
        m_previewTimer.start();
}

void ExportDialog::drawPreview()
{
    const FigureChoice now = choice();
    const Scene scene = m_sceneOf(now);
    const QImage image = figureImage(scene, now.options, drawingWidth(scene, now.options));
    if (image.isNull()) {
        m_preview->clear();
        m_size->setText(tr("There is nothing to draw."));
        return;
    }
    const double ratio = devicePixelRatioF();
    const QSize box = (QSizeF(m_preview->contentsRect().size()) * ratio).toSize();
    QPixmap pixmap = QPixmap::fromImage(image.scaled(box, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    if (now.options.transparent)
        pixmap = onChequers(pixmap, now.options.dark);
    pixmap.setDevicePixelRatio(ratio);
    m_preview->setPixmap(pixmap);
    const double heightMm = now.options.widthMm * image.height() / static_cast<double>(image.width());
    QString text = tr("%1 × %2 mm").arg(now.options.widthMm, 0, 'f', 1).arg(heightMm, 0, 'f', 1);
    if (now.options.format == FigureOptions::Format::Png)
        text += tr(", %1 × %2 pixels")
                    .arg(qRound(now.options.widthMm / 25.4 * now.options.dpi))
                    .arg(qRound(heightMm / 25.4 * now.options.dpi));
    if (now.content == FigureContent::EveryStage)
        text = tr("%1 as an example: %2").arg(m_stageName, text);
    m_size->setText(text);
    m_preview->setAccessibleName(tr("Preview, %1").arg(text));
}

void ExportDialog::resizeEvent(QResizeEvent *event)
{
    QDialog::resizeEvent(event);
    m_previewTimer.start();
}

} // namespace attn
