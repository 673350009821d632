// Detects programs that edit their lines of input themselves, and splits text
// for them. Such programs change the terminal's mode before and after each
// line. Many, such as those with linenoise and rustyline, then discard what was
// typed meanwhile (TCSAFLUSH of tcsetattr(3)), so each line is typed only when
// they read it.
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

// Returns one string for each character, as one key types it.
std::vector<std::string> KeysOf(std::string_view text);

// Returns the lines, each with its newline.
std::vector<std::string> LinesOf(std::string_view text);

// Returns true if the program that waited for input at the last probe edits its
// lines itself. Shells do not count, because they keep what was typed.
bool EditsLines(const session::Session& session);

// Returns true if a line after the first begins with a blank.
bool HasIndentedLines(std::string_view text);

// Returns true if that program indents new lines by itself, so that a text with
// indented lines must be pasted. The sign is that it asks for bracketed paste,
// and handles all keys itself (including those that are signals to other
// programs) or all of its output. prompt_toolkit (IPython, pgcli) and pyrepl
// (Python 3.13) do. Programs with readline leave both to the kernel, and some
// of them, such as gdb and lua, take a paste for a single command.
bool IndentsLines(const session::Session& session);

}  // namespace glasstty::typing
