#pragma once

class QMessageBox;

namespace attn {

/// Gives a box of short title and longer explanation lines of a readable length; Qt takes the title's.
void widenMessageBox(QMessageBox *box);

} // namespace attn
