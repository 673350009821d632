// Lists, pipelines, commands.
//
// One pass without tokens: what a character means depends on where it stands
// (a "}" ends a group only where a command may begin), so the functions below
// look at the text itself. Every one of them moves on or ends, whatever comes:
// text that no shell would take is read as far as it makes sense.
#include "gate/shell_parser.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace glasstty {
namespace {

// They only stand in front of commands. What stands behind them is read as a
// command, so the branches of an "if" are all judged. "begin" and "end" are
// fish's.
constexpr std::string_view kSkipped[] = {
    "if", "then", "elif", "else", "fi",     "while", "until",
    "do", "done", "esac", "!",    "coproc", "begin", "end"};
// Commands whose arguments are assignments.
constexpr std::string_view kAssigners[] = {"export", "declare", "local",
                                           "readonly", "typeset"};
// Longest first. The first that fits is taken, so ">>" must not be found as
// ">".
constexpr std::string_view kRedirects[] = {
    "&>>", "<<<", "<<-", "&>", "<<", ">>", ">|", ">&", "<&", "<>", ">", "<"};

// The tables are short.
template <size_t N>
bool OneOf(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool IsNameByte(char c, bool first) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (!first && c >= '0' && c <= '9');
}

// The length of "NAME" in "NAME=value"; 0: no assignment, and neither is
// "NAME+=value".
size_t AssignedName(const ShellWord& word) {
  size_t n = 0;
  while (n < word.text.size() && IsNameByte(word.text[n], n == 0) &&
         word.marks[n] == ByteMark::kLive) {
    ++n;
  }
  std::string_view rest = std::string_view(word.text).substr(n);
  bool assigns = rest.starts_with("=") || rest.starts_with("+=");
  return n > 0 && assigns ? n : 0;
}

// A reserved word or an assignment that is quoted in part is none
// (POSIX, "Reserved Words").
bool IsPlain(const ShellWord& word) {
  return std::all_of(word.marks.begin(), word.marks.end(),
                     [](ByteMark mark) { return mark == ByteMark::kLive; });
}

}  // namespace

ShellScript ParseShell(std::string_view text, ShellVariables* variables) {
  return ShellParser(text, variables).Parse();
}

ShellScript ShellParser::Parse() {
  ShellScript script;
  script.pipelines = ParseList('\0');
  // A here-document was announced, and the text ends with its line.
  if (!pending_.empty()) unfinished_ = true;
  script.unfinished = unfinished_;
  script.too_deep = too_deep_;
  return script;
}

// Up to `close`, which is taken; '\0': to the end. Empty items (";;", a lone
// "&") are passed over, though a shell would complain.
std::vector<ShellPipeline> ShellParser::ParseList(char close) {
  std::vector<ShellPipeline> list;
  // The recursion is on the stack: a megabyte of "(" must not exhaust it.
  if (++depth_ > kMaxDepth) {
    too_deep_ = true;
    at_ = text_.size();
  }
  while (true) {
    SkipBlanks();
    if (AtEnd()) {
      if (close != '\0') unfinished_ = true;
      break;
    }
    char c = Peek();
    if (close != '\0' && c == close) {
      ++at_;
      break;
    }
    if (c == '\n') {
      ++at_;
      ReadHereTexts();
    } else if (c == ';' || c == '&' || c == '|' || c == ')') {
      // A ")" here ends the pattern of a case.
      ++at_;
    } else {
      list.push_back(ParsePipeline(close));
    }
  }
  --depth_;
  return list;
}

// "&&" and "||" end a pipeline as ";" does: both sides are judged.
ShellPipeline ShellParser::ParsePipeline(char close) {
  ShellPipeline pipeline;
  while (true) {
    pipeline.stages.push_back(ParseStage(close));
    SkipBlanks();
    if (Sees("||") || !Take("|")) break;
    // "|&" pipes stderr too (bash(1), "Pipelines").
    Take("&");
    SkipLines();
    if (AtEnd()) unfinished_ = true;
  }
  if (Take("&&") || Take("||")) {
    SkipLines();
    if (AtEnd()) unfinished_ = true;
  } else if (Take("&")) {
    pipeline.background = true;
  }
  return pipeline;
}

// Substitutions are collected in a member while words are read, since a word
// may become none or several; the outer command's are put aside meanwhile.
ShellStage ShellParser::ParseStage(char close) {
  ShellStage stage;
  std::vector<ShellPipeline> outer = std::exchange(substitutions_, {});
  while (true) {
    SkipBlanks();
    char c = Peek();
    // What ends a command. Of a group in { } the brace is a word of its own, so
    // it is looked for below, where a command may begin.
    if (AtEnd() || c == '\n' || c == ';' || c == '|' || c == ')') break;
    // Before the '&': "&>file" is a redirection and ends nothing.
    if (TakeRedirect(&stage)) continue;
    if (c == '&') break;
    if (stage.words.empty() && TakeGroup(&stage)) continue;
    if (c == '(') {
      TakeParenthesis(&stage, close);
      continue;
    }
    bool first = stage.words.empty();
    if (first && close == '}' && c == '}') break;
    std::vector<ShellWord> words = ReadWord();
    if (first && words.size() == 1) {
      if (TakeReserved(words[0], &stage, close)) continue;
      if (TakeAssignment(words[0], stage)) continue;
    }
    for (ShellWord& word : words) {
      // Behind export and the like; the word stays, for rules see the whole
      // command.
      TakeAssignment(word, stage);
      stage.words.push_back(std::move(word));
    }
  }
  stage.substitutions = std::exchange(substitutions_, std::move(outer));
  return stage;
}

// ( ), (( )) or { } where a command may begin.
bool ShellParser::TakeGroup(ShellStage* stage) {
  if (Sees("((") && TakeArithmetic()) return true;
  // "{" is a reserved word and must stand alone: "{a,b}" is a brace expansion.
  bool brace = Peek() == '{' && (Peek(1) == ' ' || Peek(1) == '\n' ||
                                 Peek(1) == '\t' || Peek(1) == '\0');
  if (Peek() != '(' && !brace) return false;
  ++at_;
  std::vector<ShellPipeline> body = ParseList(brace ? '}' : ')');
  std::move(body.begin(), body.end(), std::back_inserter(stage->body));
  stage->subshell = !brace;
  return true;
}

// "name()" or, as in fish, a substitution without a dollar.
void ShellParser::TakeParenthesis(ShellStage* stage, char close) {
  ++at_;
  SkipBlanks();
  if (stage->words.size() == 1 && Peek() == ')') {
    ++at_;
    std::string name = stage->words[0].text;
    stage->words.clear();
    TakeFunction(std::move(name), stage, close);
    return;
  }
  Builder word;
  AddSubstitution(ParseList(')'), false, &word);
  word.Split();
  std::move(word.done.begin(), word.done.end(),
            std::back_inserter(stage->words));
}

void ShellParser::TakeFunction(std::string name, ShellStage* stage,
                               char close) {
  SkipLines();
  stage->function = std::move(name);
  if (++depth_ > kMaxDepth) {
    too_deep_ = true;
    at_ = text_.size();
  }
  // A function's body is one compound command, so one stage is all of it.
  ShellPipeline body;
  body.stages.push_back(ParseStage(close));
  stage->body.push_back(std::move(body));
  --depth_;
}

// True when the word was taken: what follows may begin a command again.
bool ShellParser::TakeReserved(const ShellWord& word, ShellStage* stage,
                               char close) {
  if (!IsPlain(word)) return false;
  if (OneOf(kSkipped, word.text)) return true;
  if (word.text == "for" || word.text == "select" || word.text == "foreach") {
    TakeLoop();
    return true;
  }
  if (word.text == "case") {
    SkipBlanks();
    ReadWord();
    SkipLines();
    // The patterns and bodies that follow are read as commands: ParseList drops
    // the ")" behind a pattern.
    return Take("in") || true;
  }
  if (word.text != "function") return false;
  SkipBlanks();
  std::vector<ShellWord> name = ReadWord();
  SkipBlanks();
  Take("()");
  TakeFunction(name.empty() ? "" : name[0].text, stage, close);
  return true;
}

// "NAME in WORDS": the variable takes each of them.
void ShellParser::TakeLoop() {
  SkipBlanks();
  std::string name = ReadName();
  SkipLines();
  if (!Take("in")) return;
  ShellValue value;
  value.is_list = true;
  while (true) {
    SkipBlanks();
    char c = Peek();
    if (AtEnd() || c == '\n' || c == ';' || c == '&' || c == '|' || c == ')') {
      break;
    }
    size_t before = at_;
    for (const ShellWord& word : ReadWord()) {
      if (!value.word.text.empty()) value.word.Append(" ", ByteMark::kLive);
      value.word.text += word.text;
      value.word.marks.insert(value.word.marks.end(), word.marks.begin(),
                              word.marks.end());
    }
    // Characters such as '<' begin no word, and staying would never end.
    if (at_ == before) ++at_;
  }
  if (!name.empty()) (*variables_)[name] = std::move(value);
}

// NAME=value in front of a command, or behind export and the like. The last
// assignment in the text wins, whether or not its branch would run.
bool ShellParser::TakeAssignment(const ShellWord& word,
                                 const ShellStage& stage) {
  bool place = stage.words.empty() || OneOf(kAssigners, stage.words[0].text);
  size_t name = place ? AssignedName(word) : 0;
  if (name == 0) return false;
  // What is added to is not looked up: then nothing is known of the whole.
  if (word.text[name] == '+') {
    variables_->erase(word.text.substr(0, name));
    return true;
  }
  ShellValue value;
  value.word.text = word.text.substr(name + 1);
  value.word.marks.assign(word.marks.begin() + static_cast<long>(name) + 1,
                          word.marks.end());
  value.word.downloads = word.downloads;
  (*variables_)[word.text.substr(0, name)] = std::move(value);
  return true;
}

// "2>file", ">&2", "&>file". The number in front is no word.
bool ShellParser::TakeRedirect(ShellStage* stage) {
  size_t digits = 0;
  while (Peek(digits) >= '0' && Peek(digits) <= '9') ++digits;
  char c = Peek(digits);
  bool both = digits == 0 && c == '&' && Peek(1) == '>';
  if (c != '<' && c != '>' && !both) return false;
  // <( ) is a word.
  if (digits == 0 && Peek(1) == '(') return false;
  at_ += digits;
  Redirect redirect;
  for (std::string_view op : kRedirects) {
    if (!Take(op)) continue;
    redirect.op = op;
    break;
  }
  SkipBlanks();
  std::vector<ShellWord> words = ReadWord();
  if (!words.empty()) redirect.target = std::move(words[0]);
  if (redirect.op == "<<" || redirect.op == "<<-") {
    stage->here = std::make_shared<HereText>();
    pending_.push_back({redirect.target.text, redirect.op == "<<-",
                        IsPlain(redirect.target), stage->here});
  } else if (redirect.op == "<<<") {
    stage->here = std::make_shared<HereText>();
    stage->here->text = redirect.target.text;
  } else {
    stage->redirects.push_back(std::move(redirect));
  }
  return true;
}

// Behind the end of a line.
void ShellParser::ReadHereTexts() {
  // Taken out first: a substitution in a text may announce others.
  std::vector<Pending> pending = std::exchange(pending_, {});
  for (size_t i = 0; i < pending.size(); ++i) {
    bool ended = false;
    while (!AtEnd() && !ended) {
      size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, end - at_);
      at_ = std::min(end + 1, text_.size());
      if (pending[i].strips_tabs) {
        line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
      }
      ended = line == pending[i].delimiter;
      if (!ended) pending[i].here->text += std::string(line) + "\n";
    }
    if (!ended) unfinished_ = true;
    if (!pending[i].expands) continue;
    HereText* here = pending[i].here.get();
    // The delimiter was not quoted, so the shell expands the text (POSIX,
    // "Here-Document").
    // Depth and spent bytes go on in it, as in ReadBackticks.
    ShellParser parser(here->text, variables_);
    parser.depth_ = depth_ + 1;
    parser.value_bytes_ = value_bytes_;
    if (parser.depth_ > kMaxDepth) {
      too_deep_ = true;
      continue;
    }
    here->substitutions = parser.ParseHereSubstitutions();
    too_deep_ |= parser.too_deep_;
    value_bytes_ = parser.value_bytes_;
  }
}

// Quotes mean nothing in a here-document; dollars and backquotes do.
std::vector<ShellPipeline> ShellParser::ParseHereSubstitutions() {
  Builder unused;
  while (!AtEnd()) {
    if (Peek() == '\\') {
      at_ += 2;
    } else if (Sees("$(")) {
      ReadDollar(true, &unused);
    } else if (Peek() == '`') {
      ReadBackticks(true, &unused);
    } else {
      ++at_;
    }
  }
  return std::move(substitutions_);
}

// A "#" begins a comment where a word may begin, nowhere else: "a#b" is a word.
void ShellParser::SkipBlanks() {
  while (!AtEnd()) {
    if (Peek() == ' ' || Peek() == '\t' || Peek() == '\r') {
      ++at_;
    } else if (Sees("\\\n")) {
      at_ += 2;
    } else if (Peek() == '#' &&
               (at_ == 0 ||
                std::string_view(" \t\n;&|()`").find(text_[at_ - 1]) !=
                    std::string_view::npos)) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

// Where a command must follow, newlines are blanks.
void ShellParser::SkipLines() {
  SkipBlanks();
  while (!AtEnd() && Peek() == '\n') {
    ++at_;
    ReadHereTexts();
    SkipBlanks();
  }
}

// To behind "))". False: it does not look like arithmetic, but like a group in
// a group.
bool ShellParser::TakeArithmetic() {
  // Arithmetic is short; without a limit each "((" would be looked for to the
  // end of the text.
  constexpr size_t kLongest = 1024;
  size_t end = text_.substr(at_, kLongest).find("))");
  if (end == std::string_view::npos) return false;
  std::string_view inner = text_.substr(at_, end);
  end += at_;
  bool has_commands = inner.find_first_of(";\n`|&") != std::string_view::npos ||
                      inner.find("$(", 1) != std::string_view::npos;
  if (has_commands) return false;
  at_ = end + 2;
  return true;
}

}  // namespace glasstty
