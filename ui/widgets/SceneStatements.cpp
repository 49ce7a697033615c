#include "widgets/SceneStatements.h"

#include "render/MathText.h"
#include "render/Scene.h"

#include <algorithm>

namespace attn {

std::vector<SceneStatement> statementsOf(const Scene &scene)
{
    std::vector<SceneStatement> statements;
    bool isLeftOut = false;
    for (const SceneText &text : scene.texts) {
        const bool continues = text.continues && (isLeftOut || !statements.empty());
        if (!continues)
            isLeftOut =
                text.text.isEmpty() || std::ranges::any_of(scene.controls, [&](const SceneControl &control) {
                    return control.rect.contains(text.rect.center());
                });
        if (isLeftOut)
            continue;
        const bool isMarkup =
            text.style == SceneText::Style::Title || text.style == SceneText::Style::Formula;
        const QString words = isMarkup ? plainMathText(text.text) : text.text;
        if (continues) {
            statements.back().text += u' ' + words;
            statements.back().rect |= text.rect;
        } else {
            statements.push_back({words, text.rect});
        }
    }
    return statements;
}

} // namespace attn
