// Notes about input that is not typed as its caller may have meant it. Pure
// functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"
#include "typing/input.h"

namespace glasstty {

// Returns a note if `input` is a string in which keys are named (`<Enter>`,
// `<C-c>`, `^C`, `\x03`), because a string is typed literally; else "".
std::string LiteralKeysNote(std::string_view argument, const Json& input);
// Returns a note if a paste has characters that cannot be pasted; else "".
std::string PasteNote(const std::vector<typing::Step>& steps);

}  // namespace glasstty
