// Extracts facts from the output of well-known commands, and summarises them in
// one line. Pure functions.
//
// Covers only commands that change nothing, and only options with which the
// format is known; each form is a row in parse_output.cc. Output with an
// unexpected form yields nothing rather than an incomplete result, but unknown
// lines of `type` are skipped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace glasstty {

struct ParsedOutput {
  Json data = Json::object();
  std::string summary;
};

// `argv` is the command as it ran, and `output` the text that it printed.
// Returns nullopt if there is no parser, or the output does not have the
// expected form.
std::optional<ParsedOutput> ParseOutput(const std::vector<std::string>& argv,
                                        const std::string& output);

// Returns the words of a line that consists of one command with known words;
// returns an empty list for any other line.
std::vector<std::string> WordsOfCommand(const std::string& line);

// ---- parsers for one command each (parse_git.cc); `lines` has no line ends,
// and no blank lines at its end

using Lines = std::vector<std::string>;
std::optional<ParsedOutput> ParseGitLog(const Lines& lines);
std::optional<ParsedOutput> ParseGitOneline(const Lines& lines);
std::optional<ParsedOutput> ParseGitStatus(const Lines& lines);
std::optional<ParsedOutput> ParseGitBranches(const Lines& lines);
std::optional<ParsedOutput> ParseGitFullBranches(const Lines& lines);  // -vv
std::optional<ParsedOutput> ParseGitRemotes(const Lines& lines);
std::optional<ParsedOutput> ParseGitNameStatus(const Lines& lines);
std::optional<ParsedOutput> ParseGitStat(const Lines& lines);
std::optional<ParsedOutput> ParseGitNumstat(const Lines& lines);

// Decodes a path as git quotes it (core.quotePath): "gr\303\274n" in quotes.
std::string UnquoteGitPath(const std::string& text);
// Returns a text such as "2 remotes: origin, fork".
std::string RemoteSummary(const Lines& names);

}  // namespace glasstty
