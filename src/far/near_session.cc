#include "far/near_session.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "wire/session_files.h"

namespace glasstty::far {
namespace {

constexpr int kPacketsPerTurn = 64;
// How far the server may be behind what is stored.
constexpr uint64_t kServerWindow = 2 << 20;
// A holder over there cannot tell a dead server from a laptop that sleeps: this
// bounds how long it waits for somebody to come back.
constexpr uint64_t kFarGraceMs = 24ull * 3600 * 1000;

constexpr size_t kMaxBootId = 64;

uint64_t NowNs() {
  return static_cast<uint64_t>(MonotonicNow().time_since_epoch().count());
}

uint64_t FarGrace(uint64_t grace_ms) {
  return grace_ms == wire::kKeepForever ? wire::kKeepForever
                                        : std::max(grace_ms, kFarGraceMs);
}

}  // namespace

NearSession::NearSession(uint32_t number, Start start, FrameStream* stream)
    : number_(number),
      open_(std::move(start.open)),
      stream_(stream),
      directory_(std::move(start.directory)),
      lock_(std::move(start.lock)),
      link_(directory_.get(), std::move(start.server)),
      watch_(directory_.get(), wire::kWatchName),
      events_(directory_.get(), &clock_),
      logs_{holder::LogWriter(directory_.get(), "out", open_.spec.log_cap),
            holder::LogWriter(directory_.get(), "err", open_.spec.log_cap)},
      resumed_(start.resumed),
      grace_ms_(open_.spec.grace_ms) {
  info_.rows = open_.spec.rows;
  info_.cols = open_.spec.cols;
  info_.pipe = open_.spec.pipe;
  open_.spec.grace_ms = FarGrace(grace_ms_);
}

bool NearSession::Prepare() {
  SetAcked();
  bool ready = resumed_ ? Recall() : Create();
  return ready && link_.Listen() && watch_.Listen();
}

bool NearSession::Create() {
  bool ready =
      events_.Create(info_.rows, info_.cols, open_.spec.record_input) &&
      out().Open() && (!open_.spec.pipe || logs_[1].Open());
  if (!ready) return false;
  Remember();
  return true;
}

// What the relay before this one knew. It may have died just before it said so
// that the session had ended.
bool NearSession::Recall() {
  std::string text;
  if (!ReadFileAt(directory_.get(), wire::kElsewhereName,
                  sizeof info_ + kMaxBootId, &text)) {
    return false;
  }
  bool ready = events_.Resume() && out().Resume() &&
               (!open_.spec.pipe || logs_[1].Resume());
  if (!ready) return false;
  info_ = wire::HeadOf<wire::HolderInfo>(text);
  boot_id_ = text.substr(std::min(text.size(), sizeof info_));
  known_ = true;
  away_since_ = NowNs();
  started_ = {.type = wire::PacketType::kStarted,
              .a = static_cast<uint64_t>(info_.leader_pid)};
  if (auto record = wire::ReadExit(directory_.get())) {
    exit_ = {.type = wire::PacketType::kExit,
             .a = record->offset,
             .b = static_cast<uint64_t>(record->status)};
    exit_err_end_ = wire::LogEnd(directory_.get(), "err");
    info_.exited = 1;
    info_.exit_offset = record->offset;
    info_.exit_status = record->status;
  }
  unlinkat(directory_.get(), wire::kControlName, 0);
  unlinkat(directory_.get(), wire::kWatchName, 0);
  return true;
}

void NearSession::Remember() {
  ReplaceFileAt(directory_.get(), wire::kElsewhereName,
                std::string(wire::AsBytes(info_)) + boot_id_);
}

// ---- the connection

void NearSession::Connect(const Machine& machine) {
  connected_ = true;
  events_.SetShift(machine.shift_ns);
  boot_id_now_ = machine.boot_id.substr(0, kMaxBootId);
  for (size_t i = 0; i < logs_.size(); ++i) credited_[i] = logs_[i].end();
  if (known_) {
    wire::AttachInfo info{open_.id, logs_[0].end(), logs_[1].end(),
                          events_.events_from(), events_.input_end()};
    stream_->Send({.type = FrameType::kAttach, .session = number_},
                  wire::EncodeAttach(info));
  } else {
    stream_->Send({.type = FrameType::kOpen, .session = number_},
                  wire::EncodeOpen(open_));
  }
  GiveCredit();
}

// Observers come back by themselves.
void NearSession::Disconnect() {
  if (!std::exchange(connected_, false)) return;
  there_ = false;
  away_since_ = NowNs();
  doubtful_.insert(doubtful_.end(), unconfirmed_.begin(), unconfirmed_.end());
  unconfirmed_.clear();
  for (auto& observer : observers_) observer.reset();
  if (link_.greeted()) {
    link_.SendLatest(
        {.type = wire::PacketType::kAway, .a = 1, .b = away_since_});
  }
}

void NearSession::SendPacketFrame(uint16_t part,
                                  const wire::PacketHeader& header,
                                  std::string_view payload) {
  wire::PacketHeader whole = header;
  whole.payload = payload.size();
  std::string bytes(wire::AsBytes(whole));
  bytes += payload;
  stream_->Send({.type = FrameType::kPacket, .part = part, .session = number_},
                bytes);
  // It may have been a secret.
  std::fill(bytes.begin(), bytes.end(), '\0');
}

// ---- the server

int NearSession::fd(size_t part) const {
  if (part == 0) return link_.attached() ? link_.fd() : -1;
  const auto& observer = observers_[part - 1];
  return observer == nullptr ? -1 : observer->fd();
}

bool NearSession::wants_write(size_t part) const {
  if (part == 0) return link_.WantsWrite();
  const auto& observer = observers_[part - 1];
  return observer != nullptr && observer->WantsWrite();
}

void NearSession::Flush(size_t part) {
  if (part == 0) return link_.Flush();
  if (auto& observer = observers_[part - 1]) observer->Flush();
}

void NearSession::Accept() { link_.Accept(); }

void NearSession::AcceptObserver() {
  UniqueFd fd = watch_.Accept();
  // Without a connection nobody could answer.
  if (!fd.valid() || !connected_) return;
  for (auto& place : observers_) {
    if (place != nullptr) continue;
    place = std::make_unique<holder::Connection>(std::move(fd));
    place->SetGreeted();
    return;
  }
  wire::SendPacket(fd.get(), {.type = wire::PacketType::kBusy});
}

void NearSession::Read(size_t part, Time now) {
  holder::Connection* from = part == 0 ? &link_ : observers_[part - 1].get();
  for (int i = 0; i < kPacketsPerTurn && from != nullptr && from->attached();
       ++i) {
    wire::Packet packet;
    switch (from->Take(&packet)) {
      case wire::Receive::kNothing:
        return;
      case wire::Receive::kPacket:
        if (part == 0) {
          TakeRequest(packet);
        } else if (connected_) {
          SendPacketFrame(static_cast<uint16_t>(part), packet.header,
                          packet.payload);
          from->Forget();
        }
        break;
      case wire::Receive::kClosed:
        if (part == 0) return LoseServer(now);
        observers_[part - 1].reset();
        stream_->Send({.type = FrameType::kHangUp,
                       .part = static_cast<uint16_t>(part),
                       .session = number_});
        return;
    }
  }
}

void NearSession::LoseServer(Time now) {
  link_.Detach();
  SetAcked();
  unconfirmed_.clear();
  doubtful_.clear();
  constexpr uint64_t kMost = 1000ull * 3600 * 24 * 365;
  if (grace_ms_ == wire::kKeepForever || finished_) return;
  grace_at_ = now + std::chrono::milliseconds(std::min(grace_ms_, kMost));
}

void NearSession::RunTimers(Time now) {
  for (holder::LogWriter& log : logs_) {
    if (!log.held().empty()) log.Retry();
  }
  if (now < grace_at_) return;
  grace_at_ = Time::max();
  kills_ = true;
  if (connected_) Kill();
}

void NearSession::Kill() {
  SendPacketFrame(0, {.type = wire::PacketType::kKill}, "");
}

void NearSession::SetAcked() {
  bool attached = link_.attached();
  logs_[0].SetReader(attached, link_.acked_out());
  logs_[1].SetReader(attached && open_.spec.pipe, link_.acked_err());
}

void NearSession::Ring() {
  link_.Ring(logs_[0].disk_end(), logs_[1].disk_end());
  link_.SendInline(out());
}

// More is welcome as long as the server keeps up and the disk has room.
void NearSession::GiveCredit() {
  if (!connected_) return;
  const uint64_t acked[] = {link_.acked_out(), link_.acked_err()};
  for (size_t i = 0; i < logs_.size(); ++i) {
    const holder::LogWriter& log = logs_[i];
    uint64_t upto = log.end() + window_;
    // Of a hole at the end it knows nothing yet.
    bool behind = link_.attached() && acked[i] < log.disk_end();
    if (behind) upto = std::min(upto, acked[i] + kServerWindow);
    if (log.IsFull() || upto < credited_[i] + window_ / 4) continue;
    credited_[i] = upto;
    stream_->Send({.type = FrameType::kCredit,
                   .part = static_cast<uint16_t>(i),
                   .session = number_,
                   .a = upto});
  }
}

void NearSession::TakeRequest(const wire::Packet& packet) {
  const wire::PacketHeader& header = packet.header;
  if (header.type == wire::PacketType::kHello) {
    link_.SetGreeted();
    grace_at_ = Time::max();
    kills_ = false;
    // What the program is over there is known once it has been started.
    wants_greeting_ = !known_ && !finished_;
    if (!wants_greeting_) Greet();
  } else if (header.type == wire::PacketType::kAck) {
    link_.Acknowledge(header.a, header.b);
    SetAcked();
    Ring();
    GiveCredit();
  } else if (header.type == wire::PacketType::kWrite) {
    TakeWrite(packet);
  } else if (header.type == wire::PacketType::kDoubt) {
    TakeDoubt(header);
  } else if (header.type == wire::PacketType::kPolicy) {
    grace_ms_ = header.a;
    for (holder::LogWriter& log : logs_) {
      if (header.b > 0) log.SetCap(header.b);
    }
    wire::PacketHeader policy = header;
    policy.a = FarGrace(grace_ms_);
    if (connected_) SendPacketFrame(0, policy, packet.payload);
  } else if (connected_) {
    SendPacketFrame(0, header, packet.payload);
    link_.Forget();
  }
}

// They are settled when the session is there again, or at once if it is.
void NearSession::TakeDoubt(const wire::PacketHeader& header) {
  constexpr uint64_t kMost = 1 << 16;
  if (header.b - header.a >= kMost) return;
  for (uint64_t i = 0; i <= header.b - header.a; ++i) {
    doubtful_.push_back(header.a + i);
  }
  if (there_) SettleWrites();
}

// Refused at once: whoever typed it may be somewhere else when the connection
// is back.
void NearSession::TakeWrite(const wire::Packet& packet) {
  if (connected_ && known_) {
    if (!(packet.header.b & wire::kWriteMore)) {
      unconfirmed_.push_back(packet.header.a);
    }
    SendPacketFrame(0, packet.header, packet.payload);
    link_.Forget();
    return;
  }
  link_.Forget();
  if (packet.header.b & wire::kWriteMore) return;
  uint64_t taken = 0;
  link_.Send({.type = wire::PacketType::kRefused,
              .a = packet.header.a,
              .b = static_cast<uint64_t>(wire::WriteRefusal::kAway)},
             wire::AsBytes(taken));
}

// In the order of a holder's greeting, all of it from here.
void NearSession::Greet() {
  wants_greeting_ = false;
  link_.Follow(out().first(), logs_[1].first(), out().held_offset());
  SetAcked();
  if (!lease_.empty()) link_.Send(lease_header_, lease_);
  wire::HolderInfo info = info_;
  info.first = out().first();
  info.end = out().end();
  link_.Send({.type = wire::PacketType::kWelcome, .a = wire::kWireVersion},
             wire::AsBytes(info));
  if (started_.type == wire::PacketType::kStarted) link_.Send(started_);
  Ring();
  if (info_.exited) link_.Send(exit_, wire::AsBytes(exit_err_end_));
  if (!finished_) {
    link_.Send({.type = wire::PacketType::kAway,
                .a = !there_,
                .b = there_ ? 0 : away_since_});
  }
  GiveCredit();
}

// ---- the far end

bool NearSession::Take(const Frame& frame) {
  if (finished_) return true;
  switch (frame.header.type) {
    case FrameType::kLog:
      return TakeLog(frame);
    case FrameType::kNotes:
      return TakeNotes(frame);
    case FrameType::kPacket:
      return TakePacket(frame);
    case FrameType::kHangUp:
      if (frame.header.part >= 1 && frame.header.part < kParts) {
        observers_[frame.header.part - 1].reset();
      }
      return true;
    case FrameType::kGone:
      TakeGone(frame);
      return true;
    default:
      return true;
  }
}

// What is here already is dropped, what is missing is a hole. More than was
// asked for is not taken.
bool NearSession::TakeLog(const Frame& frame) {
  size_t which = frame.header.part;
  if (which >= logs_.size() || (which == 1 && !open_.spec.pipe)) return false;
  holder::LogWriter& log = logs_[which];
  std::string_view bytes = frame.payload;
  uint64_t at = frame.header.a;
  constexpr uint64_t kMost = uint64_t{1} << 62;
  if (at > kMost || bytes.size() > kLogPiece) return false;
  if (bytes.empty()) {
    if (at > log.end()) log.Skip(at);
    GiveCredit();
    return true;
  }
  if (at + bytes.size() > credited_[which] + kLogPiece) return false;
  if (at < log.end()) {
    uint64_t known = std::min<uint64_t>(log.end() - at, bytes.size());
    bytes.remove_prefix(known);
    at += known;
  }
  if (bytes.empty()) return true;
  if (at > log.end()) log.Skip(at);
  log.Append(bytes);
  log.Retry();
  Ring();
  GiveCredit();
  return true;
}

bool NearSession::TakeNotes(const Frame& frame) {
  if (frame.header.part == static_cast<uint16_t>(FarNotes::kInput)) {
    return events_.TakeInput(frame.header.a, frame.payload);
  }
  uint64_t most = std::max(credited_[0], out().end()) + kLogPiece;
  return frame.header.part == static_cast<uint16_t>(FarNotes::kEvents) &&
         events_.TakeEvents(frame.payload, most, out().first());
}

bool NearSession::TakePacket(const Frame& frame) {
  if (frame.payload.size() < sizeof(wire::PacketHeader) ||
      frame.payload.size() > sizeof(wire::PacketHeader) + wire::kMaxPayload ||
      frame.header.part >= kParts) {
    return false;
  }
  auto header = wire::HeadOf<wire::PacketHeader>(frame.payload);
  std::string_view payload = frame.payload.substr(sizeof header);
  if (header.magic != wire::kWireMagic) return false;
  header.payload = payload.size();
  if (frame.header.part == 0) {
    TakeNews(header, payload);
    return true;
  }
  auto& observer = observers_[frame.header.part - 1];
  if (observer == nullptr) return true;
  // Its log is the one that is stored here.
  std::string own(payload);
  if (header.type == wire::PacketType::kWelcome) {
    auto info = wire::HeadOf<wire::HolderInfo>(payload);
    info.first = out().first();
    info.end = out().end();
    own = wire::AsBytes(info);
  }
  observer->Send(header, own);
  return true;
}

// What the holder says to its server.
void NearSession::TakeNews(const wire::PacketHeader& header,
                           std::string_view payload) {
  switch (header.type) {
    case wire::PacketType::kWelcome:
      info_ = wire::HeadOf<wire::HolderInfo>(payload);
      // Its exit comes as a packet, behind the last of the log.
      info_.exited = exit_.type == wire::PacketType::kExit;
      return Welcome();
    case wire::PacketType::kStarted:
      started_ = header;
      info_.leader_pid = static_cast<int32_t>(header.a);
      info_.started = header.a > 0;
      Remember();
      break;
    case wire::PacketType::kResized:
      info_.rows = static_cast<uint16_t>(header.b >> 32);
      info_.cols = static_cast<uint16_t>(header.b);
      break;
    case wire::PacketType::kLease:
      lease_header_ = header;
      lease_ = payload;
      return link_.SendLatest(header, payload);
    case wire::PacketType::kConsumed:
      std::erase_if(unconfirmed_, [&](uint64_t s) { return s <= header.a; });
      break;
    case wire::PacketType::kRefused:
      std::erase(unconfirmed_, header.a);
      break;
    case wire::PacketType::kExit:
      return TakeExit(header, payload);
    case wire::PacketType::kBusy:
      return;
    default:
      break;
  }
  link_.Send(header, payload);
}

// The session is there, for the first time or again.
void NearSession::Welcome() {
  bool again = std::exchange(known_, true);
  there_ = true;
  boot_id_ = boot_id_now_;
  if (!again || resumed_) Remember();
  // Not needed any more; its environment may hold secrets.
  open_.files.clear();
  open_.spec.argv.clear();
  open_.spec.environment.clear();
  if (kills_) Kill();
  SettleWrites();
  if (wants_greeting_) return Greet();
  uint64_t missing = std::max(info_.end, out().end()) - out().end();
  if (again && link_.greeted()) {
    link_.SendLatest({.type = wire::PacketType::kAway, .a = 0, .b = missing});
  }
}

// Of what was on its way when the connection broke: it has arrived, or it never
// will. What has is not typed again, what has not is refused; who has typed it
// is told either way. Serials rise from one server to the next.
void NearSession::SettleWrites() {
  uint64_t nothing = 0;
  bool arrived = false;
  for (uint64_t serial : std::exchange(doubtful_, {})) {
    if (serial <= info_.last_serial) {
      arrived = true;
      continue;
    }
    link_.Send({.type = wire::PacketType::kRefused,
                .a = serial,
                .b = static_cast<uint64_t>(wire::WriteRefusal::kAway)},
               wire::AsBytes(nothing));
  }
  // Else the holder gives the receipt when it is due.
  if (!arrived || info_.read_serial == 0) return;
  wire::ReceiptInfo receipt{.log_end = info_.end};
  link_.SendLatest({.type = wire::PacketType::kConsumed,
                    .a = info_.read_serial,
                    .b = static_cast<uint64_t>(wire::ConsumedHow::kRead)},
                   wire::AsBytes(receipt));
}

// It comes again after each reconnection.
void NearSession::TakeExit(const wire::PacketHeader& header,
                           std::string_view payload) {
  if (info_.exited) return;
  exit_ = header;
  exit_err_end_ = wire::HeadOf<uint64_t>(payload);
  info_.exited = 1;
  info_.exit_offset = header.a;
  info_.exit_status = static_cast<int32_t>(header.b);
  events_.EnsureExit(header.a, info_.exit_status);
  wire::ExitRecord record{.offset = header.a, .status = info_.exit_status};
  ReplaceFileAt(directory_.get(), wire::kExitName, wire::AsBytes(record));
  Ring();
  link_.Send(header, wire::AsBytes(exit_err_end_));
}

// The holder has ended, was killed, or could not be started.
void NearSession::TakeGone(const Frame& frame) {
  if (frame.header.a != 0 && !known_) {
    started_ = {.type = wire::PacketType::kStarted,
                .b = static_cast<uint64_t>(wire::StartStage::kThere) << 32 |
                     static_cast<uint32_t>(frame.header.a)};
    if (wants_greeting_) Greet();
  } else if (frame.payload.size() == sizeof(wire::ExitRecord) &&
             !info_.exited) {
    auto record = wire::HeadOf<wire::ExitRecord>(frame.payload);
    TakeExit({.type = wire::PacketType::kExit,
              .a = record.offset,
              .b = static_cast<uint64_t>(record.status)},
             wire::AsBytes(logs_[1].end()));
  } else if (!info_.exited) {
    ExplainLoss(frame.header.a != 0);
  }
  Finish();
}

void NearSession::ExplainLoss(bool is_missing) {
  const char* why =
      boot_id_ != boot_id_now_ ? "the machine was restarted"
      : is_missing             ? "nothing of it is there any more"
                   : "its holder was killed there, perhaps with its container "
                     "or login, or for lack of memory";
  ReplaceFileAt(directory_.get(), wire::kLostName, why);
}

void NearSession::Finish() {
  stream_->Send({.type = FrameType::kHangUp, .session = number_});
  finished_ = true;
  grace_at_ = Time::max();
  known_ = true;
  unlinkat(directory_.get(), wire::kElsewhereName, 0);
}

bool NearSession::done() const {
  bool told = link_.greeted() && !link_.WantsWrite();
  return finished_ && (told || !link_.attached());
}

}  // namespace glasstty::far
