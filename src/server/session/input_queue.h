// The input of a session: the serial of each packet, its receipt or refusal,
// what the shell's prompt holds of it, and whose turn it is.
//
// Readers see it as const. Borrows the link to the holder, over which it sends,
// and the session's life, which says whether anybody will get it; both must
// outlive it. Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/shells.h"
#include "record/command_log.h"
#include "session/holder_link.h"
#include "session/life.h"
#include "session/prompt_watch.h"
#include "session/typing_turn.h"
#include "wire/packets.h"

namespace glasstty::session {

class InputQueue {
 public:
  // Describes what a call has typed last.
  struct Typing {
    Time at = Time::min();
    uint64_t revision = 0;  // of the screen, before it
    // The program drew by itself before, as a clock does: the longest of the
    // short time-outs with which it waited then, in milliseconds; else 0. If it
    // waits like that again, that tells nothing of an answer.
    int habit_ms = 0;
    bool ran_before = false;  // it was computing before
    // It ended in a key that ends most programs: ^C, ^D, ^\.
    bool may_end_program = false;
  };
  // A packet of input that was not wholly taken, and why.
  struct Refusal {
    uint64_t serial = 0;
    wire::WriteRefusal why{};
    // Bytes of that packet that were typed all the same.
    uint64_t taken = 0;
  };
  // A program that has not answered within this time does not answer at once.
  static constexpr Duration kAnswerTime = std::chrono::seconds(1);

  // Serials count from `first` + 1. 0 is "none"; for a session on another
  // machine `first` is where no earlier server has come to.
  // `released` is called when another call may type or run a command.
  InputQueue(HolderLink* link, const Life* life, uint64_t first,
             std::function<void()> released)
      : link_(link),
        life_(life),
        released_(std::move(released)),
        last_write_(first),
        consumed_(first) {}

  // Returns true if everything up to this serial has been read.
  bool consumed(uint64_t serial) const { return consumed_ >= serial; }
  // Serial of the last packet; 0 before the first.
  uint64_t last_write() const { return last_write_; }
  // The first with a serial in (after, upto]; null: none. The last 64 are
  // known, and the pointer is good until the next packet.
  const Refusal* FindRefusal(uint64_t after, uint64_t upto) const;
  const Typing& typing() const { return typing_; }
  bool MayAnswer(Time now) const { return now - kAnswerTime < typing_.at; }
  // Returns what is known of its shell's prompt.
  const PromptWatch& prompt() const { return prompt_; }
  // The line at the prompt may hold something; if it does not, what stands
  // behind the prompt is a background job's.
  bool typed_at_prompt() const { return prompt_.line() != PromptLine::kEmpty; }
  // The shell at a prompt which cannot be looked into (ssh), by its own answer;
  // null: it has not been asked since something else was typed there.
  const Shell* far_shell() const {
    return prompt_.run_ended() ? far_shell_ : nullptr;
  }
  // Which call may type now, and whether a command is typed and waited for.
  const TypingTurn& turn() const { return turn_; }
  bool run_slot_taken() const { return run_slot_taken_; }

  // Sends bytes of a call, which stay together. Returns the serial that
  // consumed() reaches when nothing typed is unread any more.
  uint64_t Write(std::string_view bytes, uint64_t flags,
                 record::ShellPhase phase);
  // Sends the terminal's answer to a program.
  void Answer(std::string_view replies, record::ShellPhase phase);
  // A person has typed, and ended the last line if `entered`. A write without
  // bytes has the receipt that tells when all of it has been read.
  void TypedByAnother(bool entered, record::ShellPhase phase);
  // Remembers how the program was before something is typed now, at screen
  // `revision`; `work` was found at the last look.
  void RememberTyping(Time now, Time last_output, uint64_t revision,
                      const wire::PendingWork& work);
  // All up to `serial` has been read.
  void Consumed(uint64_t serial) { consumed_ = serial; }
  void Refuse(const Refusal& refusal);
  // Asks again for the receipts that may be lost.
  void AskForReceipts();

  PromptWatch* prompt() { return &prompt_; }
  TypingTurn* turn() { return &turn_; }
  void SetFarShell(const Shell* shell) { far_shell_ = shell; }
  // Reserves the shell for one command. False: another has it.
  bool TakeRunSlot();
  void ReleaseRunSlot();
  // True when nobody has the turn any more. REQUIRES: it has been taken.
  bool ReleaseTurn();
  // `caller` waits for the turn no longer.
  void GiveUpTurn(TypingTurn::Caller caller);
  // A call of another server wants the keyboard: lends it once no call of this
  // server has the turn, which is that call's then until TakeBack.
  void Lend();
  void TakeBack();

 private:
  void LendIfFree();
  uint64_t Send(std::string_view bytes, uint64_t flags);

  // Borrowed.
  HolderLink* const link_;
  const Life* const life_;
  const std::function<void()> released_;
  // State.
  uint64_t last_write_;
  uint64_t consumed_;
  std::deque<Refusal> refusals_;  // the oldest first
  Typing typing_;
  PromptWatch prompt_;
  const Shell* far_shell_ = nullptr;
  TypingTurn turn_;
  bool run_slot_taken_ = false;
};

}  // namespace glasstty::session
