// Tells which programs edit their lines of input themselves, and splits text
// for them. Such programs change the terminal's mode before and after each
// line, and many throw away what was typed meanwhile (TCSAFLUSH of
// tcsetattr(3)), as linenoise and rustyline do, so each line is typed when they
// read it.
//
// Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "session/session.h"

namespace glasstty::typing {

// Returns true if the text goes on behind a newline.
bool HasLines(std::string_view text);

// Returns one string for each character, as one key types it.
std::vector<std::string> KeysOf(std::string_view text);

// Returns the lines, each with its newline.
std::vector<std::string> LinesOf(std::string_view text);

// Returns true if the program that waited for input at the last look is such a
// program. Shells are none: they keep what was typed.
bool EditsLines(const session::Session& session);

// Returns true if a line after the first begins with a blank.
bool HasIndentedLines(std::string_view text);

// Returns true if that program indents a new line by itself, so that a text
// with indented lines must be pasted: it asks for bracketed paste, and handles
// all keys itself, also those that are signals to other programs, or all of its
// output. prompt_toolkit (IPython, pgcli) and pyrepl (Python 3.13) do. Programs
// with readline leave both to the kernel, and some, such as gdb and lua, take a
// paste for a single command.
bool IndentsLines(const session::Session& session);

}  // namespace glasstty::typing
