// Hints of replies in the words of the command line.
//
// A reply tells an agent to use "term_read session=build lines=20"; at a shell
// the same is "glasstty read --session build --lines 20". Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace glasstty {

// Translates all that names a tool, and arguments without a tool behind " | ",
// or anywhere if there is no header: in it, "mode=diff" is a fact.
std::string InShellWords(const std::string& text);

// Does so in the lines of a list or a search that are not text of a program.
std::string ListInShellWords(const std::string& text);

}  // namespace glasstty
