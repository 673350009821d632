// What a session is given: bytes, sizes, signals, and its end.
#include <chrono>
#include <string_view>

#include "session/session.h"
#include "wire/packets.h"

namespace glasstty::session {

uint64_t Session::Write(std::string_view bytes, uint64_t flags) {
  prober_.InputSent();
  typed_at_ = loop_->Now();
  uint64_t serial = SendInput(bytes, flags);
  prompt_.Typed(serial, bytes, commands_.phase());
  return serial;
}

// Long input goes out in several packets; the serial of the last stands for
// all, because receipts are given in order.
uint64_t Session::SendInput(std::string_view bytes, uint64_t flags) {
  uint64_t before = write_serial_;
  do {
    std::string_view piece = bytes.substr(0, wire::kMaxPayload);
    bytes.remove_prefix(piece.size());
    // The end-of-file mark belongs after the last byte.
    uint64_t piece_flags =
        bytes.empty() ? flags : (flags & ~wire::kWriteEof) | wire::kWriteMore;
    SendHeader(wire::PacketType::kWrite, ++write_serial_, piece_flags, piece);
  } while (!bytes.empty());
  if (!channel_ && cut_off_since_) {
    for (uint64_t serial = before + 1; serial <= write_serial_; ++serial) {
      Refuse({serial, wire::WriteRefusal::kAway, 0});
    }
  }
  return write_serial_;
}

void Session::Refuse(Refusal refusal) {
  constexpr size_t kRemembered = 64;
  if (refusals_.size() == kRemembered) refusals_.pop_front();
  refusals_.push_back(refusal);
}

void Session::SendReplies(std::string_view replies) {
  prober_.InputSent();
  uint64_t serial = SendInput(replies, wire::kWriteReply);
  prompt_.Answered(serial, replies, commands_.phase());
}

// Whatever was known of the program, it has something to deal with now.
void Session::Disturb() {
  prober_.InputSent();
  prompt_.Disturbed();
}

void Session::Resize(terminal::Size size) {
  Disturb();
  SendHeader(wire::PacketType::kResize, static_cast<uint64_t>(size.rows),
             static_cast<uint64_t>(size.cols));
}

void Session::Signal(int signal, wire::SignalTarget target) {
  Disturb();
  SendHeader(wire::PacketType::kSignal, static_cast<uint64_t>(signal),
             static_cast<uint64_t>(target));
}

// For a session that has ended there is nothing to wait for.
void Session::Close(Duration grace, bool eof, bool kill_survivors) {
  close_reported_ = ended_;
  close_asked_ = true;
  auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(grace);
  SendHeader(wire::PacketType::kClose, static_cast<uint64_t>(ms.count()),
             (eof ? uint64_t{wire::kCloseEof} : 0) |
                 (kill_survivors ? uint64_t{wire::kCloseKillSurvivors} : 0));
}

void Session::SetPolicy(uint64_t grace_ms, uint64_t log_cap) {
  SendHeader(wire::PacketType::kPolicy, grace_ms, log_cap);
  history_.SetCap(log_cap);
  if (errors_) errors_->history.SetCap(log_cap);
}

}  // namespace glasstty::session
