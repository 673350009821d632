// Judges what a shell would run: finds every program that a text starts,
// through wrappers, shells in shells and clients of databases, and asks the
// rules about each. One judgement; borrows the patterns. Pure.
//
// A text or command that another one runs goes on a list and is judged after
// it. The list has one budget, so a judgement ends soon whatever the text.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/paths.h"
#include "gate/shell_reader.h"
#include "support/pattern.h"

namespace glasstty::gate {

struct Finding {
  // Of a built-in rule, or "pattern" for one of the user's.
  std::string rule;
  // The command or statement, cut for a message.
  std::string what;
  // To follow "it ...".
  std::string why;
};

struct Verdict {
  // The first harm that was found.
  std::optional<Finding> finding;
  // What could not be judged: "what '$CMD' is".
  std::vector<std::string> unknown;
  // The shell or client would ask for more: keep the text and judge it again
  // together with what follows.
  bool unfinished = false;
};

class Judge {
 public:
  // `strict`: routine work that throws something away is a finding, too.
  Judge(PathContext place, const std::vector<Pattern>* patterns, bool strict);
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  // One of them, once. Never fails: what is not understood is noted.
  // A text for a shell.
  Verdict JudgeText(std::string_view text);
  // A program that is started without a shell.
  Verdict JudgeArguments(const std::vector<std::string>& argv);
  // What is typed at the prompt of an SQL client: the last statement may go on.
  Verdict JudgeTypedSql(std::string_view text);

 private:
  // What is still to be judged: a command if there are words, or else a text.
  struct Job {
    std::string text;
    bool is_here_text = false;
    Words words;
    Piped input;
    // That it is not known has been noted already.
    bool noted = false;
    std::string directory = "";
  };
  // Programs that run what their arguments or their input say, by the name of
  // their list in rules.txt.
  struct RunnerRow {
    const char* list;
    void (Judge::*run)(const Words&, const Piped&);
    // What their arguments hold is run as it is, so it must not be fetched.
    bool takes_code = false;
    // They have words of their own, too.
    bool asks_rules = false;
  };
  static const RunnerRow kRunners[];

  void Queue(Job job);
  void QueueText(std::string text, bool noted = false) {
    Queue({.text = std::move(text), .noted = noted});
  }
  // Judges what is on the list until it is empty or the budget is used up.
  Verdict Finish();
  // As much of `text` as is judged.
  std::string_view Begin(std::string_view text);
  // Returns whether a shell would want more.
  bool ReadText(const Job& job);
  void JudgeSql(std::string_view text, bool whole);
  // Returns what the command prints.
  Piped JudgeWords(const Words& whole, const Piped& input);
  void JudgeByRules(const std::string& program, const Words& words,
                    const Words& whole);
  Piped OutputOf(const std::string& program, const Words& words,
                 const Piped& input) const;
  void FollowDirectory(const Words& words);

  // The runners (programs.cc).
  void RunShell(const Words& words, const Piped& input);
  void RunInterpreter(const Words& words, const Piped& input);
  void RunSqlClient(const Words& words, const Piped& input);
  void RunFind(const Words& words, const Piped& input);
  void RunEval(const Words& words, const Piped& input);
  void RunLine(const Words& words, const Piped& input);
  void RunLater(const Words& words, const Piped& input);
  void RunContainer(const Words& words, const Piped& input);
  void RunNothing(const Words&, const Piped&) {}

  // Keeps the first finding only.
  void Find(std::string rule, std::string_view what, std::string why);
  void FindDownload(std::string_view what);
  // One of the user's patterns.
  void FindPattern(std::string_view text, std::string_view what);
  // Once each.
  void Note(std::string what);

  const std::vector<Pattern>* const patterns_;  // borrowed
  const bool strict_;
  ShellState state_;
  const ShellReader::Run run_;
  std::deque<Job> jobs_;
  // Of the budget.
  size_t jobs_queued_ = 0, bytes_queued_ = 0;
  // Of the job that is being judged.
  bool noted_ = false;
  Verdict verdict_;
};

// What a message shows of a command: one line, and not all of a long one.
std::string CutForMessage(std::string_view text);

// The words without what only stands in front of a command: sudo -u x, env A=b,
// nohup, xargs -n 1 ... `takes_input`: arguments come from stdin as well.
Words Unwrap(Words words, bool* takes_input);

}  // namespace glasstty::gate
