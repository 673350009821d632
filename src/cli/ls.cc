// `glasstty ls`: lists the sessions, what they do, and which person is at them.
//
// On a terminal, it fits the width and begins with the sessions that need a
// person. Programs get all facts about the sessions, in a fixed form.
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
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
          facts.place.empty() ? facts.command
                              : facts.command + " (on " + facts.place + ")"};
}

Json ToJson(const SessionFacts& facts) {
  Json json = {{"name", facts.name},
               {"state", facts.state},
               {"size", {facts.size.rows, facts.size.cols}},
               {"age_s", facts.age_s},
               {"live", facts.live},
               {"server", facts.served},
               {"command", facts.command},
               {"program", facts.program},
               {"directory", facts.path}};
  if (!facts.person.empty()) json["person"] = facts.person;
  if (!facts.asked.empty()) json["asked"] = facts.asked;
  if (!facts.place.empty()) json["on"] = facts.place;
  return json;
}

int PrintForPrograms(const Options& options,
                     const std::vector<SessionFacts>& sessions) {
  Json list = Json::array();
  Table table = {
      {"NAME", "STATE", "SIZE", "AGE", "SERVER", "PERSON", "COMMAND"}};
  for (const SessionFacts& facts : sessions) {
    list.push_back(ToJson(facts));
    table.push_back(Cells(facts));
  }
  return PrintListing(options, list, table, "no sessions");
}

// Waits for a moment. Returns whether nobody reads stdout any more.
bool IsUnread() {
  constexpr int kLookEvery_ms = 1000;
  pollfd out{STDOUT_FILENO, 0, 0};
  return poll(&out, 1, kLookEvery_ms) > 0;
}

// Prints the list as a line of JSON, now and after each change, for as long as
// somebody reads it. The kernel knows what a program waits for but tells nobody
// when that changes, so the holders are asked again and again.
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
  return 0;
}

}  // namespace

int RunLs(const Options& options) {
  const CommandRow& command = *FindCommand("ls");
  if (options.Has("follow")) {
    return Report(command, options.Has("json")
                               ? Follow(options.Has("a"))
                               : InvalidArgument("--follow needs --json"));
  }
  auto sessions = ListSessions(options.Has("a"));
  if (!sessions.ok()) return Report(command, sessions.status());
  bool is_for_people = !options.Has("json") && isatty(STDOUT_FILENO) != 0;
  return is_for_people ? PrintForPeople(*std::move(sessions))
                       : PrintForPrograms(options, *sessions);
}

int RunList(const Options& options) {
  const std::vector<std::string>& words = options.operands;
  bool all = words.size() == 1 && words[0] == "-a";
  bool is_for_people = (words.empty() || all) && isatty(STDOUT_FILENO) != 0;
  if (!is_for_people) return RunShortForm("list", options);
  Options same;
  if (all) same.flags["a"] = "";
  return RunLs(same);
}

}  // namespace glasstty
