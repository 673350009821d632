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

// The number of bytes of a command that a message shows, which is enough to
// recognize it.
constexpr size_t kMaxShown = 120;
// The maximum number of notes, which are only a remark in a reply.
constexpr size_t kMaxNotes = 3;
// The budget of a judgement. Commands that people write contain only a few
// nested ones (`sh -c`, `eval`, here-documents).
constexpr size_t kMaxJobs = 200;
constexpr size_t kMaxBytes = 1 << 18;
// Longer text is pasted data, and judging it would delay other calls.
constexpr size_t kMaxJudged = 64 * 1024;

// Returns what echo and printf print. Only `\n` of their escapes is decoded,
// because only a newline can begin a command.
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
  for (size_t at = text.find("\\n"); at != std::string::npos;
       at = text.find("\\n")) {
    text.replace(at, 2, "\n");
  }
  return Piped::Known(text + "\n");
}

// Recognizes "-r", "-fR", "--recursive".
bool IsRecursive(const Words& words) {
  return std::any_of(words.begin(), words.end(), [](const Word& word) {
    bool letters = word.text.starts_with("-") && !word.text.starts_with("--");
    return word.text.starts_with("--r") ||
           (letters && word.text.find_first_of("rR") != std::string::npos);
  });
}

// Recognizes ":(){ :|:& };:" with any name. Longer texts are scripts.
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

}  // namespace

std::string CutForMessage(std::string_view text) {
  std::string clean = CleanText(text, kMaxShown + 1);
  std::string head(Utf8Prefix(clean, kMaxShown));
  return head + (head.size() < clean.size() ? "..." : "");
}

Judge::Judge(PathContext place, const std::vector<Pattern>* patterns,
             bool strict, bool comments)
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
  // A use of IFS splits a word in two: rm$IFS-rf.
  state_.variables["IFS"].word = Word::Of(" ", Mark::kLive);
  state_.comments = comments;
  place.start = place.directory;
  state_.place = std::move(place);
}

Verdict Judge::JudgeText(std::string_view text) {
  verdict_.unfinished = ReadText({.text = std::string(Begin(text))});
  return Finish();
}

// No shell reads the arguments, so stars, tildes and dollars are ordinary.
Verdict Judge::JudgeArguments(const std::vector<std::string>& argv,
                              std::string input) {
  Words words;
  for (const std::string& word : argv) words.push_back(Word::Of(word));
  JudgeWords(words, Piped::Known(std::move(input)));
  return Finish();
}

Verdict Judge::JudgeTypedSql(std::string_view text) {
  SqlScript script = SplitSql(Begin(text));
  verdict_.unfinished = script.unfinished;
  for (const std::string& statement : script.statements) {
    bool is_last = &statement == &script.statements.back();
    JudgeStatement(statement, !is_last || !script.unfinished);
  }
  for (std::string& line : script.shell_lines) Queue({.text = std::move(line)});
  return Finish();
}

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
  // A child shell begins in the directory of its parent.
  job.place = state_.place;
  job.noted |= noted_;
  jobs_.push_back(std::move(job));
}

Verdict Judge::Finish() {
  for (; !jobs_.empty(); jobs_.pop_front()) {
    const Job& job = jobs_.front();
    noted_ = job.noted;
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

// Treats all variables of the outer text as exported, to be safe.
bool Judge::ReadText(const Job& job) {
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

void Judge::JudgeStatement(const std::string& statement, bool is_whole) {
  FindPattern(statement, statement);
  // The missing part could be a WHERE.
  const Rule* rule = FindRule("sql", statement, strict_, is_whole);
  if (rule != nullptr) Find(rule->name, statement, rule->why);
}

// The user's patterns are tried with and without the wrappers, so both "^rm"
// and "^sudo" work.
Piped Judge::JudgeWords(const Words& whole, const Piped& input) {
  bool takes_input = false;
  Words words = Unwrap(whole, &takes_input);
  if (words.empty()) return {};
  // xargs splits its input at blanks and knows no operators (xargs(1)).
  if (takes_input) {
    std::string line = input.text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    for (const std::string& word : Split(line, ' ')) {
      if (!word.empty()) words.push_back(Word::Of(word, Mark::kLive));
    }
  }
  FindPattern(TextOf(words), TextOf(whole));
  FindPattern(TextOf(whole), TextOf(whole));
  if (words[0].downloads) FindDownload(TextOf(whole));
  if (!words[0].IsKnown()) {
    Note(absl::StrFormat("what '%s' is", CutForMessage(words[0].text)));
    return Piped::Unknown(input.downloads);
  }
  const std::string program = BaseName(words[0].text);
  IsIn("find", program) ? JudgeFind(words) : JudgeStarts(words, input);
  FollowDirectory(words);
  JudgeByRules(program, words, whole);
  return OutputOf(program, words, input);
}

void Judge::JudgeStarts(const Words& words, const Piped& input) {
  Starts starts = StartsOf(words, input);
  const std::string& name = words[0].text;
  bool fetched = std::any_of(words.begin(), words.end(),
                             [](const Word& w) { return w.downloads; });
  if (starts.takes_code && fetched) FindDownload(TextOf(words));
  if (starts.runs_input && input.downloads) FindDownload("... | " + name);
  if (starts.runs_input && starts.unknown) Note("what is piped into " + name);
  for (const std::string& text : starts.statements) {
    for (const std::string& statement : SplitSql(text).statements) {
      JudgeStatement(statement, true);
    }
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
           .noted = !started.known});
  }
}

// Without a filter, treats `find -delete` as `rm -r` of the directory in which
// it begins (by default the current one).
void Judge::JudgeFind(const Words& words) {
  FindCall call = ReadFindCall(words, state_.place);
  // In a system directory given as an absolute path, even a few files are too
  // many.
  PathKind kind = ClassifyPath(call.root, state_.place);
  bool all =
      !call.filters || (kind == PathKind::kSystem && call.root.text[0] == '/');
  if (call.deletes && all && kind != PathKind::kOther) {
    Find("find-delete", "find " + call.root.text + " ... -delete",
         "deletes all that it finds in a system directory, a home or here");
  }
  // Without a filter, the command is judged as if it got the root itself,
  // because it gets everything in the root. With a filter it gets some unknown
  // names, and at least one.
  const Word found = all ? call.root : Word::Of("{}", Mark::kNonEmpty);
  for (Started& command : call.commands) {
    for (Word& word : command.words) {
      if (word.text == "{}") word = found;
    }
    Queue({.words = std::move(command.words)});
  }
}

void Judge::JudgeByRules(const std::string& program, const Words& words,
                         const Words& whole) {
  if (!IsIn("ruled", program)) return;
  std::string line = ArgumentLine(words, state_.place);
  const Rule* rule = FindRule(program, line, strict_);
  if (rule != nullptr) Find(rule->name, TextOf(whole), rule->why);
  // "rm -r $DIR" is not a finding, but strict mode treats it as unknown.
  bool deletes = program == "rm" && IsRecursive(words);
  for (const Word& word : words) {
    if (!deletes || word.IsKnown()) continue;
    Note(absl::StrFormat("what 'rm -r' of '%s' deletes",
                         CutForMessage(word.text)));
  }
}

// While the directory is unknown, relative paths are judged by their text.
void Judge::FollowDirectory(const Words& words) {
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
  const std::string below = *directory + "/", start = state_.place.start + "/";
  bool relative = target.IsKnown() && path.find("..") == std::string::npos &&
                  path.find_first_not_of("-./") == 0;
  state_.place.entered = known ? !start.starts_with(below) : relative;
  state_.variables.erase("PWD");
  if (known) state_.variables["PWD"].word = Word::Of(*directory);
}

// Returns the output of a program, if it is known beforehand, because it may
// contain a command.
Piped Judge::OutputOf(const std::string& program, const Words& words,
                      const Piped& input) const {
  bool downloads = IsIn("download", program);
  // Downloads of well-known installers, which are meant to be run directly, do
  // not count.
  for (const Word& word : words) {
    std::vector<std::string> parts = Split(word.text, '/');
    downloads &= parts.size() < 3 || parts[0] != "https:" ||
                 !IsIn("installer", parts[2]);
  }
  downloads |= input.downloads;
  for (const Word& word : words) downloads |= word.downloads;
  if (program == "echo" || program == "printf") return Printed(words, false);
  // Both print a path that ends like their argument.
  if (program == "which" || program == "command") return Printed(words, true);
  if (program == "pwd" && !state_.place.directory.empty()) {
    return Piped::Known(state_.place.directory + "\n");
  }
  if (program == "mktemp") return Piped::Known("/tmp/tmp.XXXXXXXXXX\n");
  bool filters = std::any_of(words.begin(), words.end(), [](const Word& word) {
    return IsIn("find-filter", word.text);
  });
  if (IsIn("lister", program) && !filters) {
    auto name = std::find_if(words.begin() + 1, words.end(),
                             [](const Word& word) { return !IsOption(word); });
    return Piped::Known(name == words.end() ? "*" : name->text);
  }
  bool reads_input = words.size() == 1 || words[1].text == "-";
  bool passes = program == "tee" || (program == "cat" && reads_input);
  if (passes && !input.text.empty()) return input;
  // base64 is the usual disguise of a command; other encodings are not decoded.
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
