#include "watch/watched.h"

#include <chrono>
#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "record/timeline.h"
#include "support/status.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::watch {
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
constexpr int kKeptLines = 10'000;

std::string RefusalInWords(wire::WriteRefusal why) {
  switch (why) {
    case wire::WriteRefusal::kQueueFull:
      return "the program does not read its input";
    case wire::WriteRefusal::kNotSecret:
      return "the terminal is no longer at a password prompt";
    case wire::WriteRefusal::kLineTooLong:
      return "the line is too long for the terminal";
    case wire::WriteRefusal::kClosed:
      return "the program no longer reads its terminal";
    case wire::WriteRefusal::kPersonTypes:
      return "the keyboard is not yours";
    case wire::WriteRefusal::kAway:
      return "there is no connection to the program's machine";
  }
  return "the input was not accepted";
}

}  // namespace

absl::StatusOr<std::unique_ptr<Watched>> Watched::Open(
    Loop* loop, record::RecordedSession session, std::string label) {
  const record::ProgramSpec& program = session.origin.program;
  if (program.pipe) {
    return InvalidArgument("%s has no terminal to look at; use `glasstty tail`",
                           session.origin.name);
  }
  ASSIGN_OR_RETURN(auto terminal,
                   terminal::Terminal::Create(
                       {.size = program.size, .scrollback_rows = kKeptLines}));
  terminal->MuteReplies(true);
  std::unique_ptr<Watched> watched(new Watched(
      loop, std::move(session), std::move(label), std::move(terminal)));
  watched->Connect();
  return watched;
}

absl::StatusOr<std::unique_ptr<Watched>> Watched::OpenFacts(
    Loop* loop, record::RecordedSession session, std::string label) {
  std::unique_ptr<Watched> watched(
      new Watched(loop, std::move(session), std::move(label), nullptr));
  watched->Connect();
  return watched;
}

Watched::Watched(Loop* loop, record::RecordedSession session, std::string label,
                 std::unique_ptr<terminal::Terminal> terminal)
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
  socket_ = wire::ConnectObserver(directory());
  if (socket_.valid() && Send(wire::PacketType::kWatch, wire::kWireVersion,
                              wire::kWireVersion, label_)) {
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
  feed_ = std::make_unique<session::LogFeed>(
      loop_, directory(), "out", terminal_.get(),
      [](std::string_view bytes) { return bytes.size(); },
      [this] {
        last_output_ = loop_->Now();
        AnswerProgram();
        Changed();
        return false;
      });
  uint64_t first = feed_->first_kept();
  if (first > 0) feed_->StartAt(first);
  record::Timeline timeline(wire::ReadEvents(directory()));
  for (const record::Timeline::Resize& resize : timeline.resizes()) {
    feed_->AddResize(resize.offset, resize.size);
  }
}

void Watched::LookForMore() {
  if (auto exit = wire::ReadExit(directory()); exit && !exited_) {
    exited_ = true;
    exit_status_ = exit->status;
  }
  if (feed_ != nullptr) feed_->SetEnd(wire::LogEnd(directory(), "out"));
  Changed();
  if (!exited_ && !wire::IsOver(directory())) look_.SetAfter(kLook);
}

void Watched::Receive() {
  char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  while (socket_.valid()) {
    wire::Packet packet;
    switch (
        wire::ReceivePacket(socket_.get(), buffer, sizeof(buffer), &packet)) {
      case wire::Receive::kPacket:
        Handle(packet);
        break;
      case wire::Receive::kNothing:
        return;
      case wire::Receive::kClosed:
        return Disconnect();
    }
  }
}

void Watched::Handle(const wire::Packet& packet) {
  const wire::PacketHeader& header = packet.header;
  switch (header.type) {
    case wire::PacketType::kWelcome: {
      auto info = wire::HeadOf<wire::HolderInfo>(packet.payload);
      greeted_ = true;
      exited_ = info.exited != 0;
      exit_status_ = info.exit_status;
      BeginFeeding();
      if (feed_ != nullptr) feed_->SetEnd(info.end);
      Send(wire::PacketType::kAck, info.end);
      Probe();
      break;
    }
    case wire::PacketType::kData:
      if (feed_ != nullptr) feed_->SetEnd(header.a);
      last_output_ = loop_->Now();
      // At once: an observer's acknowledgement stops nobody, and rings again.
      // Who wants no screen wants no bells either.
      if (terminal_ != nullptr) Send(wire::PacketType::kAck, header.a);
      return;
    case wire::PacketType::kInline:
      if (feed_ != nullptr) feed_->AddInline(header.a, packet.payload);
      return;
    case wire::PacketType::kResized:
      if (feed_ != nullptr) {
        feed_->AddResize(header.a, {static_cast<int>(header.b >> 32),
                                    static_cast<int>(header.b & 0xFFFFFFFF)});
      }
      break;
    case wire::PacketType::kExit:
      exited_ = true;
      exit_status_ = static_cast<int>(header.b);
      if (feed_ != nullptr) feed_->SetEnd(header.a);
      break;
    case wire::PacketType::kState:
      probe_ = wire::HeadOf<wire::ProbeAnswer>(packet.payload);
      probed_ = true;
      break;
    case wire::PacketType::kLease:
      OnLease(packet);
      break;
    case wire::PacketType::kAsked:
      asked_ = packet.payload;
      break;
    case wire::PacketType::kRefused:
      refused_ = RefusalInWords(static_cast<wire::WriteRefusal>(header.b));
      break;
    default:
      return;
  }
  Changed();
}

// Whoever has the keyboard of a session without a server answers what the
// program asks its terminal (LeaseInfo::server_attached).
void Watched::OnLease(const wire::Packet& packet) {
  lease_ = wire::HeadOf<wire::LeaseInfo>(packet.payload);
  held_ = (packet.header.b & wire::kLeaseHeld) != 0;
  mine_ = (packet.header.b & wire::kLeaseYours) != 0;
  if (terminal_ != nullptr) {
    terminal_->MuteReplies(!mine_ || lease_.server_attached != 0);
  }
  if (mine_) {
    beat_.SetAfter(milliseconds(wire::kLeaseBeatMs));
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

bool Watched::Send(wire::PacketType type, uint64_t a, uint64_t b,
                   std::string_view payload) {
  return socket_.valid() &&
         wire::SendPacket(socket_.get(), {.type = type, .a = a, .b = b},
                          payload);
}

void Watched::Probe() {
  Send(wire::PacketType::kProbe, ++serial_);
  if (mine_) beat_.SetAfter(milliseconds(wire::kLeaseBeatMs));
}

void Watched::Take(uint64_t flags) {
  Send(wire::PacketType::kTake, IdleLimitMs(), flags);
}

void Watched::Give() { Send(wire::PacketType::kGive); }

void Watched::Resize(terminal::Size size) {
  Send(wire::PacketType::kResize, static_cast<uint64_t>(size.rows),
       static_cast<uint64_t>(size.cols));
}

// A text in several packets is taken or refused as one.
void Watched::Write(std::string_view bytes, uint64_t flags) {
  refused_.clear();
  ++serial_;
  do {
    std::string_view piece = bytes.substr(0, wire::kMaxPayload);
    bytes.remove_prefix(piece.size());
    uint64_t more = bytes.empty() ? 0 : uint64_t{wire::kWriteMore};
    if (!Send(wire::PacketType::kWrite, serial_, flags | more, piece)) {
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
  Send(wire::PacketType::kWrite, ++serial_, wire::kWriteReply, replies);
}

session::SessionState Watched::state() const {
  if (exited_) return {.activity = session::Activity::kExited};
  Duration quiet = loop_->Now() - last_output_;
  if (!probed_) return session::JudgeQuiet(quiet);
  return session::JudgeProbe(probe_, quiet);
}

void Watched::Changed() {
  if (change_) change_();
}

}  // namespace glasstty::watch
