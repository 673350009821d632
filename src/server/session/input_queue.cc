#include "session/input_queue.h"

#include <algorithm>
#include <iterator>

#include "wire/messages.h"

namespace glasstty::session {

const InputQueue::Refusal* InputQueue::FindRefusal(uint64_t after,
                                                   uint64_t upto) const {
  for (const Refusal& refusal : refusals_) {
    if (refusal.serial > after && refusal.serial <= upto) return &refusal;
  }
  return nullptr;
}

uint64_t InputQueue::Write(std::string_view bytes, uint64_t flags,
                           record::ShellPhase phase) {
  constexpr std::string_view kEndKeys = "\x03\x04\x1c";
  uint64_t serial = Send(bytes, flags);
  typing_.may_end_program =
      !bytes.empty() && kEndKeys.find(bytes.back()) != std::string_view::npos;
  prompt_.Typed(serial, bytes, phase);
  return serial;
}

void InputQueue::Answer(std::string_view replies, record::ShellPhase phase) {
  prompt_.Answered(Send(replies, wire::kWriteReply), replies, phase);
}

void InputQueue::TypedByAnother(bool entered, record::ShellPhase phase) {
  prompt_.TypedByAnother(Send("", wire::kWritePlain), entered, phase);
}

// What a program draws or waits for soon after a key may be its answer to the
// key, so it says nothing about the program's habits.
void InputQueue::RememberTyping(Time now, Time last_output, uint64_t revision,
                                int64_t line, const wire::PendingWork& work) {
  constexpr Duration kJustNow = std::chrono::milliseconds(300);
  if (!MayAnswer(now)) {
    const auto& due = work.due_ms;
    bool draws_itself =
        last_output > typing_.at + kAnswerTime && now <= last_output + kJustNow;
    typing_.habit_ms =
        draws_itself ? *std::max_element(std::begin(due), std::end(due)) : 0;
    typing_.ran_before = work.runs;
  }
  typing_.at = now;
  typing_.revision = revision;
  typing_.line = line;
}

// Long input is sent in several packets. The serial of the last one stands for
// all of them, because packets are read in order.
uint64_t InputQueue::Send(std::string_view bytes, uint64_t flags) {
  uint64_t before = last_write_;
  do {
    std::string_view piece = bytes.substr(0, wire::kMaxPayload);
    bytes.remove_prefix(piece.size());
    // The end-of-file mark must come after the last byte.
    uint64_t piece_flags =
        bytes.empty() ? flags : (flags & ~wire::kWriteEof) | wire::kWriteMore;
    link_->Send(wire::Write{++last_write_, piece_flags, piece});
  } while (!bytes.empty());
  if (!link_->connected() && contact_->cut_off_since()) {
    for (uint64_t serial = before + 1; serial <= last_write_; ++serial) {
      Refuse({serial, wire::WriteRefusal::kAway, 0});
    }
  }
  return last_write_;
}

// A line was read if bracketed paste has been requested since it was typed.
void InputQueue::RememberAhead(std::string line, uint64_t paste_requests) {
  constexpr size_t kMostLines = 16;
  std::erase_if(ahead_, [paste_requests](const Ahead& older) {
    return older.paste_requests < paste_requests;
  });
  if (ahead_.size() == kMostLines) ahead_.pop_front();
  ahead_.push_back({std::move(line), paste_requests, editor_prompt_});
}

void InputQueue::MeetLineEditor(std::string_view before_cursor) {
  ahead_.clear();
  // The line may already show a part of the input, after the prompt.
  bool is_longer =
      !editor_prompt_.empty() && before_cursor.starts_with(editor_prompt_);
  if (!is_longer) editor_prompt_ = before_cursor;
}

void InputQueue::Refuse(const Refusal& refusal) {
  constexpr size_t kRemembered = 64;
  if (refusals_.size() == kRemembered) refusals_.pop_front();
  refusals_.push_back(refusal);
}

void InputQueue::AskForReceipts() {
  if (consumed_ < last_write_) {
    link_->Send(wire::Doubt{consumed_ + 1, last_write_});
  }
}

}  // namespace glasstty::session
