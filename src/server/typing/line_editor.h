// Detects programs that edit their input lines themselves, and splits text for
// such programs. They change the terminal's mode before and after each line.
// Many of them, such as programs with linenoise or rustyline, thereby discard
// what was typed meanwhile (TCSAFLUSH of tcsetattr(3)). So each line is typed
// only when the program reads again.
//
// Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "session/session.h"

namespace glasstty::typing {

// Returns true if the text continues after a newline.
bool HasLines(std::string_view text);

// Returns one string for each code point of a UTF-8 text.
std::vector<std::string> KeysOf(std::string_view text);

// Returns the lines, each with its newline. The last line may lack it.
std::vector<std::string> LinesOf(std::string_view text);

// Returns true if, at the last probe, the program waited for keys rather than
// lines, so that it edits its lines itself. A shell at its prompt does not
// count, because shells keep what was typed meanwhile.
bool EditsLines(const session::Session& session);

// Returns true if, at the last probe, the program waited for whole lines, and
// another process group of its terminal stands behind it, as a rule that of a
// shell with job control. Such a shell would run the lines that the program
// leaves when it ends. A shell at its prompt does not count.
bool LeavesLinesToShell(const session::Session& session);

// Returns true if a line after the first begins with a blank.
bool HasIndentedLines(std::string_view text);

// Returns true if EditsLines is true and the program probably indents new lines
// by itself, so that a text with indented lines must be pasted. The sign is
// that the program does not use the alternate screen, asks for bracketed paste,
// and has turned off either the keys that send signals (ISIG) or the kernel's
// processing of output (OPOST), as prompt_toolkit (IPython, pgcli) and pyrepl
// (Python 3.13) do. Programs with readline keep both on, and some of them, such
// as gdb and lua, take a paste for a single command.
bool IndentsLines(const session::Session& session);

}  // namespace glasstty::typing
