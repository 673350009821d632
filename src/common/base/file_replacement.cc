#include "base/file_replacement.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace glasstty {
namespace {

// The kernel has the same limit (path_resolution(7)).
constexpr int kMaxLinks = 40;
constexpr mode_t kPermissions = 0777 | S_ISVTX;

FileProblem ErrnoOf(int error, std::string path) {
  return {FileProblem::Kind::kErrno, error, std::move(path), ""};
}

FileProblem WrongKind(const std::string& path, const std::string& why) {
  return {FileProblem::Kind::kWrongKind, 0, path,
          "cannot write '" + path + "': " + why};
}

FileProblem NoDirectory(const std::string& path, const std::string& parent) {
  return {FileProblem::Kind::kNoDirectory, 0, path,
          "cannot write '" + path + "': there is no directory '" + parent +
              "' (mkdir -p)"};
}

// REQUIRES: `path` contains a slash.
std::string DirectoryOf(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Files and links that another user put into a directory such as /tmp may be
// traps. Linux refuses to follow such links (fs.protected_symlinks) and to open
// such files with O_CREAT (fs.protected_regular, proc(5)), unless they belong
// to the directory's owner. This check is needed because both rules can be
// switched off, and because rename(2) ignores the rule for files.
bool MayBeTrap(const struct stat& directory, const struct stat& entry) {
  bool is_shared =
      (directory.st_mode & S_ISVTX) != 0 && (directory.st_mode & S_IWOTH) != 0;
  return is_shared && entry.st_uid != geteuid() &&
         entry.st_uid != directory.st_uid;
}

std::string NameIn(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Returns the path of an open directory with all links resolved, or `otherwise`
// if there is no /proc.
std::string RealPath(int directory, const std::string& otherwise) {
  char path[PATH_MAX];
  std::string link = "/proc/self/fd/" + std::to_string(directory);
  ssize_t n = readlink(link.c_str(), path, sizeof path);
  return n > 0 ? std::string(path, static_cast<size_t>(n)) : otherwise;
}

// The umask can be read only by setting it (umask(2)). This is safe because
// there is only one thread.
mode_t OwnUmask() {
  mode_t mask = umask(0);
  umask(mask);
  return mask;
}

// Returns an unused name; empty if the kernel gives no random numbers.
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
      directory_(std::move(other.directory_)),
      name_(std::move(other.name_)),
      old_(other.old_),
      file_(std::move(other.file_)),
      temporary_(std::exchange(other.temporary_, "")),
      created_(other.created_),
      in_place_(other.in_place_),
      touched_(other.touched_),
      size_(other.size_) {}

FileReplacement::~FileReplacement() { RemoveTemporary(); }

void FileReplacement::RemoveTemporary() {
  if (temporary_.empty()) return;
  unlinkat(directory_.get(), temporary_.c_str(), 0);
  temporary_.clear();
}

FileProblem FileReplacement::Errno() const { return ErrnoOf(errno, path_); }

// Follows the last component link by link. Opens the directory before it
// examines the entry in it, so that nobody can exchange the directory in
// between. Later, the file is accessed only through its opened directory.
FileProblem FileReplacement::Find() {
  std::string path = path_;
  for (int links = 0; links < kMaxLinks; ++links) {
    std::string parent = DirectoryOf(path);
    UniqueFd next(openat(directory_.valid() ? directory_.get() : AT_FDCWD,
                         parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!next.valid() && errno == ENOENT) return NoDirectory(path_, parent);
    if (!next.valid()) return Errno();
    directory_ = std::move(next);
    name_ = NameIn(path);
    if (name_.empty() || name_ == "." || name_ == "..") {
      return WrongKind(path_, "it is a directory");
    }
    UniqueFd entry(openat(directory_.get(), name_.c_str(),
                          O_PATH | O_NOFOLLOW | O_CLOEXEC));
    old_ = {};
    if (!entry.valid() && errno != ENOENT) return Errno();
    created_ = !entry.valid();
    if (created_) return {};
    struct stat parent_info = {};
    if (fstat(directory_.get(), &parent_info) != 0 ||
        fstat(entry.get(), &old_) != 0) {
      return Errno();
    }
    if (MayBeTrap(parent_info, old_)) {
      return WrongKind(path_,
                       "'" + name_ +
                           "' belongs to another user, in a directory where "
                           "everybody may create files; give another name");
    }
    if (!S_ISLNK(old_.st_mode)) return {};
    char target[PATH_MAX];
    ssize_t n = readlinkat(entry.get(), "", target, sizeof target);
    if (n < 0) return Errno();
    path.assign(target, static_cast<size_t>(n));
    if (path.find('/') == std::string::npos) path.insert(0, "./");
  }
  return ErrnoOf(ELOOP, path_);
}

// Writes in place as a second choice: a reader may see half of the content, but
// refusing to write a file that the user may write would be worse.
FileProblem FileReplacement::Open() {
  std::string given = path_;
  struct stat info = {};
  // Only the kernel can follow magic links such as /dev/stdout (symlink(7)).
  if (stat(given.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return WrongKind(given, std::string("it is ") + KindOfFile(info.st_mode) +
                                ", and only regular files are written; a "
                                "program in a session can write to it");
  }
  if (FileProblem problem = Find()) return problem;
  std::string parent = RealPath(directory_.get(), DirectoryOf(given));
  path_ = (parent == "/" ? "" : parent) + "/" + name_;
  // Do not replace a write-protected file, although rename(2) could do so.
  if (!created_ &&
      faccessat(directory_.get(), name_.c_str(), W_OK, AT_EACCESS) != 0) {
    return ErrnoOf(errno, given);
  }
  if (mode_ == Mode::kReplace) {
    FileProblem beside = OpenBeside();
    // A new file cannot be written in place.
    if (!beside || created_) return beside;
    in_place_ = true;
  }
  return OpenInPlace();
}

// Sets mode 0600 until the new file has the owner of the old one. Drops the
// set-user-ID and set-group-ID bits, because they were granted for the old
// content.
FileProblem FileReplacement::OpenBeside() {
  std::string random = RandomName();
  if (random.empty()) return Errno();
  file_ = UniqueFd(openat(directory_.get(), random.c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file_.valid()) return Errno();
  temporary_ = std::move(random);
  mode_t mode = created_ ? 0666 & ~OwnUmask() : old_.st_mode & kPermissions;
  struct stat own = {};
  bool kept = fstat(file_.get(), &own) == 0;
  if (kept && !created_ &&
      (own.st_uid != old_.st_uid || own.st_gid != old_.st_gid)) {
    kept = fchown(file_.get(), old_.st_uid, old_.st_gid) == 0;
  }
  if (kept && fchmod(file_.get(), mode) == 0) return {};
  FileProblem problem = Errno();
  RemoveTemporary();
  return problem;
}

// Uses O_NONBLOCK and checks the type of the opened file, because a pipe may
// have replaced the file after Find.
FileProblem FileReplacement::OpenInPlace() {
  int flags =
      O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;
  if (mode_ == Mode::kAppend) flags |= O_APPEND;
  file_ = UniqueFd(openat(directory_.get(), name_.c_str(), flags, 0666));
  struct stat now = {};
  if (!file_.valid() || fstat(file_.get(), &now) != 0) return Errno();
  if (S_ISREG(now.st_mode)) return {};
  return WrongKind(path_, "it is no longer a regular file");
}

// Discards the old content here and not in Open, so that the old file is
// unchanged if the caller fails between the two calls.
FileProblem FileReplacement::Write(std::string_view bytes) {
  if (!std::exchange(touched_, true) && temporary_.empty()) {
    if (in_place_ && ftruncate(file_.get(), 0) != 0) return Errno();
    // The kernel clears the set-user-ID and set-group-ID bits at a write, but
    // not if root writes.
    bool has_set_id = (old_.st_mode & (S_ISUID | S_ISGID)) != 0;
    if (has_set_id && fchmod(file_.get(), old_.st_mode & kPermissions) != 0) {
      return Errno();
    }
  }
  return WriteAll(file_.get(), bytes) ? FileProblem() : Errno();
}

// Calls no fsync(2), because the content must survive a crash of a process, but
// not of the machine.
FileProblem FileReplacement::Commit() {
  if (FileProblem problem = Write("")) return problem;
  struct stat now = {};
  if (fstat(file_.get(), &now) != 0) return Errno();
  size_ = now.st_size;
  if (temporary_.empty()) return {};
  if (renameat(directory_.get(), temporary_.c_str(), directory_.get(),
               name_.c_str()) != 0) {
    return Errno();
  }
  temporary_.clear();
  return {};
}

}  // namespace glasstty
