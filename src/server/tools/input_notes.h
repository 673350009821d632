// Writes notes about input that its caller may have meant differently.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"
#include "typing/input.h"

namespace glasstty {

// Returns a note if `input`, the value of `argument`, names keys that are typed
// literally, else "". In a string, all names of keys are typed literally
// (`<Enter>`, `<C-c>`); in a list, those in the notations of other tools (`^C`,
// `\x03`, `{Enter}`, `\n` at the end).
std::string LiteralKeysNote(std::string_view argument, const Json& input);
// Returns a note if a paste has characters that cannot be pasted; else "".
std::string PasteNote(const std::vector<typing::Step>& steps);
// Removes each Enter directly after a secret. A secret is typed with its own
// Enter, so another one would answer the next question. Returns a note if any
// was removed, else "".
std::string DropSecondEnters(std::vector<typing::Step>* steps);

}  // namespace glasstty
