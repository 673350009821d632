// Writes a file atomically: readers see either the old or the new content.
//
// The new content is written to a temporary file beside the old one, gets the
// old file's permissions and owner (but no set-user-ID or set-group-ID bit),
// and is renamed over it (rename(2) is atomic). If the path is a symbolic link,
// the file that it points at is replaced; links and files that another user has
// put into a directory such as /tmp are refused, as the kernel would do.
// Nothing changes before Commit. If an existing file cannot be replaced (the
// directory is not writable, or the owner cannot be kept), it is written in
// place, and `in_place()` returns true. In append mode, each Write adds to the
// file itself.
//
// Owns its descriptors and the temporary file, which it deletes when it is
// destroyed. Accepts regular files only: other files may block, and are for the
// programs of a session to write to.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace glasstty {

// Explains why a file could not be written.
struct FileProblem {
  enum class Kind : uint8_t {
    kNone,
    kErrno,        // `error` is the errno for `path`
    kNoDirectory,  // `text` names it
    kWrongKind,    // `text` says why it is not a regular file
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

  // `path` must be absolute.
  FileReplacement(const std::string& path, Mode mode);
  FileReplacement(FileReplacement&& other) noexcept;
  FileReplacement& operator=(FileReplacement&&) = delete;
  ~FileReplacement();

  // Must be called first. Fails if the directory is missing, the existing file
  // is not a regular one, or it may not be written.
  FileProblem Open();
  // Adds to the content. If this fails (for example because the disk is full),
  // the old file is intact, unless the mode is kAppend or `in_place()` is true.
  FileProblem Write(std::string_view bytes);
  // Replaces the file by the new content. A failure has the same effect as one
  // of Write.
  FileProblem Commit();

  // The absolute path; Open resolves its links.
  const std::string& path() const { return path_; }
  // True if the file did not exist before.
  bool created() const { return created_; }
  bool in_place() const { return in_place_; }
  // The size of the whole file, once committed.
  int64_t size() const { return size_; }

 private:
  FileProblem Find();
  FileProblem OpenBeside();
  FileProblem OpenInPlace();
  FileProblem Errno() const;
  void RemoveTemporary();

  std::string path_;
  Mode mode_;
  // The directory with all links resolved, and the file's name in it.
  UniqueFd directory_;
  std::string name_;
  struct stat old_ = {};  // the file that is replaced, unless `created_`
  UniqueFd file_;
  std::string temporary_;  // a name in `directory_`; empty: none
  bool created_ = false;
  bool in_place_ = false;
  // Set by the first Write, which discards the old content of a file written in
  // place.
  bool touched_ = false;
  int64_t size_ = 0;
};

// Makes `path` absolute, relative to `directory`.
std::string AbsolutePath(const std::string& path, const std::string& directory);

// Returns "a pipe", "a directory" and so on, for messages about files that are
// not regular.
const char* KindOfFile(mode_t mode);

}  // namespace glasstty
