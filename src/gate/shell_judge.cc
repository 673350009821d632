#include "gate/shell_judge.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "gate/rules.h"
#include "gate/shell_parser.h"
#include "gate/sql.h"
#include "support/encodings.h"
#include "support/text.h"

namespace glasstty {
namespace {

// What a message shows of a command. Bytes: one line and a half of a terminal,
// enough to know the command again.
constexpr size_t kMaxShown = 120;

// As a person would read it: without quotes, one blank between words.
std::string Show(const std::vector<ShellWord>& words) {
  std::string text;
  for (const ShellWord& word : words) {
    text += (text.empty() ? "" : " ") + word.text;
  }
  return text;
}

// A message is one line in a reply; the rest of a long command adds nothing.
std::string Cut(std::string_view text) {
  std::string clean = CleanText(text, kMaxShown + 1);
  std::string head(Utf8Prefix(clean, kMaxShown));
  return head + (head.size() < clean.size() ? "..." : "");
}

// Any program that is asked for its help does nothing else. Alone: with more
// arguments ("--help" as a file's name) the rules decide.
bool Asks(const std::vector<ShellWord>& words) {
  return words.size() == 2 &&
         (words[1].text == "--help" || words[1].text == "--version");
}

// git's own options that take their value from the next word (git(1),
// "OPTIONS"); the long ones may also have it behind '='.
constexpr std::string_view kGitValues[] = {
    "-C",          "-c",           "--git-dir",      "--work-tree",
    "--namespace", "--config-env", "--super-prefix", "--attr-source"};

// "git -C dir -c a=b push" without what stands before "push".
void DropGitOptions(std::vector<ShellWord>* words) {
  size_t i = 1;
  while (i < words->size() && (*words)[i].text.starts_with("-")) {
    bool takes = std::find(std::begin(kGitValues), std::end(kGitValues),
                           (*words)[i].text) != std::end(kGitValues);
    i += takes ? 2 : 1;
  }
  i = std::min(i, words->size());
  words->erase(words->begin() + 1, words->begin() + static_cast<long>(i));
}

}  // namespace

ShellJudge::ShellJudge(PathContext context,
                       const std::vector<Pattern>* patterns, bool strict)
    : context_(std::move(context)), patterns_(patterns), strict_(strict) {
  auto set = [this](const char* name, const std::string& value) {
    if (!value.empty()) variables_[name].word = LiteralWord(value);
  };
  set("HOME", context_.home);
  set("PWD", context_.directory);
  // Splits a word in two: rm$IFS-rf.
  variables_["IFS"].word.Append(" ", ByteMark::kLive);
}

// In a nested call the variables and the directory of the outer text hold, as a
// child shell inherits them where they are exported; taking all is on the safe
// side.
void ShellJudge::JudgeText(std::string_view text) {
  ShellScript script = ParseShell(text, &variables_);
  unfinished_ = script.unfinished;
  if (script.too_deep) Note("it is nested too deep");
  // What a shell reads on stdin is the terminal, so nothing is piped in.
  JudgePipelines(script.pipelines, {});
}

// No shell reads them: stars, tildes and dollars stand for themselves.
void ShellJudge::JudgeArguments(const std::vector<std::string>& argv) {
  Words words;
  for (const std::string& word : argv) words.push_back(LiteralWord(word));
  JudgeWords(std::move(words), {});
}

// One pattern of the user is enough, and the built-in rules come first, for
// their words say more.
void ShellJudge::JudgeStatements(std::string_view text, bool open) {
  SqlScript script = JudgeSql(text, open ? SqlEnd::kOpen : SqlEnd::kComplete);
  unfinished_ = open && script.unfinished;
  if (script.finding) {
    Find(script.finding->rule, script.finding->what, script.finding->why);
  }
  for (const std::string& statement : script.statements) {
    for (const Pattern& pattern : *patterns_) {
      if (!pattern.Find(statement)) continue;
      Find("pattern", statement,
           absl::StrFormat("matches the pattern '%s' of your settings",
                           pattern.source()));
    }
  }
  for (const std::string& line : script.shell_lines) JudgeNested(line);
}

// The text of a shell within is complete: whether it ends in an open quote says
// nothing about the outer one.
void ShellJudge::JudgeNested(std::string_view text, bool notes) {
  if (nesting_ >= kMaxNesting) {
    Note("it is nested too deep");
    return;
  }
  ++nesting_;
  bool unfinished = unfinished_;
  std::vector<std::string> unknown = unknown_;
  JudgeText(text);
  unfinished_ = unfinished;
  if (!notes) unknown_ = std::move(unknown);
  --nesting_;
}

// In the order of the text, so that a `cd` counts for what follows. Whether
// "&&" or "||" would run the right side is not asked.
void ShellJudge::JudgePipelines(const std::vector<ShellPipeline>& pipelines,
                                const PipedInput& input) {
  for (const ShellPipeline& pipeline : pipelines) {
    PipedInput passed = input;
    for (const ShellStage& stage : pipeline.stages) {
      JudgeStage(stage, passed);
      passed = OutputOf(stage, passed);
    }
  }
}

namespace {

// `input`, unless "<" gives the stage another one.
PipedInput RedirectedInput(const ShellStage& stage, PipedInput input) {
  for (const Redirect& redirect : stage.redirects) {
    if (redirect.op != "<") continue;
    // "< <(curl x)" is a download too: the target is the substitution's word.
    input = {PipedInput::Kind::kUnknown, "", redirect.target.downloads};
  }
  return input;
}

}  // namespace

// Substitutions run before the command that they are part of.
void ShellJudge::JudgeStage(const ShellStage& stage, const PipedInput& input) {
  PipedInput own = input;
  if (stage.here != nullptr) {
    own = {PipedInput::Kind::kKnown, stage.here->text, false};
    JudgePipelines(stage.here->substitutions, {});
  }
  own = RedirectedInput(stage, own);
  JudgePipelines(stage.substitutions, {});
  JudgeRedirects(stage);
  if (!stage.function.empty()) JudgeFunction(stage);
  if (!stage.body.empty()) {
    // Only ( ) is a process of its own (POSIX, "Grouping Commands"): what a { }
    // or a function changes stays changed.
    std::string directory = context_.directory;
    JudgePipelines(stage.body, own);
    if (stage.subshell) context_.directory = directory;
  }
  if (!stage.words.empty()) JudgeWords(stage.words, own);
}

// Appending to a file of the system adds a line, which is how it is meant to be
// edited; a disk has no end to append to.
void ShellJudge::JudgeRedirects(const ShellStage& stage) {
  for (const Redirect& redirect : stage.redirects) {
    if (redirect.op.find('>') == std::string::npos) continue;
    PathKind kind = ClassifyPath(redirect.target, context_);
    bool appends = redirect.op.find(">>") != std::string::npos;
    if (kind == PathKind::kDevice ||
        (kind == PathKind::kSystemFile && !appends)) {
      Find("redirect", redirect.op + " " + redirect.target.text,
           "overwrites a disk or a file that the system needs");
    }
  }
}

// One that starts itself twice never ends: ":(){ :|:& };:".
void ShellJudge::JudgeFunction(const ShellStage& stage) {
  // A stack of the bodies that are still to be looked at: groups nest, and the
  // call may stand in any of them.
  std::vector<const std::vector<ShellPipeline>*> left = {&stage.body};
  while (!left.empty()) {
    const auto* pipelines = left.back();
    left.pop_back();
    for (const ShellPipeline& pipeline : *pipelines) {
      int calls = 0;
      for (const ShellStage& inner : pipeline.stages) {
        if (!inner.body.empty()) left.push_back(&inner.body);
        bool own =
            !inner.words.empty() && inner.words[0].text == stage.function;
        if (own) ++calls;
      }
      // One call in the foreground is ordinary recursion, which ends by itself
      // or with the shell's stack.
      if (calls > 1 || (calls == 1 && pipeline.background)) {
        Find("fork-bomb", stage.function + "()",
             "starts itself again and again until the machine stands still");
      }
    }
  }
}

// Wrappers first, then the programs that run others, then the rules. A pattern
// of the user is tried with the wrappers and without: "^rm" and "^sudo" both
// work.
void ShellJudge::JudgeWords(Words words, const PipedInput& input) {
  bool takes_input = false;
  Words whole = words;
  words = Unwrap(std::move(words), &takes_input);
  if (words.empty()) return;
  // "echo / | xargs rm -rf": the words come through the pipe.
  if (takes_input && input.kind == PipedInput::Kind::kKnown) {
    ShellScript more = ParseShell(input.text, &variables_);
    for (const ShellPipeline& pipeline : more.pipelines) {
      // By and large: xargs knows quotes but no operators (xargs(1)), so
      // arguments behind one are missed.
      for (const ShellWord& word : pipeline.stages[0].words) {
        words.push_back(LiteralWord(word.text));
      }
    }
  }
  for (const Pattern& pattern : *patterns_) {
    if (!pattern.Find(Show(words)) && !pattern.Find(Show(whole))) continue;
    Find("pattern", Show(whole),
         absl::StrFormat("matches the pattern '%s' of your settings",
                         pattern.source()));
  }
  if (words[0].downloads) {
    Find("download-run", Show(whole), "runs what it fetches from the network");
  }
  if (!words[0].IsKnown()) {
    Note(absl::StrFormat("what '%s' is", Cut(words[0].text)));
    return;
  }
  std::string program = BaseName(words[0].text);
  // Runners come before the directory is followed and before the rules, for
  // they judge what they start by themselves.
  if (Asks(words) || JudgeRunner(program, words, input)) return;
  FollowDirectory(words);
  if (program == "git") DropGitOptions(&words);
  std::string line = ArgumentLine(words, context_);
  const Rule* rule = FindRule(program, line, strict_);
  if (rule != nullptr) Find(rule->name, Show(whole), rule->why);
  // A rule that holds has named the harm already; this is for what no rule can
  // see: "rm -r $DIR" is nothing to object to, but in strict mode it is not
  // known.
  bool deletes =
      program == "rm" && MatchesBuiltIn("( -[a-zA-Z]*[rR]| --r)", line);
  for (const ShellWord& word : words) {
    if (!deletes || word.IsKnown()) continue;
    Note(absl::StrFormat("what 'rm -r' of '%s' deletes", Cut(word.text)));
  }
}

// What follows is judged in the new directory.
void ShellJudge::FollowDirectory(const Words& words) {
  const std::string program = words[0].text;
  // The stack of directories is not kept. Empty means "not known", so relative
  // paths are judged by their text alone from here on.
  if (program == "popd") context_.directory.clear();
  if (program != "cd" && program != "pushd") return;
  ShellWord target =
      words.size() > 1 ? words.back() : LiteralWord(context_.home);
  bool at_home = words.size() == 1 || target.text.starts_with("~");
  if (at_home && context_.home.empty()) {
    context_.directory.clear();
  } else if (!target.IsKnown() || target.text == "-") {
    context_.directory.clear();
  } else {
    std::string path = target.text;
    if (path.starts_with("~")) path = context_.home + path.substr(1);
    bool known = path.starts_with("/") || !context_.directory.empty();
    context_.directory =
        known ? NormalPath(path, context_.directory) : std::string();
  }
  if (context_.directory.empty()) {
    variables_.erase("PWD");
  } else {
    variables_["PWD"].word = LiteralWord(context_.directory);
  }
}

// What a stage of a pipe hands on.
PipedInput ShellJudge::OutputOf(const ShellStage& stage,
                                const PipedInput& input) {
  PipedInput output{PipedInput::Kind::kUnknown, "", input.downloads};
  if (!stage.body.empty()) {
    output.downloads |= Downloads(stage.body);
    const auto& last = stage.body.back();
    // Of a group with several commands the output is a mixture; only what may
    // have been fetched is still known.
    bool single = stage.body.size() == 1 && last.stages.size() == 1;
    return single ? OutputOf(last.stages[0], input) : output;
  }
  bool unused = false;
  Words words = Unwrap(stage.words, &unused);
  if (words.empty()) return output;
  std::string program = BaseName(words[0].text);
  if (IsDownloader(program)) output.downloads = true;
  PipedInput own = input;
  if (stage.here != nullptr) {
    own = {PipedInput::Kind::kKnown, stage.here->text, false};
  }
  own = RedirectedInput(stage, own);
  if (program == "cat" || program == "tee") {
    bool passes = program == "tee" || words.size() == 1 || words[1].text == "-";
    return passes ? own : output;
  }
  if (program == "echo" || program == "printf") {
    ShellPipeline alone;
    alone.stages.push_back(stage);
    alone.stages[0].words = words;
    alone.stages[0].redirects.clear();
    ShellWord text;
    std::vector<ShellPipeline> one(1, std::move(alone));
    if (!KnownOutput(one, variables_, &text)) return output;
    // "\n" of printf and of echo -e.
    std::string shown;
    // Other escapes are left as they are; only a newline can begin another
    // command.
    for (size_t i = 0; i < text.text.size(); ++i) {
      bool newline = text.text.compare(i, 2, "\\n") == 0;
      shown += newline ? '\n' : text.text[i];
      if (newline) ++i;
    }
    return {PipedInput::Kind::kKnown, shown, output.downloads};
  }
  // The usual disguise of a command; other codings are not undone.
  bool decodes = program == "base64" && words.size() > 1 &&
                 own.kind == PipedInput::Kind::kKnown;
  if (decodes) {
    auto bytes = DecodeBytes(own.text, Encoding::kBase64);
    if (bytes.ok()) return {PipedInput::Kind::kKnown, *bytes, false};
  }
  return output;
}

// The first one counts: a message names one thing.
void ShellJudge::Find(std::string rule, std::string what, std::string why) {
  if (finding_) return;
  finding_ = GateFinding{std::move(rule), Cut(what), std::move(why)};
}

// Few: a note is a remark in a reply and not a report.
void ShellJudge::Note(std::string what) {
  constexpr size_t kMost = 3;
  bool known =
      std::find(unknown_.begin(), unknown_.end(), what) != unknown_.end();
  if (!known && unknown_.size() < kMost) unknown_.push_back(std::move(what));
}

}  // namespace glasstty
