// Turns marks into commands.
//
//   A  a prompt begins           C  a command's output begins
//   B  the prompt ends           D  the command has ended, with its status
//   P;k=s  the shell asks for more of a command (PS2)
//   E  the text of the next command (VS Code)
//
// Shells nest: bash runs ssh, which runs a shell with its own marks. So the
// running commands form a stack. The end of one ends all commands above it,
// because their shells are gone. A line that we typed into a shell without
// integration carries a number (option `run`), and only a D with that number
// ends that line's command directly.
#include "record/command_log.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "record/line_archive.h"
#include "support/text.h"

namespace glasstty::record {
namespace {

constexpr size_t kMaxText = 1024;  // bytes of a command line to keep

// Decodes VS Code's escapes: \xHH and \\.
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

// Converts a byte position of the line to an index in its text. The text lacks
// the truncated part of a long line, so a position after that part must be
// reduced by its length.
size_t IndexInText(const terminal::Line& line, size_t bytes) {
  if (bytes <= LineArchive::kMaxLineBytes) {
    return std::min(bytes, line.text.size());
  }
  auto missing = static_cast<size_t>(std::max<int64_t>(line.missing_bytes, 0));
  return std::min(bytes - std::min(missing, bytes), line.text.size());
}

}  // namespace

// A parsed mark. Borrows the terminal.
struct CommandLog::Mark {
  char letter = 0;
  // The fields without a known key: a status or a text.
  std::vector<std::string> words;
  bool trusted = false;
  bool secondary = false;     // k=s: a continuation prompt
  bool new_line = false;      // line=new: an empty line will be read
  bool in_prompt = false;     // at=prompt, at=end: a D that the prompt draws
  bool end_told = false;      // end=told: the output ended at the last D with
                              // `at`
  bool runs_lines = true;     // lines=no: Enter does not run several lines
  std::optional<bool> drawn;  // draw=done, draw=begun
  uint64_t run = 0;
  uint64_t number = 0;  // n=: counts the marks that prove an end
  std::string command;  // the command line that the shell reported
  LinePlace place;
  uint64_t offset = 0;
  std::optional<Time> now;
  bool bracketed_paste = false;
  std::vector<std::string> last_lines;
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
    } else if (take("run=") || take("RUN=")) {
      // A program may have left the terminal in upper case (stty olcuc).
      mark.run = ToNumber<uint64_t>(field).value_or(0);
      mark.trusted = mark.run != 0 && mark.run == expected_run_;
    } else if (take("n=")) {
      mark.number = ToNumber<uint64_t>(field).value_or(0);
    } else if (take("k=")) {
      mark.secondary = field == "s";
    } else if (take("line=")) {
      mark.new_line = field == "new";
    } else if (take("at=")) {
      mark.in_prompt = true;
    } else if (take("end=")) {
      mark.end_told = field == "told";
    } else if (take("lines=")) {
      mark.runs_lines = field != "no";
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
  mark.bracketed_paste = event.flag;
  mark.last_lines = event.last_lines;
  mark.terminal = &terminal;
  if (IsReplayed(mark)) return;
  bool of_shell = mark.trusted && mark.run == 0;
  if (of_shell && mark.drawn) is_drawn_ = *mark.drawn;
  if (of_shell && mark.drawn == true) ProvePrompt(mark);
  if (IsUnproven(mark)) {
    KeepUnproven(mark);
    return;
  }
  if (of_shell) last_number_ = std::max(last_number_, mark.number);
  for (const MarkRow& row : kMarks) {
    if (row.letter == mark.letter) (this->*row.act)(mark);
  }
}

// Returns true for old marks that were printed by the running command, or by a
// command that seems to have ended. If the shell numbers this kind of mark, a
// mark without a number was printed from the shell's variables.
bool CommandLog::IsReplayed(const Mark& mark) const {
  bool of_shell = mark.trusted && mark.run == 0;
  bool may_run = phase_ == ShellPhase::kRunning || phase_ == ShellPhase::kDone;
  if (!of_shell || !may_run) return false;
  bool of_hook = mark.letter == 'D' && !mark.in_prompt;
  bool is_numbered = mark.number != 0 || of_hook || mark.drawn.has_value();
  return last_number_ != 0 && is_numbered && mark.number <= last_number_;
}

// Returns true for marks inside a prompt that the running command may have
// printed. bash and fish turn on bracketed paste before they draw their own
// prompt. Commands run without it, but may print the sequence that turns it on.
bool CommandLog::IsUnproven(const Mark& mark) const {
  bool of_shell = mark.trusted && mark.run == 0;
  bool of_hook = mark.letter == 'D' && !mark.in_prompt;
  bool is_told =
      mark.bracketed_paste && (last_number_ == 0 || mark.number != 0);
  return of_shell && phase_ == ShellPhase::kRunning && !of_hook && !is_told;
}

void CommandLog::KeepUnproven(const Mark& mark) {
  if (mark.letter == 'A') unproven_.prompt_begin = mark.place;
  if (mark.letter == 'B') unproven_.prompt_end = mark.place;
  if (mark.letter != 'D') return;
  unproven_.end.emplace();
  Finish(&*unproven_.end, mark);
}

// The shell's editor has drawn its prompt, so no command printed the marks of
// the last prompt. In a zsh that has lost its hook, this is how the end of a
// command is recognized.
void CommandLog::ProvePrompt(const Mark& mark) {
  if (phase_ != ShellPhase::kRunning || !unproven_.prompt_end) return;
  Mark end = mark;
  end.words.clear();
  end.end_told = true;
  EndOutput(end);
  phase_ = ShellPhase::kReady;
  ++prompts_;
  prompt_end_ = *unproven_.prompt_end;
  prompt_begin_ = unproven_.prompt_begin.value_or(prompt_end_);
}

void CommandLog::BeginPrompt(const Mark& mark) {
  if (!mark.trusted) return;
  // A shell that has lost the hook that reports the end is at its prompt, too.
  if (CommandBlock* block = TakeOpen(mark)) Finish(block, mark);
  if (phase_ == ShellPhase::kRunning) BeginLine(mark);
  if (preface_begin_) TakePreface(mark);
  phase_ = ShellPhase::kPrompting;
  prompt_begin_ = mark.place;
}

// Takes the text printed by hooks before the prompt. Many prompts consist
// partly of such text, which is the same each time, so repetitions are dropped.
void CommandLog::TakePreface(const Mark& mark) {
  LinePlace begin = *std::exchange(preface_begin_, std::nullopt);
  begin.line = std::max(begin.line, mark.place.line - kMaxPrefaceLines);
  std::string text;
  for (const terminal::Line& line :
       LinesBetween(*mark.terminal, begin, mark.place)) {
    std::string clean(TrimBlanks(CleanText(line.text, kMaxPrefaceLine)));
    // fish prints this sign after output that lacks a newline at its end.
    if (clean.empty() || clean == "⏎") continue;
    text += (text.empty() ? "" : "\n") + clean;
  }
  preface_ = text == last_preface_ ? "" : text;
  last_preface_ = std::move(text);
}

void CommandLog::BeginLine(const Mark& mark) {
  ++lines_;
  line_offset_ = mark.offset;
}

void CommandLog::EndPrompt(const Mark& mark) {
  if (!mark.trusted) return;
  DropUnchangedLines(*mark.terminal);
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
  // A line that we typed runs only once, so a second mark was printed by a
  // command.
  bool is_again = mark.run != 0 && mark.trusted &&
                  std::any_of(open_.begin(), open_.end(), [&](int64_t number) {
                    const CommandBlock* block = Find(number);
                    return block != nullptr && block->run == mark.run;
                  });
  if (is_again) return;
  DropUnchangedLines(*mark.terminal);
  unproven_ = {};
  MakeRoom();
  CommandBlock block;
  block.number = ++started_;
  block.trusted = mark.trusted;
  block.run = mark.run;
  block.output = block.end = mark.place;
  block.output_offset = block.end_offset = mark.offset;
  block.started = mark.now;
  // A trusted command does not take its text from an E, which any program can
  // print.
  block.text = mark.command;
  if (block.text.empty() && !mark.trusted) block.text = next_text_;
  next_text_.clear();
  bool of_shell = mark.trusted && mark.run == 0;
  // If the shell does not report its command, the screen shows it.
  if (of_shell && block.text.empty() && phase_ == ShellPhase::kReady) {
    for (const terminal::Line& line :
         LinesBetween(*mark.terminal, prompt_end_, mark.place)) {
      block.text += (block.text.empty() ? "" : "\n") + line.text;
    }
  }
  block.text.resize(std::min(block.text.size(), kMaxText));
  // Headers show the text, and any program may have sent it.
  std::vector<std::string> lines = Split(block.text, '\n');
  for (std::string& line : lines) line = CleanText(line);
  block.text = Join(lines, "\n");
  if (of_shell) phase_ = ShellPhase::kRunning;
  open_.push_back(block.number);
  blocks_.push_back(std::move(block));
}

// Drops commands with untrusted marks first, because a program that prints many
// marks must not displace the command that runs it.
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
        std::find_if(LowerBound(untrusted_from_), blocks_.cend(),
                     [](const CommandBlock& block) { return !block.trusted; });
    untrusted_from_ = (out == blocks_.cend() ? started_ : out->number) + 1;
    blocks_.erase(out == blocks_.cend() ? blocks_.cbegin() : out);
  }
}

namespace {

constexpr size_t kMaxSavedText = 8192;        // no string of a mark is longer
constexpr size_t kMaxSavedPreface = 1 << 20;  // many times what is kept

void CarryPlace(terminal::StateCodec* codec, LinePlace* place) {
  auto& [line, bytes] = *place;
  codec->Carry(&line);
  codec->Carry(&bytes);
}

// Calls `carry` if there is a value.
template <class T, class Carry>
void CarryOptional(terminal::StateCodec* codec, std::optional<T>* value,
                   const Carry& carry) {
  bool has_value = value->has_value();
  codec->Carry(&has_value);
  if (!has_value) return value->reset();
  if (!value->has_value()) value->emplace();
  carry(codec, &**value);
}

void CarryBlock(terminal::StateCodec* codec, CommandBlock* block) {
  codec->Carry(&block->number);
  codec->Carry(&block->trusted);
  codec->Carry(&block->run);
  codec->Carry(&block->text, kMaxSavedText);
  CarryPlace(codec, &block->output);
  CarryPlace(codec, &block->end);
  codec->Carry(&block->output_offset);
  codec->Carry(&block->end_offset);
  codec->Carry(&block->finished);
  bool has_status = block->exit_status.has_value();
  codec->Carry(&has_status);
  if (!has_status) return;
  int status = block->exit_status.value_or(0);
  codec->Carry(&status, std::numeric_limits<int>::min(),
               std::numeric_limits<int>::max());
  block->exit_status = status;
}

}  // namespace

void CommandLog::Carry(terminal::StateCodec* codec) {
  codec->Carry(&phase_, ShellPhase::kNone, ShellPhase::kDone);
  CarryPlace(codec, &prompt_begin_);
  CarryPlace(codec, &prompt_end_);
  CarryOptional(codec, &unproven_.end, CarryBlock);
  CarryOptional(codec, &unproven_.prompt_begin, CarryPlace);
  CarryOptional(codec, &unproven_.prompt_end, CarryPlace);
  CarryOptional(codec, &preface_begin_, CarryPlace);
  codec->Carry(&preface_, kMaxSavedPreface);
  codec->Carry(&last_preface_, kMaxSavedPreface);
  codec->Carry(&runs_lines_);
  codec->Carry(&prompts_);
  codec->Carry(&lines_);
  codec->Carry(&is_drawn_);
  codec->Carry(&line_offset_);
  codec->Carry(&directory_, kMaxSavedText);
  codec->Carry(&next_text_, kMaxSavedText);
  codec->Carry(&expected_run_);
  codec->Carry(&last_number_);
  codec->Carry(&started_);
  size_t count = open_.size();
  codec->Carry(&count, 0, kMaxOpen);
  open_.resize(count);
  for (int64_t& number : open_) codec->Carry(&number);
  count = blocks_.size();
  codec->Carry(&count, 0, kMaxSaved + kMaxOpen);
  blocks_.resize(count);
  int64_t last = 0;
  for (CommandBlock& block : blocks_) {
    CarryBlock(codec, &block);
    if (block.number <= last || block.number > started_) codec->Refuse();
    last = block.number;
  }
}

std::string CommandLog::SaveState() const {
  CommandLog saved = *this;
  size_t surplus = blocks_.size() - std::min(blocks_.size(), kMaxSaved);
  auto last = saved.blocks_.begin() + static_cast<ptrdiff_t>(surplus);
  auto end = std::remove_if(
      saved.blocks_.begin(), last, [this](const CommandBlock& block) {
        return std::find(open_.begin(), open_.end(), block.number) ==
               open_.end();
      });
  saved.blocks_.erase(end, last);
  terminal::StateCodec codec;
  saved.Carry(&codec);
  return codec.Take();
}

bool CommandLog::RestoreState(std::string_view state) {
  terminal::StateCodec codec(state);
  CommandLog read(nonce_);
  read.Carry(&codec);
  if (!codec.ok() || !codec.at_end()) return false;
  for (const CommandBlock& block : read.blocks_) {
    if (block.finished) read.last_finished_ = block.number;
  }
  *this = std::move(read);
  return true;
}

// Closes the innermost command that this mark can end, and those inside it.
// Returns that command, or null if there is none.
CommandBlock* CommandLog::TakeOpen(const Mark& mark) {
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

// A command that runs the hooks of its shell reports its end too early. Returns
// such a command, or null. In phase kDone, no prompt has been drawn since.
CommandBlock* CommandLog::FindEndedTooEarly(const Mark& mark) {
  bool of_hook = mark.trusted && mark.run == 0 && !mark.in_prompt;
  if (!of_hook || mark.words.empty() || phase_ != ShellPhase::kDone) {
    return nullptr;
  }
  auto last = std::find_if(blocks_.rbegin(), blocks_.rend(),
                           [](const CommandBlock& block) {
                             return block.trusted && block.run == 0;
                           });
  bool is_it =
      last != blocks_.rend() && last->finished && preface_begin_ == last->end;
  return is_it ? &*last : nullptr;
}

void CommandLog::DropUnchangedLines(const terminal::Terminal& terminal) {
  std::optional<size_t> index = IndexOf(last_finished_);
  if (!index || blocks_[*index].last_lines.empty()) return;
  CommandBlock* last = &blocks_[*index];
  std::vector<terminal::Line> now =
      LinesBetween(terminal, {last->last_lines[0].number, 0}, last->end);
  std::vector<terminal::Line> then = last->last_lines;
  TrimToPlaces({}, last->end, &then);
  bool is_same =
      std::equal(now.begin(), now.end(), then.begin(), then.end(),
                 [](const auto& a, const auto& b) { return a.text == b.text; });
  if (is_same) last->last_lines.clear();
}

void CommandLog::Finish(CommandBlock* block, const Mark& mark) {
  block->finished = true;
  last_finished_ = std::max(last_finished_, block->number);
  block->end = mark.place;
  block->last_lines.clear();
  int64_t number = mark.place.line - std::ssize(mark.last_lines);
  for (const std::string& text : mark.last_lines) {
    block->last_lines.push_back({.number = ++number, .text = text});
  }
  // The cursor may have moved back, as before the next step of a progress bar.
  if (!mark.last_lines.empty() && mark.place.line >= block->output.line) {
    block->end.bytes =
        std::max(block->end.bytes, mark.last_lines.back().size());
  }
  block->end_offset = mark.offset;
  block->ended = mark.now;
  if (!mark.words.empty()) block->exit_status = ToNumber<int>(mark.words[0]);
}

// A shell sends D before each prompt, even when there was no command.
void CommandLog::EndOutput(const Mark& mark) {
  CommandBlock* block = TakeOpen(mark);
  CommandBlock* again = block == nullptr ? FindEndedTooEarly(mark) : nullptr;
  if (again != nullptr) block = again;
  if (block != nullptr) Finish(block, mark);
  if (!mark.trusted || mark.run != 0) return;
  bool may_be_again = mark.in_prompt && phase_ == ShellPhase::kDone;
  if (may_be_again && preface_begin_) KeepUnproven(mark);
  if (block != nullptr && mark.end_told && unproven_.end) {
    block->end = unproven_.end->end;
    block->last_lines = unproven_.end->last_lines;
    block->end_offset = unproven_.end->end_offset;
    if (mark.words.empty()) block->exit_status = unproven_.end->exit_status;
  }
  if (mark.new_line) runs_lines_ = mark.runs_lines;
  if (mark.new_line || phase_ == ShellPhase::kRunning) {
    BeginLine(mark);
    bool begins = phase_ != ShellPhase::kDone || again != nullptr;
    if (begins) preface_begin_ = block != nullptr ? block->end : mark.place;
  }
  phase_ = ShellPhase::kDone;
}

const CommandBlock* CommandLog::running() const {
  if (phase_ != ShellPhase::kRunning) return nullptr;
  for (auto it = open_.rbegin(); it != open_.rend(); ++it) {
    const CommandBlock* block = Find(*it);
    if (block != nullptr && block->trusted && block->run == 0) return block;
  }
  return nullptr;
}

std::deque<CommandBlock>::const_iterator CommandLog::LowerBound(
    int64_t number) const {
  return std::lower_bound(
      blocks_.begin(), blocks_.end(), number,
      [](const CommandBlock& b, int64_t wanted) { return b.number < wanted; });
}

std::optional<size_t> CommandLog::IndexOf(int64_t number) const {
  auto block = LowerBound(number);
  if (block == blocks_.end() || block->number != number) return std::nullopt;
  return static_cast<size_t>(block - blocks_.begin());
}

const CommandBlock* CommandLog::Find(int64_t number) const {
  std::optional<size_t> index =
      IndexOf(number < 0 ? number + started_ + 1 : number);
  return index ? &blocks_[*index] : nullptr;
}

void RestoreLastLines(const CommandBlock& block,
                      std::vector<terminal::Line>* lines) {
  for (terminal::Line& line : *lines) {
    for (const terminal::Line& kept : block.last_lines) {
      if (kept.number == line.number) line.text = kept.text;
    }
  }
}

void TrimToPlaces(LinePlace begin, LinePlace end,
                  std::vector<terminal::Line>* lines) {
  if (lines->empty()) return;
  terminal::Line& last = lines->back();
  if (last.number == end.line) last.text.resize(IndexInText(last, end.bytes));
  terminal::Line& first = lines->front();
  if (first.number == begin.line) {
    first.text.erase(0, IndexInText(first, begin.bytes));
  }
  // An empty last line is not part of the text.
  if (last.number == end.line && last.text.empty()) lines->pop_back();
}

std::vector<terminal::Line> LinesBetween(const terminal::Terminal& terminal,
                                         LinePlace begin, LinePlace end) {
  std::vector<terminal::Line> lines = terminal.Lines(begin.line, end.line + 1);
  TrimToPlaces(begin, end, &lines);
  return lines;
}

}  // namespace glasstty::record
