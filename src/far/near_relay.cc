#include "far/near_relay.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "place/bootstrap.h"
#include "wire/packets.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kFirstPause{100};
constexpr seconds kLongestPause{30};
// Silence after which the other end is asked, and after which it is given up.
constexpr seconds kPingAfter{15};
constexpr seconds kAwayAfter{30};
// A loop that was late itself knows nothing of the other side's silence.
constexpr seconds kOwnDelay{1};
// How long a place stays without a session.
constexpr seconds kIdle{300};
constexpr size_t kMostServers = 8;
constexpr char kNotBelieved[] = "the other end sent something invalid";
constexpr size_t kMostProgram = 64 << 20;

uint64_t Ns(Time time) {
  return static_cast<uint64_t>(time.time_since_epoch().count());
}

}  // namespace

// What one entry of the poll set is about.
struct NearRelay::Watched {
  enum class Kind {
    kControl,  // somebody connects to `ctl`
    kPlugs,    // to `plug`
    kServer,   // index: into servers_
    kPlug,     // the client that waits
    kIn,       // the connection
    kOut,
    kPart,      // index: a part of session `number`
    kAccept,    // a server connects to that session
    kObserver,  // or an observer does
  };
  Kind kind;
  int fd;
  short events = POLLIN;
  size_t index = 0;
  uint32_t number = 0;
};

NearRelay::NearRelay(Start start)
    : spec_(std::move(start.spec)),
      directory_(std::move(start.directory)),
      lock_(std::move(start.lock)),
      control_(directory_.get(), wire::kControlName),
      plug_listener_(directory_.get(), wire::kPlugName, SOCK_STREAM),
      pause_(kFirstPause) {
  servers_.push_back(std::move(start.server));
  status_.since_ns = Ns(MonotonicNow());
  idle_at_ = MonotonicNow() + kIdle;
}

void NearRelay::Run() {
  // What a relay has left that was killed.
  unlinkat(directory_.get(), wire::kControlName, 0);
  unlinkat(directory_.get(), wire::kPlugName, 0);
  if (!control_.Listen() || !plug_listener_.Listen()) return;
  TellStatus();
  while (!leaves_ && MonotonicNow() < idle_at_) Wait();
  control_.Stop();
  plug_listener_.Stop();
}

// ---- the loop

void NearRelay::Collect(std::vector<Watched>* set) const {
  using Kind = Watched::Kind;
  set->push_back({Kind::kControl, control_.fd()});
  set->push_back({Kind::kPlugs, plug_listener_.fd()});
  for (size_t i = 0; i < servers_.size(); ++i) {
    set->push_back({Kind::kServer, servers_[i].get(), POLLIN, i});
  }
  if (plug_.valid()) set->push_back({Kind::kPlug, plug_.get()});
  if (stream_.open()) {
    set->push_back({Kind::kIn, stream_.in_fd()});
    if (stream_.queued() > 0) {
      set->push_back({Kind::kOut, stream_.out_fd(), POLLOUT});
    }
  }
  for (const auto& [number, session] : sessions_) {
    // Before new connections: who has gone makes room for the next one.
    for (size_t part = 0; part < NearSession::kParts; ++part) {
      if (session->fd(part) < 0) continue;
      short events = POLLIN;
      if (session->wants_write(part)) events |= POLLOUT;
      set->push_back({Kind::kPart, session->fd(part), events, part, number});
    }
    set->push_back({Kind::kAccept, session->listen_fd(), POLLIN, 0, number});
    set->push_back(
        {Kind::kObserver, session->observer_listen_fd(), POLLIN, 0, number});
  }
}

void NearRelay::Wait() {
  std::vector<Watched> watched;
  Collect(&watched);
  std::vector<pollfd> set;
  for (const Watched& one : watched) set.push_back({one.fd, one.events, 0});
  Time now = MonotonicNow();
  Time next = NextTimer();
  timespec left{};
  if (next > now && next != Time::max()) {
    auto ns = (next - now).count();
    left = {ns / 1'000'000'000, ns % 1'000'000'000};
  }
  int ready = ppoll(set.data(), set.size(),
                    next == Time::max() ? nullptr : &left, nullptr);
  turn_ = MonotonicNow();
  for (size_t i = 0; ready > 0 && i < set.size(); ++i) {
    if (set[i].revents != 0) Serve(watched[i], set[i].revents);
  }
  RunTimers(MonotonicNow());
  if (up()) Probe();
  if (stream_.open()) stream_.Flush();
  std::erase_if(servers_, [](const UniqueFd& fd) { return !fd.valid(); });
  std::erase_if(sessions_, [](const auto& one) { return one.second->done(); });
  // A person may take long to answer the client.
  bool asks =
      status_.state == wire::PlaceState::kConnecting && !servers_.empty();
  bool used = !sessions_.empty() || asks;
  if (used) {
    idle_at_ = Time::max();
  } else if (servers_.empty()) {
    idle_at_ = Time();  // nobody is left who could want it
  } else if (idle_at_ == Time::max()) {
    idle_at_ = MonotonicNow() + kIdle;
  }
}

void NearRelay::Serve(const Watched& one, short events) {
  using Kind = Watched::Kind;
  auto found = sessions_.find(one.number);
  NearSession* session =
      found == sessions_.end() ? nullptr : found->second.get();
  switch (one.kind) {
    case Kind::kControl:
      if (UniqueFd fd = control_.Accept(); fd.valid()) {
        if (servers_.size() >= kMostServers) return;
        servers_.push_back(std::move(fd));
        TellStatus(servers_.back().get());
      }
      return;
    case Kind::kPlugs:
      return AcceptPlug();
    case Kind::kServer:
      return ReadServer(one.index);
    case Kind::kPlug:
      return ReadPlugStatus();
    case Kind::kIn:
      return ReadConnection();
    case Kind::kOut:
      return;  // flushed at the end of each turn
    case Kind::kPart:
      if (session == nullptr) return;
      if (events & POLLOUT) session->Flush(one.index);
      if (events & ~POLLOUT) session->Read(one.index, turn_);
      return;
    case Kind::kAccept:
      if (session != nullptr) session->Accept();
      return;
    case Kind::kObserver:
      if (session != nullptr) session->AcceptObserver();
      return;
  }
}

Time NearRelay::NextTimer() const {
  Time next = std::min({idle_at_, go_at_, ping_at_});
  for (const auto& [number, session] : sessions_) {
    next = std::min(next, session->next_timer());
  }
  return next;
}

void NearRelay::RunTimers(Time now) {
  for (const auto& [number, session] : sessions_) session->RunTimers(now);
  if (now >= go_at_) Go();
  if (now < ping_at_ || !up()) return;
  // From a turn that began late on, silence is counted anew.
  if (now - ping_at_ > kOwnDelay) listen_since_ = now;
  Time heard = std::max(stream_.heard(), listen_since_);
  if (now - heard >= kAwayAfter) {
    return LoseConnection("nothing was heard for 30 s");
  }
  if (now - heard >= kPingAfter) {
    stream_.Send({.type = FrameType::kPing, .a = Ns(now)});
    ping_at_ = now + kPingAfter / 3;
  } else {
    ping_at_ = heard + kPingAfter;
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
  stream_.Send({.type = FrameType::kPing, .a = Ns(MonotonicNow())});
  measures_ = true;
}

void NearRelay::Probe() {
  if (!window_.WantsPing(turn_)) return;
  window_.Sent(turn_);
  stream_.Send({.type = FrameType::kPing, .part = 1, .a = Ns(turn_)});
}

void NearRelay::SetState(wire::PlaceState state) {
  status_.state = state;
  status_.since_ns = Ns(MonotonicNow());
  TellStatus();
}

void NearRelay::ReadServer(size_t index) {
  wire::ReceivedPlaceMessage message;
  if (!wire::ReceivePlaceMessage(servers_[index].get(), &message)) {
    // Taken off the list at the end of the turn: others have their index.
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

// As a holder finds its descriptors. The spec is in a file, for it may be long.
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
  // It has worked before, so it is worth trying again.
  was_up_ = was_up_ || start.resumed;
  uint32_t number = ++last_number_ % kMaxFarSessions;
  if (sessions_.count(number) > 0) return;
  auto session =
      std::make_unique<NearSession>(number, std::move(start), &stream_);
  if (!session->Prepare()) return;
  session->SetWindow(window_.bytes());
  if (up()) session->Connect(machine_);
  sessions_[number] = std::move(session);
}

// ---- the client

// A plug comes back when its client has ended, which may be known before the
// end of the connection is.
void NearRelay::AcceptPlug() {
  UniqueFd fd = plug_listener_.Accept();
  if (!fd.valid()) return;
  if (stream_.open()) ReadConnection();
  if (stream_.open()) LoseConnection("");
  plug_ = std::move(fd);
}

// How its last client ended, -1 for the first; then it waits for its turn.
void NearRelay::ReadPlugStatus() {
  int32_t status;
  ssize_t n = ReadSome(plug_.get(), &status, sizeof status);
  if (n < 0 && errno == EAGAIN) return;
  if (n != sizeof status) {
    plug_.Reset();
    go_at_ = Time::max();
    if (!stream_.open()) SetState(wire::PlaceState::kWaiting);
    return;
  }
  status_.client_status = status;
  Time now = MonotonicNow();
  if (status_.tries == 0) return Go();
  // What has never worked is for whoever asked for it to mend.
  if (!was_up_ || is_hopeless_) {
    return SetState(wire::PlaceState::kFailed);
  }
  go_at_ = now + pause_;
  pause_ = std::min<Duration>(pause_ * 2, kLongestPause);
  status_.next_ns = Ns(go_at_);
  SetState(wire::PlaceState::kPausing);
}

// The client of the plug begins when it reads a byte.
void NearRelay::Go() {
  go_at_ = Time::max();
  if (!plug_.valid()) return;
  status_.failure.clear();
  is_good_ = is_hopeless_ = false;
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

// False when the connection is of no use.
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
        ping_at_ = stream_.heard() + kPingAfter;
        status_.state = wire::PlaceState::kUp;
        return true;
    }
  }
}

// Its size and check first, in a line.
bool NearRelay::Upload(const std::string& machine) {
  auto at = std::find(spec_.programs.begin(), spec_.programs.end(), machine);
  if (at == spec_.programs.end() || at + 1 == spec_.programs.end()) {
    status_.failure = "this installation has no program for " + machine;
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
      stream_.Send({.type = FrameType::kPong, .a = header.a});
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
  if (header.a >= now) return;
  if (header.part == 1) {
    window_.Answered(MonotonicNow(), Duration(now - header.a));
    for (const auto& [number, session] : sessions_) {
      session->SetWindow(window_.bytes());
    }
    return;
  }
  status_.round_trip_ns = now - header.a;
  if (std::exchange(measures_, false)) TellStatus();
}

bool NearRelay::TakeForSession(const Frame& frame) {
  auto found = sessions_.find(frame.header.session);
  if (found == sessions_.end() || found->second->Take(frame)) return true;
  status_.failure = kNotBelieved;
  return false;
}

bool NearRelay::TakeHello(std::string_view payload) {
  wire::HelloInfo hello;
  if (!wire::DecodeHello(payload, &hello)) return false;
  if (hello.byte_order != wire::OwnHello().byte_order ||
      hello.lowest > kFarVersion || hello.highest < kFarVersion) {
    status_.failure =
        "the machine, or its version of glasstty, is incompatible: " +
        hello.system;
    return false;
  }
  status_.hello = payload;
  was_up_ = is_good_ = true;
  SetState(wire::PlaceState::kUp);
  Measure();
  machine_ = {hello.boot_id,
              static_cast<int64_t>(Ns(MonotonicNow()) - hello.monotonic_ns)};
  window_ = Window();
  for (const auto& [number, session] : sessions_) {
    session->SetWindow(window_.bytes());
    session->Connect(machine_);
  }
  return true;
}

// The plug notices, ends its client and comes back.
void NearRelay::LoseConnection(const std::string& why) {
  stream_.Close();
  ping_at_ = Time::max();
  if (status_.failure.empty() && !why.empty()) status_.failure = why;
  Time now = MonotonicNow();
  for (const auto& [number, session] : sessions_) session->Disconnect();
  // What broke while it was up may work again, at once if it worked for longer
  // than the pause was.
  is_hopeless_ = !is_good_ && !status_.failure.empty();
  if (is_good_) {
    auto lasted = Duration(Ns(now) - status_.since_ns);
    if (lasted > pause_) pause_ = kFirstPause;
  }
  SetState(wire::PlaceState::kPausing);
}

}  // namespace glasstty::far
