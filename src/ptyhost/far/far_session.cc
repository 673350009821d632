#include "far/far_session.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <variant>

#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

// Returns the offsets up to which the logs must be sent before the message.
wire::LogEnds After(const wire::FromHolder& message) {
  return std::visit(
      [](const auto& known) {
        if constexpr (requires { known.After(); }) return known.After();
        return wire::LogEnds{};
      },
      message);
}

uint64_t EndOf(const wire::Inline& output) {
  return output.offset + output.bytes.size();
}

}  // namespace

FarSession::FarSession(uint32_t number, std::string id, UniqueFd directory,
                       FrameStream* stream)
    : number_(number),
      id_(std::move(id)),
      stream_(stream),
      directory_(std::move(directory)),
      logs_{Log(directory_.get(), "out"), Log(directory_.get(), "err")},
      events_(number, directory_.get(), stream) {}

void FarSession::Begin(UniqueFd control, const wire::AttachInfo& from) {
  logs_[0].sent = logs_[0].credit = logs_[0].acked = from.out;
  logs_[1].sent = logs_[1].credit = logs_[1].acked = from.err;
  events_.Begin(from);
  connections_[0] = std::make_unique<holder::Connection>(std::move(control));
  connections_[0]->SetGreeted();
  connections_[0]->Send(wire::Hello{});
}

void FarSession::BeginDead(const wire::AttachInfo& from) {
  logs_[0].sent = logs_[0].credit = from.out;
  logs_[1].sent = logs_[1].credit = from.err;
  events_.Begin(from);
  SayGone();
}

// Pump still sends the held packets and the rest of the logs.
void FarSession::SayGone() {
  if (phase_ != Phase::kLive) return;
  phase_ = Phase::kGone;
  FindEnds();
}

// Returns false while the ends cannot be determined. Meanwhile, kGone must not
// be sent, because the near end would consider its logs complete.
bool FarSession::FindEnds() {
  auto out = wire::LogEnd(directory_.get(), "out");
  auto err = wire::LogEnd(directory_.get(), "err");
  if (!out || !err) return false;
  logs_[0].end = *out;
  logs_[1].end = *err;
  phase_ = Phase::kEnding;
  return true;
}

// ---- from the near end

void FarSession::TakePacket(uint16_t part, std::string_view bytes) {
  auto packet = wire::PacketOf(bytes);
  if (part >= kParts || !packet) return;
  if (part == 0 && packet->header.type == wire::File::kType) {
    return TakeFile(wire::DecodeAs<wire::File>(*packet));
  }
  auto& connection = connections_[part];
  if (connection == nullptr && part > 0 && phase_ == Phase::kLive) {
    UniqueFd fd = wire::ConnectObserver(directory_.get());
    if (!fd.valid()) {
      stream_->Send(
          {.type = FrameType::kHangUp, .part = part, .session = number_});
      return;
    }
    connection = std::make_unique<holder::Connection>(std::move(fd));
    connection->SetGreeted();
  }
  if (connection == nullptr) return;
  connection->Send(packet->header, packet->payload);
}

// Accepts only the files that term_run may write for the shell. Drops files
// with other names, and pieces that do not follow the last one.
void FarSession::TakeFile(const wire::File& file) {
  constexpr size_t kMostBytes = 4 << 20;
  std::string name(file.name);
  if (name != wire::kEnvironmentName && name != wire::kCommandName) return;
  if (file.size == 0) {
    unlinkat(directory_.get(), name.c_str(), 0);
    return;
  }
  if (file.offset == 0) file_.clear();
  bool fits = file.offset == file_.size() && file.size <= kMostBytes &&
              file_.size() + file.piece.size() <= file.size;
  if (!fits) return;
  file_ += file.piece;
  if (file_.size() < file.size) return;
  // On ext4, replacing the file takes longer (session/session_files.cc).
  unlinkat(directory_.get(), name.c_str(), 0);
  ReplaceFileAt(directory_.get(), name, file_);
  std::fill(file_.begin(), file_.end(), '\0');
  file_.clear();
}

void FarSession::TakeCredit(FarStream stream, uint64_t upto) {
  auto index = static_cast<size_t>(stream);
  if (index >= logs_.size()) return;
  logs_[index].credit = std::max(logs_[index].credit, upto);
}

void FarSession::HangUp(uint16_t part) {
  if (part > 0 && part < kParts) connections_[part].reset();
}

// ---- from the holder

void FarSession::Watch(PollLoop* loop) {
  for (size_t part = 0; part < kParts; ++part) {
    holder::Connection* holder = connections_[part].get();
    if (holder == nullptr) continue;
    loop->Watch(holder->fd(), PollLoop::Events(true, holder->WantsWrite()),
                [this, part](short events) {
                  if (events & POLLOUT) connections_[part]->Flush();
                  if (events & ~POLLOUT) Read(part);
                });
  }
}

void FarSession::Read(size_t part) {
  for (int i = 0;
       i < holder::Connection::kPacketsPerTurn && connections_[part] != nullptr;
       ++i) {
    wire::Packet packet;
    switch (connections_[part]->Take(&packet)) {
      case wire::Receive::kNothing:
        return;
      case wire::Receive::kPacket:
        Take(static_cast<uint16_t>(part), packet);
        break;
      case wire::Receive::kClosed:
        connections_[part].reset();
        if (part == 0) return SayGone();
        stream_->Send({.type = FrameType::kHangUp,
                       .part = static_cast<uint16_t>(part),
                       .session = number_});
        return;
    }
  }
}

// Does not forward the server's doorbell (Data), because the log itself is
// sent. An observer's doorbell is held until the announced output was sent.
void FarSession::Take(uint16_t part, const wire::Packet& packet) {
  auto message = wire::Decode<wire::FromHolder>(packet);
  if (const auto* data = std::get_if<wire::Data>(&message)) {
    logs_[0].end = std::max(logs_[0].end, data->out_end);
    logs_[1].end = std::max(logs_[1].end, data->err_end);
    if (part == 0) {
      rung_ = true;
      return;
    }
  }
  // Welcome is sent before the log, so that the near end can serve its stored
  // output, and report how much is missing.
  if (part == 0 && packet.header.type == wire::Welcome::kType) {
    return stream_->Send({.type = FrameType::kPacket, .session = number_},
                         wire::BytesOf(packet));
  }
  const auto* output = std::get_if<wire::Inline>(&message);
  bool is_output = part == 0 && output != nullptr;
  if (is_output) FindEndBefore(*output);
  wire::LogEnds after = After(message);
  held_.push_back(
      {{after.out.value_or(logs_[0].end), after.err.value_or(logs_[1].end)},
       part,
       wire::BytesOf(packet),
       is_output});
}

// The holder does not ring again before it gets an acknowledgement, so the log
// on disk may have bytes before this output that no doorbell has announced.
void FarSession::FindEndBefore(const wire::Inline& output) {
  auto end = wire::LogEnd(directory_.get(), "out");
  if (!end) return;
  logs_[0].end = std::max(logs_[0].end, std::min(*end, output.offset));
}

// ---- to the near end

void FarSession::SendLog(FarStream which, uint64_t offset,
                         std::string_view bytes) {
  stream_->Send({.type = FrameType::kLog,
                 .part = static_cast<uint16_t>(which),
                 .session = number_,
                 .number = offset},
                bytes);
}

// Returns true if there may be more to send now.
bool FarSession::SendPiece(FarStream which) {
  Log& log = logs_[static_cast<size_t>(which)];
  uint64_t upto = std::min(log.end, log.credit);
  if (log.sent >= upto) return false;
  char buffer[kLogPiece];
  ssize_t n = log.reader.Read(
      log.sent, buffer, std::min<uint64_t>(sizeof buffer, upto - log.sent));
  if (n <= 0) {
    // Either the log continues after a hole, or its last bytes are lost. Skip
    // the missing bytes even without credit, so that the near end can give
    // credit for the bytes after them.
    if (n < 0 && errno != ENODATA) return false;
    auto kept = log.reader.NextKept(log.sent);
    if (!kept) return false;
    uint64_t next = std::min(*kept, log.end);
    if (next <= log.sent) return false;
    log.sent = next;
    SendLog(which, next, {});
    return true;
  }
  SendLog(which, log.sent, {buffer, static_cast<size_t>(n)});
  log.sent += static_cast<uint64_t>(n);
  return log.sent < std::min(log.end, log.credit);
}

wire::Inline FarSession::OutputOf(const Held& held) {
  return wire::DecodeAs<wire::Inline>(*wire::PacketOf(held.packet));
}

bool FarSession::AllSent() const {
  return logs_[0].sent >= logs_[0].end && logs_[1].sent >= logs_[1].end;
}

// Output that the disk refused waits only for credit and for the bytes that are
// on disk, because other earlier bytes may be lost. When the holder is dead and
// both logs are sent, no packet waits any longer.
bool FarSession::MayGo(const Held& held) const {
  if (held.is_output) {
    if (EndOf(OutputOf(held)) > logs_[0].credit) return false;
  }
  if (AllSent() && (phase_ != Phase::kLive || held.is_output)) return true;
  return logs_[0].sent >= held.after[0] && logs_[1].sent >= held.after[1];
}

// While the disk is full, a packet may wait for output that the holder sent
// later (Inline), so output may overtake packets.
void FarSession::SendHeld() {
  while (!held_.empty()) {
    auto next = held_.begin();
    if (!MayGo(*next)) {
      next = std::ranges::find(held_, true, &Held::is_output);
      if (next == held_.end() || !MayGo(*next)) return;
    }
    Held held = std::move(*next);
    held_.erase(next);
    if (held.is_output) {
      wire::Inline output = OutputOf(held);
      SendLog(FarStream::kOut, output.offset, output.bytes);
      logs_[0].sent = std::max(logs_[0].sent, EndOf(output));
      logs_[0].end = std::max(logs_[0].end, logs_[0].sent);
    } else {
      stream_->Send(
          {.type = FrameType::kPacket, .part = held.part, .session = number_},
          held.packet);
    }
  }
}

// Acknowledges the sent bytes to the holder, as if the server had read them, so
// that the holder rings its doorbell again. Not the holder but the credit
// limits how much is in flight.
void FarSession::Acknowledge() {
  // Also acknowledge a doorbell that has announced only bytes sent before.
  bool news = rung_ && AllSent();
  for (Log& log : logs_) {
    news = news || log.sent > log.acked;
    log.acked = log.sent;
  }
  if (!news || connections_[0] == nullptr) return;
  rung_ = false;
  connections_[0]->SendLatest(wire::Ack{logs_[0].sent, logs_[1].sent});
}

bool FarSession::Pump() {
  if (phase_ == Phase::kGone && !FindEnds()) return false;
  bool more = SendPiece(FarStream::kOut);
  more = SendPiece(FarStream::kErr) || more;
  bool news =
      logs_[0].sent > noted_ || !held_.empty() || phase_ != Phase::kLive;
  if (news || notes_left_) notes_left_ = events_.Send(logs_[0].sent);
  noted_ = logs_[0].sent;
  more = more || notes_left_;
  SendHeld();
  Acknowledge();
  bool all = AllSent() && !notes_left_ && held_.empty();
  if (phase_ == Phase::kEnding && all) {
    phase_ = Phase::kSaidGone;
    std::string record;
    if (auto exit = wire::ReadExit(directory_.get()))
      record = wire::AsBytes(*exit);
    stream_->Send({.type = FrameType::kGone, .session = number_}, record);
  }
  return more;
}

}  // namespace glasstty::far
