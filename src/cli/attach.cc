// `glasstty attach`: lets a person watch an agent's session, and take the
// keyboard. Finds out which session is meant.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "attach/attachment.h"
#include "attach/outer_terminal.h"
#include "attach/picker.h"
#include "base/clock.h"
#include "base/limits.h"
#include "cli/attaching.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/session_facts.h"
#include "cli/session_table.h"
#include "record/recording.h"
#include "support/loop.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/launch.h"

namespace glasstty {
namespace {

// Returns the sessions that may be meant if none is named: those that can be
// shown. A session that only connects to another machine is among them if it
// needs a person.
absl::StatusOr<std::vector<SessionFacts>> Candidates() {
  ASSIGN_OR_RETURN(std::vector<SessionFacts> sessions, ListSessions(false));
  std::erase_if(sessions, [](const SessionFacts& facts) {
    return (facts.serves_place && !facts.NeedsPerson()) ||
           !facts.trouble.empty();
  });
  PutNeedyFirst(&sessions);
  return sessions;
}

// Shows the sessions and returns the path of the one that the person chooses;
// "": they have left. Several servers may have sessions of one name.
std::string PickSession(const std::vector<SessionFacts>& sessions, Loop* loop,
                        attach::OuterTerminal* outer) {
  std::vector<std::string> texts;
  texts.reserve(sessions.size());
  for (const SessionFacts& facts : sessions) {
    texts.push_back(facts.name + " " + facts.program + " " + facts.where);
  }
  attach::Picker picker(
      loop, outer, texts, [&sessions](int width, bool styles) {
        return SessionLines(sessions, width,
                            styles ? WantedColors() : Colors::kNone);
      });
  loop->Run();
  return picker.chosen() ? sessions[*picker.chosen()].path : "";
}

// Returns the names that begin with `word`: of live sessions or, if there are
// none, of others.
absl::StatusOr<std::set<std::string>> NamesThatBegin(const std::string& word) {
  std::set<std::string> live, ended;
  RETURN_IF_ERROR(
      record::ForEachRecorded([&](const record::RecordedSession& session) {
        if (!session.origin.name.starts_with(word)) return;
        bool is_over = wire::IsOver(session.directory.get());
        (is_over ? ended : live).insert(session.origin.name);
      }));
  return live.empty() ? ended : live;
}

// Finds a session by its name, or by a unique beginning of its name.
absl::StatusOr<record::RecordedSession> FindMeant(const std::string& word) {
  auto exact = record::FindRecorded(word);
  if (exact.ok() || !absl::IsNotFound(exact.status())) return exact;
  ASSIGN_OR_RETURN(std::set<std::string> names, NamesThatBegin(word));
  if (names.empty()) return exact;
  if (names.size() == 1) return record::FindRecorded(*names.begin());
  return FailedPrecondition(
      "'%s' may be %s", word,
      Join(std::vector<std::string>(names.begin(), names.end()), " or "));
}

// Returns the session to attach to if none is named, or nullopt if the person
// chooses none.
absl::StatusOr<std::optional<record::RecordedSession>> FindUnnamed(
    Loop* loop,
    const absl::StatusOr<std::unique_ptr<attach::OuterTerminal>>& outer) {
  ASSIGN_OR_RETURN(std::vector<SessionFacts> sessions, Candidates());
  if (sessions.empty()) {
    return FailedPrecondition("no sessions; `glasstty new` opens one");
  }
  RETURN_IF_ERROR(outer.status());
  std::string path = sessions.size() == 1
                         ? sessions[0].path
                         : PickSession(sessions, loop, outer->get());
  if (path.empty()) return std::optional<record::RecordedSession>();
  return record::FindRecorded(path);
}

absl::StatusOr<attach::Options> ReadOptions(const Options& options) {
  if (options.operands.size() > 1) {
    return InvalidArgument("give one session (glasstty ls lists them)");
  }
  attach::Options attach;
  attach.read_only = options.Has("r");
  attach.take = options.Has("take") || options.Has("steal");
  attach.steal = options.Has("steal");
  if (options.Has("resize")) attach.resize = attach::Resize::kWhileTyping;
  if (attach.read_only && (attach.take || options.Has("resize"))) {
    return InvalidArgument("-r only watches: leave the other flags out");
  }
  RETURN_IF_ERROR(ReadDetachKey(options, &attach));
  return attach;
}

// Returns the exit status.
absl::StatusOr<int> RunAttachWith(const Options& options) {
  ASSIGN_OR_RETURN(attach::Options attach, ReadOptions(options));
  RETURN_IF_ERROR(CheckOutsideSessions());
  MonotonicClock clock;
  Loop loop(&clock);
  // A write to a connection that has just ended must be an error, and not end
  // the process.
  SurviveFailedWrites();
  // The check comes later, because an error about a wrong name helps more.
  auto terminal = attach::OuterTerminal::Open();
  std::optional<record::RecordedSession> found;
  if (options.operands.empty()) {
    ASSIGN_OR_RETURN(found, FindUnnamed(&loop, terminal));
    if (!found) return 1;
  } else {
    ASSIGN_OR_RETURN(found, FindMeant(options.operands[0]));
  }
  ASSIGN_OR_RETURN(auto outer, std::move(terminal));
  RETURN_IF_ERROR(ShowSession(&loop, outer.get(), *std::move(found), attach));
  return 0;
}

}  // namespace

int RunAttach(const Options& options) {
  auto status = RunAttachWith(options);
  return status.ok() ? *status
                     : Report(*FindCommand("attach"), status.status());
}

}  // namespace glasstty
