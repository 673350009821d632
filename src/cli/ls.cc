// `glasstty list`, or `ls`: lists the sessions, what they do, and which person
// is at them.
//
// On a terminal, it fits the width and begins with the sessions that need a
// person. Programs get all facts about the sessions, in a fixed form. It asks
// the holders and needs no server, except for facts that only a server knows
// (--lines, --verbose).
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/session_facts.h"
#include "cli/session_table.h"
#include "cli/table.h"
#include "support/json.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

std::vector<std::string> Cells(const SessionFacts& facts) {
  std::string size = absl::StrFormat("%dx%d", facts.size.rows, facts.size.cols);
  return {facts.name,
          facts.state,
          size,
          AgeText(facts.age_s),
          facts.served ? "yes" : "-",
          facts.person.empty() ? "-" : facts.person,
          facts.where.empty() ? "-" : facts.where,
          facts.program};
}

Json ToJson(const SessionFacts& facts) {
  Json json = {
      {"name", facts.name},       {"session", facts.name},
      {"state", facts.state},     {"size", {facts.size.rows, facts.size.cols}},
      {"age_s", facts.age_s},     {"live", facts.live},
      {"server", facts.served},   {"command", facts.command},
      {"program", facts.program}, {"directory", facts.path}};
  if (!facts.person.empty()) json["person"] = facts.person;
  if (!facts.asked.empty()) json["asked"] = facts.asked;
  if (!facts.trouble.empty()) json["trouble"] = facts.trouble;
  // "directory" is that of the log; "cwd" is that of the program.
  if (facts.place.empty()) {
    json["cwd"] = facts.where;
  } else {
    json["on"] = facts.place;
  }
  return json;
}

// Prints to stderr why sessions cannot be shown, which the table has no room
// for.
void TellTrouble(const std::vector<SessionFacts>& sessions) {
  for (const SessionFacts& facts : sessions) {
    if (!facts.trouble.empty()) PrintError("%s\n", facts.trouble);
  }
}

int PrintForPrograms(const Options& options,
                     const std::vector<SessionFacts>& sessions) {
  Json list = Json::array();
  Table table = {{"NAME", "STATE", "SIZE", "AGE", "SERVER", "PERSON",
                  "DIRECTORY", "PROGRAM"}};
  for (const SessionFacts& facts : sessions) {
    list.push_back(ToJson(facts));
    table.push_back(Cells(facts));
  }
  if (!options.Has("json") && !options.Has("q")) TellTrouble(sessions);
  return PrintListing(options, list, table, "no sessions");
}

// Waits for a moment. Returns whether nobody reads stdout any more.
bool IsUnread() {
  constexpr int kLookEvery_ms = 1000;
  pollfd out{STDOUT_FILENO, 0, 0};
  return poll(&out, 1, kLookEvery_ms) > 0;
}

// Prints the list as a line of JSON, now and after each change, for as long as
// somebody reads it. The kernel knows what a program waits for but does not
// report changes, so the holders are polled.
absl::Status Follow(bool ended) {
  std::optional<Json> known;
  do {
    ASSIGN_OR_RETURN(std::vector<SessionFacts> sessions, ListSessions(ended));
    Json list = Json::array(), now = Json::array();
    for (const SessionFacts& facts : sessions) {
      list.push_back(ToJson(facts));
      now.push_back(list.back());
      now.back().erase("age_s");
    }
    if (now == known) continue;
    known = std::move(now);
    Print("%s\n", DumpJson(list));
    std::fflush(stdout);
  } while (!IsUnread());
  return absl::OkStatus();
}

int WidthOfTerminal() {
  constexpr int kUsual = 80;
  winsize size{};
  bool is_known =
      ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kUsual;
}

int PrintForPeople(std::vector<SessionFacts> sessions) {
  if (sessions.empty()) {
    PrintError("no sessions\n");
    return 1;
  }
  PutNeedyFirst(&sessions);
  int width = WidthOfTerminal();
  std::vector<std::string> lines =
      SessionLines(sessions, width, WantedColors());
  for (size_t i = 0; i < lines.size(); ++i) {
    PrintStyled(lines[i] + "\n");
    if (i == 0 || sessions[i - 1].asked.empty()) continue;
    Print("%s\n", CutToWidth("  asks: " + sessions[i - 1].asked, width,
                             Column::Cut::kEnd));
  }
  TellTrouble(sessions);
  return 0;
}

// Returns the words with which the tool is called for facts that only a server
// has; none if these are not wanted.
std::vector<std::string> WordsForServer(const Options& options) {
  std::vector<std::string> words;
  if (options.Has("lines")) words = {"--lines", options.Get("lines")};
  if (options.Has("verbose")) words.emplace_back("--verbose");
  if (words.empty()) return words;
  for (const char* flag : {"json", "q"}) {
    std::string dashes = *flag == 'q' ? "-" : "--";
    if (options.Has(flag)) words.push_back(dashes + flag);
  }
  words.insert(words.end(), options.operands.begin(), options.operands.end());
  return words;
}

int List(const CommandRow& command, const Options& options) {
  if (options.Has("follow")) {
    return Report(command, options.Has("json")
                               ? Follow(options.Has("a"))
                               : InvalidArgument("--follow needs --json"));
  }
  // A session that is named may have ended.
  const std::vector<std::string>& names = options.operands;
  auto sessions = ListSessions(options.Has("a") || !names.empty());
  if (!sessions.ok()) return Report(command, sessions.status());
  if (!names.empty()) {
    std::erase_if(*sessions, [&names](const SessionFacts& facts) {
      return facts.name != names[0];
    });
  }
  if (!names.empty() && sessions->empty()) {
    Report(command, NotFound("no session '%s'", names[0]));
    return static_cast<int>(ExitStatus::kRefused);
  }
  bool is_silent = options.Has("q") && !options.Has("json");
  if (sessions->empty() && is_silent) return 1;
  bool is_for_people = !options.Has("json") && isatty(STDOUT_FILENO) != 0;
  return is_for_people ? PrintForPeople(*std::move(sessions))
                       : PrintForPrograms(options, *sessions);
}

}  // namespace

int RunLs(const Options& options) {
  const CommandRow& command = *FindCommand("list");
  if (options.operands.size() > 1) {
    return Report(command, InvalidArgument("unexpected argument '%s'",
                                           options.operands[1]));
  }
  Options same = options;
  if (options.Has("session")) same.operands = {options.Get("session")};
  Options asks = same;
  asks.operands = WordsForServer(same);
  return asks.operands.empty() ? List(command, same)
                               : RunShortForm("list", asks);
}

}  // namespace glasstty
