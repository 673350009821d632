#include "base/file_replacement.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

namespace glasstty {
namespace {

// As the kernel follows at most (path_resolution(7)).
constexpr int kMaxLinks = 40;
constexpr mode_t kModeBits = 07777;

FileProblem ErrnoOf(int error, std::string path) {
  return {FileProblem::Kind::kErrno, error, std::move(path), ""};
}

FileProblem WrongKind(const std::string& path, const std::string& why) {
  return {FileProblem::Kind::kWrongKind, 0, path,
          "cannot write '" + path + "': " + why};
}

// REQUIRES: absolute.
std::string DirectoryOf(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Where `path` leads, also when nothing is there yet: realpath(3) would refuse
// a link to a file that is still to be made. nullopt: round and round.
std::optional<std::string> FollowLinks(std::string path) {
  for (int links = 0; links < kMaxLinks; ++links) {
    char target[PATH_MAX];
    ssize_t n = readlink(path.c_str(), target, sizeof target);
    if (n < 0) return path;
    path = AbsolutePath(std::string(target, static_cast<size_t>(n)),
                        DirectoryOf(path));
  }
  return std::nullopt;
}

// `*path` becomes its directory with the links followed, and the name in it.
FileProblem MakeReal(std::string* path) {
  std::optional<std::string> target = FollowLinks(*path);
  if (!target) return ErrnoOf(ELOOP, *path);
  std::string directory = DirectoryOf(*target);
  char real[PATH_MAX];
  if (realpath(directory.c_str(), real) == nullptr) {
    if (errno != ENOENT) return ErrnoOf(errno, *path);
    return {FileProblem::Kind::kNoDirectory, 0, *path,
            "cannot write '" + *path + "': there is no directory '" +
                directory + "' (mkdir -p)"};
  }
  std::string name = target->substr(target->rfind('/') + 1);
  if (name.empty() || name == "." || name == "..") {
    return WrongKind(*path, "it is a directory");
  }
  std::string parent = real;
  *path = (parent == "/" ? "" : parent) + "/" + name;
  return {};
}

// umask(2) can only be read by setting it; there is one thread.
mode_t OwnUmask() {
  mode_t mask = umask(0);
  umask(mask);
  return mask;
}

// A name that is free; empty: the kernel gives no random numbers.
std::string RandomName() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return "";
  std::string name = ".glasstty-";
  for (unsigned char byte : bytes) {
    name += "0123456789abcdef"[byte >> 4];
    name += "0123456789abcdef"[byte & 15];
  }
  return name;
}

}  // namespace

std::string AbsolutePath(const std::string& path,
                         const std::string& directory) {
  if (!path.empty() && path[0] == '/') return path;
  return (directory == "/" ? "" : directory) + "/" + path;
}

const char* KindOfFile(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

FileReplacement::FileReplacement(const std::string& path, Mode mode)
    : path_(path), mode_(mode) {}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : path_(std::move(other.path_)),
      mode_(other.mode_),
      file_(std::move(other.file_)),
      temporary_(std::exchange(other.temporary_, "")),
      created_(other.created_),
      in_place_(other.in_place_),
      truncate_(other.truncate_),
      size_(other.size_) {}

FileReplacement::~FileReplacement() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

FileProblem FileReplacement::Errno() const { return ErrnoOf(errno, path_); }

// In place is the second choice: a reader may see half of it, but refusing to
// write a file that may be written would help nobody.
FileProblem FileReplacement::Open() {
  std::string given = path_;
  struct stat old = {};
  // Before MakeReal, which cannot follow links that have no path: /dev/stdout.
  bool exists = stat(path_.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    return WrongKind(given, std::string("it is ") + KindOfFile(old.st_mode) +
                                ", and only regular files are written; a "
                                "program in a session can write to it");
  }
  if (FileProblem problem = MakeReal(&path_)) return problem;
  // A file that is protected against writing is not replaced either, though
  // rename(2) would.
  if (exists && access(path_.c_str(), W_OK) != 0) return ErrnoOf(errno, given);
  created_ = !exists;
  if (mode_ == Mode::kReplace) {
    FileProblem beside = OpenBeside(exists ? &old : nullptr);
    // A new file has no other way.
    if (!beside || !exists) return beside;
    in_place_ = true;
    truncate_ = true;
  }
  return OpenInPlace();
}

// `old` is what will be replaced; null: nothing. 0600 until it is known who may
// read it.
FileProblem FileReplacement::OpenBeside(const struct stat* old) {
  std::string random = RandomName();
  if (random.empty()) return Errno();
  std::string name = DirectoryOf(path_) + "/" + random;
  file_ = UniqueFd(
      open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file_.valid()) return Errno();
  temporary_ = std::move(name);
  mode_t mode = old == nullptr ? 0666 & ~OwnUmask() : old->st_mode & kModeBits;
  struct stat own = {};
  bool kept = fstat(file_.get(), &own) == 0;
  if (kept && old != nullptr &&
      (own.st_uid != old->st_uid || own.st_gid != old->st_gid)) {
    kept = fchown(file_.get(), old->st_uid, old->st_gid) == 0;
  }
  // Last: a change of the owner clears set-user-ID bits (chown(2)).
  if (kept && fchmod(file_.get(), mode) == 0) return {};
  FileProblem problem = Errno();
  unlink(temporary_.c_str());
  temporary_.clear();
  return problem;
}

// O_NONBLOCK and the look at what was opened: a pipe may have taken the file's
// place since.
FileProblem FileReplacement::OpenInPlace() {
  int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  if (mode_ == Mode::kAppend) flags |= O_APPEND;
  file_ = UniqueFd(open(path_.c_str(), flags, 0666));
  struct stat now = {};
  if (!file_.valid() || fstat(file_.get(), &now) != 0) return Errno();
  if (S_ISREG(now.st_mode)) return {};
  return WrongKind(path_, "it is no longer a regular file");
}

// The old content goes at the first byte and not at Open: a call that fails in
// between changes nothing.
FileProblem FileReplacement::Write(std::string_view bytes) {
  bool truncates = std::exchange(truncate_, false);
  if (truncates && ftruncate(file_.get(), 0) != 0) return Errno();
  return WriteAll(file_.get(), bytes) ? FileProblem() : Errno();
}

// No fsync, as with other files that a crash of the machine may take: what must
// survive is a crash of a process.
FileProblem FileReplacement::Commit() {
  if (FileProblem problem = Write("")) return problem;
  struct stat now = {};
  if (fstat(file_.get(), &now) != 0) return Errno();
  size_ = now.st_size;
  if (temporary_.empty()) return {};
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return Errno();
  temporary_.clear();
  return {};
}

}  // namespace glasstty
