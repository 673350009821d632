// Writes a file atomically, as a careful editor does.
//
// The new content is written to a temporary file beside the old one, gets the
// old file's mode and owner, and is renamed over it (rename(2) is atomic). If
// the path is a symbolic link, the file that it points at is replaced. Nothing
// changes before Commit. Where this is impossible (the directory is not
// writable, or the owner cannot be kept), the file is written in place, and
// `in_place()` says so. Appending adds to the file itself, immediately.
//
// Owns its descriptor and the temporary file, and deletes that file when it is
// destroyed. Accepts regular files only: others may block, and belong to the
// programs of a session.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace glasstty {

// Why a file could not be written.
struct FileProblem {
  enum class Kind : uint8_t {
    kNone,
    kErrno,        // `error` is the errno, of `path`
    kNoDirectory,  // `text` says which
    kWrongKind,    // it is not a regular file, as `text` says
  };
  Kind kind = Kind::kNone;
  int error = 0;
  std::string path;
  std::string text;

  explicit operator bool() const { return kind != Kind::kNone; }
};

class FileReplacement {
 public:
  enum class Mode { kReplace, kAppend };

  // `path` is absolute.
  FileReplacement(const std::string& path, Mode mode);
  FileReplacement(FileReplacement&& other) noexcept;
  FileReplacement& operator=(FileReplacement&&) = delete;
  ~FileReplacement();

  // To be called first: its directory is missing, what is there is no regular
  // file, or it may not be written.
  FileProblem Open();
  // More of the content. A problem (the disk is full): the old file stands,
  // unless it is appended to or written in place.
  FileProblem Write(std::string_view bytes);
  // Makes it the file. Problems: as for Write.
  FileProblem Commit();

  // Absolute, links followed.
  const std::string& path() const { return path_; }
  // There was none before.
  bool created() const { return created_; }
  bool in_place() const { return in_place_; }
  // Bytes of the whole file, once committed.
  int64_t size() const { return size_; }

 private:
  FileProblem OpenBeside(const struct stat* old);
  FileProblem OpenInPlace();
  FileProblem Errno() const;

  std::string path_;
  Mode mode_;
  UniqueFd file_;
  std::string temporary_;  // empty: none
  bool created_ = false;
  bool in_place_ = false;
  // A file written in place loses its old content at the first Write.
  bool truncate_ = false;
  int64_t size_ = 0;
};

// `path` made absolute below `directory`.
std::string AbsolutePath(const std::string& path, const std::string& directory);

// "a pipe", "a directory" ... for messages about other kinds of files.
const char* KindOfFile(mode_t mode);

}  // namespace glasstty
