// Words: quotes, escapes, expansions. An unquoted value falls apart at blanks
// into several words (POSIX, "Field Splitting"), so all readers write into a
// Builder. A quote or bracket without its end reaches to the end of the text,
// which is then unfinished.
#include <iterator>
#include <utility>

#include "base/utf8.h"
#include "gate/shell_walk.h"

namespace glasstty {
namespace {

// What a word with braces may become.
constexpr size_t kMaxBraces = 64;
// The metacharacters of the shell; unquoted they stand outside of words.
constexpr std::string_view kMeta = " \t\r\n;&|()<>";
constexpr std::string_view kNameBytes =
    "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr size_t kNotDigits = 10;
// Special parameters and arguments: "$10" is "$1" and a zero (POSIX,
// "Positional Parameters").
constexpr std::string_view kParameters = "?#@*!$-0123456789";
// Escapes of $'...' with one letter (bash(1), "QUOTING").
constexpr std::pair<char, char> kEscapes[] = {
    {'a', '\a'}, {'b', '\b'}, {'e', '\x1B'}, {'E', '\x1B'}, {'f', '\f'},
    {'n', '\n'}, {'r', '\r'}, {'t', '\t'},   {'v', '\v'}};

// 16 for other characters, so that one comparison asks for both bases.
int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

}  // namespace

void ShellWalk::Builder::Append(std::string_view more, Mark mark) {
  word.Append(more, mark);
  begun = true;
}

// "" is a word, and nothing is none.
void ShellWalk::Builder::Split() {
  if (begun) done.push_back(std::exchange(word, {}));
  begun = false;
}

// Ends at the first character that no word can hold. Braces are expanded last,
// although the shell does it first: nothing that an expansion gives is a brace
// for it, and the marks tell them apart here.
std::vector<Word> ShellWalk::ReadWord() {
  Builder word;
  while (!AtEnd()) {
    char c = Peek();
    if ((c == '<' || c == '>') && Peek(1) == '(') {
      at_ += 2;
      // The program gets the name of a pipe.
      bool downloads = List(')', {}).downloads;
      word.Append("/dev/fd/63", Mark::kQuoted);
      word.word.downloads |= downloads;
    } else if (kMeta.find(c) != std::string_view::npos) {
      break;
    } else if (c == '\\') {
      ++at_;
      if (AtEnd()) unfinished_ = true;
      // Before a newline: the line goes on.
      if (Take("\n") || AtEnd()) continue;
      word.Append(text_.substr(at_++, 1), Mark::kQuoted);
    } else if (c == '\'') {
      ReadQuoted(&word);
    } else if (c == '"') {
      ReadDoubleQuoted(&word);
    } else if (c == '$') {
      ReadDollar(false, &word);
    } else if (c == '`') {
      ReadBackticks(false, &word);
    } else {
      word.Append(text_.substr(at_++, 1), Mark::kLive);
    }
  }
  word.Split();
  std::vector<Word> words;
  for (const Word& done : word.done) ExpandBraces(done, kMaxBraces, &words);
  return words;
}

// Nothing is special inside, not even a backslash.
void ShellWalk::ReadQuoted(Builder* word) {
  std::string_view inner = text_.substr(++at_);
  inner = inner.substr(0, inner.find('\''));
  word->Append(inner, Mark::kQuoted);
  at_ += inner.size();
  if (!Take("'")) unfinished_ = true;
}

// $'\x72' is a way to write "r" that no pattern over the text would see.
void ShellWalk::ReadAnsiQuoted(Builder* word) {
  at_ += 2;
  word->begun = true;
  while (!AtEnd() && Peek() != '\'') {
    char c = text_[at_++];
    if (c != '\\' || AtEnd()) {
      word->Append({&c, 1}, Mark::kQuoted);
      continue;
    }
    char kind = text_[at_++];
    std::string value(1, kind);
    for (auto [letter, meant] : kEscapes) {
      if (kind == letter) value = meant;
    }
    // Up to three octal digits; two, four or eight hexadecimal ones. An octal
    // escape has no letter: its first digit is read again with the others.
    bool octal = kind >= '0' && kind <= '7';
    if (octal) --at_;
    if (octal || kind == 'x' || kind == 'u' || kind == 'U') {
      size_t most = octal ? 3 : kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
      char32_t code = 0;
      int base = octal ? 8 : 16;
      for (size_t n = 0; n < most && HexDigit(Peek()) < base; ++n) {
        code = code * static_cast<char32_t>(base) +
               static_cast<char32_t>(HexDigit(text_[at_++]));
      }
      value.clear();
      AppendUtf8(code, &value);
    }
    word->Append(value, Mark::kQuoted);
  }
  if (!Take("'")) unfinished_ = true;
}

// A backslash is special before four characters only (POSIX, "Double-Quotes").
void ShellWalk::ReadDoubleQuoted(Builder* word) {
  ++at_;
  word->begun = true;
  while (!AtEnd() && Peek() != '"') {
    if (Peek() == '$') {
      ReadDollar(true, word);
    } else if (Peek() == '`') {
      ReadBackticks(true, word);
    } else if (!Take("\\\n")) {
      if (Peek() == '\\' && PeekIs("$`\"\\", 1)) ++at_;
      word->Append(text_.substr(at_++, 1), Mark::kQuoted);
    }
  }
  if (!Take("\"")) unfinished_ = true;
}

void ShellWalk::ReadDollar(bool quoted, Builder* word) {
  // A number: unknown, but not empty.
  if (Sees("$((") && TakeArithmetic()) {
    return word->Append("$((...))", Mark::kNonEmpty);
  }
  char next = Peek(1);
  if (next == '(') {
    at_ += 2;
    AddOutput(List(')', {}), quoted, word);
  } else if (next == '{') {
    ReadBraced(quoted, word);
  } else if (next == '\'' && !quoted) {
    ReadAnsiQuoted(word);
  } else if (next == '"' && !quoted) {
    // To be translated (bash(1)); untranslated it is the string.
    ++at_;
  } else if (PeekIs(kNameBytes.substr(0, kNameBytes.size() - kNotDigits), 1)) {
    ++at_;
    AddVariable(ReadName(), quoted, word);
  } else if (PeekIs(kParameters, 1)) {
    word->Append(text_.substr(at_, 2), Mark::kUnknown);
    at_ += 2;
  } else {
    word->Append("$", Mark::kQuoted);
    ++at_;
  }
}

// ${NAME}, ${NAME:-value}; of other operations nothing is known.
void ShellWalk::ReadBraced(bool quoted, Builder* word) {
  size_t begin = at_;
  at_ += 2;
  std::string name = ReadName();
  if (!name.empty() && Take("}")) return AddVariable(name, quoted, word);
  bool has_value = state_->variables.count(name) > 0;
  Take(":");
  bool defaults = !name.empty() && PeekIs("-=");
  bool checks = !name.empty() && PeekIs("?");
  if (defaults || checks) ++at_;
  // "${X:-$(rm -rf /)}" runs what stands in it, whatever X is. So the rest is
  // read for the commands in it, and for the default.
  Builder rest;
  Descend();
  while (!AtEnd() && Peek() != '}') {
    if (Peek() == '$') {
      ReadDollar(true, &rest);
    } else if (Peek() == '`') {
      ReadBackticks(true, &rest);
    } else if (Peek() == '\'' && !quoted) {
      ReadQuoted(&rest);
    } else if (Peek() == '"') {
      ReadDoubleQuoted(&rest);
    } else {
      rest.Append(text_.substr(at_++, 1), Mark::kLive);
    }
  }
  --state_->depth;
  if (!Take("}")) unfinished_ = true;
  if (has_value && (defaults || checks)) {
    AddVariable(name, quoted, word);
  } else if (defaults) {
    AddValue(rest.word, quoted, word);
  } else {
    word->Append(text_.substr(begin, at_ - begin),
                 checks ? Mark::kNonEmpty : Mark::kUnknown);
  }
}

// Backslashes inside are undone before the text is read again.
void ShellWalk::ReadBackticks(bool quoted, Builder* word) {
  ++at_;
  std::string inner;
  while (!AtEnd() && Peek() != '`') {
    if (Peek() == '\\' && PeekIs("\\`$", 1)) ++at_;
    inner += text_[at_++];
  }
  if (!Take("`")) unfinished_ = true;
  AddOutput(ShellWalk(inner, state_, run_).Walk({}), quoted, word);
}

// The newlines at its end are taken off (POSIX, "Command Substitution").
void ShellWalk::AddOutput(const Piped& output, bool quoted, Builder* word) {
  if (output.kind == Piped::Kind::kKnown) {
    Word value;
    size_t end = output.text.find_last_not_of('\n') + 1;
    value.Append(output.text.substr(0, end), Mark::kLive);
    value.downloads = output.downloads;
    AddValue(value, quoted, word);
  } else {
    // May be empty, which is what makes "rm -rf /$(x)" dangerous.
    word->Append("$(...)", Mark::kUnknown);
    word->word.downloads |= output.downloads;
  }
}

void ShellWalk::AddVariable(const std::string& name, bool quoted,
                            Builder* word) {
  auto found = state_->variables.find(name);
  if (found == state_->variables.end()) {
    word->Append("$" + name, Mark::kUnknown);
  } else {
    AddValue(found->second.word, quoted && !found->second.is_list, word);
  }
}

// A value that is not in quotes may hold globs, which the shell expands after
// it (POSIX, "Pathname Expansion").
void ShellWalk::AddValue(const Word& value, bool quoted, Builder* word) {
  state_->value_bytes += value.text.size();
  if (state_->value_bytes > kMaxValues) {
    state_->too_deep = true;
    word->Append("$...", Mark::kUnknown);
    return;
  }
  for (size_t i = 0; i < value.text.size(); ++i) {
    char c = value.text[i];
    Mark mark = value.marks[i];
    bool known = mark == Mark::kQuoted || mark == Mark::kLive;
    if (!quoted && known && (c == ' ' || c == '\t' || c == '\n')) {
      word->Split();
    } else {
      if (known) mark = quoted ? Mark::kQuoted : Mark::kLive;
      word->Append({&c, 1}, mark);
    }
    word->word.downloads |= value.downloads;
  }
}

std::string ShellWalk::ReadName() {
  size_t begin = at_;
  if (!PeekIs("0123456789")) {
    while (PeekIs(kNameBytes)) ++at_;
  }
  return std::string(text_.substr(begin, at_ - begin));
}

}  // namespace glasstty
