// The input of a session: the serials, receipts and refusals of its packets,
// the contents of the shell's prompt line, and the call that may type. A
// receipt shows that the program has read a packet.
//
// Readers see the object as const. Borrows the link to the holder, over which
// the input is sent, and the contact, which shows whether a relay can receive
// the input; both must outlive this object. Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/shells.h"
#include "record/command_log.h"
#include "session/contact.h"
#include "session/holder_link.h"
#include "session/prompt_watch.h"
#include "session/typing_turn.h"
#include "wire/packets.h"

namespace glasstty::session {

class InputQueue {
 public:
  // Describes the last input of a call. If inputs follow each other quickly,
  // habit_ms and ran_before describe the time before the first of these inputs.
  struct Typing {
    Time at = Time::min();
    uint64_t revision = 0;  // the screen's revision before the input
    int64_t line = 0;       // the line of the cursor before the input
    // The longest of the short time-outs (wire::PendingWork::due_ms) with which
    // the program was waiting, if it was already drawing by itself, like a
    // clock; else 0. If the program later waits with such a time-out, it need
    // not be working on an answer.
    int habit_ms = 0;
    bool ran_before = false;  // the program was computing before the input
    // The input ended in a key that ends most programs: ^C, ^D, ^\.
    bool may_end_program = false;
  };
  // A packet of input that the holder has not taken completely, and why.
  struct Refusal {
    uint64_t serial = 0;
    wire::WriteRefusal why{};
    // The number of bytes of that packet that were typed nevertheless.
    uint64_t taken = 0;
  };
  // A line that was typed while a program worked. A line editor may read it
  // later, and echo it again.
  struct Ahead {
    std::string line;
    // Terminal::paste_requests() when it was typed.
    uint64_t paste_requests = 0;
    // The prompt of the line editor that read the previous lines; "" if none.
    std::string prompt = {};
  };
  // A program that has not answered within this time is not expected to answer
  // soon.
  static constexpr Duration kAnswerTime = std::chrono::seconds(1);

  // Serials count from `first` + 1, and 0 is "none". For a session on another
  // machine, `first` is above all serials that earlier servers used. `released`
  // is called when another call may type or run a command.
  InputQueue(HolderLink* link, const Contact* contact, uint64_t first,
             std::function<void()> released)
      : link_(link),
        contact_(contact),
        last_write_(first),
        consumed_(first),
        turn_(link, std::move(released)) {}

  // Returns true if the program has read or discarded all input up to `serial`.
  bool consumed(uint64_t serial) const { return consumed_ >= serial; }
  // The serial of the last packet; before any, `first` of the constructor.
  uint64_t last_write() const { return last_write_; }
  // Returns the first refusal with a serial in (after, upto]; null: none. Only
  // the last 64 refusals are kept. The pointer is valid until the next refusal.
  const Refusal* FindRefusal(uint64_t after, uint64_t upto) const;
  const Typing& typing() const { return typing_; }
  // The last lines that were typed ahead, the oldest first.
  const std::deque<Ahead>& ahead() const { return ahead_; }
  bool MayAnswer(Time now) const { return now - kAnswerTime < typing_.at; }
  // Tracks what the line at the shell's prompt may hold.
  const PromptWatch& prompt() const { return prompt_; }
  // Returns true if the line at the prompt may hold typed text. If not, any
  // text after the prompt comes from a background job.
  bool typed_at_prompt() const { return prompt_.line() != PromptLine::kEmpty; }
  // The kind of the shell behind ssh or the like, if it has answered
  // AskFarShell (typing/far_shell.h). Null: no shell was asked, or the last
  // input was not a command with its own marks that has ended.
  const Shell* far_shell() const {
    return prompt_.run_ended() ? far_shell_ : nullptr;
  }
  // Decides which call may type, and which one has reserved the shell.
  const TypingTurn& turn() const { return turn_; }

  // Sends bytes of a call; no other input comes between them. `flags` are as in
  // wire::Write; the shell is in `phase`. Returns the serial that consumed()
  // reaches once the program has read everything typed so far.
  uint64_t Write(std::string_view bytes, uint64_t flags,
                 record::ShellPhase phase);
  // Sends the terminal's answer to a program.
  void Answer(std::string_view replies, record::ShellPhase phase);
  // Records that a person, or a call of another server, has typed. `entered`:
  // their last input ended a line. Sends an empty write, whose receipt shows
  // when everything that they typed has been read.
  void TypedByAnother(bool entered, record::ShellPhase phase);
  // Call this before typing. Remembers the time, the `revision` of the screen,
  // the `line` of the cursor, and what the program was doing. `work` is from
  // Prober::last_work.
  void RememberTyping(Time now, Time last_output, uint64_t revision,
                      int64_t line, const wire::PendingWork& work);
  void RememberAhead(std::string line, uint64_t paste_requests);
  // A line editor reads the input from now on, and has read everything that
  // was typed ahead. `before_cursor` is the text before the cursor.
  void MeetLineEditor(std::string_view before_cursor);
  // The program has read everything up to `serial`.
  void Consumed(uint64_t serial) { consumed_ = serial; }
  void Refuse(const Refusal& refusal);
  // Asks the relay to refuse the packets that have not arrived (wire::Doubt).
  void AskForReceipts();

  PromptWatch* prompt() { return &prompt_; }
  TypingTurn* turn() { return &turn_; }
  void SetFarShell(const Shell* shell) { far_shell_ = shell; }

 private:
  uint64_t Send(std::string_view bytes, uint64_t flags);

  // Borrowed.
  HolderLink* const link_;
  const Contact* const contact_;
  // State.
  uint64_t last_write_;
  uint64_t consumed_;
  std::deque<Refusal> refusals_;  // the oldest first
  Typing typing_;
  std::deque<Ahead> ahead_;
  std::string editor_prompt_;
  PromptWatch prompt_;
  const Shell* far_shell_ = nullptr;
  TypingTurn turn_;
};

}  // namespace glasstty::session
