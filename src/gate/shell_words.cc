// Words: quotes, escapes, expansions.
//
// A word is read once, byte by byte, and each byte gets a mark that says how it
// came about: from quotes, unquoted, or from an expansion that nobody knows the
// value of. Rules then see the word as the program would get it, and still know
// that a quoted star is no glob. An unquoted value falls apart at blanks into
// several words (POSIX, "Field Splitting"), so all readers write into a
// Builder.
//
// Every reader moves on at least by one byte. A quote or bracket without its
// end reaches to the end of the text, which is then unfinished.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/utf8.h"
#include "gate/shell_parser.h"

namespace glasstty {
namespace {

// Programs that write what they fetch to stdout, at least by an option.
constexpr std::string_view kDownloaders[] = {
    "curl", "wget", "wget2", "aria2c", "http", "fetch", "lynx", "nc", "ncat"};

// POSIX, "Name".
bool IsNameByte(char c, bool first) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (!first && c >= '0' && c <= '9');
}

// The metacharacters of the shell; unquoted they stand outside of words.
bool EndsWord(char c) {
  return std::string_view(" \t\r\n;&|()<>").find(c) != std::string_view::npos;
}

// 16 for what is none, so that one comparison asks for both bases.
int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

// Escapes of $'...' with one letter (bash(1), "QUOTING").
constexpr std::pair<char, char> kEscapes[] = {
    {'a', '\a'}, {'b', '\b'}, {'e', '\x1B'}, {'E', '\x1B'}, {'f', '\f'},
    {'n', '\n'}, {'r', '\r'}, {'t', '\t'},   {'v', '\v'}};

}  // namespace

bool ShellWord::IsKnown() const {
  return std::none_of(marks.begin(), marks.end(), [](ByteMark mark) {
    return mark == ByteMark::kUnknown || mark == ByteMark::kNonEmpty;
  });
}

// One mark a byte is wasteful and simple: words are short.
void ShellWord::Append(std::string_view more, ByteMark mark) {
  text += more;
  marks.insert(marks.end(), more.size(), mark);
}

ShellWord LiteralWord(std::string_view text) {
  ShellWord word;
  word.Append(text, ByteMark::kQuoted);
  return word;
}

void ShellParser::Builder::Append(std::string_view more, ByteMark mark) {
  word.Append(more, mark);
  begun = true;
}

// "" is a word, and nothing is none.
void ShellParser::Builder::Split() {
  if (begun) done.push_back(std::exchange(word, {}));
  begun = false;
}

// Ends at the first character that no word can hold. Braces are expanded last,
// although the shell does it first: nothing that an expansion gives is a brace
// for it, and the marks tell them apart here.
std::vector<ShellWord> ShellParser::ReadWord() {
  Builder word;
  while (!AtEnd()) {
    char c = Peek();
    bool process = (c == '<' || c == '>') && Peek(1) == '(';
    if (process) {
      at_ += 2;
      // As if quoted: what the program gets is the name of a pipe, one word.
      AddSubstitution(ParseList(')'), true, &word);
    } else if (EndsWord(c)) {
      break;
    } else if (c == '\\') {
      ++at_;
      if (AtEnd()) unfinished_ = true;
      // A line that goes on.
      if (!Take("\n") && !AtEnd()) {
        word.Append(text_.substr(at_++, 1), ByteMark::kQuoted);
      }
    } else if (c == '\'') {
      ReadQuoted(&word);
    } else if (c == '"') {
      ReadDoubleQuoted(&word);
    } else if (c == '$') {
      ReadDollar(false, &word);
    } else if (c == '`') {
      ReadBackticks(false, &word);
    } else {
      word.Append(text_.substr(at_++, 1), ByteMark::kLive);
    }
  }
  word.Split();
  std::vector<ShellWord> words;
  for (const ShellWord& done : word.done) {
    ExpandBraces(done, kMaxBraces, &words);
  }
  return words;
}

// Nothing is special inside, not even a backslash.
void ShellParser::ReadQuoted(Builder* word) {
  ++at_;
  size_t end = text_.find('\'', at_);
  if (end == std::string_view::npos) unfinished_ = true;
  end = std::min(end, text_.size());
  word->Append(text_.substr(at_, end - at_), ByteMark::kQuoted);
  at_ = std::min(end + 1, text_.size());
}

// $'\x72' is a way to write "r" that no pattern over the text would see.
void ShellParser::ReadAnsiQuoted(Builder* word) {
  at_ += 2;
  word->begun = true;
  while (!AtEnd() && Peek() != '\'') {
    char c = text_[at_++];
    if (c != '\\' || AtEnd()) {
      word->Append({&c, 1}, ByteMark::kQuoted);
      continue;
    }
    char kind = text_[at_++];
    std::string value(1, kind);
    for (auto [letter, meant] : kEscapes) {
      if (kind == letter) value = meant;
    }
    // Up to three octal digits, two, four or eight of hex. An octal escape has
    // no letter: its first digit is read again with the others.
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
    word->Append(value, ByteMark::kQuoted);
  }
  if (!Take("'")) unfinished_ = true;
}

// A backslash is special before four characters only (POSIX, "Double-Quotes").
void ShellParser::ReadDoubleQuoted(Builder* word) {
  ++at_;
  word->begun = true;
  while (!AtEnd() && Peek() != '"') {
    char c = Peek();
    bool escapes =
        c == '\\' &&
        std::string_view("$`\"\\").find(Peek(1)) != std::string_view::npos &&
        at_ + 1 < text_.size();
    if (c == '$') {
      ReadDollar(true, word);
    } else if (c == '`') {
      ReadBackticks(true, word);
    } else if (Take("\\\n")) {
      continue;
    } else {
      if (escapes) ++at_;
      word->Append(text_.substr(at_++, 1), ByteMark::kQuoted);
    }
  }
  if (!Take("\"")) unfinished_ = true;
}

// What is no expansion is a dollar: "$", "$ ", "a$".
void ShellParser::ReadDollar(bool quoted, Builder* word) {
  char next = Peek(1);
  // A number: unknown, but never empty.
  if (Sees("$((") && TakeArithmetic()) {
    word->Append("$((...))", ByteMark::kNonEmpty);
  } else if (next == '(') {
    at_ += 2;
    AddSubstitution(ParseList(')'), quoted, word);
  } else if (next == '{') {
    ReadBraced(quoted, word);
  } else if (next == '\'' && !quoted) {
    ReadAnsiQuoted(word);
    // $"..." is a string to be translated (bash(1)); untranslated it is the
    // string.
  } else if (next == '"' && !quoted) {
    ++at_;
  } else if (IsNameByte(next, true)) {
    ++at_;
    AddVariable(ReadName(), quoted, word);
    // Special parameters and arguments: "$10" is "$1" and a zero (POSIX,
    // "Positional Parameters").
  } else if (std::string_view("?#@*!$-0123456789").find(next) !=
                 std::string_view::npos &&
             at_ + 1 < text_.size()) {
    word->Append(text_.substr(at_, 2), ByteMark::kUnknown);
    at_ += 2;
  } else {
    word->Append("$", ByteMark::kQuoted);
    ++at_;
  }
}

// ${NAME}, ${NAME:-value}; of other operations nothing is known.
void ShellParser::ReadBraced(bool quoted, Builder* word) {
  size_t begin = at_;
  at_ += 2;
  std::string name = ReadName();
  if (!name.empty() && Take("}")) {
    AddVariable(name, quoted, word);
    return;
  }
  bool has_value = variables_->count(name) > 0;
  size_t op_at = at_;
  Take(":");
  char op = Peek();
  bool gives_default = !name.empty() && (op == '-' || op == '=');
  bool checks = !name.empty() && op == '?';
  if (gives_default || checks) ++at_;
  // "${X:-$(rm -rf /)}" runs what stands in it, whatever X is.
  // The rest is read for the commands in it, and for the default.
  Builder rest;
  if (++depth_ > kMaxDepth) at_ = text_.size();
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
      rest.Append(text_.substr(at_++, 1), ByteMark::kLive);
    }
  }
  --depth_;
  if (!Take("}")) unfinished_ = true;
  if (has_value && (gives_default || checks)) {
    AddVariable(name, quoted, word);
  } else if (gives_default) {
    AddValue(rest.word, quoted, word);
  } else {
    bool plain = op_at < text_.size() && text_[op_at] == '}';
    word->Append(text_.substr(begin, at_ - begin),
                 checks && !plain ? ByteMark::kNonEmpty : ByteMark::kUnknown);
  }
}

// Backslashes inside are undone before the text is read again.
void ShellParser::ReadBackticks(bool quoted, Builder* word) {
  ++at_;
  std::string inner;
  while (!AtEnd() && Peek() != '`') {
    bool escapes =
        Peek() == '\\' &&
        std::string_view("\\`$").find(Peek(1)) != std::string_view::npos &&
        at_ + 1 < text_.size();
    if (escapes) ++at_;
    inner += text_[at_++];
  }
  if (!Take("`")) unfinished_ = true;
  // Depth and spent bytes go on in it, so that nesting by backquotes has the
  // same bounds.
  ShellParser parser(inner, variables_);
  parser.depth_ = depth_ + 1;
  parser.value_bytes_ = value_bytes_;
  ShellScript script;
  if (parser.depth_ > kMaxDepth) {
    too_deep_ = true;
  } else {
    script = parser.Parse();
    too_deep_ |= script.too_deep;
    value_bytes_ = parser.value_bytes_;
  }
  AddSubstitution(std::move(script.pipelines), quoted, word);
}

// The commands are kept to be judged, the output takes its place in the word.
void ShellParser::AddSubstitution(std::vector<ShellPipeline> inner, bool quoted,
                                  Builder* word) {
  ShellWord output;
  bool downloads = Downloads(inner);
  if (KnownOutput(inner, *variables_, &output)) {
    AddValue(output, quoted, word);
  } else {
    // May be empty, which is what makes "rm -rf /$(x)" dangerous.
    word->Append("$(...)", ByteMark::kUnknown);
    word->word.downloads |= downloads;
  }
  std::move(inner.begin(), inner.end(), std::back_inserter(substitutions_));
}

// `$X` stays in the text for messages where its value is not known.
void ShellParser::AddVariable(const std::string& name, bool quoted,
                              Builder* word) {
  auto found = variables_->find(name);
  if (found == variables_->end()) {
    word->Append("$" + name, ByteMark::kUnknown);
    return;
  }
  // A copy: the loop below may not see the map change.
  ShellValue value = found->second;
  AddValue(value.word, quoted && !value.is_list, word);
}

// Unquoted, a value falls apart at its blanks.
void ShellParser::AddValue(const ShellWord& value, bool quoted, Builder* word) {
  word->word.downloads |= value.downloads;
  if (quoted) word->begun = true;
  value_bytes_ += value.text.size();
  if (value_bytes_ > kMaxValues) {
    too_deep_ = true;
    word->Append("$...", ByteMark::kUnknown);
    return;
  }
  for (size_t i = 0; i < value.text.size(); ++i) {
    char c = value.text[i];
    bool known = value.marks[i] == ByteMark::kQuoted ||
                 value.marks[i] == ByteMark::kLive;
    if (!quoted && known && (c == ' ' || c == '\t' || c == '\n')) {
      word->Split();
    } else {
      // A value that is not in quotes may hold globs, which the shell expands
      // after it (POSIX, "Pathname Expansion").
      ByteMark mark = quoted ? ByteMark::kQuoted : ByteMark::kLive;
      word->Append({&c, 1}, known ? mark : value.marks[i]);
    }
  }
}

std::string ShellParser::ReadName() {
  size_t begin = at_;
  while (!AtEnd() && IsNameByte(Peek(), at_ == begin)) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

// A program is known by its name, wherever it lies.
std::string BaseName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

// By name: what else a program fetches cannot be seen.
bool IsDownloader(std::string_view program) {
  return std::find(std::begin(kDownloaders), std::end(kDownloaders), program) !=
         std::end(kDownloaders);
}

// Anywhere in a pipe: what comes out is made of it.
bool Downloads(const std::vector<ShellPipeline>& pipelines) {
  for (const ShellPipeline& pipeline : pipelines) {
    for (const ShellStage& stage : pipeline.stages) {
      for (const ShellWord& word : stage.words) {
        if (word.downloads || IsDownloader(BaseName(word.text))) return true;
      }
      if (Downloads(stage.body)) return true;
    }
  }
  return false;
}

// Few programs are known well enough; they are those that hide a word.
bool KnownOutput(const std::vector<ShellPipeline>& pipelines,
                 const ShellVariables& variables, ShellWord* output) {
  if (pipelines.size() != 1 || pipelines[0].stages.size() != 1) return false;
  const ShellStage& stage = pipelines[0].stages[0];
  // What goes into a file is not what takes the place of "$( )".
  if (stage.words.empty() || !stage.redirects.empty()) return false;
  const std::string program = BaseName(stage.words[0].text);
  // FollowDirectory in the judge keeps PWD; it is missing when nobody knows.
  if (program == "pwd" && stage.words.size() == 1) {
    auto found = variables.find("PWD");
    if (found == variables.end()) return false;
    *output = found->second.word;
    return true;
  }
  // "command -v rm" and "which rm" tell a path that ends like their argument.
  bool tells_path = program == "which" || program == "command";
  if (!tells_path && program != "echo" && program != "printf") return false;
  for (size_t i = 1; i < stage.words.size(); ++i) {
    const ShellWord& word = stage.words[i];
    if (!word.IsKnown()) return false;
    bool option = tells_path ? word.text.starts_with("-")
                             : word.text == "-n" || word.text == "-e";
    if (option) continue;
    if (!output->text.empty()) output->Append(" ", ByteMark::kLive);
    // The newline at the end is not there: "$( )" takes it off.
    output->Append(word.text, ByteMark::kLive);
  }
  return true;
}

// The first group that has a comma; its alternatives are expanded in turn.
// Long words are data.
void ExpandBraces(const ShellWord& word, size_t limit,
                  std::vector<ShellWord>* out) {
  // Each brace looks for its end, so the work grows with the square.
  constexpr size_t kLongest = 512;
  if (word.text.size() > kLongest) {
    out->push_back(word);
    return;
  }
  auto live = [&word](size_t i, char c) {
    return word.text[i] == c && word.marks[i] == ByteMark::kLive;
  };
  for (size_t open = 0; open < word.text.size(); ++open) {
    if (!live(open, '{')) continue;
    // The brace and each comma of its own level.
    std::vector<size_t> cuts = {open};
    int depth = 0;
    size_t i = open + 1;
    for (; i < word.text.size() && (depth > 0 || !live(i, '}')); ++i) {
      if (live(i, '{')) ++depth;
      if (live(i, '}')) --depth;
      if (depth == 0 && live(i, ',')) cuts.push_back(i);
    }
    // "{}" and "{a}" are no lists: find(1) and git get them as they are.
    if (i == word.text.size() || cuts.size() == 1) continue;
    cuts.push_back(i);
    for (size_t n = 0; n + 1 < cuts.size() && out->size() < limit; ++n) {
      ShellWord one;
      one.downloads = word.downloads;
      auto add = [&one, &word](size_t from, size_t to) {
        one.text += word.text.substr(from, to - from);
        one.marks.insert(one.marks.end(),
                         word.marks.begin() + static_cast<long>(from),
                         word.marks.begin() + static_cast<long>(to));
      };
      add(0, open);
      add(cuts[n] + 1, cuts[n + 1]);
      add(i + 1, word.text.size());
      ExpandBraces(one, limit, out);
    }
    return;
  }
  if (out->size() < limit) out->push_back(word);
}

}  // namespace glasstty
