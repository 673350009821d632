// Tracks what the line at the prompt of a session's shell may hold: nothing,
// only visible text, or anything.
//
// Only a shell with our integration gives certainty. For other shells, this
// class knows only what was sent last (was_answered, is_open). A pure state
// machine: it owns a few numbers and borrows nothing. The session reports every
// event, with the phase of the integrated shell. Loop thread only.
//
// A prompt on the screen does not prove an empty line, because line editors
// draw the prompt again whenever they like: for Ctrl-L, a new size, a list of
// completions, a syntax error in fish. Only the shell knows when it begins a
// new line, and our integration makes it report this (CommandLog::lines). Even
// a new line is not empty if the previous program left typed-ahead text unread.
#pragma once

#include <cstdint>
#include <string_view>

#include "record/command_log.h"
#include "session/state.h"

namespace glasstty::session {

// The possible contents of the line at the shell's prompt.
enum class PromptLine {
  kEmpty,    // nothing that was typed
  kShown,    // at most text that the screen shows after the prompt
  kUnknown,  // anything, even the first bytes of a key's escape sequence
};

class PromptWatch {
 public:
  // This server has sent `bytes` in the write with this serial, while the
  // integrated shell was in `phase`.
  void Typed(uint64_t serial, std::string_view bytes, record::ShellPhase phase);
  // Like Typed, for the terminal's answers to a program. The shell reads them
  // if the program has ended meanwhile.
  void Answered(uint64_t serial, std::string_view bytes,
                record::ShellPhase phase);
  // While `shared` is true, others may type, too, so the line may hold
  // anything.
  void SetShared(bool shared);
  // Somebody else has typed. Once the program has read the write with this
  // serial, it has read all of this input. `entered`: their last input ended a
  // line. The integrated shell is in `phase`.
  void TypedByAnother(uint64_t serial, bool entered, record::ShellPhase phase);
  // Something was sent that may end the prompt but is not text: a signal, a
  // size.
  void Disturbed();
  // When the log ended at `log_end`, everything up to the write with this
  // serial had been read. If `unfinished`, the kernel still held a line that
  // nobody had ended.
  void Read(uint64_t serial, uint64_t log_end, bool unfinished);
  // A shell has printed a mark, which `log` has recorded. `row_addresses` is
  // Terminal::row_addresses at that moment. `live`: this is not a replay.
  void Marked(const record::CommandLog& log, bool live, uint64_t row_addresses);
  // The session was judged to be in `activity`, for the current screen.
  // `row_addresses` is as in Marked.
  void Judged(Activity activity, uint64_t row_addresses);
  // The log of another server was replayed. The input of that server is
  // unknown.
  void Replayed();

  // Returns true if the integrated shell has drawn its prompt with an empty
  // line, and nothing has been sent since.
  bool at_fresh_prompt() const { return proven_.empty_line; }
  // Meaningful only in ShellPhase::kReady, while the integrated shell is at its
  // prompt.
  PromptLine line() const {
    return shared_ ? PromptLine::kUnknown : line_.content;
  }
  // Returns true if the line may hold the terminal's answers to a program that
  // ended without reading them, but nothing else.
  bool holds_answers() const { return line_.only_answers && !shared_; }
  // For shells without marks: the last input was the terminal's answers, and
  // the input before them ended a line.
  bool was_answered() const {
    return plain_.last == LastInput::kAnswer && !shared_;
  }
  // For shells without marks: the last input did not end a line, or is not
  // known, so the line may hold text. This is only a suspicion, because a
  // program that reads single keys may have read that input.
  bool is_open() const { return plain_.last == LastInput::kText || shared_; }
  // Returns true if the kernel holds a line that nobody has ended. Unknown, and
  // so true, after a replay. Meaningful only while the terminal is in canonical
  // mode.
  bool is_unfinished() const { return plain_.unfinished; }
  // True if the program was ever seen to wait for input, or after a replay.
  bool has_been_ready() const { return has_been_ready_; }
  // The last command was typed together with marks of its own
  // (CommandLog::ExpectRun) and has ended, and nothing was sent since.
  bool run_ended() const { return proven_.run_ended; }
  // Terminal::row_addresses when a shell was last seen at its prompt.
  uint64_t addresses_at_prompt() const { return addresses_at_prompt_; }

 private:
  // For one kind of writes: the last one that may have been typed ahead of the
  // shell's next line, and the first report that the program had read it.
  struct Ahead {
    void Read(uint64_t upto, uint64_t log_end);
    // Returns true if all writes of this kind had been read when the log ended
    // at `offset` or before.
    bool WasRead(uint64_t offset) const;

    uint64_t serial = 0;   // the serial of that write; 0: there was none
    uint64_t read = 0;     // all writes up to this serial had been read
    uint64_t log_end = 0;  // where the log ended at that time
  };
  // The line at the prompt of a shell with marks.
  struct Line {
    PromptLine content = PromptLine::kEmpty;
    bool only_answers = false;
    bool entered = false;  // it was entered since the last prompt
  };
  // The facts that the last mark has proven; false again once anything is sent.
  struct Proven {
    bool empty_line = false;
    bool run_ended = false;
  };
  enum class LastInput {
    kEnder,   // input that ended a line
    kText,    // input that did not end a line, or is not known
    kAnswer,  // the terminal's answers, after input that ended a line
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
  int64_t prompts_ = 0;  // CommandLog::prompts at the last prompt
  // These track three kinds: all writes, writes with keys other than text and
  // kEnders (prompt_watch.cc), and writes other than the terminal's answers.
  Ahead ahead_, keys_ahead_, typed_ahead_;
};

}  // namespace glasstty::session
