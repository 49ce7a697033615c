#!/usr/bin/env python3
"""Checks that a folder includes only what its layer links (STYLE: layers). Prints each offence; exit 1 if any."""

import pathlib
import re
import sys

ALLOWED = {
    "src/base": {"base"},
    "src/engine": {"base", "engine"},
    "src/io": {"base", "engine", "io"},
    "src/render": {"base", "engine", "render"},
    "src/document": {"base", "engine", "io", "document"},
    "src/cli": {"base", "engine", "io", "render", "document", "cli"},
    "ui/widgets": {"base", "engine", "render", "widgets"},
    "ui": {"base", "engine", "io", "render", "document", "widgets", "views", "dialogs"},
}
QT_WIDGETS = re.compile(r"#\s*include\s*<Q(?!TextLayout>)(Widget|MainWindow|Dialog|Label|.*Layout|TableView|Application|MessageBox|"
                        r"Action.*|Menu.*|ToolBar|ComboBox|LineEdit|SpinBox|Push.*|Abstract(Item|Scroll).*)>")
WHOLE_MODULES = re.compile(r"#\s*include\s*<Qt(Core|Gui|Widgets|Svg|Test)>")


def layer_of(path):
    for layer in sorted(ALLOWED, key=len, reverse=True):
        if path.as_posix().startswith(layer + "/"):
            return layer
    return None


def offences(root):
    files = [p for folder in ("src", "ui") for p in (root / folder).rglob("*") if p.suffix in (".h", ".cpp")]
    for file in sorted(files):
        relative = file.relative_to(root)
        layer = layer_of(relative)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{relative}:{number}"
            if WHOLE_MODULES.search(line):
                yield f"{where}: includes a whole Qt module"
            own = re.match(r'\s*#\s*include\s*"(\w+)/', line)
            if own and own.group(1) not in ALLOWED[layer]:
                yield f"{where}: {layer} must not include {own.group(1)}/"
            if layer in ("src/base", "src/engine") and re.match(r"\s*#\s*include\s*<Q", line):
                yield f"{where}: {layer} must not include Qt"
            if layer.startswith("src/") and QT_WIDGETS.search(line) and "QCoreApplication" not in line:
                yield f"{where}: widgets below ui/"


def main():
    found = list(offences(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "layers are kept")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
