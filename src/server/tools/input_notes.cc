#include "tools/input_notes.h"

#include <algorithm>
#include <cctype>

#include "base/visible.h"
#include "support/status.h"
#include "terminal/keys.h"

namespace glasstty {
namespace {

bool IsWordByte(char c) { return std::isalnum(static_cast<unsigned char>(c)); }

// Returns the key that a text means in the notation of another tool: "^C",
// "\\x03" or "\\e" as the whole text, "\\n" or "{Enter}" at its end. In other
// places they are probably meant literally, for example in a pattern or for
// printf(1).
std::string_view ForeignKey(std::string_view text) {
  bool is_caret =
      text.size() == 2 && text[0] == '^' && text[1] >= '@' && text[1] <= '_';
  static constexpr std::string_view kEscapes[] = {"\\e", "\\033", "\\n", "\\r",
                                                  "\\t"};
  bool is_escape = (text.starts_with("\\x") && text.size() == 4) ||
                   (text.starts_with("\\u00") && text.size() == 6) ||
                   std::ranges::find(kEscapes, text) != std::end(kEscapes);
  if (is_caret || is_escape) return text;
  if (text.ends_with('}')) {
    size_t begin = std::min(text.rfind('{'), text.size() - 1);
    std::string_view name = text.substr(begin + 1, text.size() - begin - 2);
    bool is_variable = begin > 0 && text[begin - 1] == '$';
    bool is_key =
        !is_variable && name.size() > 1 && terminal::ParseKey(name).ok();
    return is_key ? text.substr(begin) : "";
  }
  bool ends_line = text.ends_with("\\n") || text.ends_with("\\r");
  bool is_behind_word = text.size() > 2 && IsWordByte(text[text.size() - 3]);
  return ends_line && is_behind_word ? text.substr(text.size() - 2) : "";
}

// Returns the first key that a text names in the notation of lists; "" if none.
// A single letter in brackets is probably a tag of HTML.
std::string_view NamedKey(std::string_view text) {
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

bool IsEnter(const typing::Step& step) {
  static const terminal::Key enter = *terminal::ParseKey("Enter");
  return step.kind == typing::Step::Kind::kKey
             ? step.key == enter
             : step.kind == typing::Step::Kind::kText && step.text == "\n";
}

}  // namespace

std::string LiteralKeysNote(std::string_view argument, const Json& input) {
  if (input.is_array()) {
    for (const Json& step : input) {
      auto text = AsString(step);
      std::string_view key = text ? ForeignKey(*text) : std::string_view();
      if (key.empty()) continue;
      return absl::StrFormat(
          "%s was typed literally: write keys as in [\"y<Enter>\", \"<C-c>\"]",
          key);
    }
    return "";
  }
  auto text = AsString(input);
  if (!text) return "";
  std::string_view key = NamedKey(*text);
  if (key.empty()) key = ForeignKey(*text);
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

std::string DropSecondEnters(std::vector<typing::Step>* steps) {
  using Kind = typing::Step::Kind;
  auto is_second = [](const typing::Step& first, const typing::Step& next) {
    return first.kind == Kind::kSecret && IsEnter(next);
  };
  size_t before = steps->size();
  for (size_t i = 1; i < steps->size(); ++i) {
    if (!is_second((*steps)[i - 1], (*steps)[i])) continue;
    steps->erase(steps->begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (steps->size() == before) return "";
  return "the Enter after the secret was left out: a secret is typed with one";
}

}  // namespace glasstty
