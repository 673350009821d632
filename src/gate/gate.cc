#include "gate/gate.h"

#include "gate/rules.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::gate {
// The line number is what a person who edits the file needs.
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

// A judge is made anew for each text: what one text assigns to variables must
// not colour the next one.
Verdict Gate::JudgeShell(std::string_view text,
                         const PathContext& context) const {
  return Judge(context, &settings_.patterns, strict()).JudgeText(text);
}

Verdict Gate::JudgeArguments(const std::vector<std::string>& argv,
                             const PathContext& context) const {
  return Judge(context, &settings_.patterns, strict()).JudgeArguments(argv);
}

Verdict Gate::JudgeSqlClient(std::string_view text,
                             const PathContext& context) const {
  return Judge(context, &settings_.patterns, strict()).JudgeTypedSql(text);
}

bool IsSqlClient(std::string_view program) {
  return IsIn("sql-client", program);
}

// Harm that was found outranks what is not known: it names a way out. Empty in
// the mode kOff although the text was judged: callers may ask always.
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
