#include "gate/gate.h"

#include "support/status.h"
#include "support/text.h"

namespace glasstty::gate {

absl::StatusOr<std::vector<Pattern>> ParseGatePatterns(std::string_view text) {
  std::vector<Pattern> patterns;
  int number = 0;
  for (const std::string& whole : Split(text, '\n')) {
    ++number;
    std::string line(TrimTrailingBlanks(whole));
    if (line.empty() || line[0] == '#') continue;
    auto pattern = Pattern::Compile(line);
    if (!pattern.ok()) {
      return InvalidArgument("line %d: %s", number, Message(pattern.status()));
    }
    patterns.push_back(*std::move(pattern));
  }
  return patterns;
}

// A finding takes precedence over unknown parts, because its message names the
// danger.
std::string Objection(const Verdict& verdict, Mode mode) {
  if (mode == Mode::kOff) return "";
  if (verdict.finding) {
    auto [rule, what, why] = *verdict.finding;
    return absl::StrFormat("`%s` %s (gate: %s)", what, why, rule);
  }
  if (mode != Mode::kStrict || verdict.unknown.empty()) return "";
  return absl::StrFormat("it cannot be told %s (gate: strict)",
                         Join(verdict.unknown, ", "));
}

}  // namespace glasstty::gate
