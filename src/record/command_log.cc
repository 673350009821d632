// How marks become commands.
//
//   A  a prompt begins           C  a command's output begins
//   B  the prompt ends           D  the command has ended, with its status
//   P;k=s  the shell asks for more of a command (PS2)
//   E  the text of the command that comes (VS Code)
//
// Shells nest: bash runs ssh, which runs a shell with marks of its own. So the
// commands that run are a stack. The end of one ends all above it, for their
// shells are gone. A line that we typed into a shell without integration
// carries a number (option `run`), and only a D of that number ends it.
#include "record/command_log.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "support/text.h"

namespace glasstty::record {
namespace {

constexpr size_t kMaxText = 1024;  // bytes of a command line that are kept

// As VS Code escapes it: \xHH and \\.
std::string BackslashDecode(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.starts_with("\\\\")) {
      out += '\\';
      text.remove_prefix(2);
      continue;
    }
    int value = 0;
    bool is_hex =
        text.starts_with("\\x") && text.size() >= 4 &&
        std::from_chars(text.data() + 2, text.data() + 4, value, 16).ptr ==
            text.data() + 4;
    out += is_hex ? static_cast<char>(value) : text[0];
    text.remove_prefix(is_hex ? 4 : 1);
  }
  return out;
}

template <class Number>
std::optional<Number> ToNumber(std::string_view text) {
  Number number = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

// One mark, taken apart. Views point into the event.
struct CommandLog::Mark {
  char letter = 0;
  // The fields without '=': a status, a text.
  std::vector<std::string> words;
  bool trusted = false;
  bool secondary = false;     // k=s: a continuation prompt
  bool new_line = false;      // line=new: an empty line will be read
  std::optional<bool> drawn;  // draw=done, draw=begun
  uint64_t run = 0;
  std::string command;  // told by the shell
  // Filled by Take.
  LinePlace place;
  uint64_t offset = 0;
  std::optional<Time> now;
  const terminal::Terminal* terminal = nullptr;
};

struct CommandLog::MarkRow {
  char letter;
  void (CommandLog::*act)(const Mark& mark);
};
const CommandLog::MarkRow CommandLog::kMarks[] = {
    {'A', &CommandLog::BeginPrompt}, {'B', &CommandLog::EndPrompt},
    {'C', &CommandLog::BeginOutput}, {'D', &CommandLog::EndOutput},
    {'E', &CommandLog::SetText},     {'P', &CommandLog::Continue},
};

CommandLog::Mark CommandLog::Parse(std::string_view payload) const {
  Mark mark;
  std::vector<std::string> fields = Split(payload, ';');
  mark.letter = fields[0].size() == 1 ? fields[0][0] : '\0';
  for (size_t i = 1; i < fields.size(); ++i) {
    std::string_view field = fields[i];
    auto take = [&field](std::string_view key) {
      if (!field.starts_with(key)) return false;
      field.remove_prefix(key.size());
      return true;
    };
    if (take("aid=")) {
      mark.trusted = field == nonce_ && !nonce_.empty();
    } else if (take("run=")) {
      mark.run = ToNumber<uint64_t>(field).value_or(0);
      mark.trusted = mark.run != 0 && mark.run == expected_run_;
    } else if (take("k=")) {
      mark.secondary = field == "s";
    } else if (take("line=")) {
      mark.new_line = field == "new";
    } else if (take("draw=")) {
      mark.drawn = field == "done";
    } else if (take("cmdline_url=")) {
      mark.command = PercentDecode(field);
    } else {
      mark.words.push_back(std::move(fields[i]));
    }
  }
  return mark;
}

void CommandLog::Take(const terminal::TerminalEvent& event,
                      const terminal::Terminal& terminal,
                      std::optional<Time> now) {
  if (event.type == terminal::TerminalEvent::Type::kCwd)
    directory_ = event.text;
  if (event.type != terminal::TerminalEvent::Type::kMark) return;
  Mark mark = Parse(event.text);
  mark.place = {event.line, event.line_bytes};
  mark.offset = event.offset;
  mark.now = now;
  mark.terminal = &terminal;
  if (mark.trusted && mark.drawn) is_drawn_ = *mark.drawn;
  for (const MarkRow& row : kMarks) {
    if (row.letter == mark.letter) (this->*row.act)(mark);
  }
}

void CommandLog::BeginPrompt(const Mark& mark) {
  if (!mark.trusted) return;
  // A shell that has lost the hook with which it tells the end is at its prompt
  // all the same.
  if (CommandBlock* block = FindOpen(mark)) Finish(block, mark);
  if (phase_ == ShellPhase::kRunning) BeginLine(mark);
  phase_ = ShellPhase::kPrompting;
  prompt_begin_ = mark.place;
}

void CommandLog::BeginLine(const Mark& mark) {
  ++lines_;
  line_offset_ = mark.offset;
}

void CommandLog::EndPrompt(const Mark& mark) {
  if (!mark.trusted) return;
  phase_ = ShellPhase::kReady;
  ++prompts_;
  prompt_end_ = mark.place;
}

void CommandLog::Continue(const Mark& mark) {
  if (mark.trusted && mark.secondary) phase_ = ShellPhase::kContinuation;
}

void CommandLog::SetText(const Mark& mark) {
  if (!mark.words.empty()) next_text_ = BackslashDecode(mark.words[0]);
}

void CommandLog::BeginOutput(const Mark& mark) {
  MakeRoom();
  CommandBlock block;
  block.number = ++started_;
  block.trusted = mark.trusted;
  block.run = mark.run;
  block.output = block.end = mark.place;
  block.output_offset = block.end_offset = mark.offset;
  block.started = mark.now;
  // Nobody but the shell itself says what it runs.
  block.text = mark.command;
  if (block.text.empty() && !mark.trusted) block.text = next_text_;
  next_text_.clear();
  bool of_shell = mark.trusted && mark.run == 0;
  // A shell that does not tell has it on the screen.
  if (of_shell && block.text.empty() && phase_ == ShellPhase::kReady) {
    for (const terminal::Line& line :
         LinesBetween(*mark.terminal, prompt_end_, mark.place)) {
      block.text += (block.text.empty() ? "" : "\n") + line.text;
    }
  }
  block.text.resize(std::min(block.text.size(), kMaxText));
  // It is shown in headers, and anyone may have told it.
  std::vector<std::string> lines = Split(block.text, '\n');
  for (std::string& line : lines) line = CleanText(line);
  block.text = Join(lines, "\n");
  if (of_shell) phase_ = ShellPhase::kRunning;
  open_.push_back(block.number);
  blocks_.push_back(std::move(block));
}

// What strangers have marked goes first: a program that prints many marks must
// not hide the command that it is.
void CommandLog::MakeRoom() {
  if (open_.size() == kMaxOpen) {
    auto out = std::find_if(open_.begin(), open_.end(), [this](int64_t number) {
      const CommandBlock* block = Find(number);
      return block == nullptr || !block->trusted;
    });
    open_.erase(out == open_.end() ? open_.begin() : out);
  }
  if (blocks_.size() == kMaxBlocks) {
    auto out =
        std::find_if(blocks_.begin(), blocks_.end(),
                     [](const CommandBlock& block) { return !block.trusted; });
    blocks_.erase(out == blocks_.end() ? blocks_.begin() : out);
  }
}

// The innermost that this mark can end; null: none.
CommandBlock* CommandLog::FindOpen(const Mark& mark) {
  for (auto it = open_.rbegin(); it != open_.rend(); ++it) {
    std::optional<size_t> index = IndexOf(*it);
    if (!index) continue;
    CommandBlock& block = blocks_[*index];
    if (block.trusted != mark.trusted || block.run != mark.run) continue;
    open_.erase(std::prev(it.base()), open_.end());
    return &block;
  }
  return nullptr;
}

void CommandLog::Finish(CommandBlock* block, const Mark& mark) {
  block->finished = true;
  block->end = mark.place;
  block->end_offset = mark.offset;
  block->ended = mark.now;
}

// A shell says D before each prompt, also when there was no command.
void CommandLog::EndOutput(const Mark& mark) {
  if (mark.trusted && mark.run == 0) {
    if (mark.new_line || phase_ == ShellPhase::kRunning) BeginLine(mark);
    phase_ = ShellPhase::kDone;
  }
  CommandBlock* block = FindOpen(mark);
  if (block == nullptr) return;
  Finish(block, mark);
  if (!mark.words.empty()) block->exit_status = ToNumber<int>(mark.words[0]);
}

const CommandBlock* CommandLog::running() const {
  if (phase_ != ShellPhase::kRunning) return nullptr;
  for (auto it = open_.rbegin(); it != open_.rend(); ++it) {
    const CommandBlock* block = Find(*it);
    if (block != nullptr && block->trusted && block->run == 0) return block;
  }
  return nullptr;
}

std::optional<size_t> CommandLog::IndexOf(int64_t number) const {
  auto block = std::lower_bound(
      blocks_.begin(), blocks_.end(), number,
      [](const CommandBlock& b, int64_t wanted) { return b.number < wanted; });
  if (block == blocks_.end() || block->number != number) return std::nullopt;
  return static_cast<size_t>(block - blocks_.begin());
}

const CommandBlock* CommandLog::Find(int64_t number) const {
  std::optional<size_t> index =
      IndexOf(number < 0 ? number + started_ + 1 : number);
  return index ? &blocks_[*index] : nullptr;
}

void TrimToPlaces(LinePlace begin, LinePlace end,
                  std::vector<terminal::Line>* lines) {
  if (lines->empty()) return;
  terminal::Line& last = lines->back();
  if (last.number == end.line && end.bytes < last.text.size()) {
    last.text.resize(end.bytes);
  }
  terminal::Line& first = lines->front();
  if (first.number == begin.line) {
    first.text.erase(0, std::min(begin.bytes, first.text.size()));
  }
  // Nothing of the line on which the text ends belongs to it.
  if (last.number == end.line && last.text.empty()) lines->pop_back();
}

std::vector<terminal::Line> LinesBetween(const terminal::Terminal& terminal,
                                         LinePlace begin, LinePlace end) {
  std::vector<terminal::Line> lines = terminal.Lines(begin.line, end.line + 1);
  TrimToPlaces(begin, end, &lines);
  return lines;
}

}  // namespace glasstty::record
