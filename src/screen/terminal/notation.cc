// Parses the key notation of keys.h: <Enter>, <C-x>, <M-Left>, <Down*3>.
//
// A token that looks like a key but is not one is an error, never text. The
// agent either misspelled a key or meant literal text, and a wrong guess cannot
// be undone once it is typed into a program.
#include <algorithm>
#include <charconv>
#include <optional>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/key_table.h"
#include "terminal/keys.h"

namespace glasstty::terminal {
namespace {

constexpr size_t kMaxToken = 24;
constexpr int kMaxRepeat = 1000;

struct ModifierRow {
  std::string_view word;
  uint8_t modifier;
  char letter;  // used in suggestions
};
// The one-letter forms require a dash: "a+b" is arithmetic.
constexpr ModifierRow kModifiers[] = {
    {"c", kControl, 'C'},       {"ctrl", kControl, 'C'},
    {"control", kControl, 'C'}, {"m", kAlt, 'M'},
    {"a", kAlt, 'M'},           {"alt", kAlt, 'M'},
    {"meta", kAlt, 'M'},        {"s", kShift, 'S'},
    {"shift", kShift, 'S'},     {"d", kSuper, 'D'},
    {"super", kSuper, 'D'},     {"cmd", kSuper, 'D'},
    {"h", kHyper, 'H'},         {"hyper", kHyper, 'H'},
    {"t", kMeta, 'T'},          {"capslock", kCapsLock, 0},
    {"numlock", kNumLock, 0},
};

const ModifierRow* FindModifier(std::string_view word) {
  std::string lower = AsciiLower(word);
  for (const ModifierRow& row : kModifiers) {
    if (row.word == lower) return &row;
  }
  return nullptr;
}

// Removes "C-", "shift+" and so on from the front of `name`.
uint8_t TakeModifiers(std::string_view* name) {
  uint8_t modifiers = 0;
  while (true) {
    size_t end = name->find_first_of("-+");
    if (end == std::string_view::npos || end + 1 >= name->size())
      return modifiers;
    const ModifierRow* row = FindModifier(name->substr(0, end));
    // "a+b" is not a key.
    if (row == nullptr || ((*name)[end] == '+' && end == 1)) return modifiers;
    modifiers |= row->modifier;
    name->remove_prefix(end + 1);
  }
}

// Removes "*3" from the end and returns the number: 1 if there is none, nullopt
// if it is out of range.
std::optional<int> TakeRepeat(std::string_view* name) {
  size_t star = name->rfind('*');
  if (star == std::string_view::npos || star == 0 || star + 1 == name->size())
    return 1;
  std::string_view digits = name->substr(star + 1);
  int repeat = 0;
  auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), repeat);
  if (end != digits.data() + digits.size()) return 1;
  if (error != std::errc() || repeat < 1 || repeat > kMaxRepeat) {
    return std::nullopt;
  }
  name->remove_suffix(name->size() - star);
  return repeat;
}

// Parses a single character. The characters '<' and '>' have names, because the
// notation itself uses them.
std::optional<char32_t> SingleCharacter(std::string_view name) {
  if (AsciiLower(name) == "lt") return U'<';
  if (AsciiLower(name) == "gt") return U'>';
  if (name.empty() || !IsValidUtf8(name)) return std::nullopt;
  char32_t c = TakeUtf8(&name);
  bool is_control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  if (!name.empty() || is_control) return std::nullopt;
  return c;
}

// Returns similar spellings, in brackets.
std::vector<std::string> Suggestions(std::string_view name) {
  // Terminals show control characters in this form.
  if (name.size() == 2 && name[0] == '^') {
    return {"<C-" + AsciiLower(name.substr(1)) + ">"};
  }
  std::string_view rest = name;
  std::string prefix = ModifierPrefix(TakeModifiers(&rest));
  size_t end = rest.find_first_of("-+");
  if (end != std::string_view::npos && end > 0 && end + 1 < rest.size()) {
    std::vector<std::string> near = Nearest(
        rest.substr(0, end), {"ctrl", "control", "alt", "meta", "shift"}, 1);
    if (!near.empty()) {
      prefix += FindModifier(near[0])->letter;
      prefix += '-';
      rest.remove_prefix(end + 1);
    }
  }
  if (rest.size() == 1) return {"<" + prefix + AsciiLower(rest) + ">"};
  std::vector<std::string> out;
  for (const std::string& near : Nearest(rest, KeyNames(), 2)) {
    out.push_back(absl::StrFormat("<%s%s>", prefix, near));
  }
  return out;
}

constexpr char kWayOut[] =
    "For literal text send a plain string or {\"text\": ...}";

// The message contains the name, similar keys, and how to send the text
// literally.
absl::Status UnknownKey(std::string_view name) {
  std::vector<std::string> near = Suggestions(name);
  std::string question =
      near.empty() ? "." : "; did you mean " + Join(near, " or ") + "?";
  return InvalidArgument("unknown key <%s>%s %s", name, question, kWayOut);
}

// Returns the content of a <...> token at the start of `text`, or an empty
// text. A token has no blanks, ends within 24 bytes and contains a letter or a
// digit: "a < b", "<div class=x>" and "<=>" are text; "</b>" and "<stdio.h>"
// are tokens, and cause errors that say how to send them as text.
std::string_view TokenAt(std::string_view text) {
  size_t i = 1;
  bool has_word = false;
  for (; i < text.size() && i <= kMaxToken + 1; ++i) {
    auto c = static_cast<uint8_t>(text[i]);
    bool after_dash = i > 2 && text[i - 1] == '-';
    bool is_angle = c == '<' || c == '>';
    // In <M-<> and <M->>, the inner bracket is the key.
    bool is_inner =
        is_angle && after_dash && i + 1 < text.size() && text[i + 1] == '>';
    if (c == '>' && !is_inner) break;
    if (c <= ' ' || c == 0x7F || (is_angle && !is_inner)) return {};
    has_word = has_word || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
               (c >= 'a' && c <= 'z') || c >= 0x80;
  }
  bool is_closed = i < text.size() && text[i] == '>' && i <= kMaxToken + 1;
  return is_closed && has_word ? text.substr(1, i - 1) : std::string_view();
}

// Adjacent texts form one piece.
void AppendLiteral(std::string_view text, std::vector<InputPiece>* pieces) {
  if (pieces->empty() || pieces->back().is_key) pieces->emplace_back();
  pieces->back().text += text;
}

}  // namespace

// Names take precedence over characters.
absl::StatusOr<Key> ParseKey(std::string_view name) {
  Key key;
  std::string_view rest = name;
  std::optional<int> repeat = TakeRepeat(&rest);
  if (!repeat) {
    return InvalidArgument("key <%s>: a repeat is 1 to %d", name, kMaxRepeat);
  }
  key.repeat = *repeat;
  key.modifiers = TakeModifiers(&rest);
  key.named = FindKey(rest);
  if (key.named >= 0) return key;
  std::optional<char32_t> c = SingleCharacter(rest);
  if (!c) return UnknownKey(name);
  key.character = *c;
  return key;
}

// Parses the whole text before anything is typed: a step that stopped in the
// middle would leave the program in an unintended state.
absl::StatusOr<std::vector<InputPiece>> ParseNotation(std::string_view text) {
  std::vector<InputPiece> pieces;
  while (!text.empty()) {
    size_t start = std::min(text.find('<'), text.size());
    std::string_view token =
        start < text.size() ? TokenAt(text.substr(start)) : "";
    if (token.empty()) {
      // The text includes a '<' that begins no token.
      size_t end = std::min(start + 1, text.size());
      AppendLiteral(text.substr(0, end), &pieces);
      text.remove_prefix(end);
      continue;
    }
    if (start > 0) AppendLiteral(text.substr(0, start), &pieces);
    text.remove_prefix(start + token.size() + 2);
    if (AsciiLower(token) == "lt" || AsciiLower(token) == "gt") {
      AppendLiteral(AsciiLower(token) == "lt" ? "<" : ">", &pieces);
      continue;
    }
    // <b> is far more often a tag than the key b, which needs no brackets.
    if (CountCodePoints(token) == 1) {
      return InvalidArgument(
          "<%s> is not a key; for the character write %s. %s", token, token,
          kWayOut);
    }
    ASSIGN_OR_RETURN(Key key, ParseKey(token));
    pieces.push_back({true, key, ""});
  }
  return pieces;
}

}  // namespace glasstty::terminal
