// Programs that run what they are told: shells, interpreters, clients of
// databases, find, ssh, containers. A row each in the table at the end.
#include <algorithm>
#include <iterator>

#include "absl/strings/str_format.h"
#include "gate/judge.h"
#include "gate/rules.h"
#include "gate/sql.h"
#include "support/text.h"

namespace glasstty {
namespace {

// A login shell is called "-bash".
constexpr char kShells[] =
    "sh bash dash zsh ksh ash mksh fish csh tcsh rbash yash pwsh -sh -bash "
    "-dash -zsh -ksh -ash -fish";
// Options of ssh(1) with an argument of their own, and those of watch(1) that
// have one and mean nothing of the kind to ssh.
constexpr std::string_view kSshValues = "BbcDEeFIiJLlmOopQRSWw";
constexpr std::string_view kWatchValues = "nq";
// Arguments of find that select, so that it is not about everything. -type and
// the depths are absent: they leave nearly everything.
constexpr char kFilters[] =
    "-name -iname -path -ipath -regex -iregex -size -empty -mtime -mmin -atime "
    "-amin -ctime -cmin -newer -user -group -perm -inum -xtype -lname "
    "-wholename -samefile -nouser -nogroup";

// "+x" is one of shells: set +x, date +%s.
bool IsOption(const Word& word) {
  return word.text.size() > 1 && (word.text[0] == '-' || word.text[0] == '+');
}

// Strings in a program's text: they may be commands for system() and the like.
// Escapes are not undone and quotes do not nest: an approximation for a dozen
// languages at once.
std::vector<std::string> StringsIn(const std::string& code) {
  std::vector<std::string> strings;
  size_t at = code.find_first_of("\"'`");
  while (at != std::string::npos) {
    size_t end = code.find(code[at], at + 1);
    if (end == std::string::npos) break;
    strings.push_back(code.substr(at + 1, end - at - 1));
    at = code.find_first_of("\"'`", end + 1);
  }
  return strings;
}

// How `find` was asked, as far as harm goes.
struct FindPlan {
  // Where it looks; the directory it runs in when nothing is named (GNU find).
  std::vector<Word> roots;
  bool filters = false;
  bool deletes = false;
  // Behind -exec; empty: there is none.
  std::vector<Word> command;
};

FindPlan PlanOf(const std::vector<Word>& words) {
  FindPlan plan;
  size_t i = 1;
  while (i < words.size() && HasName("-H -L -P", words[i].text)) ++i;
  for (; i < words.size() && !IsOption(words[i]) &&
         !HasName("( !", words[i].text);
       ++i) {
    plan.roots.push_back(words[i]);
  }
  if (plan.roots.empty()) {
    plan.roots.emplace_back();
    plan.roots[0].Append(".", Mark::kLive);
  }
  for (; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    // "! -name x" finds nearly everything.
    bool negated = HasName("! -not", words[i - 1].text);
    plan.filters |= HasName(kFilters, text) && !negated;
    plan.deletes |= text == "-delete";
    // -x and -X are those of fd(1).
    if (!HasName("-exec -execdir -ok -x -X", text)) continue;
    for (++i; i < words.size() && !HasName("; +", words[i].text); ++i) {
      plan.command.push_back(words[i]);
    }
  }
  return plan;
}

}  // namespace

// sh -c LINE, sh FILE, or what comes on stdin.
bool Judge::RunShell(const Words& words, const Piped& input) {
  // The argument that follows is the text of -c.
  bool line = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (words[i].downloads) FindDownload(words);
    if (line) {
      bool known = words[i].IsKnown();
      if (!known) Note("what " + words[0].text + " -c runs");
      JudgeNested(text, known);
      return true;
    }
    if (HasName("-s -- -", text)) continue;
    // A file, which is not read.
    if (!IsOption(words[i])) return true;
    // "-lc", "-exc": letters together; bash also has long options.
    bool cluster = text[1] != '-';
    line =
        text == "--command" || (cluster && text.find('c') != std::string::npos);
    // "-o pipefail" and bash's "-O extglob" take the next word.
    if (cluster && !line && (text.back() == 'o' || text.back() == 'O')) ++i;
  }
  if (input.downloads) {
    Find("download-run", "... | " + words[0].text,
         "runs what it fetches from the network");
  }
  if (input.kind == Piped::Kind::kKnown) JudgeNested(input.text);
  if (input.kind == Piped::Kind::kUnknown) {
    Note("what is piped into " + words[0].text);
  }
  return true;
}

// python -c CODE: the strings in it, if it can hand them to a shell.
bool Judge::RunInterpreter(const Words& words, const Piped& input) {
  bool reads_input = true;
  bool awk = BaseName(words[0].text).find("awk") != std::string::npos;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (words[i].downloads) FindDownload(words);
    if (text != "-") reads_input = false;
    bool starts_programs = MatchesBuiltIn(
        "(system|exec|popen|subprocess|spawn|execSync|`|%x)", text);
    // The first operand of an interpreter is a file's name and not code; that
    // of awk is its program.
    bool file = !awk && i == 1 && !IsOption(words[i]);
    if (!starts_programs || file) continue;
    for (const std::string& string : StringsIn(text)) JudgeNested(string);
  }
  if (reads_input && input.downloads) {
    Find("download-run", "... | " + words[0].text,
         "runs what it fetches from the network");
  }
  return true;
}

// Every argument with a blank may be a statement: the names of the options
// differ from client to client, and a statement without a blank does nothing.
bool Judge::RunSqlClient(const Words& words, const Piped& input) {
  bool unfinished = unfinished_;
  for (size_t i = 1; i < words.size(); ++i) {
    std::string text = words[i].text;
    size_t blank = text.find(' ');
    if (blank == std::string::npos) continue;
    // "--command=DROP TABLE x" and "-eDROP TABLE x".
    size_t option =
        text.starts_with("--") ? text.find('=') + 1 : (text[0] == '-' ? 2 : 0);
    JudgeStatements(text.substr(option <= blank ? option : 0), false);
  }
  if (input.kind == Piped::Kind::kKnown) JudgeStatements(input.text, false);
  unfinished_ = unfinished;
  return true;
}

// As rm -r of where it looks, when nothing limits what it finds.
// A command is judged for each root that it may get. Where that are many, or
// finds run each other, which would take time by a power of their depth, it is
// judged once, as it is written.
bool Judge::RunFind(const Words& words, const Piped&) {
  constexpr int kDeepest = 2;
  constexpr size_t kMostRoots = 20;
  FindPlan plan = PlanOf(words);
  bool once = finds_ >= kDeepest || plan.roots.size() > kMostRoots;
  ++finds_;
  if (once) JudgeWords(plan.command, {});
  for (const Word& root : plan.roots) {
    PathKind kind = ClassifyPath(root, state_.place);
    // In a system directory even few files are too many.
    bool all = !plan.filters || kind == PathKind::kSystem;
    if (plan.deletes && all && kind != PathKind::kOther) {
      Find("find-delete", "find " + root.text + " ... -delete",
           "deletes all that it finds in a system directory, a home or here");
    }
    if (once) continue;
    Words command = plan.command;
    for (Word& word : command) {
      if (word.text != "{}") continue;
      // As if the command got the root itself, since it gets all that is in
      // there. With a filter it gets some names that are not known, and at
      // least one.
      word = all ? root : Word();
      if (!all) word.Append("{}", Mark::kNonEmpty);
    }
    JudgeWords(command, {});
  }
  --finds_;
  return true;
}

bool Judge::RunSource(const Words& words, const Piped&) {
  if (words.size() > 1 && words[1].downloads) FindDownload(words);
  return true;
}

// eval, ssh and watch join their arguments with blanks and read the line anew,
// so quotes are undone twice.
bool Judge::RunLine(const Words& words, const Piped& input) {
  const std::string program = BaseName(words[0].text);
  bool far = program != "eval" && program != "watch";
  std::string_view values = program == "watch" ? kWatchValues : kSshValues;
  size_t from = 1;
  while (program != "eval" && from < words.size() && IsOption(words[from])) {
    const std::string& text = words[from].text;
    bool takes =
        text.size() == 2 && values.find(text[1]) != std::string_view::npos;
    from += takes ? 2 : 1;
  }
  // The host.
  if (far) ++from;
  from = std::min(from, words.size());
  Words line(words.begin() + static_cast<long>(from), words.end());
  bool known = true;
  for (const Word& word : line) {
    if (word.downloads) FindDownload(words);
    known &= word.IsKnown();
  }
  if (!known) Note(absl::StrFormat("what %s runs", words[0].text));
  JudgeNested(TextOf(line), known);
  // Without a command there is a shell on the far side, and it reads stdin.
  if (far && line.empty() && input.kind == Piped::Kind::kKnown) {
    JudgeNested(input.text);
  }
  return true;
}

// trap LINE SIGNAL, alias NAME=LINE.
bool Judge::RunLater(const Words& words, const Piped&) {
  bool alias = words[0].text == "alias";
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    JudgeNested(text.substr(alias ? text.find('=') + 1 : 0));
  }
  return true;
}

// su -c LINE and the like. Their options differ too much to find -c: an
// argument with a blank in it is taken for the line. Without a blank it would
// be one program without arguments.
bool Judge::RunWithLine(const Words& words, const Piped&) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i].text.find(' ') == std::string::npos) continue;
    JudgeNested(words[i].text);
  }
  return true;
}

// "docker exec web sh -c LINE": from the shell on, for each client has options
// and operands of its own in front of the command. The client's own commands
// (docker rm) are for the rules.
bool Judge::RunContainer(const Words& words, const Piped& input) {
  auto shell = std::find_if(words.begin() + 1, words.end(), [](const Word& w) {
    return HasName(kShells, BaseName(w.text));
  });
  if (shell != words.end()) RunShell(Words(shell, words.end()), input);
  return false;
}

const Judge::RunnerRow Judge::kRunners[] = {
    {kShells, &Judge::RunShell},
    {"python python2 python3 perl ruby node nodejs php lua awk gawk mawk deno "
     "bun osascript",
     &Judge::RunInterpreter},
    {kSqlClients, &Judge::RunSqlClient},
    {"find fd fdfind", &Judge::RunFind},
    {"source .", &Judge::RunSource},
    {"eval watch ssh mosh autossh", &Judge::RunLine},
    {"trap alias", &Judge::RunLater},
    {"su runuser script flock sg expect tmux screen", &Judge::RunWithLine},
    {"docker podman kubectl nerdctl lxc oc toolbox vagrant distrobox "
     "docker-compose nsenter machinectl",
     &Judge::RunContainer},
    {nullptr, nullptr},
};

}  // namespace glasstty
