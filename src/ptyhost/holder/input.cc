#include "holder/input.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "holder/foreground.h"
#include "holder/inner_terminal.h"

namespace glasstty::holder {
namespace {

constexpr size_t kMaxWrite = 1024;
constexpr size_t kMaxPieces = 4096;
constexpr char kDefaultEof = '\x04';

}  // namespace

// Checks a write of several packets only as a whole. Otherwise it might refuse
// the first packet, but type the next, shorter one. Accepts replies even
// between the packets of a write.
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
  // Reserve the maximum now: growing would leave copies of a secret in memory.
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

// Only the server's writes change last_serial_, which its receipts name.
std::optional<wire::WriteRefusal> Input::TakeWhole(Writer writer,
                                                   uint64_t serial,
                                                   uint64_t flags,
                                                   std::string_view bytes,
                                                   Time now) {
  std::optional<termios> attributes = device_->GetAttributes();
  auto refusal = Judge(flags, bytes, attributes ? &*attributes : nullptr);
  if (refusal) return refusal;
  receipt_.Expect();
  bool cooked = attributes && (attributes->c_lflag & ICANON);
  if (cooked) {
    line_.Add(*attributes, bytes);
  } else {
    line_.Reset();
  }
  Queue(writer, serial, flags, bytes);
  if (flags & wire::kWriteEof) {
    if (attributes) {
      Queue(writer, serial, wire::kWritePlain, EndOfFile(*attributes));
    }
    line_.Reset();
    if (!device_->is_terminal()) end_ = End::kWhenTyped;
  }
  if (writer == kServer) last_serial_ = serial;
  WriteQueued(now);
  return std::nullopt;
}

// Checks a whole write before any part of it is queued.
std::optional<wire::WriteRefusal> Input::Judge(
    uint64_t flags, std::string_view bytes, const termios* attributes) const {
  if (end_ != End::kOpen) return wire::WriteRefusal::kClosed;
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
  // Small writes share a piece, so that a million of them cost little more than
  // their bytes. A secret gets its own piece: it is checked again when it is
  // typed, and growing a string would leave copies in memory.
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

// After an unfinished line, the first end-of-file character only delivers that
// line.
std::string Input::EndOfFile(const termios& attributes) const {
  cc_t eof = attributes.c_cc[VEOF];
  char byte = eof == _POSIX_VDISABLE ? kDefaultEof : static_cast<char>(eof);
  return std::string(line_.length() > 0 ? 2 : 1, byte);
}

// Writes at most kMaxWrite bytes at once, because the program may change the
// mode of the terminal meanwhile. Before each of these writes, checks whether a
// secret may be typed and whether the terminal echoes.
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
      for (const Piece& lost : pieces_) {
        dropped_.push_back({lost.writer, wire::WriteRefusal::kClosed,
                            lost.serial, lost.Taken()});
      }
      return Close();
    }
    piece.written += static_cast<size_t>(n);
    queued_ -= static_cast<size_t>(n);
    if (piece.written == piece.bytes.size()) PopPiece();
  }
  if (end_ == End::kWhenTyped) device_->CloseInput();
  receipt_.Typed(now);
}

// A raw terminal may be that of a relay such as script, inside which a program
// may ask for a password.
bool Input::IsSecretPrompt() const {
  std::optional<termios> attributes = device_->GetAttributes();
  if (!attributes) return false;
  if (attributes->c_lflag & (ICANON | ECHO)) return IsSecretMode(*attributes);
  Verdict verdict = LookAtForeground(
      device_->ForegroundGroup(),
      {.identity = device_->identity(), .filesystem = device_->filesystem()});
  std::optional<InnerLook> inside = LookInside(verdict.inner);
  return inside && IsSecretMode(inside->attributes);
}

// The prompt may have disappeared while the secret was queued.
bool Input::MayWrite(const Piece& piece) const {
  return !piece.secret() || IsSecretPrompt();
}

ssize_t Input::WritePiece(const Piece& piece) {
  std::string_view rest = std::string_view(piece.bytes).substr(piece.written);
  rest = rest.substr(0, kMaxWrite);
  std::optional<termios> attributes;
  bool is_watched = receipt_.WatchesTyping();
  if (is_watched || log_->is_open()) attributes = device_->GetAttributes();
  if (attributes && is_watched) receipt_.Typing(*attributes, rest);
  ssize_t n = device_->Write(rest.data(), rest.size());
  bool echoes = attributes && (attributes->c_lflag & ECHO);
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

// Does not complete a half-typed secret.
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
    uint64_t taken = keep > piece.begin ? keep - piece.begin : 0;
    if (keep < piece.bytes.size()) {
      dropped_.push_back({piece.writer, wire::WriteRefusal::kPersonTypes,
                          piece.serial, taken});
    }
    // Copy only the part that is kept, because the rest may be a secret.
    if (keep > piece.written) {
      kept.push_back({piece.writer, piece.serial, piece.flags,
                      piece.bytes.substr(0, keep), piece.written, piece.begin});
    }
    PopPiece();
  }
  for (const Piece& piece : kept) queued_ += piece.bytes.size() - piece.written;
  pieces_ = std::move(kept);
  if (keys.in_paste() && end_ != End::kClosed) {
    Queue(kServer, last_serial_, wire::kWritePlain, kPasteEnd);
  }
  WriteQueued(now);
}

// Wipes every piece, because it may contain a secret that was not marked as
// one.
void Input::PopPiece() {
  Piece& piece = pieces_.front();
  queued_ -= piece.bytes.size() - piece.written;
  explicit_bzero(piece.bytes.data(), piece.bytes.size());
  pieces_.pop_front();
}

// In canonical mode, an unfinished line counts as consumed at once, because no
// program can read it before it is finished.
std::optional<wire::ConsumedHow> Input::Check(Time now) {
  if (queued_ > 0) return std::nullopt;
  auto how = receipt_.Check(now);
  if (how == wire::ConsumedHow::kFlushed) line_.Reset();
  return how;
}

void Input::ProgramPrinted(Time now) {
  if (queued_ == 0) receipt_.ProgramPrinted(now);
}

// Outstanding writes get no receipt; after the program's end, the exit shows
// that they were not read.
void Input::Close() {
  end_ = End::kClosed;
  receipt_.Cancel();
  while (!pieces_.empty()) PopPiece();
}

}  // namespace glasstty::holder
