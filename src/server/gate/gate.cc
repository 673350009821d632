#include "gate/gate.h"

#include "gate/rules.h"
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

// Each text gets a new judge, so that the variables that one text assigns do
// not affect the next one.
Verdict Gate::JudgeShell(std::string_view text, const PathContext& context,
                         bool may_run_comments) const {
  auto judge = [&](bool comments) {
    return Judge(context, &settings_.patterns, strict(), comments)
        .JudgeText(text);
  };
  Verdict verdict = judge(true);
  if (!may_run_comments || verdict.finding) return verdict;
  verdict.finding = judge(false).finding;
  return verdict;
}

Verdict Gate::JudgeArguments(const std::vector<std::string>& argv,
                             const PathContext& context,
                             std::string input) const {
  return Judge(context, &settings_.patterns, strict())
      .JudgeArguments(argv, std::move(input));
}

Verdict Gate::JudgeSqlClient(std::string_view text,
                             const PathContext& context) const {
  return Judge(context, &settings_.patterns, strict()).JudgeTypedSql(text);
}

// A finding takes precedence over unknown parts, because its message names the
// danger.
std::string Objection(const Verdict& verdict, Mode mode) {
  if (mode == Mode::kOff) return "";
  if (verdict.finding) {
    const Finding& finding = *verdict.finding;
    return absl::StrFormat("`%s` %s (gate: %s)", finding.what, finding.why,
                           finding.rule);
  }
  if (mode != Mode::kStrict || verdict.unknown.empty()) return "";
  return absl::StrFormat("it cannot be told %s (gate: strict)",
                         Join(verdict.unknown, ", "));
}

}  // namespace glasstty::gate
