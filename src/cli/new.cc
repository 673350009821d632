// `glasstty new`: opens a session for a person and attaches to it.
//
// The session belongs to the shared server like any other, so agents see it;
// they can use it once the person hands the keyboard over.
#include <stdlib.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "attach/outer_terminal.h"
#include "base/clock.h"
#include "base/limits.h"
#include "cli/attaching.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/shared_call.h"
#include "cli/shell_words.h"
#include "cli/tool_commands.h"
#include "record/recording.h"
#include "support/json.h"
#include "support/loop.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// The limits of term_open.
constexpr int kLeast = 2, kMostRows = 500, kMostCols = 1000;
// In a session of their own, people may think for as long as they like: the
// keyboard is theirs until they hand it over, unless the setting lease-idle-s
// is set.
constexpr char kLeaseIdle[] = "GLASSTTY_LEASE_IDLE_S",
               kOneYear_s[] = "31536000";

// Returns the arguments of term_open. The connection hands over the rest: the
// environment, the directory, umask and limits. The last row of the window is
// the status line.
Json Arguments(const std::vector<std::string>& words, terminal::Size window) {
  Json arguments = {{"rows", std::clamp(window.rows - 1, kLeast, kMostRows)},
                    {"cols", std::clamp(window.cols, kLeast, kMostCols)},
                    {"pager", "keep"},
                    // Do not wait: the person sees the first screen anyway.
                    {"timeout_s", 0},
                    {"confirm", true},
                    {"format", "json"}};
  if (!words.empty()) arguments["name"] = words[0];
  if (words.size() == 2) arguments["command"] = words[1];
  if (words.size() > 2) {
    arguments["argv"] =
        std::vector<std::string>(words.begin() + 1, words.end());
  }
  return arguments;
}

// Opens the session and returns its name. Error: there is no server
// (Unavailable), or it refuses.
absl::StatusOr<std::string> OpenSession(const std::vector<std::string>& words,
                                        terminal::Size window) {
  ToolTables tables;
  auto answer = CallTool(*tables.Find("term_open"), Arguments(words, window));
  if (!answer.ok()) return Unavailable("%s", Message(answer.status()));
  const Json* name = FindMember(answer->structured, "session");
  if (answer->refused || name == nullptr) {
    std::string why(TrimBlanks(InShellWords(answer->text)));
    while (why.ends_with('\n')) why.pop_back();
    return FailedPrecondition("%s", why);
  }
  return AsString(*name).value_or("");
}

absl::Status New(const Options& options) {
  attach::Options attach{.take = true,
                         .resize = attach::Resize::kForGood,
                         .leaves_with_program = options.operands.size() < 2};
  RETURN_IF_ERROR(ReadDetachKey(options, &attach));
  RETURN_IF_ERROR(CheckOutsideSessions());
  // Without a terminal, there must be no session either.
  ASSIGN_OR_RETURN(auto outer, attach::OuterTerminal::Open());
  ASSIGN_OR_RETURN(std::string name,
                   OpenSession(options.operands, outer->size()));
  ASSIGN_OR_RETURN(record::RecordedSession session, record::FindRecorded(name));
  MonotonicClock clock;
  Loop loop(&clock);
  SurviveFailedWrites();
  setenv(kLeaseIdle, kOneYear_s, 0);
  return ShowSession(&loop, outer.get(), std::move(session), attach,
                     "glasstty attach " + name + " comes back");
}

}  // namespace

int RunNew(const Options& options) {
  absl::Status status = New(options);
  int exit = Report(*FindCommand("new"), status);
  return absl::IsUnavailable(status) ? static_cast<int>(ExitStatus::kNoServer)
                                     : exit;
}

}  // namespace glasstty
