// Trust: a session's directory contains the output of its program and the
// socket that controls it, so only we may have access to it. Directories are
// opened by descriptor and checked once: owned by us, no symbolic link, not
// writable by others. A directory below /tmp that somebody else created before
// us fails that check instead of being used. BASE may be readable by others,
// because it may be a directory of the user's; its contents are not. Names are
// random or constant, so no text from a user is part of a path below BASE.
// Measuring, recordings and deletion use paths; deletion does not follow links
// (remove_all).
#include "record/state_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <utility>

#include "support/log.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::record {
namespace {

constexpr char kEnded[] = "ended";
constexpr char kClaims[] = "claims";
// Creating a directory takes milliseconds, but the machine may sleep meanwhile.
constexpr time_t kLongestMaking_s = 3600;
// Random bytes ensure that no two servers choose the same name, and that nobody
// guesses one.
constexpr size_t kIdBytes = 16;
constexpr size_t kIdDigits = 2 * kIdBytes;

// Returns "" if the variable is not set; the XDG base directory rules treat an
// empty variable in the same way.
std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Returns the candidates in the order of preference.
std::vector<std::string> BasePaths() {
  std::vector<std::string> paths;
  if (std::string own = Variable("GLASSTTY_STATE_DIR"); !own.empty()) {
    paths.push_back(own);
    return paths;  // named explicitly, so no silent fallback
  }
  if (std::string xdg = Variable("XDG_STATE_HOME"); !xdg.empty()) {
    paths.push_back(xdg + "/glasstty");
  }
  if (std::string home = Variable("HOME"); !home.empty()) {
    paths.push_back(home + "/.local/state/glasstty");
  }
  std::string temporary = Variable("TMPDIR");
  if (temporary.empty()) temporary = "/tmp";
  paths.push_back(absl::StrFormat("%s/glasstty-%d", temporary, getuid()));
  return paths;
}

// Creates all missing parents with the user's umask; only the last directory is
// ours to protect. A failure is noticed when the last directory is opened.
void MakeParents(const std::string& path) {
  for (size_t at = path.find('/', 1); at != std::string::npos;
       at = path.find('/', at + 1)) {
    mkdir(path.substr(0, at).c_str(), 0777);
  }
}

// Opens the directory `name` below `parent`, and checks that nobody else can
// have prepared it and that we may write to it. Error: NotFound if it does not
// exist.
absl::StatusOr<UniqueFd> OpenPrivate(int parent, const std::string& name) {
  UniqueFd fd(openat(parent, name.c_str(),
                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.valid()) return ErrnoStatus("open directory", name);
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return ErrnoStatus("stat", name);
  if (info.st_uid != geteuid()) {
    return FailedPrecondition("%s belongs to another user", name);
  }
  if ((info.st_mode & 022) != 0) {
    return FailedPrecondition(
        "%s may be written to by others (mode %04o); chmod go-w %s, or name "
        "another directory",
        name, info.st_mode & 07777, name);
  }
  // A file system may be mounted read-only; it is better to find out here than
  // in the holder.
  if (faccessat(fd.get(), ".", W_OK, AT_EACCESS) != 0) {
    return ErrnoStatus("write to", name);
  }
  return fd;
}

// Like OpenPrivate, but creates the directory if it is missing.
absl::StatusOr<UniqueFd> MakePrivate(int parent, const std::string& name) {
  bool made = mkdirat(parent, name.c_str(), 0700) == 0;
  if (!made && errno != EEXIST) return ErrnoStatus("create directory", name);
  ASSIGN_OR_RETURN(UniqueFd fd, OpenPrivate(parent, name));
  // The umask may have cleared some bits.
  if (made && fchmod(fd.get(), 0700) != 0) {
    return ErrnoStatus("protect directory", name);
  }
  return fd;
}

// Checks whether the missing `path` could be created. Error: says why not.
absl::Status CheckCanBeMade(const std::string& path) {
  std::string parent = path;
  do {
    size_t slash = parent.rfind('/');
    parent = slash == std::string::npos ? "." : parent.substr(0, slash);
    if (parent.empty()) parent = "/";
    if (faccessat(AT_FDCWD, parent.c_str(), W_OK | X_OK, AT_EACCESS) == 0) {
      return absl::OkStatus();
    }
  } while (errno == ENOENT && parent != "/" && parent != ".");
  return ErrnoStatus("create directory " + path + ": write to", parent);
}

absl::Status NoPlace(const std::vector<std::string>& failures) {
  return Unavailable(
      "nowhere to keep session logs: %s; set GLASSTTY_STATE_DIR to a "
      "directory that you own",
      Join(failures, "; "));
}

// Other names in BASE (ended, a user's own files) are not sessions.
bool IsId(std::string_view name) {
  return name.size() == kIdDigits &&
         name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Returns the lock for the byte that represents a session: its offset is 60
// random bits of the session's name.
struct flock ClaimOf(const std::string& id, short type) {
  constexpr size_t kDigits = 15;
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = std::strtoll(id.substr(0, kDigits).c_str(), nullptr, 16);
  lock.l_len = 1;
  return lock;
}

// A file system allocates whole blocks; most use this size.
constexpr uint64_t kBlock = 4096;

// `path` is the path of the directory `parent`.
std::optional<StateDir::Usage> MeasureAt(int parent, const std::string& path,
                                         const std::string& id) {
  struct stat info;
  if (fstatat(parent, id.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return std::nullopt;
  }
  StateDir::Usage usage;
  usage.bytes = kBlock;
  usage.changed_ns =
      int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  std::error_code error;
  // Files may disappear while they are counted.
  for (std::filesystem::recursive_directory_iterator
           entry(path + "/" + id, error),
       end;
       !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    uint64_t size =
        entry->is_regular_file(unknown) ? entry->file_size(unknown) : kBlock;
    if (!unknown) usage.bytes += (size + kBlock - 1) / kBlock * kBlock;
  }
  return usage;
}

bool IsSame(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Returns whether `path` leads to the file that `fd` has open.
bool Names(const std::string& path, int fd) {
  struct stat there, own;
  return stat(path.c_str(), &there) == 0 && fstat(fd, &own) == 0 &&
         IsSame(there, own);
}

// Returns whether both descriptors have the same file open.
bool HaveSameFile(int a, int b) {
  struct stat one, other;
  return fstat(a, &one) == 0 && fstat(b, &other) == 0 && IsSame(one, other);
}

// Some sandboxes do not implement locks of open file descriptions. Locks of
// processes are an equal substitute, because a server opens the file only once.
bool SetLock(int fd, struct flock lock) {
  if (fcntl(fd, F_OFD_SETLK, &lock) == 0) return true;
  return errno == EINVAL && fcntl(fd, F_SETLK, &lock) == 0;
}

absl::StatusOr<std::vector<std::string>> ListIds(int dir_fd,
                                                 const std::string& path) {
  // fdopendir takes over its descriptor, and dup(2) would share the offset.
  UniqueFd fd(openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return ErrnoStatus("read", path);
  std::unique_ptr<DIR, int (*)(DIR*)> dir(fdopendir(fd.get()), closedir);
  if (!dir) return ErrnoStatus("read", path);
  fd.Release();  // the stream closes it
  std::vector<std::string> ids;
  // Only errno distinguishes the end from an error in readdir(3).
  errno = 0;
  while (const dirent* entry = readdir(dir.get())) {
    if (IsId(entry->d_name)) ids.emplace_back(entry->d_name);
    errno = 0;
  }
  if (errno != 0) return ErrnoStatus("read", path);
  return ids;
}

}  // namespace

absl::StatusOr<std::string> RandomId() {
  unsigned char bytes[kIdBytes];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
    return ErrnoStatus("getrandom", "");
  }
  std::string id;
  for (unsigned char byte : bytes) id += absl::StrFormat("%02x", byte);
  return id;
}

StateDir::StateDir(std::string path, UniqueFd base, UniqueFd ended,
                   UniqueFd claims)
    : path_(std::move(path)),
      base_(std::move(base)),
      ended_(std::move(ended)),
      claims_(std::move(claims)) {}

absl::StatusOr<StateDir> StateDir::Open() {
  std::vector<std::string> failures;
  for (const std::string& path : BasePaths()) {
    MakeParents(path);
    auto base = MakePrivate(AT_FDCWD, path);
    if (base.ok()) {
      auto ended = MakePrivate(base->get(), kEnded);
      UniqueFd claims(openat(base->get(), kClaims,
                             O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
      if (ended.ok() && claims.valid()) {
        return StateDir(path, *std::move(base), *std::move(ended),
                        std::move(claims));
      }
      failures.push_back(
          Message(ended.ok() ? ErrnoStatus("open", kClaims) : ended.status()));
    } else {
      failures.push_back(Message(base.status()));
    }
  }
  return NoPlace(failures);
}

absl::StatusOr<std::string> StateDir::Place() {
  std::vector<std::string> failures;
  for (const std::string& path : BasePaths()) {
    absl::Status status = OpenPrivate(AT_FDCWD, path).status();
    if (absl::IsNotFound(status)) status = CheckCanBeMade(path);
    if (status.ok()) return path;
    failures.push_back(Message(status));
  }
  return NoPlace(failures);
}

absl::StatusOr<StateDir> StateDir::OpenToLook() {
  ASSIGN_OR_RETURN(std::string path, Place());
  auto base = OpenPrivate(AT_FDCWD, path);
  if (absl::IsNotFound(base.status())) {
    return NotFound("%s does not exist yet: no session has been opened", path);
  }
  if (!base.ok()) return base.status();
  UniqueFd ended(openat(base->get(), kEnded,
                        O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!ended.valid() && errno != ENOENT) {
    return ErrnoStatus("open", path + "/" + kEnded);
  }
  return StateDir(path, *std::move(base), std::move(ended), UniqueFd());
}

bool StateDir::IsThere() const {
  return Names(path_, base_.get()) &&
         Names(path_ + "/" + kEnded, ended_.get()) &&
         Names(path_ + "/" + kClaims, claims_.get());
}

absl::Status StateDir::Renew() {
  ASSIGN_OR_RETURN(StateDir fresh, Open());
  path_ = std::move(fresh.path_);
  if (!HaveSameFile(base_.get(), fresh.base_.get())) {
    former_.push_back(std::exchange(base_, std::move(fresh.base_)));
  }
  ended_ = std::move(fresh.ended_);
  // The locks of a file that was deleted vanish with its last descriptor, so
  // lock all sessions anew first. Locks of a process vanish with any descriptor
  // of their file, so lock them again if `claims` is the old file.
  UniqueFd other = std::move(fresh.claims_);
  bool is_kept = HaveSameFile(claims_.get(), other.get());
  if (!is_kept) {
    std::swap(claims_, other);
    LockClaimed();
  }
  other.Reset();
  if (is_kept) LockClaimed();
  return absl::OkStatus();
}

void StateDir::LockClaimed() {
  for (const std::string& id : claimed_) {
    if (SetLock(claims_.get(), ClaimOf(id, F_WRLCK))) continue;
    Warn("cannot claim session %s again: errno %d", id, errno);
  }
}

absl::StatusOr<std::string> StateDir::Create() {
  ASSIGN_OR_RETURN(std::string id, RandomId());
  absl::Status made = MakePrivate(base_.get(), id).status();
  if (!made.ok()) return Unavailable("in %s: %s", path_, Message(made));
  return id;
}

absl::StatusOr<std::vector<std::string>> StateDir::List() const {
  return ListIds(base_.get(), path_);
}

absl::StatusOr<std::vector<std::string>> StateDir::ListEnded() const {
  // A directory opened by OpenToLook may lack `ended`: nothing has ended there
  // yet.
  if (!ended_.valid()) return std::vector<std::string>();
  return ListIds(ended_.get(), path_ + "/" + kEnded);
}

absl::StatusOr<Folder> StateDir::OpenSession(const std::string& id) const {
  RETURN_IF_ERROR(OpenPrivate(base_.get(), id).status());
  return Folder(base_.get(), id);
}

bool StateDir::Claim(const std::string& id) {
  if (!SetLock(claims_.get(), ClaimOf(id, F_WRLCK))) return false;
  claimed_.insert(id);
  return true;
}

void StateDir::Disclaim(const std::string& id) {
  SetLock(claims_.get(), ClaimOf(id, F_UNLCK));
  claimed_.erase(id);
}

std::string StateDir::PathOf(const std::string& id) const {
  bool ended = faccessat(base_.get(), id.c_str(), F_OK, 0) != 0;
  return path_ + (ended ? "/ended/" : "/") + id;
}

// The session may still be writing, which is not affected, because open
// descriptors are independent of names.
void StateDir::MoveToEnded(const std::string& id) {
  if (renameat(base_.get(), id.c_str(), ended_.get(), id.c_str()) != 0) {
    Warn("cannot put session %s away: errno %d", id, errno);
  }
}

// The deletion is retried: the holder removes its own files when it ends, and a
// file that disappears at the wrong moment makes remove_all fail. A directory
// that was left would be adopted as a lost session.
void StateDir::Remove(const std::string& id) {
  constexpr int kTries = 4;
  std::error_code error;
  for (int i = 0; i < kTries; ++i) {
    error.clear();
    std::filesystem::remove_all(path_ + "/" + id, error);
    if (!error) return;
  }
  Warn("cannot remove %s/%s: %s", path_, id, error.message());
}

std::optional<StateDir::Usage> StateDir::Measure(const std::string& id) const {
  return MeasureAt(base_.get(), path_, id);
}

std::optional<StateDir::Usage> StateDir::MeasureEnded(
    const std::string& id) const {
  return MeasureAt(ended_.get(), path_ + "/" + kEnded, id);
}

void StateDir::RemoveEnded(const std::string& id) {
  std::error_code error;
  std::filesystem::remove_all(path_ + "/" + kEnded + "/" + id, error);
}

// A server that is still creating the directory holds the claim. If there is a
// holder, somebody else has removed meta.json.
bool StateDir::RemoveUnfinished(const std::string& id) {
  struct stat info;
  bool has_meta =
      fstatat(base_.get(), (id + "/" + wire::kMetaName).c_str(), &info, 0) == 0;
  UniqueFd directory(
      openat(base_.get(), id.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (has_meta || !wire::IsOver(directory.get())) return false;
  if (fstatat(base_.get(), id.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 ||
      time(nullptr) - info.st_mtime < kLongestMaking_s || !Claim(id)) {
    return false;
  }
  Remove(id);
  Disclaim(id);
  return true;
}

}  // namespace glasstty::record
