// Reads commands: lists, pipelines, groups, redirections.
#include "gate/shell_reader.h"

#include <algorithm>
#include <utility>

#include "gate/rules.h"

namespace glasstty::gate {
namespace {

// Texts written by hand are not nested deeper.
constexpr size_t kMaxDepth = 40;
// Each line "A=$A$A" doubles the value of A.
constexpr size_t kMaxCopied = 4 << 20;
// The first match is used, so ">>" precedes ">".
constexpr std::string_view kRedirects[] = {
    "&>>", "<<<", "<<-", "&>", "<<", ">>", ">|", ">&", "<&", "<>", ">", "<"};
constexpr std::string_view kOperators = " \t\r\n;&|()<>";
constexpr std::string_view kWordEnds = " \t\r\n;&|()<>\\$\"`'";

}  // namespace

ShellReader::ShellReader(std::string_view text, ShellState* state,
                         const Run* run, const Piped& input)
    : text_(text), state_(state), run_(run), frames_(1) {
  top().input = top().command.input = input;
}

void ShellReader::Read() {
  while (at_ < text_.size()) Step();
  // Everything that is still open ends with the text.
  unfinished_ |= top().in_quotes;
  EndWord();
  unfinished_ |= frames_.size() > 1 || top().wants_command;
  while (frames_.size() > 1) Pop();
  EndWord();
  EndCommand('\0');
}

// The text is read as if it were between double quotes (POSIX,
// "Here-Document").
void ShellReader::ReadHereText() {
  is_here_text_ = true;
  top().in_quotes = true;
  while (at_ < text_.size()) Step();
  while (frames_.size() > 1) Pop();
}

// Reads one special sequence, or the ordinary text before the next one.
void ShellReader::Step() {
  char c = text_[at_];
  bool ends_backquotes = top().kind == Kind::kBackquotes && !top().in_quotes;
  if (c == '\\') return ReadEscape();
  if (c == '$') return ReadDollar();
  if (c == '"' && !(is_here_text_ && frames_.size() == 1)) {
    ++at_;
    top().begun = true;
    top().in_quotes = !top().in_quotes;
    return;
  }
  if (c == '`') {
    ++at_;
    return ends_backquotes ? Pop() : Push(Kind::kBackquotes, InQuotes());
  }
  if (top().in_quotes) return AppendUpTo("\\$\"`", Mark::kQuoted);
  bool is_parameter = top().kind == Kind::kParameter;
  if (c == '\'' && !(is_parameter && top().quoted)) return ReadQuoted();
  if (is_parameter) {
    if (Take("}")) return Pop();
    return Append(text_.substr(at_++, 1), Mark::kLive);
  }
  if (kOperators.find(c) != std::string_view::npos) return TakeOperator(c);
  // A "#" begins a comment only where a word may begin: "a#b" is a word.
  if (c == '#' && !top().begun && state_->comments) {
    state_->has_comments = true;
    at_ = std::min(text_.find('\n', at_), text_.size());
    return;
  }
  AppendUpTo(kWordEnds, Mark::kLive);
}

// Unquoted operators separate words (bash(1), "metacharacter").
void ShellReader::TakeOperator(char c) {
  if ((c == '<' || c == '>') && PeekIs("(", 1)) {
    at_ += 2;
    return Push(Kind::kProcess);
  }
  if (c == '<' || c == '>' || Sees("&>")) return TakeRedirect();
  EndWord();
  // EndWord has changed the frame if the word was "}", which ends a group.
  if (c == '(') return TakeParenthesis();
  ++at_;
  Kind kind = top().kind;
  bool closes =
      kind == Kind::kGroup || kind == Kind::kOutput || kind == Kind::kProcess;
  if (c == ')' && top().cases > 0) {
    // The ")" ends the pattern of a case.
    top().command.words.clear();
  } else if (c == ')' && closes) {
    Pop();
  } else if (c == '|' || c == '&') {
    bool twice = Take({&c, 1});
    EndCommand(twice ? ';' : c);
    top().wants_command = twice || c == '|';
    // "|&" pipes stderr too (bash(1), "Pipelines").
    if (!twice && c == '|') Take("&");
  } else if (c == '\n') {
    // After "|", the command is still to come.
    if (!top().wants_command) EndCommand(c);
    // Skip the texts of here-documents, which have been read already.
    at_ = std::max(at_, std::exchange(behind_here_, 0));
  } else if (c == ';' || c == ')') {
    EndCommand(c);
  }
}

// Handles a "(" of a function, of arithmetic or of a group. After other words,
// it begins a substitution without a dollar, as in fish.
void ShellReader::TakeParenthesis() {
  Words* words = &top().command.words;
  if (words->empty() && Sees("((") && TakeArithmetic()) return;
  ++at_;
  size_t end = std::min(text_.find_first_not_of(' ', at_), text_.size());
  if (words->size() == 1 && text_.substr(end, 1) == ")") {
    at_ = end + 1;
    return words->clear();
  }
  // This is "case x in (a) ...".
  if (!words->empty() && words->front().text == "case") EndCommand(';');
  Push(words->empty() ? Kind::kGroup : Kind::kOutput);
}

// Handles "2>file", ">&2", "&>file", "<<EOF". The number before the operator is
// not a word.
void ShellReader::TakeRedirect() {
  const Word& number = top().word;
  bool is_number =
      top().done.empty() && number.IsLive() &&
      number.text.find_first_not_of("0123456789") == std::string::npos;
  if (is_number) {
    top().word = {};
    top().begun = false;
  }
  EndWord();
  top().op = *std::find_if(std::begin(kRedirects), std::end(kRedirects),
                           [this](std::string_view op) { return Take(op); });
}

// Reads ahead, because other commands may follow the here-document's operator.
std::string ShellReader::TakeHereText(std::string_view delimiter,
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
  unfinished_ |= !ended;
  behind_here_ = at;
  return here;
}

// Skips past "))". Returns false if "))" is too far away, or if the text looks
// like a group in a group.
bool ShellReader::TakeArithmetic() {
  // Without a limit, each "((" would cause a search of the whole text.
  constexpr size_t kLongest = 1024;
  std::string_view inner = text_.substr(at_, kLongest);
  size_t end = inner.find("))");
  inner = inner.substr(0, end);
  bool has_commands = inner.find_first_of(";\n`|&") != std::string::npos ||
                      inner.find("$(", 1) != std::string::npos;
  if (end == std::string::npos || has_commands) return false;
  at_ += end + 2;
  return true;
}

bool ShellReader::Charge(size_t bytes) {
  state_->copied += bytes;
  bool fits = state_->copied <= kMaxCopied;
  state_->too_deep |= !fits;
  return fits;
}

// If the nesting is too deep, the rest of the text is skipped.
void ShellReader::Push(Kind kind, bool quoted) {
  if (frames_.size() == kMaxDepth) {
    state_->too_deep = true;
    at_ = text_.size();
    return;
  }
  Frame frame;
  frame.kind = kind;
  frame.quoted = quoted;
  frame.input = top().command.input;
  frame.command.input = frame.input;
  frame.place = state_->place;
  top().wants_command = false;
  frames_.push_back(std::move(frame));
}

// Ends the top frame. Its output goes into the next pipe, or into a word.
void ShellReader::Pop() {
  size_t depth = frames_.size();
  EndWord();
  // If the word was "}", it has already ended the frame.
  if (frames_.size() < depth) return;
  if (top().kind != Kind::kParameter) EndCommand(')');
  Frame ended = std::move(top());
  frames_.pop_back();
  // Only { } runs in the same process (POSIX, "Grouping Commands").
  if (ended.kind != Kind::kBraces) state_->place = ended.place;
  switch (ended.kind) {
    case Kind::kText:
      break;
    case Kind::kGroup:
    case Kind::kBraces:
      top().printed.Add(ended.output);
      break;
    case Kind::kOutput:
    case Kind::kBackquotes:
      AddOutput(ended.output, ended.quoted);
      break;
    case Kind::kProcess:
      // The program gets the name of a pipe.
      Append("/dev/fd/63", Mark::kQuoted);
      top().word.downloads |= ended.output.downloads;
      break;
    case Kind::kParameter:
      EndParameter(ended);
      break;
  }
}

// Braces are expanded last, although bash expands them first. So braces of an
// unquoted value are expanded, too.
void ShellReader::EndWord() {
  // The text after "${x:-" is a value and not words.
  if (top().kind == Kind::kParameter) return;
  Split();
  for (const Word& word : std::exchange(top().done, {})) {
    for (Word& one : ExpandBraces(word)) TakeWord(std::move(one));
  }
}

void ShellReader::TakeWord(Word word) {
  top().wants_command = false;
  if (!top().op.empty()) {
    return TakeTarget(std::exchange(top().op, ""), std::move(word));
  }
  Words* words = &top().command.words;
  if (words->empty() && TakeReserved(word)) return;
  bool assigns = words->empty() || IsIn("assigner", words->front().text);
  if (assigns && TakeAssignment(word) && words->empty()) return;
  words->push_back(std::move(word));
  // A command follows these words: "function NAME {", "for NAME do".
  bool named = words->size() == 2 && words->front().text == "function";
  bool looped = words->size() == 3 && words->back().text == "do" &&
                IsIn("loop", words->front().text);
  if (named || looped) words->clear();
}

void ShellReader::TakeTarget(const std::string& op, Word target) {
  Piped* input = &top().command.input;
  if (op == "<<" || op == "<<-") {
    std::string text = TakeHereText(target.text, op == "<<-");
    // If the delimiter is unquoted, the shell expands the text.
    if (target.IsLive()) here_texts_.push_back(text);
    *input = Piped::Known(std::move(text));
  } else if (op == "<<<") {
    *input = Piped::Known(target.text);
    input->downloads = target.downloads;
  } else if (op == "<") {
    *input =
        target.text == "/dev/null" ? Piped() : Piped::Unknown(target.downloads);
  } else if (op.find('>') != std::string::npos) {
    SimpleCommand redirection = {.words = {Word::Of(op), std::move(target)}};
    (*run_)(&redirection);
  }
}

// Handles reserved words before commands, and the braces of groups.
bool ShellReader::TakeReserved(const Word& word) {
  if (!word.IsLive()) return false;
  if (word.text == "{") {
    Push(Kind::kBraces);
  } else if (word.text == "}" && top().kind == Kind::kBraces) {
    Pop();
  } else if (word.text == "esac") {
    top().cases = std::max(0, top().cases - 1);
  } else {
    if (word.text == "case") ++top().cases;
    return IsIn("reserved", word.text);
  }
  return true;
}

// Handles NAME=value. The last assignment wins, whether or not its branch would
// run.
bool ShellReader::TakeAssignment(const Word& word) {
  size_t name = word.text.find_first_not_of(kNameBytes);
  if (name == 0 || name == std::string::npos) return false;
  std::string variable = word.text.substr(0, name);
  bool adds = word.text.substr(name, 2) == "+=";
  bool assigns = adds || word.text[name] == '=';
  if (!assigns || !word.Part(0, name).IsLive()) return false;
  // For "+=" the old value is not looked up, so the new value is unknown.
  if (adds) {
    state_->variables.erase(variable);
  } else {
    state_->variables[variable] = {word.Part(name + 1), false};
  }
  return true;
}

void ShellReader::EndCommand(char end) {
  SimpleCommand command = std::exchange(top().command, {});
  command.end = end;
  command.nested = frames_.size() > 1;
  bool runs = !command.words.empty() && !TakeLoop(command.words);
  if (runs) top().printed.Add((*run_)(&command));
  Piped printed = std::exchange(top().printed, {});
  top().op.clear();
  if (end == '|') {
    top().command.input = std::move(printed);
    return;
  }
  top().output.Add(printed);
  // Each command of a group reads the input of the group.
  top().command.input =
      Charge(top().input.text.size()) ? top().input : Piped::Unknown();
}

// Handles "for NAME in WORDS": the variable stands for all of the words,
// because it takes the value of each of them.
bool ShellReader::TakeLoop(const Words& words) {
  if (!IsIn("loop", words[0].text) || words.size() < 3) return false;
  state_->variables[words[1].text] = {Joined(words, 3), true};
  return true;
}

}  // namespace glasstty::gate
