#include "tools/input_notes.h"

#include "base/visible.h"
#include "support/status.h"
#include "terminal/keys.h"

namespace glasstty {
namespace {

// Returns the first name of a key in a text: "<Enter>", or "^C" and "\\x03" as
// the whole text. A single letter in brackets is probably a tag of HTML.
std::string_view NamedKey(std::string_view text) {
  bool is_caret =
      text.size() == 2 && text[0] == '^' && text[1] >= '@' && text[1] <= '_';
  bool is_escape = text.starts_with("\\x") || text.starts_with("\\u00");
  if (is_caret || (is_escape && text.size() <= 6)) return text;
  constexpr size_t kShortest = 4, kLongest = 24;
  for (size_t begin = text.find('<'); begin != std::string_view::npos;
       begin = text.find('<', begin + 1)) {
    std::string_view token = text.substr(begin, kLongest);
    token = token.substr(0, token.find('>') + 1);
    if (token.size() < kShortest) continue;
    auto pieces = terminal::ParseNotation(token);
    if (pieces.ok() && pieces->front().is_key) return token;
  }
  return "";
}

}  // namespace

std::string LiteralKeysNote(std::string_view argument, const Json& input) {
  auto text = AsString(input);
  std::string_view key = text ? NamedKey(*text) : std::string_view();
  if (key.empty()) return "";
  return absl::StrFormat(
      "%s was typed literally, because '%s' is a string: keys go in a list, as "
      "in [\"y<Enter>\"]",
      key, argument);
}

std::string PasteNote(const std::vector<typing::Step>& steps) {
  std::string removed;
  for (const typing::Step& step : steps) {
    if (step.kind != typing::Step::Kind::kPaste) continue;
    removed += terminal::RemovedFromPaste(step.text);
  }
  if (removed.empty()) return "";
  return "left out of the paste, because they are keys: " +
         ShowOnOneLine(terminal::RemovedFromPaste(removed));
}

}  // namespace glasstty
