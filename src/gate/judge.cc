#include "gate/judge.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "gate/rules.h"
#include "gate/sql.h"
#include "support/encodings.h"
#include "support/text.h"

namespace glasstty {
namespace {

// What a message shows of a command. Bytes: one line and a half of a terminal,
// enough to know the command again.
constexpr size_t kMaxShown = 120;
// A note is a remark in a reply and not a report.
constexpr size_t kMaxNotes = 3;
// Programs that write what they fetch to stdout, at least by an option.
constexpr char kDownloaders[] =
    "curl wget wget2 aria2c http fetch lynx nc ncat";
// git's own options that take their value from the next word (git(1),
// "OPTIONS"); the long ones may also have it behind '='.
constexpr char kGitValues[] =
    "-C -c --git-dir --work-tree --namespace --config-env --super-prefix "
    "--attr-source";

// A message is one line of a reply; the rest of a long command adds nothing.
std::string Cut(std::string_view text) {
  std::string clean = CleanText(text, kMaxShown + 1);
  std::string head(Utf8Prefix(clean, kMaxShown));
  return head + (head.size() < clean.size() ? "..." : "");
}

// Any program that is asked for its help does nothing else. Alone: with more
// arguments ("--help" as a file's name) the rules decide.
bool AsksForHelp(const std::vector<Word>& words) {
  return words.size() == 2 &&
         (words[1].text == "--help" || words[1].text == "--version");
}

// "git -C dir -c a=b push" without what stands before "push".
void DropGitOptions(std::vector<Word>* words) {
  size_t i = 1;
  while (i < words->size() && (*words)[i].text.starts_with("-")) {
    i += HasName(kGitValues, (*words)[i].text) ? 2 : 1;
  }
  i = std::min(i, words->size());
  words->erase(words->begin() + 1, words->begin() + static_cast<long>(i));
}

// What echo and printf print, but for their escapes: only a newline can begin
// another command.
Piped Printed(const std::vector<Word>& words, bool skips_options) {
  std::string text;
  for (size_t i = 1; i < words.size(); ++i) {
    if (!words[i].IsKnown()) return Piped::Unknown(words[i].downloads);
    const std::string& word = words[i].text;
    bool option =
        skips_options ? word.starts_with("-") : word == "-n" || word == "-e";
    if (!option) text += (text.empty() ? "" : " ") + word;
  }
  for (size_t at = text.find("\\n"); at != text.npos; at = text.find("\\n")) {
    text.replace(at, 2, "\n");
  }
  return Piped::Known(text + "\n");
}

}  // namespace

std::string TextOf(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) text += (text.empty() ? "" : " ") + word.text;
  return text;
}

Judge::Judge(PathContext place, const std::vector<Pattern>* patterns,
             bool strict)
    : patterns_(patterns),
      strict_(strict),
      run_([this](SimpleCommand* command) { return Run(command); }) {
  if (!place.home.empty()) {
    state_.variables["HOME"].word = Word::Literal(place.home);
  }
  if (!place.directory.empty()) {
    state_.variables["PWD"].word = Word::Literal(place.directory);
  }
  // Splits a word in two: rm$IFS-rf.
  state_.variables["IFS"].word.Append(" ", Mark::kLive);
  state_.place = std::move(place);
}

// What a shell reads on stdin is the terminal, so nothing is piped in.
void Judge::JudgeText(std::string_view text) {
  ShellWalk walk(text, &state_, &run_);
  walk.Walk({});
  unfinished_ = walk.unfinished();
  if (state_.too_deep) Note("it is nested too deep");
  if (state_.fork_bomb.empty()) return;
  Find("fork-bomb", state_.fork_bomb + "()",
       "starts itself again and again until the machine stands still");
}

// The variables and the directory of the outer text hold in it, as a child
// shell inherits them where they are exported; taking all is on the safe side.
// Whether it ends in an open quote says nothing about the outer text.
void Judge::JudgeNested(std::string_view text, bool notes) {
  bool unfinished = unfinished_;
  std::vector<std::string> unknown = unknown_;
  JudgeText(text);
  unfinished_ = unfinished;
  if (!notes) unknown_ = std::move(unknown);
}

// No shell reads them: stars, tildes and dollars stand for themselves.
void Judge::JudgeArguments(const std::vector<std::string>& argv) {
  Words words;
  for (const std::string& word : argv) words.push_back(Word::Literal(word));
  JudgeWords(words, {});
}

void Judge::JudgeStatements(std::string_view text, bool open) {
  SqlScript script = JudgeSql(text, open ? SqlEnd::kOpen : SqlEnd::kComplete);
  unfinished_ = open && script.unfinished;
  if (script.finding) {
    Find(script.finding->rule, script.finding->what, script.finding->why);
  }
  for (const std::string& statement : script.statements) {
    FindPattern(statement, statement);
  }
  for (const std::string& line : script.shell_lines) JudgeNested(line);
}

// Appending to a file of the system adds a line, which is how it is meant to be
// edited; a disk has no end to append to.
Piped Judge::Run(SimpleCommand* command) {
  for (const Redirect& redirect : command->redirects) {
    PathKind kind = ClassifyPath(redirect.target, state_.place);
    bool appends = redirect.op.find(">>") != std::string::npos;
    if (kind == PathKind::kDevice ||
        (kind == PathKind::kSystemFile && !appends)) {
      Find("redirect", redirect.op + " " + redirect.target.text,
           "overwrites a disk or a file that the system needs");
    }
  }
  return JudgeWords(command->words, command->input);
}

// Wrappers first, then the programs that run others, then the rules. A pattern
// of the user is tried with the wrappers and without: "^rm" and "^sudo" both
// work.
Piped Judge::JudgeWords(const Words& whole, const Piped& input) {
  bool takes_input = false;
  Words words = Unwrap(whole, &takes_input);
  if (words.empty()) return {};
  // "echo / | xargs rm -rf". xargs knows quotes but no operators (xargs(1)).
  if (takes_input && input.kind == Piped::Kind::kKnown) {
    ShellWalk::Run add = [&words](SimpleCommand* command) {
      for (const Word& word : command->words) {
        words.push_back(Word::Literal(word.text));
      }
      return Piped();
    };
    ShellWalk(input.text, &state_, &add).Walk({});
  }
  FindPattern(TextOf(words), TextOf(whole));
  FindPattern(TextOf(whole), TextOf(whole));
  if (words[0].downloads) FindDownload(whole);
  if (!words[0].IsKnown()) {
    Note(absl::StrFormat("what '%s' is", Cut(words[0].text)));
    return Piped::Unknown(input.downloads);
  }
  std::string program = BaseName(words[0].text);
  if (AsksForHelp(words)) return Piped::Unknown();
  for (const RunnerRow* row = kRunners; row->programs != nullptr; ++row) {
    if (!HasName(row->programs, program)) continue;
    if ((this->*row->run)(words, input)) {
      return Piped::Unknown(input.downloads);
    }
  }
  FollowDirectory(words);
  JudgeByRules(program, words, whole);
  return OutputOf(program, words, input);
}

void Judge::JudgeByRules(std::string_view program, Words words,
                         const Words& whole) {
  if (program == "git") DropGitOptions(&words);
  std::string line = ArgumentLine(words, state_.place);
  const Rule* rule = FindRule(program, line, strict_);
  if (rule != nullptr) Find(rule->name, TextOf(whole), rule->why);
  // This is for what no rule can see: "rm -r $DIR" is nothing to object to, but
  // in strict mode it is not known.
  bool deletes =
      program == "rm" && MatchesBuiltIn("( -[a-zA-Z]*[rR]| --r)", line);
  for (const Word& word : words) {
    if (!deletes || word.IsKnown()) continue;
    Note(absl::StrFormat("what 'rm -r' of '%s' deletes", Cut(word.text)));
  }
}

// What follows is judged in the new directory. Empty means "not known":
// relative paths are judged by their text alone from there on.
void Judge::FollowDirectory(const Words& words) {
  const std::string& program = words[0].text;
  if (program != "cd" && program != "pushd" && program != "popd") return;
  const std::string& home = state_.place.home;
  std::string* directory = &state_.place.directory;
  const Word target = words.size() > 1 ? words.back() : Word::Literal(home);
  std::string path = target.text;
  if (path.starts_with("~")) path = home.empty() ? "" : home + path.substr(1);
  bool resolved = path.starts_with("/") || !directory->empty();
  // The stack of directories is not kept.
  bool known = program != "popd" && target.IsKnown() && path != "-" &&
               !path.empty() && resolved;
  *directory = known ? NormalPath(path, *directory) : "";
  state_.variables.erase("PWD");
  if (known) state_.variables["PWD"].word = Word::Literal(*directory);
}

// Few programs are known well enough; they are those that hide a command.
Piped Judge::OutputOf(const std::string& program, const Words& words,
                      const Piped& input) const {
  bool downloads = input.downloads || HasName(kDownloaders, program);
  for (const Word& word : words) downloads |= word.downloads;
  Piped unknown = Piped::Unknown(downloads);
  if (program == "echo" || program == "printf") return Printed(words, false);
  // Both tell a path that ends like their argument.
  if (program == "which" || program == "command") return Printed(words, true);
  if (program == "pwd" && !state_.place.directory.empty()) {
    return Piped::Known(state_.place.directory + "\n");
  }
  bool reads_input = words.size() == 1 || words[1].text == "-";
  if (program == "tee" || (program == "cat" && reads_input)) {
    return input.kind == Piped::Kind::kNone ? unknown : input;
  }
  // The usual disguise of a command; other codings are not undone.
  if (program == "base64" && words.size() > 1 &&
      input.kind == Piped::Kind::kKnown) {
    auto bytes = DecodeBytes(input.text, Encoding::kBase64);
    if (bytes.ok()) return Piped::Known(*bytes);
  }
  return unknown;
}

void Judge::Find(std::string rule, std::string_view what, std::string why) {
  if (finding_) return;
  finding_ = GateFinding{std::move(rule), Cut(what), std::move(why)};
}

void Judge::FindDownload(const Words& words) {
  Find("download-run", TextOf(words), "runs what it fetches from the network");
}

void Judge::FindPattern(std::string_view text, std::string_view what) {
  for (const Pattern& pattern : *patterns_) {
    if (finding_ || !pattern.Find(text)) continue;
    Find("pattern", what,
         absl::StrFormat("matches the pattern '%s' of your settings",
                         pattern.source()));
  }
}

void Judge::Note(std::string what) {
  bool known =
      std::find(unknown_.begin(), unknown_.end(), what) != unknown_.end();
  if (!known && unknown_.size() < kMaxNotes)
    unknown_.push_back(std::move(what));
}

}  // namespace glasstty
