// The commands of a session's shells: where each began and ended, and how. They
// are derived from the marks around them (OSC 133, and VS Code's OSC 633).
//
// Owns the record of the last kMaxBlocks commands. Positions are numbers of
// lines and of bytes in a line, so they survive scrolling and resizes. The same
// stream and the same calls of ExpectRun give the same record, live or
// replayed, except that replayed commands have no times. Loop thread only.
//
// Any program can print a mark. Marks that carry our nonce (option `aid`) are
// *trusted*: they come from a shell that was started with our integration.
// Marks with the number of the last line that we typed (option `run`) are
// trusted, too. Such a line must not contain the nonce, because any program
// that runs there can see the line. All other marks are kept as hints.
//
// A command may print the shell's own prompt with its marks (`echo $PS1`), so
// while a command runs, marks inside a prompt are no proof of its end. The end
// is proven by a hook of the shell, by the shell's line editor, or by bracketed
// paste.
//
// A command may also print old marks (`cat` of the session's own log), so our
// shells number the marks that prove an end (option `n`). Once a shell has done
// so, only a mark with a new number ends a command. Shells that an earlier
// glasstty started do not number their marks.
//
// A command may even run the shell's hooks (`eval "$PROMPT_COMMAND"`), so of
// several reports of an end, the last one before the prompt counts.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "terminal/state_codec.h"
#include "terminal/terminal.h"

namespace glasstty::record {

// A position in a session's lines, after the first `bytes` bytes of a line.
struct LinePlace {
  int64_t line = 0;
  size_t bytes = 0;

  bool operator==(const LinePlace&) const = default;
};

struct CommandBlock {
  int64_t number = 0;  // counts from 1
  bool trusted = false;
  // Identifies a command that was typed with its own marks (ExpectRun); 0 for
  // other commands.
  uint64_t run = 0;
  std::string text;       // the beginning of the command line; "" if not known
  LinePlace output, end;  // the beginning and the end of the output
  uint64_t output_offset = 0, end_offset = 0;  // the same in the log
  bool finished = false;
  std::optional<int> exit_status;  // as in the mark; 0 to 255 from a shell
  // The last lines of the output as they were at its end, if hooks or the
  // prompt may have overwritten them. Not part of a saved state.
  std::vector<terminal::Line> last_lines;
  // Unset for commands that were replayed.
  std::optional<Time> started, ended;
};

// The activity of the integrated shell, according to its last mark.
enum class ShellPhase {
  kNone,          // it has sent no mark yet
  kPrompting,     // its prompt is being drawn
  kReady,         // its prompt is there
  kContinuation,  // it asks for the rest of a command (PS2)
  kRunning,
  kDone,  // the command has ended; hooks run, then the prompt is drawn
};

class CommandLog {
 public:
  // Marks of the integrated shell carry `nonce`; "" if there is no such shell.
  explicit CommandLog(std::string nonce) : nonce_(std::move(nonce)) {}

  // Handles a mark or a change of directory, and ignores other events. Events
  // must come in stream order. `now` is absent during a replay.
  void Take(const terminal::TerminalEvent& event,
            const terminal::Terminal& terminal, std::optional<Time> now);

  // From now on, marks with the option `run` are trusted only if they have this
  // number.
  void ExpectRun(uint64_t run) { expected_run_ = run; }

  // Returns a state for another log of the same session: the last commands and
  // everything that is needed to interpret later marks, without times.
  std::string SaveState() const;
  // Returns false and changes nothing if `state` is not valid.
  bool RestoreState(std::string_view state);

  ShellPhase phase() const { return phase_; }
  // The beginning and end of the prompt that is shown now. REQUIRES: phase() is
  // kReady.
  LinePlace prompt_begin() const { return prompt_begin_; }
  LinePlace prompt_end() const { return prompt_end_; }
  // Counts how often the integrated shell has drawn its prompt.
  int64_t prompts() const { return prompts_; }
  // The number of times that the shell has begun to read a new line, and the
  // position in the log where it last did so. Either the shell reports this
  // (option `line=new`), or the end of the previous command implies it. A
  // prompt without a new line is the old prompt, drawn again.
  int64_t lines() const { return lines_; }
  uint64_t line_offset() const { return line_offset_; }
  // False while a shell that prefills its new line has not drawn the line yet.
  // Such shells report this (options `draw=begun` and `draw=done`).
  bool is_drawn() const { return is_drawn_; }
  // The trimmed text that the shell's hooks printed before its prompt; empty if
  // they printed the same before the previous prompt.
  const std::string& preface() const { return preface_; }
  // False if the shell's editor does not run a pasted text of several lines on
  // Enter (option `lines=no`).
  bool runs_lines() const { return runs_lines_; }
  // The directory that was reported last (OSC 7), possibly on another host;
  // empty if none was reported.
  const std::string& directory() const { return directory_; }
  // The command that the integrated shell runs now, or null.
  const CommandBlock* running() const;
  // The number of commands begun so far; they are numbered 1 to started().
  int64_t started() const { return started_; }
  // Oldest first.
  const std::deque<CommandBlock>& blocks() const { return blocks_; }
  // Returns the command with this number, or null if it is not kept. Negative
  // numbers count from the last command, which is -1.
  const CommandBlock* Find(int64_t number) const;

 private:
  static constexpr size_t kMaxBlocks = 10'000;
  static constexpr size_t kMaxOpen = 16;
  // A saved state holds this many of the last commands, in addition to those
  // that still run.
  static constexpr size_t kMaxSaved = 100;
  static constexpr int64_t kMaxPrefaceLines = 20;
  static constexpr size_t kMaxPrefaceLine = 1000;  // code points

  struct Mark;
  struct MarkRow;
  static const MarkRow kMarks[];
  Mark Parse(std::string_view payload) const;

  void Carry(terminal::StateCodec* codec);
  bool IsReplayed(const Mark& mark) const;
  bool IsUnproven(const Mark& mark) const;
  void KeepUnproven(const Mark& mark);
  void ProvePrompt(const Mark& mark);
  void BeginPrompt(const Mark& mark);
  void TakePreface(const Mark& mark);
  void BeginLine(const Mark& mark);
  void EndPrompt(const Mark& mark);
  void Continue(const Mark& mark);
  void BeginOutput(const Mark& mark);
  void EndOutput(const Mark& mark);
  void SetText(const Mark& mark);
  void MakeRoom();
  CommandBlock* TakeOpen(const Mark& mark);
  CommandBlock* FindEndedTooEarly(const Mark& mark);
  void DropUnchangedLines(const terminal::Terminal& terminal);
  void Finish(CommandBlock* block, const Mark& mark);
  // Returns the first kept command whose number is at least `number`.
  std::deque<CommandBlock>::const_iterator LowerBound(int64_t number) const;
  // Returns the index of a command in blocks_, where numbers may be missing, or
  // nullopt if the command is not kept.
  std::optional<size_t> IndexOf(int64_t number) const;

  std::string nonce_;  // constant
  ShellPhase phase_ = ShellPhase::kNone;
  LinePlace prompt_begin_, prompt_end_;
  // Collected from marks inside a prompt that came while a command ran or
  // seemed to have ended; each member is the last of its kind.
  struct Unproven {
    std::optional<CommandBlock> end;  // only what Finish sets
    std::optional<LinePlace> prompt_begin, prompt_end;
  };
  Unproven unproven_;
  // The position at which the hooks before the next prompt begin to print.
  std::optional<LinePlace> preface_begin_;
  std::string preface_, last_preface_;
  bool runs_lines_ = true;
  int64_t prompts_ = 0;
  int64_t lines_ = 0;
  bool is_drawn_ = true;
  uint64_t line_offset_ = 0;
  std::string directory_;
  // The text of the next command, if a shell without our integration announced
  // it (633;E).
  std::string next_text_;
  uint64_t expected_run_ = 0;  // 0: none
  uint64_t last_number_ = 0;   // the highest that the shell has sent (`n`)
  int64_t started_ = 0;
  std::deque<CommandBlock> blocks_;
  // A program may print marks at any rate, so no mark searches all commands.
  int64_t last_finished_ = 0;   // the highest number of a finished command
  int64_t untrusted_from_ = 0;  // all kept commands before it are trusted
  // The numbers of the running commands, outermost first: a shell may run
  // inside another.
  std::vector<int64_t> open_;
};

// Replaces those of `lines` that were overwritten after the command's end by
// their text at that end.
void RestoreLastLines(const CommandBlock& block,
                      std::vector<terminal::Line>* lines);
// Cuts the first line at `begin` and the last one at `end`, if they are the
// lines of these places. Drops an empty last line.
void TrimToPlaces(LinePlace begin, LinePlace end,
                  std::vector<terminal::Line>* lines);
// Returns the text between two positions, as far as the terminal still holds
// it.
std::vector<terminal::Line> LinesBetween(const terminal::Terminal& terminal,
                                         LinePlace begin, LinePlace end);

}  // namespace glasstty::record
