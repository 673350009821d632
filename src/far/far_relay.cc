// Turns are fair: each session sends one piece of its log in a turn, and no
// more than kMostQueued bytes wait for the connection, so that a packet of a
// quiet session never stands behind a flood for long.
#include "far/far_relay.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

#include "far/cleaning.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

constexpr size_t kMostQueued = 64 << 10;

// `path` and what is missing above it, 0700.
bool MakeDirectories(const std::string& path) {
  for (size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    if (mkdir(path.substr(0, at).c_str(), 0700) != 0 && errno != EEXIST) {
      return false;
    }
    if (at == std::string::npos) return true;
  }
}

// A link or another user's directory would let others see or forge sessions.
bool IsPrivate(int directory) {
  struct stat info;
  return fstat(directory, &info) == 0 && info.st_uid == geteuid() &&
         (info.st_mode & 077) == 0;
}

}  // namespace

FarRelay::FarRelay(FarOptions options, UniqueFd in, UniqueFd out)
    : options_(std::move(options)), stream_(std::move(in), std::move(out)) {}

int FarRelay::Run() {
  if (!Prepare()) {
    stream_.Flush();
    return 1;
  }
  RemoveOld();
  Greet();
  while (stream_.open()) Wait();
  return 0;
}

// Said where a person reads it: the client's own terminal.
bool FarRelay::Fail(const std::string& what) {
  fprintf(stderr, "glasstty: %s: %s\n", what.c_str(), strerror(errno));
  return false;
}

bool FarRelay::Prepare() {
  if (!MakeDirectories(options_.sessions)) {
    return Fail("cannot make " + options_.sessions);
  }
  directory_.Reset(open(options_.sessions.c_str(),
                        O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory_.valid()) return Fail("cannot open " + options_.sessions);
  if (!IsPrivate(directory_.get())) {
    errno = EPERM;
    return Fail(options_.sessions + " must be accessible to this user only");
  }
  // Holders run what runs here.
  executable_.Reset(open("/proc/self/exe", O_PATH | O_CLOEXEC));
  if (!executable_.valid()) return Fail("/proc is needed");
  return TakePlaceOfOlder();
}

// After a dead network the one before still has every holder's connection, and
// may be stopped. It keeps nothing, so nothing is lost with it.
bool FarRelay::TakePlaceOfOlder() {
  std::string name = "relay." + options_.near_id;
  lock_.Reset(openat(directory_.get(), name.c_str(),
                     O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock_.valid()) return Fail("cannot open " + name);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  if (fcntl(lock_.get(), F_SETLK, &whole) == 0) return true;
  struct flock owner = whole;
  if (fcntl(lock_.get(), F_GETLK, &owner) == 0 && owner.l_type != F_UNLCK) {
    kill(owner.l_pid, SIGKILL);
  }
  while (fcntl(lock_.get(), F_SETLKW, &whole) != 0) {
    if (errno != EINTR) return Fail("cannot lock " + name);
  }
  return true;
}

// A line end in front: what was printed before the token may have none.
void FarRelay::Greet() {
  stream_.SendRaw("\n" + options_.token + "\n");
  stream_.Begin();
  wire::HelloInfo hello = wire::OwnHello();
  hello.sessions = options_.sessions;
  stream_.Send({.type = FrameType::kHello}, wire::EncodeHello(hello));
}

// One turn.
void FarRelay::Wait() {
  std::vector<pollfd> set = {
      {stream_.in_fd(), POLLIN, 0},
      {stream_.queued() > 0 ? stream_.out_fd() : -1, POLLOUT, 0}};
  std::vector<std::pair<FarSession*, size_t>> whose;
  for (const auto& [number, session] : sessions_) {
    for (size_t part = 0; part < FarSession::kParts; ++part) {
      if (session->fd(part) < 0) continue;
      int events = POLLIN | (session->wants_write(part) ? POLLOUT : 0);
      set.push_back({session->fd(part), static_cast<short>(events), 0});
      whose.emplace_back(session.get(), part);
    }
  }
  bool more = false;
  if (stream_.queued() < kMostQueued) {
    for (const auto& [number, session] : sessions_) {
      more = session->Pump() || more;
      if (stream_.queued() >= kMostQueued) break;
    }
  }
  bool ready = more && stream_.queued() < kMostQueued;
  if (stream_.queued() > 0) set[1].fd = stream_.out_fd();
  poll(set.data(), set.size(), ready ? 0 : -1);
  for (size_t i = 0; i < whose.size(); ++i) {
    if (set[i + 2].revents & POLLOUT) whose[i].first->Flush(whose[i].second);
    if (set[i + 2].revents & ~POLLOUT) whose[i].first->Read(whose[i].second);
  }
  bool alive = set[0].revents == 0 || stream_.Fill();
  alive = ReadFrames() && alive;
  if (!alive) return stream_.Close();
  stream_.Flush();
}

// False when the near end is not to be believed any more.
bool FarRelay::ReadFrames() {
  Frame frame;
  for (;;) {
    switch (stream_.Next(&frame)) {
      case FrameReader::Result::kMore:
        return true;
      case FrameReader::Result::kBroken:
        fprintf(stderr, "glasstty: the connection ends: %s\n", stream_.fault());
        return false;
      case FrameReader::Result::kFrame:
        if (!Take(frame)) return false;
    }
  }
}

bool FarRelay::Take(const Frame& frame) {
  const FrameHeader& header = frame.header;
  if (header.type == FrameType::kPing) {
    stream_.Send(
        {.type = FrameType::kPong, .part = header.part, .a = header.a});
    return true;
  }
  if (header.type == FrameType::kOpen) {
    wire::OpenInfo info;
    if (!wire::DecodeOpen(frame.payload, &info)) return false;
    Open(header.session, info);
    return true;
  }
  if (header.type == FrameType::kAttach) {
    wire::AttachInfo info;
    if (!wire::DecodeAttach(frame.payload, &info)) return false;
    Attach(header.session, info);
    return true;
  }
  auto found = sessions_.find(header.session);
  if (found == sessions_.end()) return true;
  FarSession* session = found->second.get();
  if (header.type == FrameType::kPacket) {
    session->TakePacket(header.part, frame.payload);
  } else if (header.type == FrameType::kCredit) {
    session->TakeCredit(static_cast<FarStream>(header.part), header.a);
  } else if (header.type == FrameType::kHangUp) {
    session->HangUp(header.part);
    if (header.part != 0 || !session->said_gone()) return true;
    RemoveSession(directory_.get(), session->id());
    sessions_.erase(found);
  }
  return true;
}

// What ended long ago and no near end has asked for since.
void FarRelay::RemoveOld() {
  constexpr time_t kDays7 = 7 * 24 * 3600;
  for (const std::string& id : NamesIn(directory_.get())) {
    struct stat info;
    if (!wire::IsSessionId(id) ||
        fstatat(directory_.get(), id.c_str(), &info, AT_SYMLINK_NOFOLLOW) !=
            0 ||
        time(nullptr) - info.st_mtime < kDays7) {
      continue;
    }
    UniqueFd directory(openat(directory_.get(), id.c_str(),
                              O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (directory.valid() && wire::HolderIsDead(directory.get())) {
      RemoveSession(directory_.get(), id);
    }
  }
}

void FarRelay::Refuse(uint32_t number, int error, const std::string& what) {
  stream_.Send({.type = FrameType::kGone,
                .session = number,
                .a = static_cast<uint64_t>(error)},
               what + ": " + strerror(error));
}

void FarRelay::Open(uint32_t number, const wire::OpenInfo& info) {
  wire::AttachInfo begin;
  begin.id = info.id;
  if (info.spec.record_input) begin.input = 0;
  if (mkdirat(directory_.get(), info.id.c_str(), 0700) != 0) {
    // The connection broke before the near end heard that it was there.
    if (errno == EEXIST) return Attach(number, begin);
    return Refuse(number, errno, "mkdir " + options_.sessions);
  }
  UniqueFd directory(openat(directory_.get(), info.id.c_str(),
                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  for (const wire::FarFile& file : info.files) {
    // Names, not paths.
    if (file.name.find('/') != std::string::npos) continue;
    if (!ReplaceFileAt(directory.get(), file.name, file.content)) {
      return Refuse(number, errno, "write " + file.name);
    }
  }
  UniqueFd control =
      wire::LaunchHolder(executable_.get(), directory.get(), info.spec);
  if (!control.valid()) return Refuse(number, errno, "start the holder");
  auto session = std::make_unique<FarSession>(number, info.id,
                                              std::move(directory), &stream_);
  session->Begin(std::move(control), begin);
  sessions_[number] = std::move(session);
}

void FarRelay::Attach(uint32_t number, const wire::AttachInfo& info) {
  UniqueFd directory(openat(directory_.get(), info.id.c_str(),
                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory.valid()) {
    return Refuse(number, errno, "open the session's directory");
  }
  UniqueFd control = wire::ConnectHolder(directory.get());
  auto session = std::make_unique<FarSession>(number, info.id,
                                              std::move(directory), &stream_);
  if (control.valid()) {
    session->Begin(std::move(control), info);
  } else {
    session->BeginDead(info);
  }
  sessions_[number] = std::move(session);
}

}  // namespace glasstty::far
