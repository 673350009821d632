#include "tools/run_success.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "record/line_search.h"
#include "support/home.h"
#include "support/status.h"
#include "support/text.h"
#include "support/user_file.h"
#include "tools/run_output.h"

namespace glasstty {
namespace {

// The pattern sees this many bytes of the file, because it is read in one step
// of the loop.
constexpr size_t kMaxFile = 16 << 20;

// Returns a text such as "0" or "0 or 3".
std::string CodesText(const std::vector<int>& codes) {
  std::vector<std::string> words;
  words.reserve(codes.size());
  for (int code : codes) words.push_back(absl::StrFormat("%d", code));
  return Join(words, " or ");
}

// Matches the lines of the output, and of stderr if that is separate.
Task<bool> OutputMatches(mcp::ToolCall* call, const RunOutcome* outcome,
                         Pattern pattern) {
  const session::Session& session = *outcome->session;
  record::SearchRequest request = SearchOf(*outcome);
  // A single match suffices.
  request.max = 1;
  record::LineSearch output(&session.output().history(), pattern, request);
  co_await SearchAll(call, &output);
  if (output.matches() > 0 || session.errors() == nullptr) {
    co_return output.matches() > 0;
  }
  request = {.to = session.errors()->history().end_line(), .max = 1};
  record::LineSearch errors(&session.errors()->history(), std::move(pattern),
                            request);
  co_await SearchAll(call, &errors);
  co_return errors.matches() > 0;
}

}  // namespace

const std::vector<mcp::Field<SuccessArgs>>& SuccessArgs::Fields() {
  using A = SuccessArgs;
  static const auto* fields = new std::vector<mcp::Field<A>>{
      mcp::Optional(
          "exit_codes", &A::exit_codes, "List, or \"any\".",
          mcp::Shape{
              R"({"type":["array","string"],"items":{"type":"integer"}})"}),
      mcp::Optional("regex", &A::regex, "In the output."),
      mcp::Optional("file", &A::file, "Must exist."),
      mcp::Optional("file_regex", &A::file_regex, "In the file."),
  };
  return *fields;
}

absl::StatusOr<Success> Success::Compile(
    const std::optional<SuccessArgs>& args) {
  Success success;
  if (!args) return success;
  const Json& codes = args->exit_codes;
  if (codes.is_string()) {
    if (codes != "any") {
      return InvalidArgument(
          "term_run: 'success.exit_codes' is a list of codes or \"any\", not "
          "\"%s\"",
          codes.get<std::string>());
    }
    success.any_code_ = true;
  } else if (codes.is_array()) {
    success.codes_.clear();
    for (const Json& code : codes) {
      auto number = AsInteger(code);
      if (!number || *number < 0 || *number > 255) {
        return InvalidArgument(
            "term_run: 'success.exit_codes' holds codes from 0 to 255, not %s",
            DumpJson(code));
      }
      success.codes_.push_back(static_cast<int>(*number));
    }
  }
  if (args->regex) {
    ASSIGN_OR_RETURN(success.regex_, Pattern::Compile(*args->regex));
  }
  success.file_ = args->file;
  if (args->file) {
    ASSIGN_OR_RETURN(*success.file_, ExpandHome(*args->file));
  }
  if (!args->file_regex) return success;
  if (!args->file) {
    return InvalidArgument(
        "term_run: 'success.file_regex' needs 'success.file'");
  }
  ASSIGN_OR_RETURN(success.file_regex_, Pattern::Compile(*args->file_regex));
  return success;
}

// Checks the cheapest criterion first, and reports the first that is not met.
Task<std::string> Success::Missing(mcp::ToolCall* call,
                                   const RunOutcome* outcome) const {
  if (!any_code_) {
    if (!outcome->status) co_return "its exit code is not known";
    bool wanted = std::find(codes_.begin(), codes_.end(), *outcome->status) !=
                  codes_.end();
    if (!wanted) {
      co_return absl::StrFormat("exit=%d, wanted %s", *outcome->status,
                                CodesText(codes_));
    }
  }
  if (regex_) {
    bool matched = co_await OutputMatches(call, outcome, *regex_);
    if (!matched) {
      co_return absl::StrFormat("no match of '%s' in its output",
                                regex_->source());
    }
  }
  if (!file_) co_return "";
  if (const std::string& place = outcome->session->origin().place;
      !place.empty()) {
    co_return absl::StrFormat(
        "'file' is read on this machine, and the command ran on %s: let the "
        "command test it (`&& test -f FILE`)",
        place);
  }
  std::string path = *file_;
  // The shell may have changed its directory since, so the path is relative to
  // where the command began.
  if (path[0] != '/') path = outcome->ran_in + "/" + path;
  auto text = ReadUserFile(path, kMaxFile, Longer::kCut);
  if (!text.ok()) co_return "file: " + Message(text.status());
  if (file_regex_ && !file_regex_->Find(ToValidUtf8(*text))) {
    co_return absl::StrFormat("no match of '%s' in %s", file_regex_->source(),
                              path);
  }
  co_return "";
}

}  // namespace glasstty
