// The gate for dangerous commands: would this text do harm if it were run?
//
// A guard rail against slips, not a wall: whoever wants to get around it can
// (docs/gate.md). Judges text alone; who reads it, and whether somebody agrees,
// is the caller's business. Keeps its settings and nothing else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gate/judge.h"
#include "gate/paths.h"
#include "gate/place_rules.h"
#include "support/pattern.h"

namespace glasstty::gate {

enum class Mode {
  kOff,
  kOn,      // what is not understood passes, with a note
  kStrict,  // what is not understood is refused
};

struct Settings {
  Mode mode = Mode::kOn;
  // Of the user; looked for in each command and statement. A match is a finding
  // with the rule "pattern".
  std::vector<Pattern> patterns;
  // Of the user, too, and whatever the mode.
  std::vector<PlaceRule> places;
};

// One RE2 pattern a line; blank lines and lines with '#' in front are skipped.
// Error: which line, and what is wrong with it.
absl::StatusOr<std::vector<Pattern>> ParseGatePatterns(std::string_view text);

class Gate {
 public:
  explicit Gate(Settings settings) : settings_(std::move(settings)) {}

  Mode mode() const { return settings_.mode; }
  // What the user's rules say of another machine; null: nothing.
  const PlaceRule* RuleForPlace(const std::string& place) const {
    return RuleFor(settings_.places, place);
  }

  // A line for a shell: typed at its prompt, or given to its -c.
  Verdict JudgeShell(std::string_view text, const PathContext& context) const;
  // A program that is started without a shell: quotes and stars mean nothing.
  Verdict JudgeArguments(const std::vector<std::string>& argv,
                         const PathContext& context) const;
  // Typed at the prompt of an SQL client.
  Verdict JudgeSqlClient(std::string_view text,
                         const PathContext& context) const;

 private:
  bool strict() const { return settings_.mode == Mode::kStrict; }

  const Settings settings_;
};

// Whether what is typed at its prompt is SQL.
bool IsSqlClient(std::string_view program);

// "`rm -rf /` deletes ...": what is found, or what is not known and so refused
// in strict mode; empty: it may pass.
std::string Objection(const Verdict& verdict, Mode mode);

}  // namespace glasstty::gate
