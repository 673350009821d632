// Judges what a shell would run: finds every program that a text starts,
// through wrappers, shells in shells and clients of databases, and asks the
// rules about each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/paths.h"
#include "gate/shell_syntax.h"
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

// What may reach a program on its stdin.
struct PipedInput {
  enum class Kind { kNone, kKnown, kUnknown };
  Kind kind = Kind::kNone;
  std::string text;  // kKnown
  // Some of it came from the network.
  bool downloads = false;
};

// One judgement. Borrows the patterns.
class ShellJudge {
 public:
  // `strict`: routine work that throws something away is a finding, too.
  ShellJudge(PathContext context, const std::vector<Pattern>* patterns,
             bool strict);

  // Error-free: what is not understood is noted.
  void JudgeText(std::string_view text);
  // A program that is started without a shell.
  void JudgeArguments(const std::vector<std::string>& argv);
  // Statements of an SQL client. `open`: typed at a prompt, so the last one may
  // go on; else it is all there is.
  void JudgeStatements(std::string_view text, bool open);

  // The first harm that was found. nullopt: none, as far as the text could be
  // judged.
  const std::optional<GateFinding>& finding() const { return finding_; }
  // What could not be judged, in words.
  const std::vector<std::string>& unknown() const { return unknown_; }
  // A shell or client would ask for more of the text.
  bool unfinished() const { return unfinished_; }

 private:
  // A shell in a shell in a shell ... Each level runs a parser on the stack,
  // whose own nesting is bounded by ShellParser::kMaxDepth.
  static constexpr int kMaxNesting = 12;
  using Words = std::vector<ShellWord>;

  void JudgePipelines(const std::vector<ShellPipeline>& pipelines,
                      const PipedInput& input);
  void JudgeStage(const ShellStage& stage, const PipedInput& input);
  void JudgeRedirects(const ShellStage& stage);
  void JudgeFunction(const ShellStage& stage);
  void JudgeWords(Words words, const PipedInput& input);
  // What a stage of a pipe hands to the next one.
  PipedInput OutputOf(const ShellStage& stage, const PipedInput& input);

  // Programs that run what their arguments or their stdin say.
  bool JudgeRunner(const std::string& program, const Words& words,
                   const PipedInput& input);
  void JudgeShell(const Words& words, const PipedInput& input);
  void JudgeInterpreter(const Words& words, const PipedInput& input);
  void JudgeSqlClient(const Words& words, const PipedInput& input);
  void JudgeFind(const Words& words);
  void JudgeContainer(const Words& words, const PipedInput& input);
  void JudgeLine(const Words& words, size_t from);
  void FollowDirectory(const Words& words);

  // With `notes` false what it does not understand has been noted already.
  void JudgeNested(std::string_view text, bool notes = true);
  // Keeps the first finding only; `what` is cut for a message.
  void Find(std::string rule, std::string what, std::string why);
  // Adds to unknown(), once each.
  void Note(std::string what);

  PathContext context_;
  const std::vector<Pattern>* const patterns_;  // borrowed
  const bool strict_;
  // Grows with the text: assignments of the outer shell hold in nested ones.
  ShellVariables variables_;
  int nesting_ = 0;
  std::optional<GateFinding> finding_;
  std::vector<std::string> unknown_;
  // Of the outermost text only.
  bool unfinished_ = false;
};

// The words without what only stands in front of a command: sudo -u x, env A=b,
// nohup, xargs -n 1 ... `takes_input`: arguments come from stdin as well.
std::vector<ShellWord> Unwrap(std::vector<ShellWord> words, bool* takes_input);

}  // namespace glasstty
