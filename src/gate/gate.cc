#include "gate/gate.h"

#include "gate/sql.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// Longer text is data that is pasted, and judging it would delay other calls;
// its beginning is judged.
constexpr size_t kMaxJudged = 64 * 1024;

// What is cut off may be anything: in strict mode that is an objection.
GateVerdict VerdictOf(const Judge& judge, bool cut) {
  GateVerdict verdict{judge.finding(), judge.unknown(), judge.unfinished()};
  if (cut) verdict.unknown.emplace_back("what follows its first 64 KiB");
  return verdict;
}

}  // namespace

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
GateVerdict Gate::JudgeShell(std::string_view text,
                             const PathContext& context) const {
  Judge judge(context, &settings_.patterns,
              settings_.mode == GateMode::kStrict);
  judge.JudgeText(text.substr(0, kMaxJudged));
  return VerdictOf(judge, text.size() > kMaxJudged);
}

GateVerdict Gate::JudgeArguments(const std::vector<std::string>& argv,
                                 const PathContext& context) const {
  Judge judge(context, &settings_.patterns,
              settings_.mode == GateMode::kStrict);
  judge.JudgeArguments(argv);
  return VerdictOf(judge, false);
}

// The statement may go on: a client waits for its semicolon.
GateVerdict Gate::JudgeSqlClient(std::string_view text,
                                 const PathContext& context) const {
  Judge judge(context, &settings_.patterns,
              settings_.mode == GateMode::kStrict);
  judge.JudgeStatements(text.substr(0, kMaxJudged), true);
  return VerdictOf(judge, text.size() > kMaxJudged);
}

// Harm that was found outranks what is not known: it names a way out. Empty in
// the mode kOff although the text was judged: callers may ask always.
std::string Objection(const GateVerdict& verdict, GateMode mode) {
  if (mode == GateMode::kOff) return "";
  if (verdict.finding) {
    const GateFinding& finding = *verdict.finding;
    return absl::StrFormat("`%s` %s (gate: %s)", finding.what, finding.why,
                           finding.rule);
  }
  if (mode != GateMode::kStrict || verdict.unknown.empty()) return "";
  return absl::StrFormat("it cannot be told %s (gate: strict)",
                         Join(verdict.unknown, ", "));
}

}  // namespace glasstty
