// Reads words: quotes, escapes, expansions. An unquoted value is split at
// blanks into several words (POSIX, "Field Splitting").
#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "base/utf8.h"
#include "gate/shell_reader.h"

namespace glasstty::gate {
namespace {

constexpr std::string_view kDigits = "0123456789";
// These are special parameters and arguments: "$10" is "$1" and a zero (POSIX,
// "Positional Parameters").
constexpr std::string_view kParameters = "?#@*!$-0123456789";
// These are the escapes of $'...' with one letter (bash(1), "QUOTING").
constexpr std::pair<char, char> kEscapes[] = {
    {'a', '\a'}, {'b', '\b'}, {'e', '\x1B'}, {'E', '\x1B'}, {'f', '\f'},
    {'n', '\n'}, {'r', '\r'}, {'t', '\t'},   {'v', '\v'}};
// The characters that may introduce a numeric escape, the maximum number of its
// digits, and their base.
constexpr std::tuple<std::string_view, size_t, int> kNumbered[] = {
    {"x", 2, 16}, {"u", 4, 16}, {"U", 8, 16}, {"01234567", 3, 8}};

}  // namespace

void ShellReader::Append(std::string_view more, Mark mark) {
  top().word.Append(more, mark);
  top().begun = true;
}

void ShellReader::AppendUpTo(std::string_view ends, Mark mark) {
  size_t end = std::min(text_.find_first_of(ends, at_ + 1), text_.size());
  Append(text_.substr(at_, end - at_), mark);
  at_ = end;
}

// "" counts as a word, but no text at all does not.
void ShellReader::Split() {
  if (top().begun) top().done.push_back(std::exchange(top().word, {}));
  top().begun = false;
}

// In double quotes, a backslash is special only before a few bytes.
void ShellReader::ReadEscape() {
  ++at_;
  if (Take("\n")) return;
  unfinished_ |= at_ == text_.size();
  bool stays = top().in_quotes && !PeekIs("$`\"\\");
  Append(stays ? "\\" : text_.substr(at_++, 1), Mark::kQuoted);
  at_ = std::min(at_, text_.size());
}

// Nothing is special inside single quotes, not even a backslash.
void ShellReader::ReadQuoted() {
  std::string_view inner = text_.substr(++at_);
  inner = inner.substr(0, inner.find('\''));
  Append(inner, Mark::kQuoted);
  at_ += inner.size();
  if (!Take("'")) unfinished_ = true;
}

// $'\x72' is a way to write "r" that no pattern over the text would recognize.
void ShellReader::ReadAnsiQuoted() {
  at_ += 2;
  while (at_ < text_.size() && !PeekIs("'")) {
    std::string value(text_.substr(at_++, 1));
    if (value == "\\" && at_ < text_.size()) {
      char kind = text_[at_++];
      value = kind;
      for (auto [letter, meant] : kEscapes) {
        if (kind == letter) value = meant;
      }
      for (auto [letters, most, base] : kNumbered) {
        if (letters.find(kind) == std::string_view::npos) continue;
        // The first digit of an octal escape has no letter before it.
        if (base == 8) --at_;
        std::string_view digits = text_.substr(at_, most);
        uint32_t code = 0;
        auto end = std::from_chars(digits.begin(), digits.end(), code, base);
        at_ += static_cast<size_t>(end.ptr - digits.begin());
        value.clear();
        AppendUtf8(code, &value);
      }
    }
    Append(value, Mark::kQuoted);
  }
  if (!Take("'")) unfinished_ = true;
}

void ShellReader::ReadDollar() {
  bool quoted = InQuotes();
  // The result is an unknown number, so it is not empty.
  if (Sees("$((") && TakeArithmetic()) {
    return Append("$((...))", Mark::kNonEmpty);
  }
  if (Take("$(")) return Push(Kind::kOutput, quoted);
  if (Sees("${")) return ReadParameter();
  if (Sees("$'") && !quoted) return ReadAnsiQuoted();
  ++at_;
  if (PeekIs(kNameBytes) && !PeekIs(kDigits)) {
    AddVariable(ReadName(), quoted);
  } else if (PeekIs(kParameters)) {
    Append(text_.substr(at_++ - 1, 2), Mark::kUnknown);
  } else {
    Append("$", Mark::kQuoted);
  }
}

// Handles ${NAME}, ${NAME:-value}, ${NAME:=value} and ${NAME:?message}, with or
// without the colon. The results of other operations are unknown.
// "${X:-$(rm -rf /)}" counts as running its command, whatever X is.
void ShellReader::ReadParameter() {
  at_ += 2;
  std::string name = ReadName();
  if (!name.empty() && Take("}")) return AddVariable(name, InQuotes());
  size_t depth = frames_.size();
  Push(Kind::kParameter, InQuotes());
  if (frames_.size() == depth) return;  // too deep
  top().name = name;
  Take(":");
  if (!name.empty() && PeekIs("-=?")) top().operation = text_[at_++];
}

void ShellReader::EndParameter(const Frame& parameter) {
  bool has_value = state_->variables.count(parameter.name) > 0;
  bool quoted = parameter.quoted;
  if (has_value && parameter.operation != '\0') {
    AddVariable(parameter.name, quoted);
  } else if (parameter.operation == '-' || parameter.operation == '=') {
    AddValue(parameter.word, quoted);
  } else {
    Append("${" + parameter.name + "...}",
           parameter.operation == '?' ? Mark::kNonEmpty : Mark::kUnknown);
  }
}

// Trailing newlines are removed (POSIX, "Command Substitution").
void ShellReader::AddOutput(const Piped& output, bool quoted) {
  if (output.known) {
    size_t end = output.text.find_last_not_of('\n') + 1;
    AddValue(Word::Of(output.text.substr(0, end), Mark::kLive), quoted);
  } else {
    // The output may be empty, which makes "rm -rf /$(x)" dangerous.
    Append("$(...)", Mark::kUnknown);
  }
  top().word.downloads |= output.downloads;
}

void ShellReader::AddVariable(const std::string& name, bool quoted) {
  auto found = state_->variables.find(name);
  if (found == state_->variables.end()) {
    return Append("$" + name, Mark::kUnknown);
  }
  AddValue(found->second.word, quoted && !found->second.is_list);
}

// An unquoted value may contain globs, which the shell expands next.
void ShellReader::AddValue(const Word& value, bool quoted) {
  if (!Charge(value.text.size())) return Append("$...", Mark::kUnknown);
  for (size_t i = 0; i < value.text.size(); ++i) {
    char c = value.text[i];
    Mark mark = value.marks[i];
    bool known = mark == Mark::kQuoted || mark == Mark::kLive;
    if (known) mark = quoted ? Mark::kQuoted : Mark::kLive;
    bool splits = mark == Mark::kLive && (c == ' ' || c == '\t' || c == '\n');
    splits ? Split() : Append({&c, 1}, mark);
  }
  top().word.downloads |= value.downloads;
}

std::string ShellReader::ReadName() {
  size_t begin = at_;
  while (PeekIs(kNameBytes) && (at_ > begin || !PeekIs(kDigits))) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

}  // namespace glasstty::gate
