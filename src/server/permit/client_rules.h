// Reads the rules about command lines that users have given to their clients:
// Claude Code's settings.json, Codex's .rules files, opencode's opencode.json.
//
// The parsers are pure functions of a file's text; LoadRules finds the files as
// the client does. docs/permit.md lists the rules that are not read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "permit/rules.h"

namespace glasstty::permit {

enum class Client { kClaudeCode, kCodex, kOpencode };

// Each returns the rules in a file's text; of opencode's rules, the last that
// matches decides. Error: the text does not have the client's format.
absl::StatusOr<RuleSet> ParseClaudeRules(std::string_view text);
absl::StatusOr<RuleSet> ParseCodexRules(std::string_view text);
absl::StatusOr<RuleSet> ParseOpencodeRules(std::string_view text);

// The places in which a client's files are searched.
struct Places {
  std::string home;
  std::string project;  // the client's working directory
  // The value of the client's variable (CLAUDE_CONFIG_DIR, CODEX_HOME,
  // OPENCODE_CONFIG); "" if it is not set.
  std::string moved = {};
  std::string config = {};  // XDG_CONFIG_HOME; "" if it is not set
  // The folder of the machine administrator's files.
  std::string etc = "/etc";
};
// Returns the rules of all the client's files. RuleSet::unreadable lists the
// files and folders that could not be read or parsed.
RuleSet LoadRules(Client client, const Places& places);

}  // namespace glasstty::permit
