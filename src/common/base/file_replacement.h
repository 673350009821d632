// Writes a file atomically: readers see either the old or the new content.
//
// The new content is written to a temporary file beside the old one. The
// temporary file has the old file's permissions and owner (but no set-user-ID
// or set-group-ID bit), and Commit renames it over the old one (rename(2) is
// atomic). There are two exceptions. An existing file that cannot be replaced,
// for example because its directory is not writable or its owner cannot be
// kept, is written in place, and `in_place()` returns true. In append mode,
// each Write adds to the file itself.
//
// If the path is a symbolic link, the file that it points at is replaced. In a
// directory such as /tmp, a link or file is refused if it belongs neither to
// this user nor to the owner of the directory.
//
// Owns its descriptors and the temporary file, which the destructor deletes.
// Accepts regular files only, because writing to others may block.
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
    kNoDirectory,  // the directory is missing; `text` is the message
    kWrongKind,    // the file is refused; `text` is the message
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

  // Must be called first. Fails, for example, if the directory is missing, or
  // if the existing file is not a regular one or is write-protected.
  FileProblem Open();
  // Adds to the content. If this fails (for example because the disk is full),
  // the old file is intact, unless the mode is kAppend or `in_place()` is true.
  FileProblem Write(std::string_view bytes);
  // Completes the file: renames the temporary file, if there is one, over the
  // old file. After a failure, the old file is intact under the same conditions
  // as for Write.
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
  struct stat old_ = {};  // describes the old file, unless `created_`
  UniqueFd file_;
  std::string temporary_;  // a name in `directory_`, or empty
  bool created_ = false;
  bool in_place_ = false;
  // True after the first Write, which discards the old content if the file is
  // written in place.
  bool touched_ = false;
  int64_t size_ = 0;
};

// Returns `path` as an absolute path; a relative one begins at `directory`.
std::string AbsolutePath(const std::string& path, const std::string& directory);

// Returns "a pipe", "a directory" and so on, for messages about files that are
// not regular.
const char* KindOfFile(mode_t mode);

}  // namespace glasstty
