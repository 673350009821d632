// Lists, pipelines, commands.
//
// One pass without tokens or a tree: what a character means depends on where it
// stands (a "}" ends a group only where a command may begin), so the functions
// below look at the text itself, and hand each command on as soon as they have
// read it.
#include "gate/shell_walk.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace glasstty {
namespace {

// They stand in front of commands. "begin" and "end" are fish's.
constexpr std::string_view kSkipped[] = {
    "if", "then", "elif", "else", "fi",     "while", "until",
    "do", "done", "esac", "!",    "coproc", "begin", "end"};
// Commands whose arguments are assignments.
constexpr std::string_view kAssigners[] = {"export", "declare", "local",
                                           "readonly", "typeset"};
// The first that fits is taken, so ">>" stands before ">".
constexpr std::string_view kRedirects[] = {
    "&>>", "<<<", "<<-", "&>", "<<", ">>", ">|", ">&", "<&", "<>", ">", "<"};
constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kEndsCommand = "\n;|)";

template <size_t N>
bool OneOf(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The length of "NAME" in "NAME=value" and "NAME+=value"; 0 for other words.
size_t AssignedName(const Word& word) {
  size_t n = std::min(word.text.find_first_of("+="), word.text.size());
  Word name = word.Part(0, n);
  bool is_name = n > 0 && name.IsLive() &&
                 (name.text[0] < '0' || name.text[0] > '9') &&
                 name.text.find_first_not_of(
                     "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                     "0123456789") == std::string::npos;
  std::string_view rest = std::string_view(word.text).substr(n);
  return is_name && (rest.starts_with("=") || rest.starts_with("+=")) ? n : 0;
}

}  // namespace

Piped Piped::Known(std::string text) {
  return {Kind::kKnown, std::move(text), false};
}

Piped Piped::Unknown(bool downloads) { return {Kind::kUnknown, "", downloads}; }

void Piped::Add(const Piped& more) {
  bool loaded = downloads || more.downloads;
  if (kind == Kind::kNone) {
    *this = more;
  } else if (kind == Kind::kKnown && more.kind == Kind::kKnown) {
    text += more.text;
  } else if (more.kind != Kind::kNone) {
    kind = Kind::kUnknown;
  }
  downloads = loaded;
}

Piped ShellWalk::Walk(const Piped& input) {
  Piped output = List('\0', input);
  // A here-document was announced, and the text ends with its line.
  if (behind_here_ > 0) unfinished_ = true;
  return output;
}

// Quotes mean nothing in a here-document; dollars and backquotes do (POSIX,
// "Here-Document").
void ShellWalk::WalkHereText() {
  Builder unused;
  while (Descend() && !AtEnd()) {
    if (Peek() == '\\') {
      at_ += 2;
    } else if (Sees("$(")) {
      ReadDollar(true, &unused);
    } else if (Peek() == '`') {
      ReadBackticks(true, &unused);
    } else {
      ++at_;
    }
    --state_->depth;
  }
}

// The recursion is on the stack, and a megabyte of "(" must not exhaust it.
bool ShellWalk::Descend() {
  if (++state_->depth <= kMaxDepth) return true;
  state_->too_deep = true;
  at_ = text_.size();
  return false;
}

// Up to `close`, which is taken; '\0': to the end. Empty items (";;", a lone
// "&") are passed over, though a shell would complain; so is the ")" behind the
// pattern of a case.
Piped ShellWalk::List(char close, const Piped& input) {
  Piped output;
  Descend();
  for (SkipLines(); !AtEnd(); SkipLines()) {
    if (close != '\0' && Peek() == close) break;
    if (PeekIs(";&|)")) {
      ++at_;
    } else {
      output.Add(Pipeline(close, input));
    }
  }
  if (close != '\0' && AtEnd()) unfinished_ = true;
  if (!AtEnd()) ++at_;
  --state_->depth;
  return output;
}

// "&&" and "||" end a pipeline as ";" does: both sides are walked.
Piped ShellWalk::Pipeline(char close, const Piped& input) {
  Piped passed = input;
  std::vector<std::string> self_calls;
  while (true) {
    passed = Stage(close, passed, &self_calls);
    if (Sees("||") || !Take("|")) break;
    // "|&" pipes stderr too (bash(1), "Pipelines").
    Take("&");
    SkipLines();
    if (AtEnd()) unfinished_ = true;
  }
  bool joined = Take("&&") || Take("||");
  if (joined) SkipLines();
  if (joined && AtEnd()) unfinished_ = true;
  // One call in the foreground is ordinary recursion, which ends by itself or
  // with the shell's stack.
  bool background = !joined && Peek() == '&';
  if (self_calls.size() > 1 || (self_calls.size() == 1 && background)) {
    state_->fork_bomb = self_calls[0];
  }
  return passed;
}

// One command, or one group with what stands around it.
Piped ShellWalk::Stage(char close, const Piped& input,
                       std::vector<std::string>* self_calls) {
  SimpleCommand command;
  command.input = input;
  Piped output;
  size_t functions = state_->functions.size();
  for (SkipBlanks(); !AtEnd() && !PeekIs(kEndsCommand); SkipBlanks()) {
    // Before the '&': "&>file" is a redirection and ends nothing.
    if (TakeRedirect(&command)) continue;
    if (Peek() == '&') break;
    bool first = command.words.empty();
    if (first && close == '}' && Peek() == '}') break;
    if (first && TakeGroup(command.input, &output)) continue;
    if (Peek() == '(' && TakeFunction(&command.words)) continue;
    std::vector<Word> words = ReadWord();
    if (first && words.size() == 1 &&
        (TakeReserved(words[0]) || TakeAssignment(words[0], {}))) {
      continue;
    }
    for (Word& word : words) {
      // Behind `export` and the like, and rules see the whole command.
      if (!command.words.empty()) TakeAssignment(word, command.words);
      command.words.push_back(std::move(word));
    }
  }
  command.piped = Peek() == '|' && !Sees("||");
  command.background = Peek() == '&' && !Sees("&&");
  command.nested = state_->depth > 1;
  state_->functions.resize(functions);
  bool calls_self =
      !command.words.empty() &&
      std::count(state_->functions.begin(), state_->functions.end(),
                 command.words[0].text) > 0;
  if (calls_self) self_calls->push_back(command.words[0].text);
  if (!command.words.empty() || !command.redirects.empty()) {
    output.Add((*run_)(&command));
  }
  return output;
}

// ( ), (( )) or { } where a command may begin.
bool ShellWalk::TakeGroup(const Piped& input, Piped* output) {
  if (Sees("((") && TakeArithmetic()) return true;
  // "{" is a reserved word and must stand alone: "{a,b}" is a brace expansion.
  bool brace = Peek() == '{' && (at_ + 1 == text_.size() || PeekIs(" \t\n", 1));
  if (Peek() != '(' && !brace) return false;
  ++at_;
  // Only ( ) is a process of its own (POSIX, "Grouping Commands").
  std::string directory = state_->place.directory;
  output->Add(List(brace ? '}' : ')', input));
  if (!brace) state_->place.directory = directory;
  return true;
}

// At a "(": of "name()", whose body follows as a group would, or, as in fish,
// of a substitution without a dollar.
bool ShellWalk::TakeFunction(std::vector<Word>* words) {
  ++at_;
  SkipBlanks();
  if (words->size() == 1 && Take(")")) {
    state_->functions.push_back(words->front().text);
    words->clear();
    SkipLines();
    return true;
  }
  Builder word;
  AddOutput(List(')', {}), false, &word);
  word.Split();
  std::move(word.done.begin(), word.done.end(), std::back_inserter(*words));
  return true;
}

// True: what follows may begin a command again.
bool ShellWalk::TakeReserved(const Word& word) {
  if (!word.IsLive()) return false;
  if (word.text == "for" || word.text == "select" || word.text == "foreach") {
    TakeLoop();
    return true;
  }
  if (word.text == "case") {
    // The patterns and bodies behind it are read as commands.
    SkipBlanks();
    ReadWord();
    SkipLines();
    Take("in");
    return true;
  }
  if (word.text == "function") {
    SkipBlanks();
    for (const Word& name : ReadWord()) state_->functions.push_back(name.text);
    SkipBlanks();
    Take("()");
    SkipLines();
    return true;
  }
  return OneOf(kSkipped, word.text);
}

// "NAME in WORDS": the variable takes each of them.
void ShellWalk::TakeLoop() {
  SkipBlanks();
  std::string name = ReadName();
  SkipLines();
  if (!Take("in")) return;
  Variable value;
  value.is_list = true;
  for (SkipBlanks(); !AtEnd() && !PeekIs("\n;|)&"); SkipBlanks()) {
    size_t before = at_;
    for (const Word& word : ReadWord()) {
      if (!value.word.text.empty()) value.word.Append(" ", Mark::kLive);
      value.word.Append(word);
    }
    // A '<' begins no word, and staying would never end.
    if (at_ == before) ++at_;
  }
  if (!name.empty()) state_->variables[name] = std::move(value);
}

// NAME=value in front of a command, or behind `export` and the like. The last
// assignment in the text wins, whether or not its branch would run.
bool ShellWalk::TakeAssignment(const Word& word,
                               const std::vector<Word>& before) {
  bool place = before.empty() || OneOf(kAssigners, before[0].text);
  size_t name = place ? AssignedName(word) : 0;
  if (name == 0) return false;
  std::string variable = word.text.substr(0, name);
  // What is added to is not looked up: then nothing is known of the whole.
  if (word.text[name] == '+') {
    state_->variables.erase(variable);
  } else {
    state_->variables[variable] = {word.Part(name + 1), false};
  }
  return true;
}

// "2>file", ">&2", "&>file", "<<EOF". The number in front is no word.
bool ShellWalk::TakeRedirect(SimpleCommand* command) {
  size_t digits = 0;
  while (PeekIs("0123456789", digits)) ++digits;
  bool both = digits == 0 && Sees("&>");
  // <( ) is a word.
  bool process = digits == 0 && Peek(1) == '(';
  if (!both && (!PeekIs("<>", digits) || process)) return false;
  at_ += digits;
  Redirect redirect;
  for (std::string_view op : kRedirects) {
    if (!redirect.op.empty() || !Take(op)) continue;
    redirect.op = op;
  }
  SkipBlanks();
  std::vector<Word> words = ReadWord();
  if (!words.empty()) redirect.target = std::move(words[0]);
  const Word& target = redirect.target;
  if (redirect.op == "<<" || redirect.op == "<<-") {
    std::string text = TakeHereText(target.text, redirect.op == "<<-");
    // A delimiter without quotes lets the shell expand the text.
    if (target.IsLive()) ShellWalk(text, state_, run_).WalkHereText();
    command->input = Piped::Known(std::move(text));
  } else if (redirect.op == "<<<") {
    command->input = Piped::Known(target.text);
  } else if (redirect.op == "<") {
    command->input = Piped::Unknown(target.downloads);
  } else if (redirect.op.find('>') != std::string::npos) {
    command->redirects.push_back(std::move(redirect));
  }
  return true;
}

// Read ahead, since the command that gets it may be followed by others in its
// line. A line that ends in an open quote is not told from one that ends.
std::string ShellWalk::TakeHereText(std::string_view delimiter,
                                    bool strips_tabs) {
  size_t at = behind_here_;
  if (at == 0) at = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
  std::string here;
  bool ended = false;
  while (at < text_.size() && !ended) {
    size_t end = std::min(text_.find('\n', at), text_.size());
    std::string_view line = text_.substr(at, end - at);
    at = std::min(end + 1, text_.size());
    if (strips_tabs) {
      line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
    }
    ended = line == delimiter;
    if (!ended) here += std::string(line) + "\n";
  }
  if (!ended) unfinished_ = true;
  behind_here_ = at;
  return here;
}

// To behind "))". False: it does not look like arithmetic, but like a group in
// a group.
bool ShellWalk::TakeArithmetic() {
  // Arithmetic is short; without a limit each "((" would be looked for to the
  // end of the text.
  constexpr size_t kLongest = 1024;
  std::string_view inner = text_.substr(at_, kLongest);
  inner = inner.substr(0, inner.find("))"));
  bool ends = inner.size() < std::min(kLongest, text_.size() - at_);
  bool has_commands = inner.find_first_of(";\n`|&") != std::string_view::npos ||
                      inner.find("$(", 1) != std::string_view::npos;
  if (!ends || has_commands) return false;
  at_ += inner.size() + 2;
  return true;
}

// A "#" begins a comment where a word may begin: "a#b" is a word.
void ShellWalk::SkipBlanks() {
  while (!AtEnd()) {
    bool begins =
        at_ == 0 || std::string_view(" \t\n;&|()`").find(text_[at_ - 1]) !=
                        std::string_view::npos;
    if (PeekIs(kBlanks)) {
      ++at_;
    } else if (Peek() == '#' && begins) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (!Take("\\\n")) {
      return;
    }
  }
}

// Where a command may follow, newlines are blanks.
void ShellWalk::SkipLines() {
  for (SkipBlanks(); Peek() == '\n' && !AtEnd(); SkipBlanks()) NextLine();
}

// The texts of here-documents have been read already.
void ShellWalk::NextLine() {
  ++at_;
  at_ = std::max(at_, std::exchange(behind_here_, 0));
}

}  // namespace glasstty
