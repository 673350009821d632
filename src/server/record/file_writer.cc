#include "record/file_writer.h"

#include <utility>

#include "support/status.h"

namespace glasstty::record {

absl::Status StatusOf(const FileProblem& problem) {
  switch (problem.kind) {
    case FileProblem::Kind::kNone:
      break;
    case FileProblem::Kind::kErrno:
      return ErrnoStatus(problem.error, "write", problem.path);
    case FileProblem::Kind::kNoDirectory:
      return NotFound("%s", problem.text);
    case FileProblem::Kind::kWrongKind:
      return InvalidArgument("%s", problem.text);
  }
  return absl::OkStatus();
}

absl::StatusOr<FileWriter> FileWriter::Open(const std::string& path,
                                            Mode mode) {
  FileReplacement file(path, mode);
  RETURN_IF_ERROR(StatusOf(file.Open()));
  return FileWriter(std::move(file));
}

absl::Status FileWriter::Write(std::string_view bytes) {
  return StatusOf(file_.Write(bytes));
}

absl::Status FileWriter::Commit() { return StatusOf(file_.Commit()); }

}  // namespace glasstty::record
