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
  bool at_fresh_prompt() const { return proven_.empty_line; }
  // Meaningful only while the shell is at its prompt (ShellPhase::kReady).
  PromptLine line() const {
    return shared_ ? PromptLine::kUnknown : line_.content;
  }
  // If the line holds anything, it is only the terminal's answers to a program
  // that ended without reading them.
  bool holds_answers() const { return line_.only_answers && !shared_; }
  // For shells without marks: the last input was the terminal's answers, after
  // a line that was entered.
  bool was_answered() const {
    return plain_.last == LastInput::kAnswer && !shared_;
  }
  // For shells without marks: the last input did not end a line. A program that
  // reads keys may have read it, so this is only a suspicion.
  bool is_open() const { return plain_.last == LastInput::kText || shared_; }
  // The kernel holds a line that nobody has ended. Meaningful only while the
  // terminal is in canonical mode.
  bool is_unfinished() const { return plain_.unfinished; }
  // True if the program has ever waited for input, or its log was replayed.
  bool has_been_ready() const { return has_been_ready_; }
  // A command line that was typed with its own marks has ended, and nothing has
  // been typed since.
  bool run_ended() const { return proven_.run_ended; }
  // The value of Terminal::row_addresses when a shell was last seen at its
  // prompt.
  uint64_t addresses_at_prompt() const { return addresses_at_prompt_; }

 private:
  // The last of the writes of some kind that may have been typed ahead, and its
  // first receipt, which gives the earliest known time of the read.
  struct Ahead {
    void Read(uint64_t upto, uint64_t log_end);
    // Returns true if all of them were read before `offset` of the log.
    bool WasRead(uint64_t offset) const;

    uint64_t serial = 0;  // 0: there was none
    uint64_t read = 0;    // the write up to which all had been read
    uint64_t log_end = 0;
  };
  // The line at the prompt of a shell with marks.
  struct Line {
    PromptLine content = PromptLine::kEmpty;
    bool only_answers = false;
    bool entered = false;  // since the last prompt
  };
  // The last mark has proven these, and nothing was sent since.
  struct Proven {
    bool empty_line = false;
    bool run_ended = false;
  };
  enum class LastInput {
    kEnder,   // it ended a line
    kText,    // it did not
    kAnswer,  // the terminal's answers, after a line was ended
  };
  // The line that a shell without marks may read.
  struct PlainLine {
    LastInput last = LastInput::kEnder;
    bool unfinished = false;
  };

  void TypedAhead(uint64_t serial, std::string_view bytes);
  void BeginLine(uint64_t offset);

  Line line_;
  Proven proven_;
  PlainLine plain_;
  bool shared_ = false;
  bool has_been_ready_ = false;
  uint64_t addresses_at_prompt_ = 0;
  int64_t lines_ = 0;    // CommandLog::lines at the last prompt
  int64_t prompts_ = 0;  // CommandLog::prompts
  // Everything that may have been typed ahead, those of it with more than text
  // and Enter, and those that somebody typed.
  Ahead ahead_, keys_ahead_, typed_ahead_;
};

}  // namespace glasstty::session
