// Writes a file as a careful editor does: whole or not at all.
//
// What replaces a file is written beside it and renamed over it (rename(2) is
// atomic), with the mode and the owner of what was there; a symbolic link stays
// one, and the file that it points at is replaced. Without a Commit nothing has
// changed. Where that cannot be (a directory that may not be written, an owner
// that cannot be kept), the file is written in place, as `in_place()` says.
// Appending adds to the file itself, at once.
//
// Owns its descriptor and the temporary file, which goes with it. Regular files
// only: others may block, and belong to the programs of a session.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/fd.h"

namespace glasstty {

class FileWriter {
 public:
  enum class Mode { kReplace, kAppend };

  // `path` is absolute. Error: its directory is missing, what is there is no
  // regular file, or it may not be written.
  static absl::StatusOr<FileWriter> Open(std::string path, Mode mode);
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter();

  // More of the content. Error: the disk is full, or the like; then the old
  // file stands, unless it is appended to or written in place.
  absl::Status Write(std::string_view bytes);
  // Makes it the file. Error: as for Write.
  absl::Status Commit();

  // Absolute, links followed.
  const std::string& path() const { return path_; }
  // There was none before.
  bool created() const { return created_; }
  bool in_place() const { return in_place_; }
  // Bytes of the whole file, once committed.
  int64_t size() const { return size_; }

 private:
  FileWriter(std::string path, Mode mode)
      : path_(std::move(path)), mode_(mode) {}

  absl::Status OpenBeside(const struct stat* old);
  absl::Status OpenInPlace();

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

}  // namespace glasstty
