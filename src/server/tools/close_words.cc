#include "tools/close_words.h"

#include "base/visible.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/person_facts.h"
#include "tools/session_words.h"

namespace glasstty {

using session::ProcessInfo;

std::string SurvivorText(const std::vector<ProcessInfo>& survivors) {
  if (survivors.empty()) return "";
  std::vector<std::string> parts;
  parts.reserve(survivors.size());
  for (const ProcessInfo& process : survivors) {
    parts.push_back("  " + DescribeProcess(process));
  }
  return absl::StrFormat(
      "%d still running (term_close survivors=kill ends them):\n%s",
      survivors.size(), Join(parts, "\n"));
}

Json SurvivorJson(const std::vector<ProcessInfo>& survivors) {
  Json list = Json::array();
  for (const ProcessInfo& process : survivors) {
    list.push_back(Json{{"pid", process.pid},
                        {"command", process.command},
                        {"ports", process.ports},
                        {"ports_known", process.ports_known}});
  }
  return list;
}

std::string OrphansText(const Orphans& left) {
  if (!left.ok()) {
    return "its holder was killed, and whether processes of it are left could "
           "not be seen: " +
           Message(left.status()) + "; try again";
  }
  return left->empty() ? "closed; no process of it was found"
                       : SurvivorText(*left);
}

std::string EndedText(const std::vector<std::string>& commands) {
  constexpr size_t kMostNamed = 5, kMostCharacters = 60;
  std::vector<std::string> named;
  for (const std::string& command : commands) {
    if (named.size() == kMostNamed) break;
    named.push_back(Quoted(command, kMostCharacters));
  }
  if (named.empty()) return "";
  std::string more;
  if (named.size() < commands.size()) {
    more = absl::StrFormat(" and %d more", commands.size() - named.size());
  }
  return absl::StrFormat(" (ended with it: %s%s)", Join(named, ", "), more);
}

Closed DescribeSpared(const std::string& name,
                      const session::Session& session) {
  Closed closed;
  closed.text =
      absl::StrFormat("[%s] not closed: %s; \"force\": true closes it anyway",
                      name, PersonHere(session));
  closed.json = {{"session", name},
                 {"state", StateWord(session)},
                 {"closed", false},
                 {"person", PersonJson(session)}};
  return closed;
}

Closed DescribeNeeded(const std::string& name, const session::Session& session,
                      int64_t needed) {
  Closed closed;
  closed.text = absl::StrFormat(
      "[%s] not closed yet: %d session%s there %s not ended; term_close "
      "session=%s ends it anyway",
      name, needed, needed == 1 ? "" : "s", needed == 1 ? "has" : "have", name);
  closed.json = {
      {"session", name}, {"state", StateWord(session)}, {"closed", false}};
  return closed;
}

}  // namespace glasstty
