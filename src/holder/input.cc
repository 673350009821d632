// A receipt means: the device's input is empty. Whether bytes are unread is
// asked of the kernel (device.h), never guessed from echo or output. There is
// no event for it, so it is asked 0.2 ms after the last byte went out, then
// ever more rarely, and soon after any output of the program. An empty input
// may also be a flushed one: the packet mode of the terminal tells, and since
// the kernel sets its flag under the same lock, a flush that made the input
// empty is always known when it is found empty.
#include "holder/input.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>

#include "holder/foreground.h"
#include "holder/inner_terminal.h"

namespace glasstty::holder {
namespace {

using std::chrono::microseconds;

constexpr size_t kMaxWrite = 1024;
constexpr size_t kMaxPieces = 4096;
constexpr char kDefaultEof = '\x04';

// Most programs read within microseconds; one that does not costs little.
constexpr microseconds kCheckSteps[] = {
    microseconds(200),     microseconds(500),    microseconds(1'000),
    microseconds(2'000),   microseconds(5'000),  microseconds(10'000),
    microseconds(20'000),  microseconds(50'000), microseconds(100'000),
    microseconds(250'000),
};

// The kernel flushes the input by itself when it turns a character into a
// signal; that is not a tcflush by the program.
bool HoldsSignalCharacter(const termios& attributes, std::string_view text) {
  if (!(attributes.c_lflag & ISIG) || (attributes.c_lflag & NOFLSH)) {
    return false;
  }
  for (int index : {VINTR, VQUIT, VSUSP}) {
    cc_t wanted = attributes.c_cc[index];
    if (wanted != _POSIX_VDISABLE &&
        text.find(static_cast<char>(wanted)) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

// A line that is cut into packets must not be judged packet by packet: the
// first would be refused and the next, being shorter, typed.
// Replies pass between the packets of another's.
std::optional<wire::WriteRefusal> Input::Take(Writer writer, uint64_t serial,
                                              uint64_t flags,
                                              std::string_view bytes,
                                              Time now) {
  bool is_whole = !(flags & wire::kWriteMore) && !is_held();
  if (is_whole || (flags & wire::kWriteReply)) {
    return TakeWhole(writer, serial, flags, bytes, now);
  }
  if (held_.size() + bytes.size() > wire::kMaxQueuedInput)
    held_too_much_ = true;
  // At once for all of it: growing would leave copies of a secret behind.
  if (held_.empty()) held_.reserve(wire::kMaxQueuedInput);
  if (!held_too_much_) held_.append(bytes);
  if (flags & wire::kWriteMore) return std::nullopt;
  auto refusal = held_too_much_ ? wire::WriteRefusal::kQueueFull
                                : TakeWhole(writer, serial, flags, held_, now);
  DropHeld();
  return refusal;
}

void Input::DropHeld() {
  explicit_bzero(held_.data(), held_.size());
  held_ = std::string();
  held_too_much_ = false;
}

// What a person types takes no receipt of its own: the server's go on.
std::optional<wire::WriteRefusal> Input::TakeWhole(Writer writer,
                                                   uint64_t serial,
                                                   uint64_t flags,
                                                   std::string_view bytes,
                                                   Time now) {
  termios attributes;
  bool known = device_->GetAttributes(&attributes);
  auto refusal = Judge(flags, bytes, known ? &attributes : nullptr);
  if (refusal) return refusal;
  // A flush from before this write says nothing about it.
  if (!outstanding_) device_->TakeFlush();
  bool cooked = known && (attributes.c_lflag & ICANON);
  if (cooked) {
    line_.Add(attributes, bytes);
  } else {
    line_.Reset();
  }
  Queue(writer, serial, flags, bytes);
  if (flags & wire::kWriteEof) {
    if (known) Queue(writer, serial, wire::kWritePlain, EndOfFile(attributes));
    line_.Reset();
    close_after_ = !device_->is_terminal();
  }
  if (writer == kServer) last_serial_ = serial;
  outstanding_ = true;
  check_step_ = 0;
  next_check_ = Time::max();
  WriteQueued(now);
  return std::nullopt;
}

// Judged before anything is queued: a write is taken whole or not at all.
std::optional<wire::WriteRefusal> Input::Judge(
    uint64_t flags, std::string_view bytes, const termios* attributes) const {
  if (closed_ || close_after_) return wire::WriteRefusal::kClosed;
  if (queued_ + bytes.size() > wire::kMaxQueuedInput ||
      pieces_.size() >= kMaxPieces) {
    return wire::WriteRefusal::kQueueFull;
  }
  if ((flags & wire::kWriteSecret) && !IsSecretPrompt()) {
    return wire::WriteRefusal::kNotSecret;
  }
  if (attributes != nullptr && (attributes->c_lflag & ICANON) &&
      !line_.Fits(*attributes, bytes)) {
    return wire::WriteRefusal::kLineTooLong;
  }
  return std::nullopt;
}

void Input::Queue(Writer writer, uint64_t serial, uint64_t flags,
                  std::string_view bytes) {
  if (bytes.empty()) return;
  queued_ += bytes.size();
  // Small writes share a piece, so that a million of them cost little more
  // than their bytes. Not secrets: each is judged again when it is typed, and
  // growing a string would leave copies behind.
  flags &= wire::kWriteSecret | wire::kWriteReply;
  if (!(flags & wire::kWriteSecret) && !pieces_.empty()) {
    Piece& last = pieces_.back();
    bool is_alike = last.writer == writer && last.flags == flags;
    if (is_alike && last.bytes.size() + bytes.size() <= wire::kMaxPayload) {
      last.begin = last.bytes.size();
      last.bytes.append(bytes);
      last.serial = serial;
      return;
    }
  }
  pieces_.push_back({writer, serial, flags, std::string(bytes)});
}

// After an unfinished line the first character only hands that line over.
std::string Input::EndOfFile(const termios& attributes) const {
  cc_t eof = attributes.c_cc[VEOF];
  char byte = eof == _POSIX_VDISABLE ? kDefaultEof : static_cast<char>(eof);
  return std::string(line_.length() > 0 ? 2 : 1, byte);
}

// Small pieces: between two of them the program may switch the terminal from
// cooked to raw, and what it has not been given yet is judged anew.
void Input::WriteQueued(Time now) {
  while (!pieces_.empty()) {
    Piece& piece = pieces_.front();
    if (!MayWrite(piece)) {
      dropped_.push_back({piece.writer, wire::WriteRefusal::kNotSecret,
                          piece.serial, piece.Taken()});
      PopPiece();
      continue;
    }
    ssize_t n = WritePiece(piece);
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) {
      Close();
      return;
    }
    piece.written += static_cast<size_t>(n);
    queued_ -= static_cast<size_t>(n);
    if (piece.written == piece.bytes.size()) PopPiece();
  }
  if (close_after_) device_->CloseInput();
  if (outstanding_ && next_check_ == Time::max()) ScheduleCheck(now);
}

// A raw terminal may be the outer one of two: script asks for no password
// itself, but what runs in it may.
bool Input::IsSecretPrompt() const {
  termios attributes;
  if (!device_->GetAttributes(&attributes)) return false;
  if (attributes.c_lflag & (ICANON | ECHO)) return IsSecretMode(attributes);
  Verdict verdict = LookAtForeground(device_->ForegroundGroup(),
                                     {.identity = device_->identity()});
  InnerLook inside;
  return LookInside(verdict.inner, &inside) && IsSecretMode(inside.attributes);
}

// The prompt may have gone away while the secret was queued.
bool Input::MayWrite(const Piece& piece) const {
  return !piece.secret() || IsSecretPrompt();
}

ssize_t Input::WritePiece(const Piece& piece) {
  std::string_view rest = std::string_view(piece.bytes).substr(piece.written);
  rest = rest.substr(0, kMaxWrite);
  termios attributes;
  bool known =
      (!own_flush_ || log_->is_open()) && device_->GetAttributes(&attributes);
  if (known && !own_flush_) {
    own_flush_ = HoldsSignalCharacter(attributes, rest);
  }
  ssize_t n = device_->Write(rest.data(), rest.size());
  bool echoes = known && (attributes.c_lflag & ECHO);
  bool is_servers =
      piece.writer == kServer && !(piece.flags & wire::kWriteReply);
  if (n > 0 && is_servers) {
    server_keys_.Feed(rest.substr(0, static_cast<size_t>(n)));
  }
  if (n > 0 && echoes && !piece.secret()) {
    log_->Append(rest.substr(0, static_cast<size_t>(n)));
  }
  return n;
}

// A secret is not finished: half of it is of no use to anybody.
void Input::Yield(Time now) {
  DropHeld();
  KeyStream keys = server_keys_;
  std::deque<Piece> kept;
  for (bool is_first = true; !pieces_.empty(); is_first = false) {
    Piece& piece = pieces_.front();
    bool gives_way =
        piece.writer == kServer && !(piece.flags & wire::kWriteReply);
    size_t keep = piece.bytes.size();
    if (gives_way) {
      bool begun = is_first && !piece.secret();
      std::string_view rest =
          std::string_view(piece.bytes).substr(piece.written);
      rest = rest.substr(0, begun ? keys.Unfinished(rest) : 0);
      keys.Feed(rest);
      keep = piece.written + rest.size();
    }
    Piece cut{piece.writer,  piece.serial,
              piece.flags,   piece.bytes.substr(0, keep),
              piece.written, piece.begin};
    uint64_t taken = keep > piece.begin ? keep - piece.begin : 0;
    if (keep < piece.bytes.size()) {
      dropped_.push_back({piece.writer, wire::WriteRefusal::kPersonTypes,
                          piece.serial, taken});
    }
    if (keep > piece.written) kept.push_back(std::move(cut));
    PopPiece();
  }
  for (const Piece& piece : kept) queued_ += piece.bytes.size() - piece.written;
  pieces_ = std::move(kept);
  if (keys.in_paste() && !closed_) {
    Queue(kServer, last_serial_, wire::kWritePlain, kPasteEnd);
  }
  WriteQueued(now);
}

// Wiped whatever it was: what is typed may be a secret that nobody marked.
void Input::PopPiece() {
  Piece& piece = pieces_.front();
  queued_ -= piece.bytes.size() - piece.written;
  explicit_bzero(piece.bytes.data(), piece.bytes.size());
  pieces_.pop_front();
}

void Input::ScheduleCheck(Time now) {
  next_check_ = now + kCheckSteps[check_step_];
  if (check_step_ + 1 < std::size(kCheckSteps)) ++check_step_;
}

// In canonical mode an unfinished line reads as consumed at once: nobody can
// read it before its end.
std::optional<wire::ConsumedHow> Input::Check(Time now) {
  if (!outstanding_ || queued_ > 0) return std::nullopt;
  if (device_->UnreadInput() != 0) {
    ScheduleCheck(now);
    return std::nullopt;
  }
  // In this order: a flush that emptied the queue is known by now.
  bool flushed = device_->TakeFlush() && !own_flush_;
  if (flushed) line_.Reset();
  outstanding_ = false;
  own_flush_ = false;
  next_check_ = Time::max();
  return flushed ? wire::ConsumedHow::kFlushed : wire::ConsumedHow::kRead;
}

void Input::ExpectReceipt(Time now) {
  if (outstanding_ && queued_ == 0) {
    next_check_ = std::min(next_check_, now + kCheckSteps[0]);
  }
}

// No receipt for what was outstanding; the exit tells enough.
void Input::Close() {
  closed_ = true;
  outstanding_ = false;
  next_check_ = Time::max();
  while (!pieces_.empty()) PopPiece();
}

}  // namespace glasstty::holder
