// The commands of a session's shells, from the marks around them (OSC 133, and
// 633 of VS Code): where each began and ended, and how.
//
// Owns the record of the last kMaxBlocks commands. Places are lines and bytes
// of the terminal, so they survive scrolling and resizes. The same stream gives
// the same record, live or replayed; only times are missing of what was
// replayed. Loop thread only.
//
// Anyone can print a mark. Those that carry our nonce (option `aid`) are
// *trusted*: they come from a shell that was started with our integration. So
// are those with the number of a line that we have typed (option `run`): such a
// line is seen by whatever runs there, so it must not hold the nonce. Others
// are kept as hints.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "terminal/terminal.h"

namespace glasstty::record {

// A place in a session's lines: `bytes` of the line's text stand before it.
struct LinePlace {
  int64_t line = 0;
  size_t bytes = 0;

  bool operator==(const LinePlace&) const = default;
};

struct CommandBlock {
  int64_t number = 0;  // counts from 1
  bool trusted = false;
  // Names a command that was typed with marks of its own (ExpectRun); 0: none.
  uint64_t run = 0;
  std::string text;  // the command line; empty when not known
  LinePlace output, end;
  uint64_t output_offset = 0, end_offset = 0;  // in the log
  bool finished = false;
  std::optional<int> exit_status;  // as the shell has it: 0 to 255
  // Unknown for what was replayed.
  std::optional<Time> started, ended;
};

// What the integrated shell is doing, by its last mark.
enum class ShellPhase {
  kNone,          // no trusted mark yet
  kPrompting,     // its prompt is being drawn
  kReady,         // its prompt is there
  kContinuation,  // it wants more of a command (PS2)
  kRunning,
  kDone,  // the command has ended; hooks run, then the prompt comes
};

class CommandLog {
 public:
  // `nonce` is what trusted marks carry; empty: none can be trusted.
  explicit CommandLog(std::string nonce) : nonce_(std::move(nonce)) {}

  // A mark or a directory, in stream order. `now` is absent during a replay.
  void Take(const terminal::TerminalEvent& event,
            const terminal::Terminal& terminal, std::optional<Time> now);

  // Marks with `run` come from a line that we have typed, from now on.
  void ExpectRun(uint64_t run) { expected_run_ = run; }

  ShellPhase phase() const { return phase_; }
  // Where the present prompt begins and ends. REQUIRES: phase() is kReady.
  LinePlace prompt_begin() const { return prompt_begin_; }
  LinePlace prompt_end() const { return prompt_end_; }
  // How often the integrated shell has drawn its prompt.
  int64_t prompts() const { return prompts_; }
  // How often the shell has begun to read a new line, as it says itself (option
  // `line=new`) or because the command before has ended; and the place in the
  // log at which it said so last. A prompt without it is the old one, drawn
  // again.
  int64_t lines() const { return lines_; }
  uint64_t line_offset() const { return line_offset_; }
  // False while a shell that fills its new line by itself, and says so (options
  // `draw=begun` and `draw=done`), has not drawn it yet.
  bool is_drawn() const { return is_drawn_; }
  // By OSC 7; may be of another host. Empty: never said.
  const std::string& directory() const { return directory_; }
  // The command that the integrated shell runs now; null: none.
  const CommandBlock* running() const;
  // Commands begun so far; their numbers are 1 to started().
  int64_t started() const { return started_; }
  // Oldest first.
  const std::deque<CommandBlock>& blocks() const { return blocks_; }
  // Null when there is none (any more) of that number; negative counts from
  // the last, which is -1.
  const CommandBlock* Find(int64_t number) const;

 private:
  static constexpr size_t kMaxBlocks = 10'000;
  static constexpr size_t kMaxOpen = 16;

  struct Mark;
  struct MarkRow;
  static const MarkRow kMarks[];
  Mark Parse(std::string_view payload) const;

  void BeginPrompt(const Mark& mark);
  void BeginLine(const Mark& mark);
  void EndPrompt(const Mark& mark);
  void Continue(const Mark& mark);
  void BeginOutput(const Mark& mark);
  void EndOutput(const Mark& mark);
  void SetText(const Mark& mark);
  void MakeRoom();
  CommandBlock* FindOpen(const Mark& mark);
  static void Finish(CommandBlock* block, const Mark& mark);
  // Into blocks_, which may have gaps; nullopt when it is not held.
  std::optional<size_t> IndexOf(int64_t number) const;

  const std::string nonce_;
  // State.
  ShellPhase phase_ = ShellPhase::kNone;
  LinePlace prompt_begin_, prompt_end_;
  int64_t prompts_ = 0;
  int64_t lines_ = 0;
  bool is_drawn_ = true;
  uint64_t line_offset_ = 0;
  std::string directory_;
  // Of the command that comes next, when it was told ahead (633;E) by a shell
  // that is not ours.
  std::string next_text_;
  uint64_t expected_run_ = 0;  // 0: none
  int64_t started_ = 0;
  std::deque<CommandBlock> blocks_;
  // Numbers of those that run, the outermost first: a shell may run in a
  // shell.
  std::vector<int64_t> open_;
};

// Cuts off what stands before `begin` on its line and behind `end` on its own.
void TrimToPlaces(LinePlace begin, LinePlace end,
                  std::vector<terminal::Line>* lines);
// The text between two places, as far as the terminal holds it.
std::vector<terminal::Line> LinesBetween(const terminal::Terminal& terminal,
                                         LinePlace begin, LinePlace end);

}  // namespace glasstty::record
