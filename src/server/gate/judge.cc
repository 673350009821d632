// Judges the commands that a shell would run: finds every program that a text
// starts, through wrappers, nested shells and database clients, and applies the
// rules to each.
//
// Texts and commands that other commands run are queued and judged later. The
// queue has one budget, so every judgement ends soon.
#include <algorithm>
#include <deque>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "gate/gate.h"
#include "gate/rules.h"
#include "gate/shell_reader.h"
#include "gate/sql.h"
#include "gate/starts.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

// The maximum number of notes; more would only make the message longer.
constexpr size_t kMaxNotes = 3;
// The budget of a judgement. Commands that people write contain only a few
// nested ones (`sh -c`, `eval`, here-documents).
constexpr size_t kMaxJobs = 200;
constexpr size_t kMaxBytes = 1 << 18;
// A longer text is pasted data, and judging all of it would delay other calls.
constexpr size_t kMaxJudged = 64 * 1024;

// Recognizes the fork bomb ":(){ :|:& };:" with any name. A text of more than
// kLongest bytes is taken for a script, which is not examined.
bool IsForkBomb(std::string_view text) {
  constexpr size_t kLongest = 1024;
  if (text.size() > kLongest) return false;
  std::string tight;
  for (char c : text) tight.append(c == ' ' || c == '\t' ? 0 : 1, c);
  for (size_t at = 0; (at = tight.find("(){", at)) != std::string::npos; ++at) {
    size_t begin = tight.find_last_of("\n;&|(){}", at - 1) + 1;
    const std::string name = tight.substr(begin, at - begin);
    std::string forking = name;
    forking.append("|").append(name).append("&");
    if (!name.empty() && tight.find(forking) != std::string::npos) return true;
  }
  return false;
}

// Makes one judgement: call one of its Judge functions, and only once. They
// never fail: they note the parts that they do not understand.
class Judge {
 public:
  // `comments`: the shell does not run the text after a "#".
  Judge(PathContext place, const Settings& settings, bool comments = true)
      : settings_(settings), run_([this](SimpleCommand* command) {
          return JudgeWords(command->words, command->input);
        }) {
    auto set = [this](const char* name, const std::string& value) {
      if (!value.empty()) state_.variables[name].word = Word::Of(value);
    };
    set("HOME", place.home);
    set("PWD", place.directory);
    // A use of IFS splits a word in two: rm$IFS-rf.
    state_.variables["IFS"].word = Word::Of(" ", Mark::kLive);
    state_.comments = comments;
    place.start = place.directory;
    state_.place = std::move(place);
  }

  bool has_comments() const { return state_.has_comments; }

  Verdict JudgeText(std::string_view text) {
    verdict_.unfinished = ReadText({.text = std::string(Begin(text))});
    return Finish();
  }

  // No shell reads the arguments, so stars, tildes and dollars are plain text.
  Verdict JudgeArguments(const std::vector<std::string>& argv,
                         std::string input) {
    Words words;
    for (const std::string& word : argv) words.push_back(Word::Of(word));
    JudgeWords(words, Piped::Known(std::move(input)));
    return Finish();
  }

  // The last statement may be incomplete.
  Verdict JudgeTypedSql(std::string_view text) {
    SqlScript script = SplitSql(Begin(text));
    verdict_.unfinished = script.unfinished;
    for (const std::string& statement : script.statements) {
      bool is_last = &statement == &script.statements.back();
      JudgeStatement(statement, !is_last || !script.unfinished);
    }
    for (std::string& line : script.shell_lines) {
      Queue({.text = std::move(line)});
    }
    return Finish();
  }

 private:
  // A command (if `words` is not empty) or a text that must still be judged,
  // and its stdin.
  struct Job {
    std::string text;
    bool is_here_text = false;
    Words words = {};
    Piped input = {};
    // A note already says that the text is not known completely, so judging it
    // adds no more notes.
    bool noted = false;
    // The command whose text contains a download; "" if none does.
    std::string fetched = {};
    PathContext place = {};
  };

  // Returns the part of `text` that is judged. Adds a note if that is not all.
  std::string_view Begin(std::string_view text) {
    if (text.size() > kMaxJudged) Note("what follows its first 64 KiB");
    return text.substr(0, kMaxJudged);
  }
  void Queue(Job job) {
    bytes_queued_ += job.text.size() + TextOf(job.words).size();
    if (++jobs_queued_ > kMaxJobs || bytes_queued_ > kMaxBytes) {
      state_.too_deep = true;
      return;
    }
    // A child shell begins in the directory of its parent.
    job.place = state_.place;
    job.noted |= noted_;
    jobs_.push_back(std::move(job));
  }

  // Judges all jobs. This ends, because Queue takes no more jobs than the
  // budget allows.
  Verdict Finish() {
    for (; !jobs_.empty(); jobs_.pop_front()) {
      const Job& job = jobs_.front();
      noted_ = job.noted;
      fetched_ = job.fetched;
      state_.place = job.place;
      if (job.words.empty()) {
        ReadText(job);
      } else {
        JudgeWords(job.words, job.input);
      }
    }
    noted_ = false;
    if (state_.too_deep) Note("it is nested too deep");
    return std::move(verdict_);
  }

  // Returns true if a shell would ask for more. Treats all variables of the
  // outer text as exported, to be safe.
  bool ReadText(const Job& job) {
    if (IsForkBomb(job.text)) {
      Find("fork-bomb", job.text,
           "starts itself again and again until the machine stands still");
    }
    ShellReader reader(job.text, &state_, &run_, job.input);
    if (job.is_here_text) {
      reader.ReadHereText();
    } else {
      reader.Read();
    }
    for (const std::string& text : reader.here_texts()) {
      Queue({.text = text, .is_here_text = true});
    }
    return reader.unfinished();
  }

  // Judges one command, and returns its output as far as it is known
  // beforehand. The user's patterns are tried with and without the wrappers, so
  // both "^rm" and "^sudo" work.
  Piped JudgeWords(const Words& whole, const Piped& input) {
    bool takes_input = false;
    Words words = Unwrap(whole, &takes_input);
    if (words.empty()) return {};
    // xargs splits its input at blanks; no character is an operator (xargs(1)).
    if (takes_input) {
      std::string line = input.text;
      std::replace(line.begin(), line.end(), '\n', ' ');
      for (const std::string& word : Split(line, ' ')) {
        if (!word.empty()) words.push_back(Word::Of(word, Mark::kLive));
      }
    }
    if (!settings_.patterns.empty()) {
      FindPattern(TextOf(words), TextOf(whole));
      FindPattern(TextOf(whole), TextOf(whole));
    }
    if (!words[0].IsKnown()) {
      // The name of a program may contain a version that was fetched.
      std::string from = words[0].downloads ? TextOf(whole) : fetched_;
      if (!from.empty() && words[0].IsUnknown()) FindDownload(from);
      Note(absl::StrFormat("what '%s' is",
                           ShowOnOneLine(words[0].text, kMaxShown)));
      return Piped::Unknown(input.downloads);
    }
    const std::string program = BaseName(words[0].text);
    JudgeStarts(words, input);
    FollowDirectory(words);
    JudgeByRules(program, words, whole);
    return OutputOf(words, input, state_.place.directory);
  }

  void JudgeStatement(const std::string& statement, bool is_whole) {
    FindPattern(statement, statement);
    // The missing part of a statement could be a WHERE.
    FindRuleFor("sql", statement, statement, is_whole);
  }

  // Judges what the program starts.
  void JudgeStarts(const Words& words, const Piped& input) {
    Starts starts = StartsOf(words, input);
    const std::string& name = words[0].text;
    if (!starts.roots.empty()) JudgeFind(&starts);
    if (starts.runs_download) FindDownload(TextOf(words));
    if (starts.runs_input && input.downloads) FindDownload("... | " + name);
    if (starts.runs_input && starts.unknown) Note("what is piped into " + name);
    for (const std::string& statement : starts.statements) {
      JudgeStatement(statement, true);
    }
    for (const std::string& path : starts.deleted) {
      Queue({.words = {Word::Of("rm"), Word::Of("-rf"),
                       Word::Of(path, Mark::kLive)}});
    }
    const std::string by = name + (IsIn("shell", BaseName(name)) ? " -c" : "");
    for (Started& started : starts.list) {
      if (!started.known) Note("what " + by + " runs");
      Queue({.text = std::move(started.text),
             .words = std::move(started.words),
             .input = std::move(started.input),
             .noted = !started.known,
             .fetched = started.downloads ? TextOf(words) : fetched_});
    }
  }

  // Treats `find -delete` as `rm -r` of the directory where the search begins
  // (of several, the worst), unless a test narrows the search. In a system
  // directory with an absolute path, even a narrow search deletes too much.
  void JudgeFind(Starts* starts) {
    auto weight = [this](const Word& begin) {
      PathKind kind = ClassifyPath(begin, state_.place);
      bool is_worst = kind == PathKind::kSystem && begin.text[0] == '/';
      return is_worst ? 2 : kind != PathKind::kOther ? 1 : 0;
    };
    const Word root = *std::ranges::max_element(starts->roots, {}, weight);
    bool all = !starts->filters || weight(root) == 2;
    if (starts->deletes && all && weight(root) > 0) {
      Find("find-delete", "find " + root.text + " ... -delete",
           "deletes all that it finds in a system directory, a home or here");
    }
    // If nothing is filtered out, a command that find starts gets everything in
    // the directory, so {} is judged as the directory. Otherwise, {} stands for
    // unknown names, of which there is at least one.
    const Word found = all ? root : Word::Of("{}", Mark::kNonEmpty);
    for (Started& command : starts->list) {
      for (Word& word : command.words) {
        if (word.text == "{}") word = found;
      }
    }
  }

  void JudgeByRules(const std::string& program, const Words& words,
                    const Words& whole) {
    if (!IsIn("ruled", program)) return;
    const std::string line = ArgumentLine(words, state_.place);
    FindRuleFor(program, line, TextOf(whole));
    // "rm -r $DIR" is not a finding, but a note says that $DIR is unknown.
    // Strict mode refuses commands with notes.
    bool deletes =
        program == "rm" && FindRule("rm-unknown", line, false) != nullptr;
    for (const Word& word : words) {
      if (!deletes || word.IsKnown()) continue;
      Note(absl::StrFormat("what 'rm -r' of '%s' deletes",
                           ShowOnOneLine(word.text, kMaxShown)));
    }
  }

  // While the directory is unknown, relative paths are judged by their text.
  void FollowDirectory(const Words& words) {
    const std::string& program = words[0].text;
    if (program != "cd" && program != "pushd" && program != "popd") return;
    const std::string& home = state_.place.home;
    std::string* directory = &state_.place.directory;
    const Word target = words.size() > 1 ? words.back() : Word::Of(home);
    std::string path = target.text;
    if (path.starts_with("~")) path = home.empty() ? "" : home + path.substr(1);
    bool resolved = path.starts_with("/") || !directory->empty();
    // The stack of directories is not tracked.
    bool known = program != "popd" && target.IsKnown() && path != "-" &&
                 !path.empty() && resolved;
    *directory = known ? NormalPath(path, *directory) : "";
    bool relative = target.IsKnown() && path.find("..") == std::string::npos &&
                    path.find_first_not_of("-./") == 0;
    state_.place.entered =
        known ? !Holds(*directory, state_.place.start) : relative;
    state_.variables.erase("PWD");
    if (known) state_.variables["PWD"].word = Word::Of(*directory);
  }

  // Keeps the first finding only.
  void Find(std::string rule, std::string_view what, std::string why) {
    if (verdict_.finding) return;
    verdict_.finding = Finding{std::move(rule), ShowOnOneLine(what, kMaxShown),
                               std::move(why)};
  }
  void FindDownload(std::string_view what) {
    Find("download-run", what, "runs what it fetches from the network");
  }
  void FindRuleFor(std::string_view program, std::string_view line,
                   std::string_view what, bool is_whole = true) {
    bool strict = settings_.mode == Mode::kStrict;
    const Rule* rule = FindRule(program, line, strict, is_whole);
    if (rule != nullptr) Find(rule->name, what, rule->why);
  }
  void FindPattern(std::string_view text, std::string_view what) {
    for (const Pattern& pattern : settings_.patterns) {
      if (verdict_.finding || !pattern.Find(text)) continue;
      Find("pattern", what,
           absl::StrFormat("matches the pattern '%s' of your settings",
                           pattern.source()));
    }
  }

  // Adds each note only once.
  void Note(std::string what) {
    auto* unknown = &verdict_.unknown;
    bool known =
        std::find(unknown->begin(), unknown->end(), what) != unknown->end();
    if (noted_ || known || unknown->size() == kMaxNotes) return;
    unknown->push_back(std::move(what));
  }

  const Settings& settings_;  // borrowed
  ShellState state_;
  const ShellReader::Run run_;
  std::deque<Job> jobs_;
  // The part of the budget that has been used.
  size_t jobs_queued_ = 0, bytes_queued_ = 0;
  // Job::noted of the job that is being judged.
  bool noted_ = false;
  // Job::fetched, likewise.
  std::string fetched_;
  Verdict verdict_;
};

}  // namespace

// Each text gets a new judge, so that the variables that one text assigns do
// not affect the next one.
Verdict Gate::JudgeShell(std::string_view text, const PathContext& context,
                         bool may_run_comments) const {
  Judge judge(context, settings_);
  Verdict verdict = judge.JudgeText(text);
  bool is_other = may_run_comments && judge.has_comments();
  if (!is_other || verdict.finding) return verdict;
  verdict.finding = Judge(context, settings_, false).JudgeText(text).finding;
  return verdict;
}

Verdict Gate::JudgeArguments(const std::vector<std::string>& argv,
                             const PathContext& context,
                             std::string input) const {
  return Judge(context, settings_).JudgeArguments(argv, std::move(input));
}

Verdict Gate::JudgeSqlClient(std::string_view text,
                             const PathContext& context) const {
  return Judge(context, settings_).JudgeTypedSql(text);
}

}  // namespace glasstty::gate
