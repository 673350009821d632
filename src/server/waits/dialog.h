// Finds the dialog that a program has drawn: a box with a row of buttons, as
// drawn by whiptail, dialog, Midnight Commander and curses programs. A dialog
// waits for a person even if its text is no question ("All is done. <OK>").
//
// Pure functions of what is on the screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace glasstty::waits {

// Returns, on one line, the first paragraph above the buttons that has a
// question mark, or else the first paragraph. nullopt: there is no dialog.
std::optional<std::string> DialogText(const std::vector<std::string>& lines);

}  // namespace glasstty::waits
