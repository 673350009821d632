#include "far/far_session.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

constexpr int kPacketsPerTurn = 64;

std::string WholePacket(const wire::Packet& packet) {
  wire::PacketHeader header = packet.header;
  header.payload = packet.payload.size();
  std::string bytes(wire::AsBytes(header));
  bytes += packet.payload;
  return bytes;
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
  connections_[0]->Send({.type = wire::PacketType::kHello,
                         .a = wire::kWireVersion,
                         .b = wire::kWireVersion});
}

void FarSession::BeginDead(const wire::AttachInfo& from) {
  logs_[0].sent = logs_[0].credit = from.out;
  logs_[1].sent = logs_[1].credit = from.err;
  events_.Begin(from);
  SayGone();
}

// The packets that the holder had sent come first, then the rest of the log.
void FarSession::SayGone() {
  if (std::exchange(gone_, true)) return;
  logs_[0].end = wire::LogEnd(directory_.get(), "out");
  logs_[1].end = wire::LogEnd(directory_.get(), "err");
}

// ---- what the near end sends

void FarSession::TakePacket(uint16_t part, std::string_view bytes) {
  if (part >= kParts || bytes.size() < sizeof(wire::PacketHeader)) return;
  auto header = wire::HeadOf<wire::PacketHeader>(bytes);
  if (part == 0 && header.type == wire::PacketType::kFile) {
    return TakeFile(header, bytes.substr(sizeof header));
  }
  auto& connection = connections_[part];
  if (connection == nullptr && part > 0 && !gone_) {
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
  connection->Send(header, bytes.substr(sizeof header));
}

// Only what a command of term_run may leave for its shell. A name that is not
// known, or a piece that does not fit, is dropped.
void FarSession::TakeFile(const wire::PacketHeader& header,
                          std::string_view payload) {
  constexpr size_t kMostBytes = 4 << 20;
  size_t end = payload.find('\0');
  if (end == std::string_view::npos) return;
  std::string name(payload.substr(0, end));
  if (name != wire::kEnvironmentName && name != wire::kCommandName) return;
  if (header.b == 0) {
    unlinkat(directory_.get(), name.c_str(), 0);
    return;
  }
  if (header.a == 0) file_.clear();
  payload.remove_prefix(end + 1);
  bool fits = header.a == file_.size() && header.b <= kMostBytes &&
              file_.size() + payload.size() <= header.b;
  if (!fits) return;
  file_ += payload;
  if (file_.size() < header.b) return;
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

// ---- what the holder sends

int FarSession::fd(size_t part) const {
  return connections_[part] == nullptr ? -1 : connections_[part]->fd();
}

bool FarSession::wants_write(size_t part) const {
  return connections_[part] != nullptr && connections_[part]->WantsWrite();
}

void FarSession::Flush(size_t part) {
  if (connections_[part] != nullptr) connections_[part]->Flush();
}

void FarSession::Read(size_t part) {
  for (int i = 0; i < kPacketsPerTurn && connections_[part] != nullptr; ++i) {
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

// The server's doorbell ends here: the log says it all. An observer's may ring
// first, and goes on behind the output that it tells of.
void FarSession::Take(uint16_t part, const wire::Packet& packet) {
  const wire::PacketHeader& header = packet.header;
  if (header.type == wire::PacketType::kData) {
    logs_[0].end = std::max(logs_[0].end, header.a);
    logs_[1].end = std::max(logs_[1].end, header.b);
    if (part == 0) {
      rung_ = true;
      return;
    }
  }
  // The first of all, and in front of the log: the near end answers from what
  // is stored there, and tells how much is not.
  if (part == 0 && header.type == wire::PacketType::kWelcome) {
    return stream_->Send({.type = FrameType::kPacket, .session = number_},
                         WholePacket(packet));
  }
  held_.push_back({NeedsOf(packet), part, WholePacket(packet),
                   part == 0 && header.type == wire::PacketType::kInline});
}

// Up to which offsets each kind of packet speaks of the logs.
std::array<uint64_t, kFarStreams> FarSession::NeedsOf(
    const wire::Packet& packet) const {
  const wire::PacketHeader& header = packet.header;
  uint64_t out = logs_[0].end, err = logs_[1].end;
  switch (header.type) {
    case wire::PacketType::kState:
      return {wire::HeadOf<wire::ProbeAnswer>(packet.payload).offset, header.b};
    case wire::PacketType::kExit:
      return {header.a, wire::HeadOf<uint64_t>(packet.payload)};
    case wire::PacketType::kConsumed:
      return {wire::HeadOf<wire::ReceiptInfo>(packet.payload).log_end, err};
    case wire::PacketType::kEmpty:
      return {header.b, err};
    case wire::PacketType::kInline:
    case wire::PacketType::kResized:
    case wire::PacketType::kLost:
      return {header.a, err};
    default:
      return {out, err};
  }
}

// ---- what goes to the near end

void FarSession::SendOutput(uint64_t offset, std::string_view bytes) {
  stream_->Send({.type = FrameType::kLog,
                 .part = static_cast<uint16_t>(FarStream::kOut),
                 .session = number_,
                 .a = offset},
                bytes);
}

// False when nothing was there to send.
bool FarSession::SendPiece(FarStream which) {
  Log& log = logs_[static_cast<size_t>(which)];
  uint64_t upto = std::min(log.end, log.credit);
  if (log.sent >= upto) return false;
  char buffer[kLogPiece];
  ssize_t n = log.reader.Read(
      log.sent, buffer, std::min<uint64_t>(sizeof buffer, upto - log.sent));
  if (n <= 0) {
    // A hole: the log goes on behind it, or has lost its end. The near end may
    // have to give more credit before anything from there may go.
    uint64_t next = std::min(log.reader.NextKept(log.sent), log.end);
    if (next <= log.sent) return false;
    log.sent = next;
    stream_->Send({.type = FrameType::kLog,
                   .part = static_cast<uint16_t>(which),
                   .session = number_,
                   .a = next});
    return true;
  }
  stream_->Send({.type = FrameType::kLog,
                 .part = static_cast<uint16_t>(which),
                 .session = number_,
                 .a = log.sent},
                {buffer, static_cast<size_t>(n)});
  log.sent += static_cast<uint64_t>(n);
  return log.sent < std::min(log.end, log.credit);
}

// Output that the disk refused may follow bytes that it has lost, and of a dead
// holder nothing more comes.
bool FarSession::MayGo(const Held& held) const {
  if (held.is_output) {
    auto header = wire::HeadOf<wire::PacketHeader>(held.packet);
    if (header.a + header.payload > logs_[0].credit) return false;
  }
  bool all = logs_[0].sent >= logs_[0].end && logs_[1].sent >= logs_[1].end;
  if (all && (gone_ || held.is_output)) return true;
  return logs_[0].sent >= held.after[0] && logs_[1].sent >= held.after[1];
}

void FarSession::SendHeld() {
  while (!held_.empty() && MayGo(held_.front())) {
    Held held = std::move(held_.front());
    held_.pop_front();
    if (held.is_output) {
      auto header = wire::HeadOf<wire::PacketHeader>(held.packet);
      std::string_view bytes = held.packet;
      bytes.remove_prefix(sizeof header);
      SendOutput(header.a, bytes);
      logs_[0].sent = std::max(logs_[0].sent, header.a + bytes.size());
      logs_[0].end = std::max(logs_[0].end, logs_[0].sent);
    } else {
      stream_->Send(
          {.type = FrameType::kPacket, .part = held.part, .session = number_},
          held.packet);
    }
  }
}

// Of what was sent, the holder hears as if it were read: that arms its
// doorbell. How much is on its way is bounded by the credit.
void FarSession::Acknowledge() {
  bool all = logs_[0].sent >= logs_[0].end && logs_[1].sent >= logs_[1].end;
  // It may have rung for what was sent long ago.
  bool news = rung_ && all;
  for (Log& log : logs_) {
    news = news || log.sent > log.acked;
    log.acked = log.sent;
  }
  if (!news || connections_[0] == nullptr) return;
  rung_ = false;
  connections_[0]->SendLatest(
      {.type = wire::PacketType::kAck, .a = logs_[0].sent, .b = logs_[1].sent});
}

bool FarSession::Pump() {
  bool more = SendPiece(FarStream::kOut);
  more = SendPiece(FarStream::kErr) || more;
  bool news = logs_[0].sent > noted_ || !held_.empty() || gone_;
  if (news || notes_left_) notes_left_ = events_.Send(logs_[0].sent);
  noted_ = logs_[0].sent;
  more = more || notes_left_;
  SendHeld();
  Acknowledge();
  bool all = logs_[0].sent >= logs_[0].end && logs_[1].sent >= logs_[1].end;
  all = all && !notes_left_;
  if (gone_ && all && held_.empty() && !std::exchange(said_gone_, true)) {
    std::string record;
    if (auto exit = wire::ReadExit(directory_.get()))
      record = wire::AsBytes(*exit);
    stream_->Send({.type = FrameType::kGone, .session = number_}, record);
  }
  return more;
}

}  // namespace glasstty::far
