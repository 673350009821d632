#include "record/file_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "record/state_dir.h"
#include "support/status.h"
#include "support/user_file.h"

namespace glasstty {
namespace {

// As the kernel follows at most (path_resolution(7)).
constexpr int kMaxLinks = 40;
constexpr mode_t kModeBits = 07777;

// REQUIRES: absolute.
std::string DirectoryOf(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Where `path` leads, also when nothing is there yet: realpath(3) would refuse
// a link to a file that is still to be made.
absl::StatusOr<std::string> FollowLinks(std::string path) {
  for (int links = 0; links < kMaxLinks; ++links) {
    char target[PATH_MAX];
    ssize_t n = readlink(path.c_str(), target, sizeof target);
    if (n < 0) return path;
    path = AbsolutePath(std::string(target, static_cast<size_t>(n)),
                        DirectoryOf(path));
  }
  return ErrnoStatus(ELOOP, "write", path);
}

// The directory with its own links followed, and the name in it.
absl::StatusOr<std::string> RealPath(const std::string& path) {
  ASSIGN_OR_RETURN(std::string target, FollowLinks(path));
  std::string directory = DirectoryOf(target);
  char real[PATH_MAX];
  if (realpath(directory.c_str(), real) == nullptr) {
    if (errno != ENOENT) return ErrnoStatus("write", path);
    return NotFound("cannot write '%s': there is no directory '%s' (mkdir -p)",
                    path, directory);
  }
  std::string name = target.substr(target.rfind('/') + 1);
  if (name.empty() || name == "." || name == "..") {
    return InvalidArgument("cannot write '%s': it is a directory", path);
  }
  std::string parent = real;
  return (parent == "/" ? "" : parent) + "/" + name;
}

// umask(2) can only be read by setting it; there is one thread.
mode_t OwnUmask() {
  mode_t mask = umask(0);
  umask(mask);
  return mask;
}

}  // namespace

std::string AbsolutePath(const std::string& path,
                         const std::string& directory) {
  if (!path.empty() && path[0] == '/') return path;
  return (directory == "/" ? "" : directory) + "/" + path;
}

// In place is the second choice: a reader may see half of it, but refusing to
// write a file that may be written would help nobody.
absl::StatusOr<FileWriter> FileWriter::Open(std::string path, Mode mode) {
  ASSIGN_OR_RETURN(std::string real, RealPath(path));
  FileWriter writer(std::move(real), mode);
  struct stat old = {};
  bool exists = stat(writer.path_.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    return InvalidArgument(
        "cannot write '%s': it is %s, and only regular files are written; a "
        "program in a session can write to it",
        path, KindOfFile(old.st_mode));
  }
  // A file that is protected against writing is not replaced either, though
  // rename(2) would.
  if (exists && access(writer.path_.c_str(), W_OK) != 0) {
    return ErrnoStatus("write", path);
  }
  writer.created_ = !exists;
  if (mode == Mode::kReplace) {
    absl::Status beside = writer.OpenBeside(exists ? &old : nullptr);
    if (beside.ok()) return writer;
    // A new file has no other way.
    if (!exists) return beside;
    writer.in_place_ = true;
    writer.truncate_ = true;
  }
  RETURN_IF_ERROR(writer.OpenInPlace());
  return writer;
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_(std::move(other.path_)),
      mode_(other.mode_),
      file_(std::move(other.file_)),
      temporary_(std::exchange(other.temporary_, "")),
      created_(other.created_),
      in_place_(other.in_place_),
      truncate_(other.truncate_),
      size_(other.size_) {}

FileWriter::~FileWriter() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

// `old` is what will be replaced; null: nothing. 0600 until it is known who may
// read it.
absl::Status FileWriter::OpenBeside(const struct stat* old) {
  ASSIGN_OR_RETURN(std::string random, RandomId());
  std::string name = DirectoryOf(path_) + "/.glasstty-" + random;
  file_ = UniqueFd(
      open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file_.valid()) return ErrnoStatus("write", path_);
  temporary_ = std::move(name);
  mode_t mode = old == nullptr ? 0666 & ~OwnUmask() : old->st_mode & kModeBits;
  struct stat own = {};
  bool kept = fstat(file_.get(), &own) == 0;
  if (kept && old != nullptr &&
      (own.st_uid != old->st_uid || own.st_gid != old->st_gid)) {
    kept = fchown(file_.get(), old->st_uid, old->st_gid) == 0;
  }
  // Last: a change of the owner clears set-user-ID bits (chown(2)).
  if (kept && fchmod(file_.get(), mode) == 0) return absl::OkStatus();
  absl::Status status = ErrnoStatus("write", path_);
  unlink(temporary_.c_str());
  temporary_.clear();
  return status;
}

// O_NONBLOCK and the look at what was opened: a pipe may have taken the file's
// place since.
absl::Status FileWriter::OpenInPlace() {
  int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  if (mode_ == Mode::kAppend) flags |= O_APPEND;
  file_ = UniqueFd(open(path_.c_str(), flags, 0666));
  struct stat now = {};
  if (!file_.valid() || fstat(file_.get(), &now) != 0) {
    return ErrnoStatus("write", path_);
  }
  if (S_ISREG(now.st_mode)) return absl::OkStatus();
  return FailedPrecondition("cannot write '%s': it is no longer a regular file",
                            path_);
}

// The old content goes at the first byte and not at Open: a call that fails in
// between changes nothing.
absl::Status FileWriter::Write(std::string_view bytes) {
  if (std::exchange(truncate_, false) && ftruncate(file_.get(), 0) != 0) {
    return ErrnoStatus("write", path_);
  }
  if (!WriteAll(file_.get(), bytes)) return ErrnoStatus("write", path_);
  return absl::OkStatus();
}

// No fsync, as with other files that a crash of the machine may take: what must
// survive is a crash of a process.
absl::Status FileWriter::Commit() {
  RETURN_IF_ERROR(Write(""));
  struct stat now = {};
  if (fstat(file_.get(), &now) != 0) return ErrnoStatus("write", path_);
  size_ = now.st_size;
  if (temporary_.empty()) return absl::OkStatus();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return ErrnoStatus("write", path_);
  }
  temporary_.clear();
  return absl::OkStatus();
}

}  // namespace glasstty
