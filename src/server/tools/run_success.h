// The conditions under which a command counts as successful: the argument
// `success` of term_run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mcp/schema.h"
#include "support/pattern.h"
#include "tools/run_once.h"

namespace glasstty {

// All given criteria must hold.
struct SuccessArgs {
  // A list of codes, or "any"; if missing, 0.
  Json exit_codes;
  // A pattern for the lines of the output.
  std::optional<std::string> regex;
  // A plain file on this machine that must exist and be readable; relative to
  // the directory where the command began.
  std::optional<std::string> file;
  // A pattern for the file's text, of which the first 16 MiB are read.
  std::optional<std::string> file_regex;

  static const std::vector<mcp::Field<SuccessArgs>>& Fields();
};

// The validated criteria, compiled before anything runs.
class Success {
 public:
  // Error: an invalid pattern, invalid exit codes, a "~" that cannot be
  // expanded, or `file_regex` without `file`. Without `args`, only exit code 0
  // counts as success.
  static absl::StatusOr<Success> Compile(
      const std::optional<SuccessArgs>& args);

  // Returns why the command did not succeed, or "" if it did. `outcome` must
  // outlive the call. REQUIRES: the command has ended.
  Task<std::string> Missing(mcp::ToolCall* call,
                            const RunOutcome* outcome) const;

 private:
  bool any_code_ = false;
  std::vector<int> codes_ = std::vector<int>(1, 0);
  std::optional<Pattern> regex_;
  std::optional<std::string> file_;
  std::optional<Pattern> file_regex_;
};

}  // namespace glasstty
