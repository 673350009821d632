// Wraps base/file_replacement.h, with absl::Status for its errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "base/file_replacement.h"

namespace glasstty::record {

class FileWriter {
 public:
  using Mode = FileReplacement::Mode;

  // `path` is absolute. Error: see FileReplacement::Open.
  static absl::StatusOr<FileWriter> Open(const std::string& path, Mode mode);

  // Errors: see FileReplacement.
  absl::Status Write(std::string_view bytes);
  absl::Status Commit();

  const std::string& path() const { return file_.path(); }
  bool created() const { return file_.created(); }
  bool in_place() const { return file_.in_place(); }
  int64_t size() const { return file_.size(); }

 private:
  explicit FileWriter(FileReplacement file) : file_(std::move(file)) {}

  FileReplacement file_;
};

// Returns OK if there was no problem.
absl::Status StatusOf(const FileProblem& problem);

}  // namespace glasstty::record
