#include "far/near_session.h"

#include <unistd.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

constexpr size_t kParts = 1 + wire::kMaxObservers;
// The maximum numbers of packets that wait for an observer and for a server.
// The other machine might send packets that nobody has asked for. A server may
// get a packet for each of many processes.
constexpr size_t kMostForObserver = 1024;
constexpr size_t kMostForServer = 16 << 10;
// The far holder cannot distinguish a dead server from a sleeping laptop, so
// its grace is at least this long.
constexpr uint64_t kFarGraceMs = 24ull * 3600 * 1000;

uint64_t NowNs() {
  return static_cast<uint64_t>(MonotonicNow().time_since_epoch().count());
}

uint64_t FarGrace(uint64_t grace_ms) {
  return grace_ms == wire::kKeepForever ? wire::kKeepForever
                                        : std::max(grace_ms, kFarGraceMs);
}

bool IsPossible(uint64_t offset, uint64_t bytes = 0) {
  return offset <= kFurthestOffset && bytes <= kFurthestOffset - offset;
}

// Returns false if the message names an offset that no log can reach.
bool IsCredible(const wire::FromHolder& message) {
  Overloaded checks{
      [](const wire::Data& data) {
        return IsPossible(data.out_end) && IsPossible(data.err_end);
      },
      [](const wire::Lost& lost) {
        if (!IsPossible(lost.offset, lost.bytes)) return false;
        return !lost.hole || IsPossible(lost.hole->offset, lost.hole->bytes);
      },
      [](const auto& other) {
        wire::LogEnds ends;
        if constexpr (requires { other.After(); }) ends = other.After();
        return IsPossible(ends.out.value_or(0)) &&
               IsPossible(ends.err.value_or(0));
      },
  };
  return std::visit(checks, message);
}

// Returns true for messages that a far end never forwards to a server, because
// it sends the log itself, which the credit limits.
bool IsOutput(const wire::FromHolder& message) {
  return std::holds_alternative<wire::Data>(message) ||
         std::holds_alternative<wire::Inline>(message);
}

}  // namespace

NearSession::NearSession(uint32_t number, Start start, FrameStream* stream)
    : number_(number),
      open_(std::move(start.open)),
      resumed_(start.resumed),
      stream_(stream),
      directory_(std::move(start.directory)),
      lock_(std::move(start.lock)),
      link_(directory_.get(), std::move(start.server)),
      observers_(directory_.get()),
      events_(directory_.get(), &clock_),
      logs_(directory_.get(), open_.spec.log_cap, open_.spec.pipe),
      holder_(directory_.get(), open_.spec),
      grace_(open_.spec.grace_ms) {
  open_.spec.grace_ms = FarGrace(open_.spec.grace_ms);
}

bool NearSession::Prepare() {
  logs_.SetReader(link_);
  const wire::LaunchSpec& spec = open_.spec;
  if (resumed_) {
    bool ready =
        events_.Resume() && logs_.Resume() && holder_.Recall(logs_.err().end());
    if (!ready) return false;
    phase_ = Phase::kKnown;
    away_since_ = NowNs();
    unlinkat(directory_.get(), wire::kControlName, 0);
    unlinkat(directory_.get(), wire::kWatchName, 0);
  } else {
    bool ready = events_.Create(spec.rows, spec.cols, spec.record_input) &&
                 logs_.Create();
    if (!ready) return false;
    holder_.Remember();
  }
  return link_.Listen() && observers_.Listen();
}

// ---- the connection

void NearSession::Connect(const Machine& machine) {
  reach_ = Reach::kAsked;
  events_.SetShift(machine.shift_ns);
  holder_.SetMachine(machine.boot_id);
  logs_.BeginCredit();
  if (phase_ == Phase::kNew) {
    stream_->Send({.type = FrameType::kOpen, .session = number_},
                  wire::EncodeOpen(open_));
  } else {
    wire::AttachInfo info{open_.id, logs_.out().end(), logs_.err().end(),
                          events_.events_from(), events_.input_end()};
    stream_->Send({.type = FrameType::kAttach, .session = number_},
                  wire::EncodeAttach(info));
  }
  GiveCredit();
}

// Disconnects the observers, which connect again by themselves.
void NearSession::Disconnect() {
  if (std::exchange(reach_, Reach::kAway) == Reach::kAway) return;
  away_since_ = NowNs();
  events_.NoteBreak();
  writes_.Break();
  if (written_ == Written::kBegun) written_ = Written::kCut;
  observers_.DropAll();
  if (link_.greeted()) {
    link_.SendLatest(wire::Away{true, away_since_});
  }
}

void NearSession::Forward(size_t part, const wire::Packet& packet) {
  std::string bytes = wire::BytesOf(packet);
  stream_->Send({.type = FrameType::kPacket,
                 .part = static_cast<uint16_t>(part),
                 .session = number_},
                bytes);
  // The packet may contain a secret.
  std::fill(bytes.begin(), bytes.end(), '\0');
}

// ---- the server and observers

holder::Connection* NearSession::at(size_t part) {
  return part == 0 ? &link_ : observers_.at(part);
}

void NearSession::Watch(PollLoop* loop) {
  // Watch these before the listening sockets, because connections that end make
  // room for new ones.
  for (size_t part = 0; part < kParts; ++part) {
    const holder::Connection* peer = at(part);
    if (peer == nullptr || !peer->attached()) continue;
    loop->Watch(peer->fd(), PollLoop::Events(true, peer->WantsWrite()),
                [this, part](short events) {
                  if (events & POLLOUT) Flush(part);
                  if (events & ~POLLOUT) Read(part, MonotonicNow());
                });
  }
  // A new server must wait until its predecessor's connection is closed,
  // although it may have got the predecessor's lock earlier.
  if (!link_.attached()) {
    loop->Watch(link_.listen_fd(), POLLIN, [this](short) { link_.Accept(); });
  }
  // Without a connection to the far end, nobody could answer an observer.
  loop->Watch(observers_.listen_fd(), POLLIN,
              [this](short) { observers_.Accept(connected()); });
}

void NearSession::Flush(size_t part) {
  if (holder::Connection* peer = at(part)) peer->Flush();
}

void NearSession::Read(size_t part, Time now) {
  holder::Connection* from = at(part);
  for (int i = 0; i < holder::Connection::kPacketsPerTurn && from != nullptr &&
                  from->attached();
       ++i) {
    wire::Packet packet;
    switch (from->Take(&packet)) {
      case wire::Receive::kNothing:
        return;
      case wire::Receive::kPacket:
        if (part == 0) {
          std::visit([&](const auto& message) { On(message, packet); },
                     wire::Decode<wire::FromServer>(packet));
        } else if (connected()) {
          Forward(part, packet);
          from->Forget();
        }
        break;
      case wire::Receive::kClosed:
        return part == 0 ? LoseServer(now) : LoseObserver(part);
    }
  }
}

void NearSession::LoseServer(Time now) {
  link_.Detach();
  logs_.SetReader(link_);
  writes_.Clear();
  written_ = Written::kWhole;
  if (phase_ != Phase::kFinished) grace_.Start(now);
}

void NearSession::LoseObserver(size_t part) {
  observers_.Drop(part);
  stream_->Send({.type = FrameType::kHangUp,
                 .part = static_cast<uint16_t>(part),
                 .session = number_});
}

void NearSession::RunTimers(Time now) {
  if (logs_.Retry()) {
    Ring();
    GiveCredit();
  }
  if (grace_.RunsOut(now) && connected()) Kill();
}

void NearSession::Kill() { Forward(0, wire::Encode(wire::Kill{}).packet()); }

void NearSession::Ring() {
  link_.Ring(logs_.out().disk_end(), logs_.err().disk_end());
  link_.SendInline(logs_.out());
}

void NearSession::GiveCredit() {
  if (!connected()) return;
  for (uint16_t part = 0; part < kFarStreams; ++part) {
    std::optional<uint64_t> upto = logs_.Credit(part, link_);
    if (!upto) continue;
    stream_->Send({.type = FrameType::kCredit,
                   .part = part,
                   .session = number_,
                   .number = *upto});
  }
}

void NearSession::On(const wire::Hello&, const wire::Packet&) {
  link_.SetGreeted();
  grace_.Reset();
  // The greeting contains facts about the program, so it must wait until the
  // holder has answered for the first time.
  wants_greeting_ = phase_ == Phase::kNew;
  if (!wants_greeting_) Greet();
}

void NearSession::On(const wire::Ack& ack, const wire::Packet&) {
  link_.Acknowledge(ack.out, ack.err);
  logs_.SetReader(link_);
  Ring();
  GiveCredit();
}

void NearSession::On(const wire::Policy& policy, const wire::Packet&) {
  grace_.SetPeriod(policy.grace_ms);
  if (policy.log_cap > 0) logs_.SetCap(policy.log_cap);
  wire::Policy there{FarGrace(policy.grace_ms), policy.log_cap};
  if (connected()) Forward(0, wire::Encode(there).packet());
}

void NearSession::On(const wire::Doubt& doubt, const wire::Packet&) {
  writes_.Doubt(doubt.first, doubt.last);
  if (reach_ == Reach::kThere) SettleWrites();
}

// Refuses a write that cannot be forwarded now, because later the writer may
// not want it any more.
void NearSession::On(const wire::Write& write, const wire::Packet& packet) {
  bool more = write.flags & wire::kWriteMore;
  uint64_t serial = write.serial;
  bool goes = connected() && phase_ != Phase::kNew && written_ != Written::kCut;
  written_ = !more ? Written::kWhole : goes ? Written::kBegun : Written::kCut;
  if (goes) {
    if (!more) writes_.Sent(serial);
    Forward(0, packet);
  }
  link_.Forget();
  if (!goes && !more) {
    link_.Send(wire::Refused{serial, wire::WriteRefusal::kAway});
  }
}

void NearSession::On(const auto&, const wire::Packet& packet) {
  if (!connected()) return;
  Forward(0, packet);
  link_.Forget();
}

// Sends the same greeting as a holder, with the values that the near end has
// stored.
void NearSession::Greet() {
  wants_greeting_ = false;
  const holder::LogWriter& out = logs_.out();
  link_.Follow(out.first(), logs_.err().first(), out.held_offset());
  logs_.SetReader(link_);
  if (const auto& lease = holder_.lease()) {
    link_.Send(lease->header, lease->payload);
  }
  wire::HolderInfo info = holder_.info();
  info.first = out.first();
  info.end = out.end();
  link_.Send(wire::Welcome{.info = info});
  if (holder_.started()) link_.Send(*holder_.started());
  Ring();
  if (holder_.exit()) link_.Send(*holder_.exit());
  if (phase_ != Phase::kFinished) {
    bool there = reach_ == Reach::kThere;
    link_.Send(wire::Away{!there, there ? 0 : away_since_});
  }
  GiveCredit();
}

// ---- the far end

bool NearSession::Take(const Frame& frame) {
  if (phase_ == Phase::kFinished) return true;
  switch (frame.header.type) {
    case FrameType::kLog:
      return TakeLog(frame);
    case FrameType::kNotes:
      return TakeNotes(frame);
    case FrameType::kPacket:
      return TakePacket(frame);
    case FrameType::kHangUp:
      observers_.Drop(frame.header.part);
      return true;
    case FrameType::kGone:
      TakeGone(frame);
      return true;
    default:
      return true;
  }
}

bool NearSession::TakeLog(const Frame& frame) {
  switch (logs_.Store(frame.header.part, frame.header.number, frame.payload)) {
    case NearLogs::Stored::kInvalid:
      return false;
    case NearLogs::Stored::kNothing:
      return true;
    case NearLogs::Stored::kBytes:
      Ring();
      break;
    case NearLogs::Stored::kHole:
      break;
  }
  GiveCredit();
  return true;
}

bool NearSession::TakeNotes(const Frame& frame) {
  if (frame.header.part == static_cast<uint16_t>(FarNotes::kInput)) {
    return events_.TakeInput(frame.header.number, frame.payload);
  }
  return frame.header.part == static_cast<uint16_t>(FarNotes::kEvents) &&
         events_.TakeEvents(frame.payload, logs_.furthest(),
                            logs_.out().first());
}

bool NearSession::TakePacket(const Frame& frame) {
  auto packet = wire::PacketOf(frame.payload);
  if (!packet || frame.header.part >= kParts) return false;
  auto message = wire::Decode<wire::FromHolder>(*packet);
  if (!IsCredible(message)) return false;
  if (frame.header.part == 0) {
    if (IsOutput(message)) return false;
    if (Hear(message, *packet)) link_.Send(packet->header, packet->payload);
    return link_.queued() <= kMostForServer;
  }
  holder::Connection* observer = observers_.at(frame.header.part);
  if (observer == nullptr) return true;
  SendToObserver(observer, *packet);
  // A holder drops an observer that does not read, too.
  if (observer->queued() > kMostForObserver) LoseObserver(frame.header.part);
  return true;
}

// An observer reads the log on this machine, so it gets the offsets of this
// log.
void NearSession::SendToObserver(holder::Connection* observer,
                                 const wire::Packet& packet) {
  if (packet.header.type != wire::Welcome::kType) {
    return observer->Send(packet.header, packet.payload);
  }
  auto welcome = wire::DecodeAs<wire::Welcome>(packet);
  welcome.info.first = logs_.out().first();
  welcome.info.end = logs_.out().end();
  observer->Send(welcome);
}

bool NearSession::Hear(const wire::FromHolder& message,
                       const wire::Packet& packet) {
  Overloaded handlers{
      [&](const wire::Welcome& welcome) {
        TakeWelcome(welcome.info);
        return false;
      },
      [&](const wire::Started& started) {
        holder_.SetStarted(started);
        return true;
      },
      [&](const wire::Resized& resized) {
        holder_.SetSize(resized);
        return true;
      },
      [&](const wire::Lease&) {
        holder_.SetLease(packet);
        link_.SendLatest(packet.header, packet.payload);
        return false;
      },
      [&](const wire::Consumed& consumed) {
        writes_.Read(consumed.serial);
        return true;
      },
      [&](const wire::Refused& refused) {
        writes_.Refused(refused.serial);
        return true;
      },
      [&](const wire::Exit& exit) {
        TakeExit(exit);
        return false;
      },
      [](const wire::Busy&) { return false; },
      [](const auto&) { return true; },
  };
  return std::visit(handlers, message);
}

// Called when the holder has answered on a new connection.
void NearSession::TakeWelcome(const wire::HolderInfo& info) {
  holder_.Set(info);
  bool again = std::exchange(phase_, Phase::kKnown) == Phase::kKnown;
  reach_ = Reach::kThere;
  if (!again || resumed_) holder_.Remember();
  // These are no longer needed, and the environment may hold secrets.
  open_.files.clear();
  open_.spec.argv.clear();
  open_.spec.environment.clear();
  if (grace_.is_over()) Kill();
  SettleWrites();
  if (wants_greeting_) return Greet();
  uint64_t end = logs_.out().end();
  if (again && link_.greeted()) {
    link_.SendLatest(wire::Away{false, std::max(info.end, end) - end});
  }
}

// Sends the server a receipt for the doubtful writes that have arrived, and a
// refusal for each of the others.
void NearSession::SettleWrites() {
  const wire::HolderInfo& info = holder_.info();
  InFlightWrites::Verdict verdict = writes_.Settle(info.last_serial);
  for (uint64_t serial : verdict.lost) {
    link_.Send(wire::Refused{serial, wire::WriteRefusal::kAway});
  }
  // A read_serial of 0 means unread input; the holder sends a receipt later.
  if (!verdict.any_arrived || info.read_serial == 0) return;
  wire::ReceiptInfo receipt{.log_end = info.end};
  link_.SendLatest(
      wire::Consumed{info.read_serial, wire::ConsumedHow::kRead, receipt});
}

// Ignores repetitions: the holder sends the exit again after a reconnection.
void NearSession::TakeExit(const wire::Exit& exit) {
  if (holder_.exited()) return;
  events_.EnsureExit(exit.offset, exit.status);
  holder_.SetExit(exit);
  Ring();
  link_.Send(exit);
}

// Called when the holder has ended, was killed, or could not be started or
// reached.
void NearSession::TakeGone(const Frame& frame) {
  if (frame.header.number != 0 && phase_ == Phase::kNew) {
    holder_.SetFailedStart(static_cast<int32_t>(frame.header.number));
    if (wants_greeting_) Greet();
  } else if (frame.payload.size() == sizeof(wire::ExitRecord) &&
             !holder_.exited()) {
    auto record = wire::HeadOf<wire::ExitRecord>(frame.payload);
    TakeExit({std::min(record.offset, kFurthestOffset), record.status,
              logs_.err().end()});
  } else if (!holder_.exited()) {
    holder_.ExplainLoss(frame.header.number != 0);
  }
  Finish();
}

void NearSession::Finish() {
  stream_->Send({.type = FrameType::kHangUp, .session = number_});
  phase_ = Phase::kFinished;
  grace_.Stop();
  holder_.Forget();
}

bool NearSession::done() const {
  bool told = link_.greeted() && !link_.WantsWrite();
  return phase_ == Phase::kFinished && (told || !link_.attached());
}

}  // namespace glasstty::far
