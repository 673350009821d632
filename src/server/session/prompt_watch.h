// Tracks the prompt of a session's integrated shell: whether it is there, and
// whether the line behind it is empty.
//
// A pure state machine: it owns a few numbers and borrows nothing; the session
// reports every event to it. Loop thread only.
//
// A prompt on the screen does not prove an empty line, because line editors
// draw the prompt again whenever they like: for Ctrl-L, a new size, a list of
// completions, a syntax error in fish. Only the shell knows when it begins a
// new line, and our integration makes it report this (CommandLog::lines). Even
// a new line is not empty if text was typed ahead that the previous program did
// not read.
#pragma once

#include <cstdint>
#include <string_view>

#include "record/command_log.h"
#include "session/state.h"

namespace glasstty::session {

// The possible contents of the line at the shell's prompt.
enum class PromptLine {
  kEmpty,    // nothing that was typed
  kShown,    // only the text that the screen shows behind the prompt
  kUnknown,  // anything: text, or half of a key whose rest the editor awaits
};

class PromptWatch {
 public:
  // Write number `serial` was sent; the shell was in `phase`.
  void Typed(uint64_t serial, std::string_view bytes, record::ShellPhase phase);
  // Like Typed, for the terminal's answers to a program. The shell reads them
  // if the program has ended meanwhile.
  void Answered(uint64_t serial, std::string_view bytes,
                record::ShellPhase phase);
  // While `shared` is true, somebody else may type too, so nothing is certain.
  void SetShared(bool shared);
  // Somebody else has typed. All of it has been read once write `serial` has
  // been. `entered`: their last input ended a line. The shell is in `phase`.
  void TypedByAnother(uint64_t serial, bool entered, record::ShellPhase phase);
  // Something was sent that may end the prompt but adds nothing to its line: a
  // signal, a size.
  void Disturbed();
  // Everything up to write `serial` had been read when the log ended at
  // `log_end`. `unfinished`: the kernel still holds a line without its end.
  void Read(uint64_t serial, uint64_t log_end, bool unfinished);
  // `log` has recorded a mark; `row_addresses` is the terminal's count at the
  // mark. `live`: not during a replay.
  void Marked(const record::CommandLog& log, bool live, uint64_t row_addresses);
  // The session's state is known for the current screen.
  void Judged(Activity activity, uint64_t row_addresses);
  // The log of another server was replayed; what that server typed is not
  // known.
  void Replayed();

  // The shell has drawn its prompt with an empty line, and nothing was sent to
  // it since.
  bool at_fresh_prompt() const { return fresh_; }
  // Meaningful only while the shell is at its prompt (ShellPhase::kReady).
  PromptLine line() const { return shared_ ? PromptLine::kUnknown : line_; }
  // If the line holds anything, it is only the terminal's answers to a program
  // that ended without reading them.
  bool holds_answers() const { return holds_answers_ && !shared_; }
  // For shells without marks: the last input was the terminal's answers, after
  // a line that was entered.
  bool was_answered() const { return answered_ && !open_ && !shared_; }
  // For shells without marks: the last input did not end a line. A program that
  // reads keys may have read it, so this is only a suspicion.
  bool is_open() const { return open_ || shared_; }
  // The kernel holds a line that nobody has ended. Meaningful only while the
  // terminal is in canonical mode.
  bool is_unfinished() const { return unfinished_; }
  // True if the program has ever waited for input.
  bool has_been_ready() const { return has_been_ready_; }
  // A command line that was typed with its own marks has ended, and nothing has
  // been typed since.
  bool run_ended() const { return run_ended_; }
  // The value of Terminal::row_addresses when a shell was last seen at its
  // prompt.
  uint64_t addresses_at_prompt() const { return addresses_at_prompt_; }

 private:
  void TypedAhead(uint64_t serial, std::string_view bytes);
  PromptLine LineBegun(uint64_t offset);

  PromptLine line_ = PromptLine::kEmpty;
  bool open_ = false;
  bool unfinished_ = false;
  bool answered_ = false;  // and nothing was typed since
  bool fresh_ = false;
  bool shared_ = false;
  bool has_been_ready_ = false;
  bool run_ended_ = false;
  uint64_t addresses_at_prompt_ = 0;
  int64_t lines_ = 0;     // CommandLog::lines at the last prompt
  int64_t prompts_ = 0;   // CommandLog::prompts
  bool entered_ = false;  // the line was entered since the last prompt
  // The last write that may have been typed ahead, and the last such write with
  // more than text and Enter in it; 0: none.
  uint64_t ahead_ = 0;
  uint64_t ahead_keys_ = 0;
  // A receipt: the write that had been read, and where the log ended then.
  struct Receipt {
    uint64_t serial = 0;
    uint64_t log_end = 0;
  };
  Receipt read_;
  Receipt keys_read_;
  // The last write that somebody typed ahead; 0: none.
  uint64_t typed_ahead_ = 0;
  Receipt typed_read_;
  bool holds_answers_ = false;
};

}  // namespace glasstty::session
