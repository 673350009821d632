// Programs that run what they are told: shells, interpreters, clients of
// databases, find, ssh, containers.
#include <algorithm>
#include <iterator>

#include "absl/strings/str_format.h"
#include "gate/rules.h"
#include "gate/shell_judge.h"
#include "gate/shell_parser.h"
#include "gate/sql.h"
#include "support/text.h"

namespace glasstty {
namespace {

constexpr std::string_view kShells[] = {"sh",    "bash", "dash", "zsh", "ksh",
                                        "ash",   "mksh", "fish", "csh", "tcsh",
                                        "rbash", "yash", "pwsh"};
constexpr std::string_view kInterpreters[] = {
    // A version behind a dot is cut off before the look-up: "python3.11".
    "python", "python2", "python3", "perl", "ruby", "node", "nodejs",   "php",
    "lua",    "awk",     "gawk",    "mawk", "deno", "bun",  "osascript"};
// Their rest is one line for a shell.
constexpr std::string_view kJoiners[] = {"eval", "watch", "ssh", "mosh",
                                         "autossh"};
// The argument of -c is a line for a shell.
constexpr std::string_view kWithLine[] = {"su", "runuser", "script", "flock",
                                          "sg", "expect",  "tmux",   "screen"};
// They start a command in another place; only a shell in it is looked for, for
// each has options and operands of its own in front of the command.
constexpr std::string_view kContainers[] = {
    "docker",  "podman",    "kubectl", "nerdctl",   "lxc",
    "oc",      "toolbox",   "vagrant", "distrobox", "docker-compose",
    "nsenter", "machinectl"};
// Options of ssh(1) with an argument of their own. Those of watch(1) that have
// one and mean nothing of the kind to ssh (-n, -q) are in kWatchValues.
constexpr std::string_view kJoinerValues = "BbcDEeFIiJLlmOopQRSWw";
constexpr std::string_view kWatchValues = "nq";
// Arguments of find that select, so that it is not about everything. -type and
// the depths are absent: they leave nearly everything.
constexpr std::string_view kFilters[] = {
    "-name",   "-iname",     "-path",     "-ipath",  "-regex",
    "-iregex", "-size",      "-empty",    "-mtime",  "-mmin",
    "-atime",  "-amin",      "-ctime",    "-cmin",   "-newer",
    "-user",   "-group",     "-perm",     "-inum",   "-xtype",
    "-lname",  "-wholename", "-samefile", "-nouser", "-nogroup"};

template <size_t N>
bool OneOf(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// A login shell is called "-bash".
bool IsShell(std::string_view program) {
  if (!program.empty() && program[0] == '-') program.remove_prefix(1);
  return OneOf(kShells, program);
}

// "+x" is one of shells: set +x, date +%s.
bool IsOption(const ShellWord& word) {
  return word.text.size() > 1 && (word.text[0] == '-' || word.text[0] == '+');
}

// Strings in a program's text: they may be commands for system() and the like.
// Escapes are not undone and quotes do not nest: an approximation for a dozen
// languages at once.
std::vector<std::string> StringsIn(const std::string& code) {
  std::vector<std::string> strings;
  for (size_t i = 0; i < code.size(); ++i) {
    char quote = code[i];
    if (quote != '"' && quote != '\'' && quote != '`') continue;
    size_t end = code.find(quote, i + 1);
    if (end == std::string::npos) break;
    strings.push_back(code.substr(i + 1, end - i - 1));
    i = end;
  }
  return strings;
}

}  // namespace

// True when the words need no rule any more. A container's client is judged by
// its rules as well (docker rm), so it returns false although the command in it
// has been judged.
bool ShellJudge::JudgeRunner(const std::string& program, const Words& words,
                             const PipedInput& input) {
  if (IsShell(program)) {
    JudgeShell(words, input);
  } else if (OneOf(kInterpreters, program.substr(0, program.find('.')))) {
    JudgeInterpreter(words, input);
  } else if (IsSqlClient(program)) {
    JudgeSqlClient(words, input);
  } else if (program == "find" || program == "fd" || program == "fdfind") {
    JudgeFind(words);
  } else if (program == "source" || program == ".") {
    bool downloads = words.size() > 1 && words[1].downloads;
    if (downloads) JudgeShell(words, {PipedInput::Kind::kUnknown, "", true});
  } else if (OneOf(kJoiners, program)) {
    size_t from = 1;
    while (program != "eval" && from < words.size() && IsOption(words[from])) {
      const std::string& text = words[from].text;
      std::string_view values =
          program == "watch" ? kWatchValues : kJoinerValues;
      bool takes =
          text.size() == 2 && values.find(text[1]) != std::string_view::npos;
      from += takes ? 2 : 1;
    }
    // ssh names a host first; what it starts there may read our stdin. The
    // others log in to a host, which stands where eval has its first word.
    bool far = program != "eval" && program != "watch";
    JudgeLine(words, from + (far ? 1 : 0));
    // Without a command there is a shell on the far side, and it reads stdin.
    if (far && from + 1 >= words.size() &&
        input.kind == PipedInput::Kind::kKnown) {
      JudgeNested(input.text);
    }
  } else if (program == "trap" || program == "alias") {
    for (size_t i = 1; i < words.size(); ++i) {
      const std::string& text = words[i].text;
      size_t equals = text.find('=');
      bool named = program == "alias" && equals != std::string::npos;
      JudgeNested(named ? text.substr(equals + 1) : text);
    }
    // Their options differ too much to find -c: an argument with a blank in it
    // is taken for the line. Without a blank it is one program without
    // arguments.
  } else if (OneOf(kWithLine, program)) {
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i].text.find(' ') != std::string::npos) {
        JudgeNested(words[i].text);
      }
    }
  } else if (OneOf(kContainers, program)) {
    JudgeContainer(words, input);
    return false;
  } else {
    return false;
  }
  return true;
}

// eval and ssh join their arguments with blanks and read the line anew, so
// quotes are undone twice.
void ShellJudge::JudgeLine(const Words& words, size_t from) {
  std::string line;
  bool known = true, downloads = false;
  for (size_t i = from; i < words.size(); ++i) {
    line += (line.empty() ? "" : " ") + words[i].text;
    known &= words[i].IsKnown();
    downloads |= words[i].downloads;
  }
  if (downloads) {
    Find("download-run", words[0].text + " " + line,
         "runs what it fetches from the network");
  }
  if (!known) Note(absl::StrFormat("what %s runs", words[0].text));
  JudgeNested(line, known);
}

// sh -c LINE, sh FILE, or what comes on stdin.
void ShellJudge::JudgeShell(const Words& words, const PipedInput& input) {
  // `line`: the argument that follows is the text of -c. `reads`: neither -c
  // nor a file, so the commands come from stdin.
  bool line = false, reads = true;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (words[i].downloads) {
      Find("download-run", words[0].text + " " + text,
           "runs what it fetches from the network");
    }
    if (line || (!IsOption(words[i]) && text != "-")) {
      reads = false;
      if (line) {
        bool known = words[i].IsKnown();
        if (!known) Note("what " + words[0].text + " -c runs");
        JudgeNested(text, known);
      }
      break;
    }
    if (text == "-s" || text == "--" || text == "-") continue;
    // "-lc", "-exc": letters together; bash also has long options.
    bool cluster = text.size() > 1 && text[1] != '-';
    line =
        (cluster && text.find('c') != std::string::npos) || text == "--command";
    // "-o pipefail" and bash's "-O extglob" take the next word.
    if (cluster && !line && (text.back() == 'o' || text.back() == 'O')) ++i;
  }
  if (!reads) return;
  if (input.downloads) {
    Find("download-run", "... | " + words[0].text,
         "runs what it fetches from the network");
  }
  if (input.kind == PipedInput::Kind::kKnown) JudgeNested(input.text);
  if (input.kind == PipedInput::Kind::kUnknown) {
    Note("what is piped into " + words[0].text);
  }
}

// python -c CODE: the strings in it, if it can hand them to a shell.
void ShellJudge::JudgeInterpreter(const Words& words, const PipedInput& input) {
  bool reads = true;
  bool awk = BaseName(words[0].text).find("awk") != std::string::npos;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (words[i].downloads) {
      Find("download-run", words[0].text + " " + text,
           "runs what it fetches from the network");
    }
    if (text != "-") reads = false;
    // What starts programs in these languages; other code has no commands in
    // it.
    bool runs = MatchesBuiltIn(
        "(system|exec|popen|subprocess|spawn|execSync|`|%x)", text);
    // The first operand of an interpreter is a file's name and not code; that
    // of awk is its program.
    if (!runs || (!awk && i == 1 && !IsOption(words[i]))) continue;
    for (const std::string& string : StringsIn(text)) JudgeNested(string);
  }
  if (reads && input.downloads) {
    Find("download-run", "... | " + words[0].text,
         "runs what it fetches from the network");
  }
}

// Every argument with a blank may be a statement: the names of the options
// differ from client to client, and a statement without a blank does nothing.
void ShellJudge::JudgeSqlClient(const Words& words, const PipedInput& input) {
  bool unfinished = unfinished_;
  for (size_t i = 1; i < words.size(); ++i) {
    std::string text = words[i].text;
    size_t blank = text.find(' ');
    if (blank == std::string::npos) continue;
    // "--command=DROP TABLE x" and "-eDROP TABLE x".
    size_t equals = text.find('=');
    if (text.starts_with("--") && equals < blank) {
      text = text.substr(equals + 1);
    } else if (text.starts_with("-") && !text.starts_with("--")) {
      text = text.substr(std::min<size_t>(2, text.size()));
    }
    JudgeStatements(text, false);
  }
  if (input.kind == PipedInput::Kind::kKnown) {
    JudgeStatements(input.text, false);
  }
  unfinished_ = unfinished;
}

// As rm -r of where it looks, when nothing limits what it finds.
void ShellJudge::JudgeFind(const Words& words) {
  // Where it looks; none is the directory it runs in (GNU find).
  Words roots;
  bool filters = false, deletes = false;
  size_t i = 1;
  while (i < words.size() && (words[i].text == "-H" || words[i].text == "-L" ||
                              words[i].text == "-P")) {
    ++i;
  }
  for (; i < words.size() && !IsOption(words[i]) && words[i].text != "(" &&
         words[i].text != "!";
       ++i) {
    roots.push_back(words[i]);
  }
  if (roots.empty()) {
    roots.emplace_back();
    roots[0].Append(".", ByteMark::kLive);
  }
  // The first word of the command behind -exec; the end: there is none.
  size_t inner = words.size();
  for (; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    // "! -name x" finds nearly everything.
    bool negated = words[i - 1].text == "!" || words[i - 1].text == "-not";
    filters |= OneOf(kFilters, text) && !negated;
    deletes |= text == "-delete";
    // -x and -X are those of fd(1).
    if (text == "-exec" || text == "-execdir" || text == "-ok" ||
        text == "-x" || text == "-X") {
      inner = std::min(inner, i + 1);
    }
  }
  for (const ShellWord& root : roots) {
    PathKind kind = ClassifyPath(root, context_);
    // In a system directory even few files are too many.
    bool all = !filters || kind == PathKind::kSystem;
    if (deletes && all && kind != PathKind::kOther) {
      Find("find-delete", "find " + root.text + " ... -delete",
           "deletes all that it finds in a system directory, a home or here");
    }
    Words command;
    for (size_t n = inner;
         n < words.size() && words[n].text != ";" && words[n].text != "+";
         ++n) {
      ShellWord word = words[n];
      if (word.text == "{}") {
        // As if the command got the root itself, since it gets all that is in
        // there. With a filter it gets some names that are not known, and at
        // least one.
        word = all ? root : ShellWord();
        if (!all) word.Append("{}", ByteMark::kNonEmpty);
      }
      command.push_back(std::move(word));
    }
    if (!command.empty()) JudgeWords(std::move(command), {});
  }
}

// "docker exec web sh -c LINE": from the shell on.
void ShellJudge::JudgeContainer(const Words& words, const PipedInput& input) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (!IsShell(BaseName(words[i].text))) continue;
    JudgeShell(Words(words.begin() + static_cast<long>(i), words.end()), input);
    return;
  }
}

}  // namespace glasstty
