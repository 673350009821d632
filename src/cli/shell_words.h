// Hints of replies in the words of the command line.
//
// A reply tells an agent to use "term_read session=build lines=20"; at a shell
// the same is "glasstty read --session build --lines 20". Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "cli/call_arguments.h"
#include "mcp/tool.h"

namespace glasstty {

// Translates all that names a tool, and arguments without a tool behind " | ",
// or anywhere if there is no header: in it, "mode=diff" is a fact. A shell has
// no session that such a command would mean without naming one, so it gets that
// of the header before it, or else `session` unless that is "".
std::string InShellWords(const std::string& text,
                         const std::string& session = "");

// Does so in the lines of a list or a search that are not text of a program.
std::string ListInShellWords(const std::string& text,
                             const std::string& session = "");

// Names the arguments of a call that was refused as flags of the command:
// "'until.state' must be" is "--state must be".
std::string RefusalInShellWords(const std::string& text, const mcp::Tool& tool,
                                const WordRules& rules,
                                const std::string& session);

}  // namespace glasstty
