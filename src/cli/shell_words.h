// Translates the hints of replies into the words of the command line.
//
// A reply tells an agent to use "term_read session=build lines=20"; at a shell
// the same is "glasstty read --session build --lines 20". Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "cli/call_arguments.h"
#include "mcp/tool.h"

namespace glasstty {

// Translates, line by line, the names of tools with their arguments, and
// arguments without a tool. In a line with a header, arguments without a tool
// are translated only after " | ", because "mode=diff" in a header is a fact. A
// command that needs a session and names none gets the one of the line's
// header, or else `session`, unless that is "".
std::string InShellWords(const std::string& text,
                         const std::string& session = "");

// Does the same for a list or a search, but leaves lines that are a program's
// text unchanged.
std::string ListInShellWords(const std::string& text,
                             const std::string& session = "");

// Translates the reason why a call was refused; arguments become flags of the
// command: "'until.state' must be" becomes "--state must be".
std::string RefusalInShellWords(const std::string& text, const mcp::Tool& tool,
                                const WordRules& rules,
                                const std::string& session);

}  // namespace glasstty
