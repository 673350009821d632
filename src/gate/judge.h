// Judges what a shell would run: finds every program that a text starts,
// through wrappers, shells in shells and clients of databases, and asks the
// rules about each. One judgement; borrows the patterns. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/paths.h"
#include "gate/shell_walk.h"
#include "support/pattern.h"

namespace glasstty {

struct GateFinding {
  // Of a built-in rule, or "pattern" for one of the user's.
  std::string rule;
  // The command or statement, cut for a message.
  std::string what;
  // To follow "it ...".
  std::string why;
};

class Judge {
 public:
  // `strict`: routine work that throws something away is a finding, too.
  Judge(PathContext place, const std::vector<Pattern>* patterns, bool strict);
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  // Never fails: what is not understood is noted.
  void JudgeText(std::string_view text);
  // A program that is started without a shell.
  void JudgeArguments(const std::vector<std::string>& argv);
  // Statements of an SQL client. `open`: typed at a prompt, so the last one may
  // go on; else it is all there is.
  void JudgeStatements(std::string_view text, bool open);

  // The first harm that was found.
  const std::optional<GateFinding>& finding() const { return finding_; }
  // What could not be judged, in words.
  const std::vector<std::string>& unknown() const { return unknown_; }
  // A shell or client would ask for more of the text.
  bool unfinished() const { return unfinished_; }

 private:
  using Words = std::vector<Word>;
  // For programs that run what their arguments or their input say. True: no
  // rule has to be asked about the program itself.
  using Runner = bool (Judge::*)(const Words&, const Piped&);
  struct RunnerRow {
    const char* programs;
    Runner run;
  };
  // The last one has no programs.
  static const RunnerRow kRunners[];

  Piped Run(SimpleCommand* command);
  // Returns what the command prints.
  Piped JudgeWords(const Words& whole, const Piped& input);
  void JudgeByRules(std::string_view program, Words words, const Words& whole);
  Piped OutputOf(const std::string& program, const Words& words,
                 const Piped& input) const;
  void FollowDirectory(const Words& words);
  // With `notes` false what it does not understand has been noted already.
  void JudgeNested(std::string_view text, bool notes = true);

  // The runners (runners.cc).
  bool RunShell(const Words& words, const Piped& input);
  bool RunInterpreter(const Words& words, const Piped& input);
  bool RunSqlClient(const Words& words, const Piped& input);
  bool RunFind(const Words& words, const Piped& input);
  bool RunSource(const Words& words, const Piped& input);
  bool RunLine(const Words& words, const Piped& input);
  bool RunLater(const Words& words, const Piped& input);
  bool RunWithLine(const Words& words, const Piped& input);
  bool RunContainer(const Words& words, const Piped& input);

  // Keeps the first finding only.
  void Find(std::string rule, std::string_view what, std::string why);
  void FindDownload(const Words& words);
  // One of the user's patterns.
  void FindPattern(std::string_view text, std::string_view what);
  // Adds to unknown(), once each.
  void Note(std::string what);

  const std::vector<Pattern>* const patterns_;  // borrowed
  const bool strict_;
  ShellState state_;
  const ShellWalk::Run run_;
  std::optional<GateFinding> finding_;
  std::vector<std::string> unknown_;
  // Of the outermost text only.
  bool unfinished_ = false;
  int finds_ = 0;  // that run each other, up to the one that is judged
};

// As a person would read them: without quotes, one blank between two.
std::string TextOf(const std::vector<Word>& words);

// The words without what only stands in front of a command: sudo -u x, env A=b,
// nohup, xargs -n 1 ... `takes_input`: arguments come from stdin as well.
std::vector<Word> Unwrap(std::vector<Word> words, bool* takes_input);

}  // namespace glasstty
