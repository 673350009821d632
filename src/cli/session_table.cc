#include "cli/session_table.h"

#include <cstdlib>
#include <string_view>

#include "cli/table.h"
#include "support/text.h"

namespace glasstty {
namespace {

// The columns are NAME, STATE, PROGRAM, DIRECTORY, AGE, WHO.
constexpr Column kColumns[] = {
    {.least = 12, .rank = 0},
    {.least = 6, .rank = 1},
    {.least = 8, .rank = 2},
    {.least = 12, .rank = 5, .cut = Column::Cut::kBeginning},
    {.least = 4, .rank = 4},
    {.least = 5, .rank = 3},
};
enum { kName, kState };

// Returns who has the keyboard: a person, or an agent if there is a server.
std::string WhoHas(const SessionFacts& facts) {
  if (!facts.person.empty()) return facts.person;
  return facts.served ? "agent" : "-";
}

// Returns the parameters of SGR (ECMA-48) for the state.
std::string_view StateStyle(const SessionFacts& facts) {
  if (facts.NeedsPerson()) return "1;33";
  if (!facts.live) return "2";
  if (facts.state == "busy") return "36";
  return facts.state == "prompt" || facts.state == "input" ? "32" : "31";
}

std::string Styled(std::string_view text, std::string_view style) {
  return "\x1b[" + std::string(style) + "m" + std::string(text) + "\x1b[m";
}

}  // namespace

Colors WantedColors() {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  bool is_dumb = terminal == nullptr || std::string(terminal) == "dumb";
  bool is_refused = refused != nullptr && *refused != '\0';
  return is_dumb || is_refused ? Colors::kNone : Colors::kAnsi;
}

std::vector<std::string> SessionLines(const std::vector<SessionFacts>& sessions,
                                      int width, Colors colors) {
  Table rows = {{"NAME", "STATE", "PROGRAM", "DIRECTORY", "AGE", "WHO"}};
  for (const SessionFacts& facts : sessions) {
    rows.push_back({facts.name, facts.state, facts.program, facts.where,
                    AgeText(facts.age_s), WhoHas(facts)});
  }
  rows = FitTable(kColumns, std::move(rows), width);
  std::vector<std::string> lines;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (colors == Colors::kAnsi && i > 0) {
      rows[i][kName] = Styled(rows[i][kName], "1");
      rows[i][kState] = Styled(rows[i][kState], StateStyle(sessions[i - 1]));
    }
    std::string line = Join(rows[i], "");
    bool is_heading = colors == Colors::kAnsi && i == 0;
    lines.push_back(is_heading ? Styled(line, "2") : line);
  }
  return lines;
}

}  // namespace glasstty
