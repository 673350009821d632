#include "far/near_relay.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/visible.h"
#include "place/bootstrap.h"
#include "wire/packets.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

// The relay ends after this time without a session.
constexpr std::chrono::seconds kIdle{300};
constexpr size_t kMostServers = 8;
constexpr char kNotBelieved[] = "the other end sent something invalid";
constexpr size_t kMostProgram = 64 << 20;
// While more than this is queued for the other end, nothing is read from it.
// Otherwise, an end that only sends would make the answers grow without limit.
// A far relay always reads, and this is more than it is ever sent at once.
constexpr size_t kMostUnsent = 16 << 20;

uint64_t Ns(Time time) {
  return static_cast<uint64_t>(time.time_since_epoch().count());
}

}  // namespace

NearRelay::NearRelay(Start start)
    : spec_(std::move(start.spec)),
      directory_(std::move(start.directory)),
      lock_(std::move(start.lock)),
      control_(directory_.get(), wire::kControlName),
      plug_listener_(directory_.get(), wire::kPlugName, SOCK_STREAM),
      idle_at_(MonotonicNow() + kIdle) {
  servers_.push_back(std::move(start.server));
  status_.since_ns = Ns(MonotonicNow());
}

void NearRelay::Run() {
  // A relay that was killed may have left its sockets behind.
  unlinkat(directory_.get(), wire::kControlName, 0);
  unlinkat(directory_.get(), wire::kPlugName, 0);
  if (!control_.Listen() || !plug_listener_.Listen()) return;
  TellStatus();
  while (!leaves_ && MonotonicNow() < idle_at_) Wait();
  control_.Stop();
  plug_listener_.Stop();
}

// ---- the loop

// Readiness for writing needs no handler, because the connection is flushed at
// the end of each turn.
void NearRelay::WatchAll() {
  loop_.Watch(control_.fd(), POLLIN, [this](short) { AcceptServer(); });
  loop_.Watch(plug_listener_.fd(), POLLIN, [this](short) { AcceptPlug(); });
  for (size_t i = 0; i < servers_.size(); ++i) {
    loop_.Watch(servers_[i].get(), POLLIN, [this, i](short) { ReadServer(i); });
  }
  loop_.Watch(plug_.get(), POLLIN, [this](short) { ReadPlugStatus(); });
  if (stream_.queued() < kMostUnsent) {
    loop_.Watch(stream_.in_fd(), POLLIN, [this](short) { ReadConnection(); });
  }
  if (stream_.queued() > 0) {
    loop_.Watch(stream_.out_fd(), POLLOUT, [](short) {});
  }
  for (const auto& [number, session] : sessions_) session->Watch(&loop_);
}

void NearRelay::Wait() {
  WatchAll();
  loop_.Turn(NextTimer());
  RunTimers(MonotonicNow());
  if (up()) Probe();
  if (stream_.open()) stream_.Flush();
  std::erase_if(servers_, [](const UniqueFd& fd) { return !fd.valid(); });
  std::erase_if(sessions_, [](const auto& one) { return one.second->done(); });
  if (IsUsed()) {
    idle_at_ = Time::max();
  } else if (servers_.empty()) {
    idle_at_ = Time();  // no server is left that could use the relay
  } else if (idle_at_ == Time::max()) {
    idle_at_ = MonotonicNow() + kIdle;
  }
}

// A connecting client counts as use while there is a server, because a person
// may take long to answer the client's question.
bool NearRelay::IsUsed() const {
  bool asks =
      status_.state == wire::PlaceState::kConnecting && !servers_.empty();
  return !sessions_.empty() || asks;
}

Time NearRelay::NextTimer() const {
  Time next = std::min({idle_at_, attempts_.next(), heartbeat_.next()});
  for (const auto& [number, session] : sessions_) {
    next = std::min(next, session->next_timer());
  }
  return next;
}

void NearRelay::RunTimers(Time now) {
  for (const auto& [number, session] : sessions_) session->RunTimers(now);
  if (now >= attempts_.next()) Go();
  if (!up()) return;
  switch (heartbeat_.Check(now, stream_.heard())) {
    case Heartbeat::Beat::kNothing:
      return;
    case Heartbeat::Beat::kPing:
      return stream_.Send({.type = FrameType::kPing, .number = Ns(now)});
    case Heartbeat::Beat::kGiveUp:
      return LoseConnection("nothing was heard for 30 s");
  }
}

// ---- servers

void NearRelay::TellStatus(int server) {
  status_.sessions = static_cast<uint32_t>(sessions_.size());
  wire::SendPlaceMessage(server, wire::PlaceMessage::kStatus,
                         wire::EncodeStatus(status_));
}

void NearRelay::TellStatus() {
  for (const UniqueFd& server : servers_) TellStatus(server.get());
}

void NearRelay::Measure() {
  stream_.Send({.type = FrameType::kPing, .number = Ns(MonotonicNow())});
  measures_ = true;
}

void NearRelay::Probe() {
  Time turn = loop_.woke();
  if (!window_.WantsPing(turn)) return;
  window_.Sent(turn);
  stream_.Send({.type = FrameType::kPing, .part = 1, .number = Ns(turn)});
}

void NearRelay::SetState(wire::PlaceState state) {
  status_.state = state;
  status_.since_ns = Ns(MonotonicNow());
  TellStatus();
}

void NearRelay::AcceptServer() {
  UniqueFd fd = control_.Accept();
  if (!fd.valid() || servers_.size() >= kMostServers) return;
  servers_.push_back(std::move(fd));
  TellStatus(servers_.back().get());
}

void NearRelay::ReadServer(size_t index) {
  wire::ReceivedPlaceMessage message;
  if (!wire::ReceivePlaceMessage(servers_[index].get(), &message)) {
    // Wait removes the entry at the end of the turn, because handlers of this
    // turn refer to servers by index.
    if (errno != EAGAIN) servers_[index].Reset();
    return;
  }
  if (message.type == wire::PlaceMessage::kStart ||
      message.type == wire::PlaceMessage::kResume) {
    StartSession(&message);
  } else if (message.type == wire::PlaceMessage::kRetry && plug_.valid()) {
    Go();
  } else if (message.type == wire::PlaceMessage::kMeasure && up()) {
    Measure();
  } else if (message.type == wire::PlaceMessage::kLeave) {
    leaves_ = sessions_.empty();
    if (!leaves_) TellStatus(servers_[index].get());
  }
}

// The descriptors are in the order in which a holder inherits them. The spec is
// in a file, because it may be long.
void NearRelay::StartSession(wire::ReceivedPlaceMessage* message) {
  if (message->descriptors.size() != wire::kStartFds) return;
  auto take = [message](int number) {
    return std::move(message->descriptors[number - wire::kFirstStartFd]);
  };
  std::string text;
  UniqueFd file = take(wire::kSpecFd);
  char buffer[16 << 10];
  ssize_t n;
  while ((n = ReadSome(file.get(), buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<size_t>(n));
    if (text.size() > kMaxFramePayload) return;
  }
  NearSession::Start start;
  start.server = take(wire::kControlFd);
  start.directory = take(wire::kDirFd);
  start.lock = take(wire::kLockFd);
  if (!wire::DecodeOpen(text, &start.open)) return;
  start.resumed = message->type == wire::PlaceMessage::kResume;
  // The place was reached before, so it is worth trying again.
  if (start.resumed) attempts_.WorkedBefore();
  if (sessions_.size() >= kMaxFarSessions) return;
  uint32_t number;
  do {
    number = ++last_number_ % kMaxFarSessions;
  } while (sessions_.contains(number));
  auto session =
      std::make_unique<NearSession>(number, std::move(start), &stream_);
  if (!session->Prepare()) return;
  session->SetWindow(window_.bytes());
  if (machine_) session->Connect(*machine_);
  sessions_[number] = std::move(session);
}

// ---- the client

// A plug connects again when its client has ended. The relay may not have
// noticed the end of the old connection yet.
void NearRelay::AcceptPlug() {
  UniqueFd fd = plug_listener_.Accept();
  if (!fd.valid()) return;
  if (stream_.open()) ReadConnection();
  if (stream_.open()) LoseConnection("");
  plug_ = std::move(fd);
}

// Reads the status of the plug's last client, or -1 if there was none. The plug
// then waits until Go lets it start a client.
void NearRelay::ReadPlugStatus() {
  int32_t status;
  ssize_t n = ReadSome(plug_.get(), &status, sizeof status);
  if (n < 0 && errno == EAGAIN) return;
  if (n != sizeof status) {
    plug_.Reset();
    attempts_.Cancel();
    if (!stream_.open()) SetState(wire::PlaceState::kWaiting);
    return;
  }
  status_.client_status = status;
  if (status_.tries == 0) return Go();
  if (!attempts_.MayRepeat()) return SetState(wire::PlaceState::kFailed);
  status_.next_ns = Ns(attempts_.Schedule(MonotonicNow()));
  SetState(wire::PlaceState::kPausing);
}

// Sends a byte, which makes the plug start its client.
void NearRelay::Go() {
  attempts_.Cancel();
  if (!plug_.valid()) return;
  status_.failure.clear();
  attempts_.Begin();
  ++status_.tries;
  if (!WriteAll(plug_.get(), "g")) {
    plug_.Reset();
    return SetState(wire::PlaceState::kWaiting);
  }
  UniqueFd other(dup(plug_.get()));
  stream_ = FrameStream(std::move(plug_), std::move(other));
  SetState(wire::PlaceState::kConnecting);
}

void NearRelay::ReadConnection() {
  bool alive = stream_.Fill();
  bool sane = up() || ReadGreeting();
  sane = sane && (!up() || ReadFrames());
  if (!stream_.open()) return;
  if (alive && sane) return;
  std::string fault = stream_.fault();
  LoseConnection(fault.empty() ? "" : kNotBelieved + (": " + fault));
}

// Returns false if the connection cannot be used.
bool NearRelay::ReadGreeting() {
  for (;;) {
    place::BootstrapNews news =
        place::TakeBootstrapNews(spec_.token, stream_.raw());
    switch (news.kind) {
      case place::BootstrapNews::Kind::kNothing:
        return true;
      case place::BootstrapNews::Kind::kNeeds:
        if (!Upload(news.detail)) return false;
        break;
      case place::BootstrapNews::Kind::kFailed:
        status_.failure = news.detail;
        return false;
      case place::BootstrapNews::Kind::kReady:
        stream_.Begin();
        status_.tries = 1;
        heartbeat_.Start(stream_.heard());
        status_.state = wire::PlaceState::kUp;
        return true;
    }
  }
}

// Sends a line with the program's size and checksum, then the program. Sends
// none before the last one was read, because each takes a few megabytes.
bool NearRelay::Upload(const std::string& machine) {
  if (stream_.queued() > 0) {
    status_.failure = kNotBelieved;
    return false;
  }
  auto at = std::find(spec_.programs.begin(), spec_.programs.end(), machine);
  if (at == spec_.programs.end() || at + 1 == spec_.programs.end()) {
    status_.failure =
        "this installation has no program for " + QuotedUnlessPlain(machine);
    return false;
  }
  std::string program;
  if (!ReadFileAt(-1, *(at + 1), kMostProgram, &program)) {
    status_.failure = "cannot read " + *(at + 1) + ": " + strerror(errno);
    return false;
  }
  stream_.SendRaw(std::to_string(program.size()) + " " +
                  std::to_string(wire::Crc32c(program.data(), program.size())) +
                  "\n");
  stream_.SendRaw(program);
  return true;
}

bool NearRelay::ReadFrames() {
  Frame frame;
  for (;;) {
    switch (stream_.Next(&frame)) {
      case FrameReader::Result::kMore:
        return true;
      case FrameReader::Result::kBroken:
        return false;
      case FrameReader::Result::kFrame:
        break;
    }
    const FrameHeader& header = frame.header;
    if (header.type == FrameType::kHello) {
      if (!TakeHello(frame.payload)) return false;
    } else if (header.type == FrameType::kPing) {
      stream_.Send({.type = FrameType::kPong, .number = header.number});
    } else if (header.type == FrameType::kPong) {
      TakePong(header);
    } else if (header.type == FrameType::kLog) {
      window_.Arrived(frame.payload.size());
      if (!TakeForSession(frame)) return false;
    } else if (!TakeForSession(frame)) {
      return false;
    }
  }
}

void NearRelay::TakePong(const FrameHeader& header) {
  uint64_t now = Ns(MonotonicNow());
  if (header.number >= now) return;
  if (header.part == 1) {
    window_.Answered(MonotonicNow(), Duration(now - header.number));
    for (const auto& [number, session] : sessions_) {
      session->SetWindow(window_.bytes());
    }
    return;
  }
  status_.round_trip_ns = now - header.number;
  if (std::exchange(measures_, false)) TellStatus();
}

bool NearRelay::TakeForSession(const Frame& frame) {
  auto found = sessions_.find(frame.header.session);
  if (found == sessions_.end() || found->second->Take(frame)) return true;
  status_.failure = kNotBelieved;
  return false;
}

// Each connection has one, because the answers to it are long: each session
// attaches, or sends all that its program needs.
bool NearRelay::TakeHello(std::string_view payload) {
  if (machine_) {
    status_.failure = kNotBelieved;
    return false;
  }
  wire::HelloInfo hello;
  if (!wire::DecodeHello(payload, &hello)) return false;
  if (hello.byte_order != wire::OwnHello().byte_order ||
      hello.lowest > kFarVersion || hello.highest < kFarVersion) {
    status_.failure =
        "the machine, or its version of glasstty, is incompatible: " +
        Quoted(hello.system);
    return false;
  }
  status_.hello = payload;
  attempts_.Worked();
  SetState(wire::PlaceState::kUp);
  Measure();
  machine_ = NearSession::Machine{
      hello.boot_id,
      static_cast<int64_t>(Ns(MonotonicNow()) - hello.monotonic_ns)};
  window_ = Window();
  for (const auto& [number, session] : sessions_) {
    session->SetWindow(window_.bytes());
    session->Connect(*machine_);
  }
  return true;
}

// The plug notices that the connection is closed, ends its client and connects
// again.
void NearRelay::LoseConnection(const std::string& why) {
  stream_.Close();
  machine_.reset();
  heartbeat_.Stop();
  if (status_.failure.empty() && !why.empty()) status_.failure = why;
  Time now = MonotonicNow();
  for (const auto& [number, session] : sessions_) session->Disconnect();
  attempts_.Ended(Duration(Ns(now) - status_.since_ns),
                  !status_.failure.empty());
  SetState(wire::PlaceState::kPausing);
}

}  // namespace glasstty::far
