// Judges the commands that a shell would run: finds every program that a text
// starts, through wrappers, nested shells and database clients, and applies the
// rules to each. Each object makes one judgement and borrows the patterns.
// Pure.
//
// Texts and commands that other commands run are put on a list and judged
// later. The list has one budget, so every judgement ends soon.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/paths.h"
#include "gate/shell_reader.h"
#include "gate/starts.h"
#include "support/pattern.h"

namespace glasstty::gate {

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
  // Descriptions of parts that could not be judged: "what '$CMD' is".
  std::vector<std::string> unknown;
  // The shell or client would ask for more, so judge the text again together
  // with what follows.
  bool unfinished = false;
};

class Judge {
 public:
  // `strict`: routine work that discards something is a finding, too.
  // `comments`: the shell does not run the text after a "#".
  Judge(PathContext place, const std::vector<Pattern>* patterns, bool strict,
        bool comments = true);
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  // Exactly one of the following may be called, and only once. None of them
  // fails: parts that are not understood are noted.
  //
  // Judges a text for a shell.
  Verdict JudgeText(std::string_view text);
  // Judges a program that is started without a shell.
  Verdict JudgeArguments(const std::vector<std::string>& argv,
                         std::string input);
  // Judges text at the prompt of an SQL client: the last statement may be
  // incomplete.
  Verdict JudgeTypedSql(std::string_view text);

 private:
  // A command (if there are words) or a text that remains to be judged, with
  // its stdin.
  struct Job {
    std::string text;
    bool is_here_text = false;
    Words words = {};
    Piped input = {};
    // A note already says that the text is not known completely, so judging it
    // adds no more notes.
    bool noted = false;
    PathContext place = {};
  };
  void Queue(Job job);
  // Judges the jobs on the list until it is empty or the budget is used up.
  Verdict Finish();
  // Returns the part of `text` that is judged, and notes if that is not all.
  std::string_view Begin(std::string_view text);
  // Returns true if a shell would ask for more.
  bool ReadText(const Job& job);
  void JudgeStatement(const std::string& statement, bool is_whole);
  // Returns the output of the command.
  Piped JudgeWords(const Words& whole, const Piped& input);
  // Judges what the program starts.
  void JudgeStarts(const Words& words, const Piped& input);
  void JudgeFind(const Words& words);
  void JudgeByRules(const std::string& program, const Words& words,
                    const Words& whole);
  Piped OutputOf(const std::string& program, const Words& words,
                 const Piped& input) const;
  void FollowDirectory(const Words& words);

  // Keeps the first finding only.
  void Find(std::string rule, std::string_view what, std::string why);
  void FindDownload(std::string_view what);
  // Applies the user's patterns.
  void FindPattern(std::string_view text, std::string_view what);
  // Adds each note only once.
  void Note(std::string what);

  const std::vector<Pattern>* const patterns_;  // borrowed
  const bool strict_;
  ShellState state_;
  const ShellReader::Run run_;
  std::deque<Job> jobs_;
  // The used part of the budget.
  size_t jobs_queued_ = 0, bytes_queued_ = 0;
  // Job::noted of the job that is being judged.
  bool noted_ = false;
  Verdict verdict_;
};

// Shortens a command to one line of limited length.
std::string CutForMessage(std::string_view text);

}  // namespace glasstty::gate
