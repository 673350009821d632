// Tracks the prompt of a session's integrated shell: whether it is there, and
// whether the line behind it is empty.
//
// A pure state machine: it owns a few numbers, borrows nothing, and is told of
// everything by the session. Loop thread only.
//
// A prompt on the screen does not prove an empty line, because line editors
// draw the prompt again whenever they like: for Ctrl-L, a new size, a list of
// completions, a syntax error in fish. Only the shell knows when it begins a
// new line, and our integration tells it (CommandLog::lines). Nor is a new line
// empty when something was typed ahead that the program before it did not read.
#pragma once

#include <cstdint>
#include <string_view>

#include "record/command_log.h"
#include "session/state.h"

namespace glasstty::session {

// The possible contents of the line at the shell's prompt.
enum class PromptLine {
  kEmpty,    // nothing, as far as it was typed
  kShown,    // nothing but what stands behind the prompt on the screen
  kUnknown,  // anything: text, or half of a key that the editor waits on
};

class PromptWatch {
 public:
  // Write number `serial` was sent; the shell was in `phase`.
  void Typed(uint64_t serial, std::string_view bytes, record::ShellPhase phase);
  // The same of the terminal's answers to a program, which its shell reads if
  // the program has ended meanwhile.
  void Answered(uint64_t serial, std::string_view bytes,
                record::ShellPhase phase);
  // Somebody else may type, too, while this is so: nothing is certain.
  void SetShared(bool shared);
  // They did; all of it had been read when write `serial` has. `entered`: the
  // last that they typed ended a line. The shell is in `phase`.
  void TypedByAnother(uint64_t serial, bool entered, record::ShellPhase phase);
  // Something was sent that may end the prompt but adds nothing to its line: a
  // signal, a size.
  void Disturbed();
  // Everything up to write `serial` had been read when the log ended at
  // `log_end`. `unfinished`: the kernel still holds a line without its end.
  void Read(uint64_t serial, uint64_t log_end, bool unfinished);
  // `log` has taken a mark; `row_addresses` is the terminal's count then.
  // `live`: not during a replay.
  void Marked(const record::CommandLog& log, bool live, uint64_t row_addresses);
  // The state is known for the screen that is shown.
  void Judged(Activity activity, uint64_t row_addresses);
  // A log of another server was replayed: what that server typed is not known.
  void Replayed();

  // The shell has drawn its prompt with an empty line and got nothing since.
  bool at_fresh_prompt() const { return fresh_; }
  // Counts while the shell is at its prompt (ShellPhase::kReady).
  PromptLine line() const { return shared_ ? PromptLine::kUnknown : line_; }
  // All that the line may hold was typed by nobody: it is the terminal's
  // answers to a program that ended without reading them.
  bool holds_answers() const { return holds_answers_ && !shared_; }
  // For shells without marks: what was sent last is the terminal's answers,
  // behind a line that was entered.
  bool was_answered() const { return answered_ && !open_ && !shared_; }
  // For shells without marks: the last that was typed was not entered. It may
  // have gone to a program that reads keys, so this is only a suspicion.
  bool is_open() const { return open_ || shared_; }
  // The kernel keeps a line that nobody has ended; counts while the terminal is
  // in canonical mode.
  bool is_unfinished() const { return unfinished_; }
  // True if the program has ever waited for input.
  bool has_been_ready() const { return has_been_ready_; }
  // A line that was typed with marks of its own has ended, and nothing has
  // been typed since.
  bool run_ended() const { return run_ended_; }
  // Terminal::row_addresses when a shell was last seen at its prompt.
  uint64_t addresses_at_prompt() const { return addresses_at_prompt_; }

 private:
  void TypedAhead(uint64_t serial, std::string_view bytes);
  PromptLine LineBegun(uint64_t offset);

  PromptLine line_ = PromptLine::kEmpty;
  bool open_ = false;
  bool unfinished_ = false;
  bool answered_ = false;  // nothing was typed since
  bool fresh_ = false;
  bool shared_ = false;
  bool has_been_ready_ = false;
  bool run_ended_ = false;
  uint64_t addresses_at_prompt_ = 0;
  int64_t lines_ = 0;     // CommandLog::lines at the last prompt
  int64_t prompts_ = 0;   // CommandLog::prompts
  bool entered_ = false;  // the line, since the last prompt
  // The last write that may have been typed ahead, and the last of them with
  // more than text and Enter in it; 0: none.
  uint64_t ahead_ = 0;
  uint64_t ahead_keys_ = 0;
  // The last receipt of each: which write, and where the log ended.
  struct Receipt {
    uint64_t serial = 0;
    uint64_t log_end = 0;
  };
  Receipt read_;
  Receipt keys_read_;
  // The last that somebody typed ahead; 0: nothing.
  uint64_t typed_ahead_ = 0;
  Receipt typed_read_;
  bool holds_answers_ = false;
};

}  // namespace glasstty::session
