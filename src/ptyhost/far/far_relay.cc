// In each turn, a session sends at most one piece of each of its logs, and only
// while fewer than kMostQueued bytes are queued for the connection. So a packet
// of a quiet session does not wait long behind the output of a flood.
#include "far/far_relay.h"

#include <fcntl.h>
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

#include "base/process_lock.h"
#include "far/cleaning.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

constexpr size_t kMostQueued = 64 << 10;
// The time to wait for the lock of a killed relay, which the kernel releases
// only when that process is gone.
constexpr int kLockPatienceMs = 5000;

// Creates `path` and the missing directories above it, with mode 0700.
bool MakeDirectories(const std::string& path) {
  for (size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    if (mkdir(path.substr(0, at).c_str(), 0700) != 0 && errno != EEXIST) {
      return false;
    }
    if (at == std::string::npos) return true;
  }
}

// Returns true if the directory is accessible to this user alone. In any other
// directory, other users could read or forge sessions.
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
  constexpr int kDays = 7;
  // A relay that is killed removes nothing at its end.
  RemoveOld(4 * kDays);
  Greet();
  while (stream_.open()) Wait();
  // The near end has had the opportunity to attach its sessions, and to read
  // what it had missed of them.
  RemoveOld(kDays);
  return 0;
}

// Writes to stderr, which a person sees in the client's terminal.
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
  // New holders run the same executable as this process.
  executable_.Reset(open("/proc/self/exe", O_PATH | O_CLOEXEC));
  if (!executable_.valid()) return Fail("/proc is needed");
  return TakePlaceOfOlder();
}

// After a network failure, the previous relay may still run, or be stopped, and
// has the connections to all holders. A relay keeps no state, so it can be
// killed without loss.
bool FarRelay::TakePlaceOfOlder() {
  std::string name = "relay." + options_.near_id;
  lock_.Reset(openat(directory_.get(), name.c_str(),
                     O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock_.valid()) return Fail("cannot open " + name);
  if (TakeLock(lock_.get())) return true;
  if (!KillOwner(lock_.get())) {
    return Fail("cannot end the earlier connection that holds " +
                options_.sessions + "/" + name);
  }
  return AwaitLock(lock_.get(), kLockPatienceMs) || Fail("cannot lock " + name);
}

// Sends a newline before the token: earlier output may lack one at its end.
void FarRelay::Greet() {
  stream_.SendRaw("\n" + options_.token + "\n");
  stream_.Begin();
  wire::HelloInfo hello = wire::OwnHello();
  hello.sessions = options_.sessions;
  stream_.Send({.type = FrameType::kHello}, wire::EncodeHello(hello));
}

bool FarRelay::Pump() {
  bool more = false;
  auto next = sessions_.lower_bound(next_);
  for (size_t i = 0; i < sessions_.size(); ++i, ++next) {
    if (next == sessions_.end()) next = sessions_.begin();
    next_ = next->first;
    if (stream_.queued() >= kMostQueued) return false;
    more = next->second->Pump() || more;
  }
  return more && stream_.queued() < kMostQueued;
}

void FarRelay::Wait() {
  for (const auto& [number, session] : sessions_) session->Watch(&loop_);
  bool more = Pump();
  bool alive = true;
  loop_.Watch(stream_.in_fd(), POLLIN, [&](short) { alive = stream_.Fill(); });
  if (stream_.queued() > 0) {
    loop_.Watch(stream_.out_fd(), POLLOUT, [](short) {});
  }
  loop_.Turn(more ? Time() : Time::max());
  alive = ReadFrames() && alive;
  if (!alive) return stream_.Close();
  stream_.Flush();
}

// Returns false if the near end has sent an invalid frame.
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
    stream_.Send({.type = FrameType::kPong,
                  .part = header.part,
                  .number = header.number});
    return true;
  }
  if (header.type == FrameType::kOpen) {
    wire::OpenInfo info;
    if (!wire::DecodeOpen(frame.payload, &info)) return false;
    return Open(header.session, info);
  }
  if (header.type == FrameType::kAttach) {
    wire::AttachInfo info;
    if (!wire::DecodeAttach(frame.payload, &info)) return false;
    return Attach(header.session, info);
  }
  auto found = sessions_.find(header.session);
  if (found == sessions_.end()) return true;
  FarSession* session = found->second.get();
  if (header.type == FrameType::kPacket) {
    session->TakePacket(header.part, frame.payload);
  } else if (header.type == FrameType::kCredit) {
    session->TakeCredit(static_cast<FarStream>(header.part), header.number);
  } else if (header.type == FrameType::kHangUp) {
    session->HangUp(header.part);
    if (header.part != 0 || !session->said_gone()) return true;
    RemoveSession(directory_.get(), session->id());
    sessions_.erase(found);
  }
  return true;
}

// Removes dead sessions whose directories have not changed for `days`. Attach
// counts as a change, because the near end may still lack output.
void FarRelay::RemoveOld(int days) {
  const time_t oldest = time(nullptr) - time_t{days} * 24 * 3600;
  for (const std::string& id : NamesIn(directory_.get())) {
    struct stat info;
    if (!wire::IsSessionId(id) ||
        fstatat(directory_.get(), id.c_str(), &info, AT_SYMLINK_NOFOLLOW) !=
            0 ||
        info.st_mtime > oldest) {
      continue;
    }
    UniqueFd directory(openat(directory_.get(), id.c_str(),
                              O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (directory.valid() && wire::HolderIsDead(directory.get())) {
      RemoveSession(directory_.get(), id);
    }
  }
}

bool FarRelay::Refuse(uint32_t number, int error, const std::string& what) {
  stream_.Send({.type = FrameType::kGone,
                .session = number,
                .number = static_cast<uint64_t>(error)},
               what + ": " + strerror(error));
  return true;
}

bool FarRelay::Open(uint32_t number, const wire::OpenInfo& info) {
  wire::AttachInfo begin;
  begin.id = info.id;
  if (info.spec.record_input) begin.input = 0;
  if (mkdirat(directory_.get(), info.id.c_str(), 0700) != 0) {
    // If the session exists already, an earlier connection broke before the
    // start was reported to the near end.
    if (errno == EEXIST) return Attach(number, begin);
    return Refuse(number, errno, "mkdir " + options_.sessions);
  }
  UniqueFd directory(openat(directory_.get(), info.id.c_str(),
                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  for (const wire::FarFile& file : info.files) {
    // Only names are allowed, not paths.
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
  return true;
}

// A session that cannot be reached may live nevertheless, for instance if this
// process has no descriptor left. Then ends the connection, because the near
// end tries again, while kGone would make it give up the session.
bool FarRelay::Attach(uint32_t number, const wire::AttachInfo& info) {
  UniqueFd directory(openat(directory_.get(), info.id.c_str(),
                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory.valid()) {
    if (errno != ENOENT) return Fail("cannot open session " + info.id);
    return Refuse(number, errno, "open the session's directory");
  }
  futimens(directory.get(), nullptr);
  UniqueFd control = wire::ConnectHolder(directory.get());
  if (!control.valid()) {
    int error = errno;
    bool is_dead = wire::HolderIsDead(directory.get());
    errno = error;
    if (!is_dead) return Fail("cannot reach the holder of session " + info.id);
  }
  auto session = std::make_unique<FarSession>(number, info.id,
                                              std::move(directory), &stream_);
  if (control.valid()) {
    session->Begin(std::move(control), info);
  } else {
    session->BeginDead(info);
  }
  sessions_[number] = std::move(session);
  return true;
}

}  // namespace glasstty::far
