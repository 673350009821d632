#include "watch/watched.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "record/timeline.h"
#include "support/status.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty {
namespace {

using std::chrono::milliseconds;

// Setting lease-idle-s, which the environment hands on; 0: the holder's own.
uint64_t IdleLimitMs() {
  const char* text = std::getenv("GLASSTTY_LEASE_IDLE_S");
  double seconds = 0;
  bool set = text != nullptr && absl::SimpleAtod(text, &seconds);
  return set && seconds > 0 ? static_cast<uint64_t>(seconds * 1000) : 0;
}

// A log has no event to wait for; short enough to feel live.
constexpr Duration kLook = milliseconds(100);
// What is fed between two looks at the rest of the world.
constexpr size_t kPiece = 16 << 10;
constexpr int kKeptLines = 10'000;

std::string RefusalInWords(WriteRefusal why) {
  switch (why) {
    case WriteRefusal::kQueueFull:
      return "the program does not read its input";
    case WriteRefusal::kNotSecret:
      return "the terminal is no longer at a password prompt";
    case WriteRefusal::kLineTooLong:
      return "the line is too long for the terminal";
    case WriteRefusal::kClosed:
      return "the program no longer reads its terminal";
    case WriteRefusal::kPersonTypes:
      return "the keyboard is not yours";
    case WriteRefusal::kAway:
      return "there is no connection to the program's machine";
  }
  return "the input was not accepted";
}

}  // namespace

absl::StatusOr<std::unique_ptr<Watched>> Watched::Open(Loop* loop,
                                                       RecordedSession session,
                                                       std::string label) {
  const ProgramSpec& program = session.origin.program;
  if (program.pipe) {
    return InvalidArgument("%s has no terminal to look at; use `glasstty tail`",
                           session.origin.name);
  }
  ASSIGN_OR_RETURN(
      auto terminal,
      Terminal::Create({.size = program.size, .scrollback_rows = kKeptLines}));
  terminal->MuteReplies(true);
  std::unique_ptr<Watched> watched(new Watched(
      loop, std::move(session), std::move(label), std::move(terminal)));
  watched->Connect();
  return watched;
}

absl::StatusOr<std::unique_ptr<Watched>> Watched::OpenFacts(
    Loop* loop, RecordedSession session, std::string label) {
  std::unique_ptr<Watched> watched(
      new Watched(loop, std::move(session), std::move(label), nullptr));
  watched->Connect();
  return watched;
}

Watched::Watched(Loop* loop, RecordedSession session, std::string label,
                 std::unique_ptr<Terminal> terminal)
    : loop_(loop),
      session_(std::move(session)),
      label_(std::move(label)),
      terminal_(std::move(terminal)),
      look_(loop, [this] { LookForMore(); }),
      beat_(loop, [this] { Probe(); }),
      last_output_(loop->Now()) {}

Watched::~Watched() = default;

// Without a holder that takes observers the files are all there is.
void Watched::Connect() {
  socket_ = ConnectObserver(directory());
  if (socket_.valid() &&
      Send(PacketType::kWatch, kWireVersion, kWireVersion, label_)) {
    readable_ = std::make_unique<FdWatch>(
        loop_, socket_.get(), FdWatch::Direction::kRead, Urgency::kProtocol,
        [this] { Receive(); });
    readable_->Enable(true);
    return;
  }
  socket_.Reset();
  BeginFeeding();
  LookForMore();
}

// The sizes of before; later ones come from the holder, or are looked for.
void Watched::BeginFeeding() {
  if (terminal_ == nullptr) return;
  feed_ = std::make_unique<LogFeed>(
      loop_, directory(), "out", terminal_.get(),
      [](std::string_view bytes) { return std::min(bytes.size(), kPiece); },
      [this] {
        last_output_ = loop_->Now();
        AnswerProgram();
        Changed();
        return false;
      });
  uint64_t first = feed_->first_kept();
  if (first > 0) feed_->StartAt(first);
  Timeline timeline(ReadEvents(directory()));
  for (const Timeline::Resize& resize : timeline.resizes()) {
    feed_->AddResize(resize.offset, resize.size);
  }
}

void Watched::LookForMore() {
  if (auto exit = ReadExit(directory()); exit && !exited_) {
    exited_ = true;
    exit_status_ = exit->status;
  }
  if (feed_ != nullptr) feed_->SetEnd(LogEnd(directory(), "out"));
  Changed();
  if (!exited_ && !IsOver(directory())) look_.SetAfter(kLook);
}

void Watched::Receive() {
  char buffer[sizeof(PacketHeader) + kMaxPayload];
  while (socket_.valid()) {
    Packet packet;
    switch (ReceivePacket(socket_.get(), buffer, sizeof(buffer), &packet)) {
      case glasstty::Receive::kPacket:
        Handle(packet);
        break;
      case glasstty::Receive::kNothing:
        return;
      case glasstty::Receive::kClosed:
        return Disconnect();
    }
  }
}

void Watched::Handle(const Packet& packet) {
  const PacketHeader& header = packet.header;
  switch (header.type) {
    case PacketType::kWelcome: {
      auto info = HeadOf<HolderInfo>(packet.payload);
      greeted_ = true;
      exited_ = info.exited != 0;
      exit_status_ = info.exit_status;
      BeginFeeding();
      if (feed_ != nullptr) feed_->SetEnd(info.end);
      Send(PacketType::kAck, info.end);
      Probe();
      break;
    }
    case PacketType::kData:
      if (feed_ != nullptr) feed_->SetEnd(header.a);
      last_output_ = loop_->Now();
      // At once: an observer's acknowledgement stops nobody, and rings again.
      // Who wants no screen wants no bells either.
      if (terminal_ != nullptr) Send(PacketType::kAck, header.a);
      return;
    case PacketType::kInline:
      if (feed_ != nullptr) feed_->AddInline(header.a, packet.payload);
      return;
    case PacketType::kResized:
      if (feed_ != nullptr) {
        feed_->AddResize(header.a, {static_cast<int>(header.b >> 32),
                                    static_cast<int>(header.b & 0xFFFFFFFF)});
      }
      break;
    case PacketType::kExit:
      exited_ = true;
      exit_status_ = static_cast<int>(header.b);
      if (feed_ != nullptr) feed_->SetEnd(header.a);
      break;
    case PacketType::kState:
      probe_ = HeadOf<ProbeAnswer>(packet.payload);
      probed_ = true;
      break;
    case PacketType::kLease:
      OnLease(packet);
      break;
    case PacketType::kAsked:
      asked_ = packet.payload;
      break;
    case PacketType::kRefused:
      refused_ = RefusalInWords(static_cast<WriteRefusal>(header.b));
      break;
    default:
      return;
  }
  Changed();
}

// Whoever has the keyboard of a session without a server answers what the
// program asks its terminal (LeaseInfo::server_attached).
void Watched::OnLease(const Packet& packet) {
  lease_ = HeadOf<LeaseInfo>(packet.payload);
  held_ = (packet.header.b & kLeaseHeld) != 0;
  mine_ = (packet.header.b & kLeaseYours) != 0;
  if (terminal_ != nullptr) {
    terminal_->MuteReplies(!mine_ || lease_.server_attached != 0);
  }
  if (mine_) {
    beat_.SetAfter(milliseconds(kLeaseBeatMs));
  } else {
    beat_.Clear();
  }
}

// The holder has ended, or has dropped an observer that was too slow: the log
// tells the rest.
void Watched::Disconnect() {
  readable_.reset();
  socket_.Reset();
  greeted_ = held_ = mine_ = false;
  if (terminal_ != nullptr) terminal_->MuteReplies(true);
  beat_.Clear();
  if (feed_ == nullptr) BeginFeeding();
  LookForMore();
}

bool Watched::Send(PacketType type, uint64_t a, uint64_t b,
                   std::string_view payload) {
  return socket_.valid() &&
         SendPacket(socket_.get(), {.type = type, .a = a, .b = b}, payload);
}

void Watched::Probe() {
  Send(PacketType::kProbe, ++serial_);
  if (mine_) beat_.SetAfter(milliseconds(kLeaseBeatMs));
}

void Watched::Take(uint64_t flags) {
  Send(PacketType::kTake, IdleLimitMs(), flags);
}

void Watched::Give() { Send(PacketType::kGive); }

void Watched::Resize(Size size) {
  Send(PacketType::kResize, static_cast<uint64_t>(size.rows),
       static_cast<uint64_t>(size.cols));
}

// A text in several packets is taken or refused as one.
void Watched::Write(std::string_view bytes, uint64_t flags) {
  refused_.clear();
  ++serial_;
  do {
    std::string_view piece = bytes.substr(0, kMaxPayload);
    bytes.remove_prefix(piece.size());
    uint64_t more = bytes.empty() ? 0 : uint64_t{kWriteMore};
    if (!Send(PacketType::kWrite, serial_, flags | more, piece)) {
      refused_ = greeted_ ? "the session does not accept more right now"
                          : "nothing can be typed into this session";
      return Changed();
    }
  } while (!bytes.empty());
}

void Watched::AnswerProgram() {
  std::string replies = terminal_->TakeReplies();
  terminal_->TakeEvents();
  if (replies.empty() || !mine_) return;
  Send(PacketType::kWrite, ++serial_, kWriteReply, replies);
}

SessionState Watched::state() const {
  if (exited_) return {.activity = Activity::kExited};
  Duration quiet = loop_->Now() - last_output_;
  if (!probed_) return JudgeQuiet(quiet);
  return JudgeProbe(probe_, quiet);
}

void Watched::Changed() {
  if (change_) change_();
}

}  // namespace glasstty
