// Extracts facts from the output of well-known commands, and summarises them in
// one line. Pure functions.
//
// Covers only commands that change nothing, in forms whose output is meant to
// be parsed; one row each in parse_output.cc. Output with an unexpected form
// yields nothing rather than an incomplete result.
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

// `argv` is the command as it ran, `output` its stdout. Null: no parser, or not
// the output it should be.
std::optional<ParsedOutput> ParseOutput(const std::vector<std::string>& argv,
                                        const std::string& output);

// The words of a command line that is one command with known words; empty for
// anything else.
std::vector<std::string> WordsOfCommand(const std::string& line);

// ---- one command's output each (parse_git.cc); lines without the last newline

using Lines = std::vector<std::string>;
std::optional<ParsedOutput> ParseGitLog(const Lines& lines);
std::optional<ParsedOutput> ParseGitOneline(const Lines& lines);
std::optional<ParsedOutput> ParseGitStatus(const Lines& lines);
std::optional<ParsedOutput> ParseGitBranches(const Lines& lines);
std::optional<ParsedOutput> ParseGitRemotes(const Lines& lines);
std::optional<ParsedOutput> ParseGitNameStatus(const Lines& lines);
std::optional<ParsedOutput> ParseGitStat(const Lines& lines);
std::optional<ParsedOutput> ParseGitNumstat(const Lines& lines);

// A path as git quotes it (core.quotePath): "gr\303\274n" in quotes.
std::string UnquoteGitPath(const std::string& text);
// "3 files", "1 file".
std::string Count(size_t n, const std::string& noun);

}  // namespace glasstty
