#include "gate/judge.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "gate/rules.h"
#include "gate/sql.h"
#include "support/encodings.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

// What a message shows of a command. Bytes: one line and a half of a terminal,
// enough to know the command again.
constexpr size_t kMaxShown = 120;
// A note is a remark in a reply and not a report.
constexpr size_t kMaxNotes = 3;
// The budget of a judgement. People nest a few texts; what is beyond it is made
// to take long.
constexpr size_t kMaxJobs = 200;
constexpr size_t kMaxBytes = 1 << 18;
// Longer text is data that is pasted, and judging it would delay other calls;
// its beginning is judged.
constexpr size_t kMaxJudged = 64 * 1024;

// "git -C dir -c a=b push" without what stands before "push".
Words WithoutGitOptions(const Words& words) {
  size_t i = 1;
  while (i < words.size() && words[i].text.starts_with("-")) {
    i += IsIn("git-value", words[i].text) ? 2 : 1;
  }
  Words rest = {words[0]};
  for (; i < words.size(); ++i) rest.push_back(words[i]);
  return rest;
}

// What echo and printf print, but for their escapes: only a newline can begin
// another command.
Piped Printed(const Words& words, bool skips_options) {
  Words printed;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    if (!words[i].IsKnown()) return Piped::Unknown(words[i].downloads);
    bool option =
        skips_options ? word.starts_with("-") : word == "-n" || word == "-e";
    if (!option) printed.push_back(words[i]);
  }
  std::string text = TextOf(printed);
  for (size_t at = text.find("\\n"); at != text.npos; at = text.find("\\n")) {
    text.replace(at, 2, "\n");
  }
  return Piped::Known(text + "\n");
}

// "-r", "-fR", "--recursive".
bool IsRecursive(const Words& words) {
  return std::any_of(words.begin(), words.end(), [](const Word& word) {
    bool letters = word.text.starts_with("-") && !word.text.starts_with("--");
    return word.text.starts_with("--r") ||
           (letters && word.text.find_first_of("rR") != std::string::npos);
  });
}

// ":(){ :|:& };:", with any name. What is longer is a script.
bool IsForkBomb(std::string_view text) {
  constexpr size_t kLongest = 1024;
  if (text.size() > kLongest) return false;
  static const auto* definition =
      new Pattern(*Pattern::Compile(R"([^\s;&|(){}]+[ \t]*\([ \t]*\)\s*\{)"));
  std::string tight;
  for (char c : text) tight.append(c == ' ' || c == '\t' ? 0 : 1, c);
  for (auto found = definition->Find(text, 0); found;
       found = definition->Find(text, found->end)) {
    std::string name(text.substr(found->begin));
    name.resize(name.find_first_of(" \t("));
    if (tight.find(name + "|" + name + "&") != tight.npos) return true;
  }
  return false;
}

}  // namespace

std::string CutForMessage(std::string_view text) {
  std::string clean = CleanText(text, kMaxShown + 1);
  std::string head(Utf8Prefix(clean, kMaxShown));
  return head + (head.size() < clean.size() ? "..." : "");
}

Judge::Judge(PathContext place, const std::vector<Pattern>* patterns,
             bool strict)
    : patterns_(patterns),
      strict_(strict),
      run_([this](SimpleCommand* command) {
        return JudgeWords(command->words, command->input);
      }) {
  auto set = [this](const char* name, const std::string& value) {
    if (!value.empty()) state_.variables[name].word = Word::Of(value);
  };
  set("HOME", place.home);
  set("PWD", place.directory);
  // Splits a word in two: rm$IFS-rf.
  state_.variables["IFS"].word = Word::Of(" ", Mark::kLive);
  state_.place = std::move(place);
}

Verdict Judge::JudgeText(std::string_view text) {
  verdict_.unfinished = ReadText({.text = std::string(Begin(text))});
  return Finish();
}

// No shell reads them: stars, tildes and dollars stand for themselves.
Verdict Judge::JudgeArguments(const std::vector<std::string>& argv) {
  Words words;
  for (const std::string& word : argv) words.push_back(Word::Of(word));
  JudgeWords(words, {});
  return Finish();
}

Verdict Judge::JudgeTypedSql(std::string_view text) {
  JudgeSql(Begin(text), false);
  return Finish();
}

// What is cut off may be anything: in strict mode that is an objection.
std::string_view Judge::Begin(std::string_view text) {
  if (text.size() > kMaxJudged) Note("what follows its first 64 KiB");
  return text.substr(0, kMaxJudged);
}

void Judge::Queue(Job job) {
  bytes_queued_ += job.text.size() + TextOf(job.words).size();
  if (++jobs_queued_ > kMaxJobs || bytes_queued_ > kMaxBytes) {
    state_.too_deep = true;
    return;
  }
  // A child shell begins where its parent is.
  job.directory = state_.place.directory;
  job.noted |= noted_;
  jobs_.push_back(std::move(job));
}

Verdict Judge::Finish() {
  for (; !jobs_.empty(); jobs_.pop_front()) {
    const Job& job = jobs_.front();
    noted_ = job.noted;
    state_.place.directory = job.directory;
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

// The variables of the outer text hold in it, as a child shell inherits them
// where they are exported; taking all is on the safe side.
bool Judge::ReadText(const Job& job) {
  if (IsForkBomb(job.text)) {
    Find("fork-bomb", job.text,
         "starts itself again and again until the machine stands still");
  }
  ShellReader reader(job.text, &state_, &run_);
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

void Judge::JudgeSql(std::string_view text, bool whole) {
  SqlScript script = SplitSql(text);
  if (!whole) verdict_.unfinished = script.unfinished;
  for (const std::string& statement : script.statements) {
    FindPattern(statement, statement);
    // What is still to come could be a WHERE.
    bool ends =
        whole || !script.unfinished || &statement != &script.statements.back();
    const Rule* rule = FindRule("sql", statement, strict_, ends);
    if (rule != nullptr) Find(rule->name, statement, rule->why);
  }
  for (std::string& line : script.shell_lines) QueueText(std::move(line));
}

// Wrappers first, then the programs that run others, then the rules. A pattern
// of the user is tried with the wrappers and without: "^rm" and "^sudo" both
// work.
Piped Judge::JudgeWords(const Words& whole, const Piped& input) {
  bool takes_input = false;
  Words words = Unwrap(whole, &takes_input);
  if (words.empty()) return {};
  // xargs knows quotes but no operators (xargs(1)).
  if (takes_input) {
    std::string line = input.text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    for (const std::string& word : Split(line, ' ')) {
      if (!word.empty()) words.push_back(Word::Of(word));
    }
  }
  FindPattern(TextOf(words), TextOf(whole));
  FindPattern(TextOf(whole), TextOf(whole));
  if (words[0].downloads) FindDownload(TextOf(whole));
  if (!words[0].IsKnown()) {
    Note(absl::StrFormat("what '%s' is", CutForMessage(words[0].text)));
    return Piped::Unknown(input.downloads);
  }
  // Any program that is asked for its help does nothing else. Alone: with more
  // arguments ("--help" as a file's name) the rules decide.
  if (words.size() == 2 &&
      (words[1].text == "--help" || words[1].text == "--version")) {
    return Piped::Unknown();
  }
  const std::string program = BaseName(words[0].text);
  for (const RunnerRow* row = kRunners; row->list != nullptr; ++row) {
    if (!IsIn(row->list, program)) continue;
    bool fetched = std::any_of(words.begin(), words.end(),
                               [](const Word& w) { return w.downloads; });
    if (row->takes_code && fetched) FindDownload(TextOf(words));
    (this->*row->run)(words, input);
    if (!row->asks_rules) return Piped::Unknown(input.downloads);
  }
  FollowDirectory(words);
  JudgeByRules(program, program == "git" ? WithoutGitOptions(words) : words,
               whole);
  return OutputOf(program, words, input);
}

void Judge::JudgeByRules(const std::string& program, const Words& words,
                         const Words& whole) {
  std::string line = ArgumentLine(words, state_.place);
  const Rule* rule = FindRule(program, line, strict_);
  if (rule != nullptr) Find(rule->name, TextOf(whole), rule->why);
  // What no rule can see: "rm -r $DIR" is nothing to object to, but in strict
  // mode it is not known.
  bool deletes = program == "rm" && IsRecursive(words);
  for (const Word& word : words) {
    if (!deletes || word.IsKnown()) continue;
    Note(absl::StrFormat("what 'rm -r' of '%s' deletes",
                         CutForMessage(word.text)));
  }
}

// What follows is judged in the new directory. Empty means "not known":
// relative paths are judged by their text alone from there on.
void Judge::FollowDirectory(const Words& words) {
  const std::string& program = words[0].text;
  if (program != "cd" && program != "pushd" && program != "popd") return;
  const std::string& home = state_.place.home;
  std::string* directory = &state_.place.directory;
  const Word target = words.size() > 1 ? words.back() : Word::Of(home);
  std::string path = target.text;
  if (path.starts_with("~")) path = home.empty() ? "" : home + path.substr(1);
  bool resolved = path.starts_with("/") || !directory->empty();
  // The stack of directories is not kept.
  bool known = program != "popd" && target.IsKnown() && path != "-" &&
               !path.empty() && resolved;
  *directory = known ? NormalPath(path, *directory) : "";
  state_.variables.erase("PWD");
  if (known) state_.variables["PWD"].word = Word::Of(*directory);
}

// Few programs are known well enough; they are those that hide a command.
Piped Judge::OutputOf(const std::string& program, const Words& words,
                      const Piped& input) const {
  bool downloads = input.downloads || IsIn("download", program);
  for (const Word& word : words) downloads |= word.downloads;
  if (program == "echo" || program == "printf") return Printed(words, false);
  // Both tell a path that ends like their argument.
  if (program == "which" || program == "command") return Printed(words, true);
  if (program == "pwd" && !state_.place.directory.empty()) {
    return Piped::Known(state_.place.directory + "\n");
  }
  bool reads_input = words.size() == 1 || words[1].text == "-";
  bool passes = program == "tee" || (program == "cat" && reads_input);
  if (passes && !input.text.empty()) return input;
  // The usual disguise of a command; other codings are not undone.
  if (program == "base64" && words.size() > 1) {
    auto bytes = DecodeBytes(input.text, Encoding::kBase64);
    if (bytes.ok()) return Piped::Known(*bytes);
  }
  return Piped::Unknown(downloads);
}

void Judge::Find(std::string rule, std::string_view what, std::string why) {
  if (verdict_.finding) return;
  verdict_.finding =
      Finding{std::move(rule), CutForMessage(what), std::move(why)};
}

void Judge::FindDownload(std::string_view what) {
  Find("download-run", what, "runs what it fetches from the network");
}

void Judge::FindPattern(std::string_view text, std::string_view what) {
  for (const Pattern& pattern : *patterns_) {
    if (verdict_.finding || !pattern.Find(text)) continue;
    Find("pattern", what,
         absl::StrFormat("matches the pattern '%s' of your settings",
                         pattern.source()));
  }
}

void Judge::Note(std::string what) {
  auto* unknown = &verdict_.unknown;
  bool known =
      std::find(unknown->begin(), unknown->end(), what) != unknown->end();
  if (noted_ || known || unknown->size() == kMaxNotes) return;
  unknown->push_back(std::move(what));
}

}  // namespace glasstty::gate
