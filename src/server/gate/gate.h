// The gate for dangerous commands: judges whether a text would do harm if it
// were run.
//
// The gate protects against mistakes, but it can be bypassed on purpose
// (docs/gate.md). It judges only the text; the caller decides which program
// reads the text, and whether the user agrees. Owns only its settings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gate/paths.h"
#include "gate/place_rules.h"
#include "support/pattern.h"

namespace glasstty::gate {

enum class Mode {
  kOff,
  kOn,      // passes what it does not understand, with a note
  kStrict,  // refuses what it does not understand
};

struct Settings {
  Mode mode = Mode::kOn;
  // The user's own patterns. A command or SQL statement that matches one is a
  // finding "pattern".
  std::vector<Pattern> patterns;
  // The user's rules for places, which apply in every mode.
  std::vector<PlaceRule> places;
};

// Parses one RE2 pattern per line; skips blank lines and lines that begin with
// '#'. Error: names the line and says what is wrong with it.
absl::StatusOr<std::vector<Pattern>> ParseGatePatterns(std::string_view text);

struct Finding {
  // The name of a built-in rule, or "pattern" for a pattern of the user.
  std::string rule;
  // The command or statement, shortened for a message.
  std::string what;
  // Completes a sentence that begins with "it".
  std::string why;
};

struct Verdict {
  // The first danger that was found.
  std::optional<Finding> finding;
  // Descriptions of the parts that could not be judged: "what '$CMD' is".
  std::vector<std::string> unknown;
  // The shell or client would ask for more, so judge the text again together
  // with what follows.
  bool unfinished = false;
};

class Gate {
 public:
  explicit Gate(Settings settings) : settings_(std::move(settings)) {}

  Mode mode() const { return settings_.mode; }
  // Returns the user's rule for the place, or null.
  const PlaceRule* RuleForPlace(const std::string& place) const {
    return RuleFor(settings_.places, place);
  }

  // Judges a text that a shell reads at its prompt or gets after -c.
  // `may_run_comments`: the shell may run the text after a "#".
  Verdict JudgeShell(std::string_view text, const PathContext& context,
                     bool may_run_comments = false) const;
  // Judges a program that is started without a shell, so quotes and stars have
  // no meaning. `input` is its stdin.
  Verdict JudgeArguments(const std::vector<std::string>& argv,
                         const PathContext& context,
                         std::string input = "") const;
  // Judges a text that is typed at the prompt of an SQL client.
  Verdict JudgeSqlClient(std::string_view text,
                         const PathContext& context) const;

 private:
  const Settings settings_;
};

// Returns why the text must not pass, such as "`rm -rf /` deletes ..."; "" if
// it may pass. In strict mode, unknown parts are a reason, too. In the mode
// kOff, everything passes.
std::string Objection(const Verdict& verdict, Mode mode);
// The maximum number of code points of a command in a message.
inline constexpr size_t kMaxShown = 120;

}  // namespace glasstty::gate
