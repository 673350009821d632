#include "tools/parse_output.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "base/visible.h"
#include "gate/shell_reader.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// Returns a single line under the key `name`; nullopt for any other output.
std::optional<ParsedOutput> OneValue(const Lines& lines, const char* name) {
  if (lines.size() != 1 || lines[0].empty()) return std::nullopt;
  ParsedOutput parsed;
  parsed.data[name] = lines[0];
  parsed.summary = absl::StrFormat("%s: %s", name, QuotedUnlessPlain(lines[0]));
  return parsed;
}

// An empty list is a valid answer, too.
std::optional<ParsedOutput> Files(const Lines& lines) {
  ParsedOutput parsed;
  Json files = Json::array();
  for (const std::string& line : lines) files.push_back(UnquoteGitPath(line));
  parsed.summary = Counted(std::ssize(files), "file");
  parsed.data["files"] = std::move(files);
  return parsed;
}

ParsedOutput NoBranch() { return {{{"branch", nullptr}}, "no branch"}; }

// Parses the output of `git branch --show-current`, which prints nothing for a
// detached HEAD.
std::optional<ParsedOutput> CurrentBranch(const Lines& lines) {
  return lines.empty() ? NoBranch() : OneValue(lines, "branch");
}

// Parses the output of `git rev-parse --abbrev-ref HEAD`, which prints the
// argument for a detached HEAD.
std::optional<ParsedOutput> AbbreviatedRef(const Lines& lines) {
  return lines == Lines{"HEAD"} ? NoBranch() : OneValue(lines, "branch");
}

// Parses the name of a commit, a tree, a file's content or a tag.
std::optional<ParsedOutput> ObjectName(const Lines& lines) {
  return OneValue(lines, "object");
}

std::optional<ParsedOutput> TopLevel(const Lines& lines) {
  return OneValue(lines, "directory");
}

std::optional<ParsedOutput> IsInside(const Lines& lines) {
  bool yes = lines == Lines{"true"};
  if (!yes && lines != Lines{"false"}) return std::nullopt;
  return ParsedOutput{{{"inside", yes}},
                      yes ? "inside a work tree" : "not inside a work tree"};
}

std::optional<ParsedOutput> RemoteNames(const Lines& lines) {
  ParsedOutput parsed;
  parsed.data["remotes"] = lines;
  parsed.summary = RemoteSummary(lines);
  return parsed;
}

// Parses the output of `which` and `where`: a path on each line. For an alias,
// both print words, which are not parsed.
std::optional<ParsedOutput> Paths(const Lines& lines) {
  ParsedOutput parsed;
  Json paths = Json::array();
  for (const std::string& line : lines) {
    if (!line.starts_with("/")) return std::nullopt;
    paths.push_back(line);
  }
  if (paths.empty()) return std::nullopt;
  parsed.summary = QuotedUnlessPlain(lines[0]);
  if (lines.size() > 1) {
    parsed.summary += absl::StrFormat(" (and %d more)", lines.size() - 1);
  }
  parsed.data["paths"] = std::move(paths);
  return parsed;
}

struct TypeRow {
  // The text after "NAME is ", or "NAME: " in yash, begins with this.
  const char* beginning;
  const char* kind;
};
// `type` prints these texts in bash, zsh, dash, mksh, busybox, fish and yash.
// The first row that fits decides.
constexpr TypeRow kTypes[] = {
    {"/", "file"},
    {"hashed (/", "file"},
    {"a tracked alias for /", "file"},
    {"an external command at /", "file"},
    {"aliased to ", "alias"},
    {"an alias for ", "alias"},
    {"a global alias for ", "alias"},
    {"a function", "function"},
    {"a shell function", "function"},
    {"an autoload shell function", "function"},
    {"a builtin", "builtin"},
    {"a shell builtin", "builtin"},
    {"a special shell builtin", "builtin"},
    {"a special builtin", "builtin"},
    {"a special built-in", "builtin"},
    {"a semi-special built-in", "builtin"},
    {"a regular built-in", "builtin"},
    {"a mandatory built-in", "builtin"},
    {"an elective built-in", "builtin"},
    {"an extension built-in", "builtin"},
    {"a shell keyword", "keyword"},
    {"a reserved word", "keyword"},
};

// Returns the path in "/bin/ls" and in "hashed (/bin/ls)".
std::string PathIn(const std::string& what) {
  std::string path = what.substr(what.find('/'));
  if (what.starts_with("hashed (") && path.ends_with(")")) path.pop_back();
  return path;
}

// Parses "ls is /bin/ls", "cd is a shell builtin", "ll is aliased to `ls -l'".
std::optional<ParsedOutput> Types(const Lines& lines) {
  // yash puts a colon after the name. Other shells also print the bodies of
  // functions, which may contain anything.
  size_t first = lines.empty() ? 0 : lines[0].find(' ');
  bool is_yash =
      first != std::string::npos && first > 1 && lines[0][first - 1] == ':';
  const std::string between = is_yash ? ": " : " is ";
  Json found = Json::array();
  std::vector<std::string> kinds;
  for (const std::string& line : lines) {
    size_t end = line.find(between);
    // The body of a function follows its line.
    if (end == std::string::npos || line[0] == ' ') continue;
    std::string name = line.substr(0, end);
    std::string what = line.substr(end + between.size());
    const auto* row =
        std::ranges::find_if(kTypes, [&what](const TypeRow& candidate) {
          return what.starts_with(candidate.beginning);
        });
    if (row == std::end(kTypes)) continue;
    std::string kind = row->kind;
    std::string path = kind == "file" ? PathIn(what) : "";
    Json entry = {{"name", name}, {"kind", kind}};
    if (kind == "file") entry["path"] = path;
    if (kind == "alias") entry["text"] = what;
    found.push_back(std::move(entry));
    kinds.push_back(kind == "file" ? QuotedUnlessPlain(path) : kind);
  }
  if (found.empty()) return std::nullopt;
  ParsedOutput parsed;
  parsed.summary = Join(kinds, ", ");
  parsed.data["found"] = std::move(found);
  return parsed;
}

struct ParserRow {
  // The words with which the command begins.
  const char* command;
  // Options of which one must be given, separated by '|'; "": none is required.
  const char* needs;
  // Other allowed options; a trailing '*' stands for any text, and "-*" for a
  // number. Operands are allowed if the list ends in " ...".
  const char* allows;
  std::optional<ParsedOutput> (*parse)(const Lines&);
};
constexpr ParserRow kParsers[] = {
    {"git log", "--oneline",
     "-n -* --max-count=* --all --no-decorate "
     "--decorate* --reverse --first-parent --merges "
     "--no-merges --author=* --since=* --until=* ...",
     ParseGitOneline},
    {"git log", "",
     "-n -* --max-count=* --all "
     "--no-decorate --decorate* --reverse --first-parent "
     "--merges --no-merges --author=* --since=* --until=* ...",
     ParseGitLog},
    {"git status", "--porcelain|--porcelain=v1|-s|--short|-sb|-bs",
     "-b --branch --ignored -uno -uall -unormal --untracked-files=* ...",
     ParseGitStatus},
    {"git branch", "--show-current", "", CurrentBranch},
    {"git branch", "-vv|-avv|-rvv",
     "-a --all -r --remotes --list --merged --no-merged --no-color --sort=*",
     ParseGitFullBranches},
    {"git branch", "",
     "-a --all -r --remotes -v -av -rv --list "
     "--merged --no-merged --no-color --sort=*",
     ParseGitBranches},
    {"git rev-parse", "--is-inside-work-tree", "", IsInside},
    {"git rev-parse", "--show-toplevel", "", TopLevel},
    {"git rev-parse", "--abbrev-ref", "...", AbbreviatedRef},
    {"git rev-parse", "", "--short --short=* --verify ...", ObjectName},
    {"git diff", "--name-only",
     "--cached --staged --merge-base --diff-filter=* ...", Files},
    {"git diff", "--name-status",
     "--cached --staged --merge-base -M -C --diff-filter=* ...",
     ParseGitNameStatus},
    {"git diff", "--numstat",
     "--cached --staged --merge-base --diff-filter=* ...", ParseGitNumstat},
    {"git diff", "--stat|--shortstat",
     "--cached --staged --merge-base --diff-filter=* ...", ParseGitStat},
    {"git ls-files", "",
     "-c --cached -m --modified -o --others -d --deleted "
     "--exclude-standard --full-name ...",
     Files},
    {"git remote", "-v|--verbose", "", ParseGitRemotes},
    {"git remote", "", "", RemoteNames},
    {"which", "", "-a ...", Paths},
    {"where", "", "...", Paths},
    {"type", "", "-a ...", Types},
};

// Returns whether `word` is one of `choices`, such as "-v|--verbose".
bool OneOf(const std::string& choices, const std::string& word) {
  for (const std::string& choice : Split(choices, '|')) {
    if (choice == word) return true;
  }
  return false;
}

// An option that is not listed may change the format, so the row does not
// match.
bool Allows(const std::vector<std::string>& allowed, const std::string& word) {
  for (const std::string& one : allowed) {
    bool prefix = one.size() > 1 && one.back() == '*' && one != "-*";
    if (word == one) return true;
    if (prefix && word.starts_with(one.substr(0, one.size() - 1))) return true;
    // "-*" stands for numbers such as "-20".
    bool number = one == "-*" && word.size() > 1 && word[0] == '-' &&
                  word.find_first_not_of("0123456789", 1) == std::string::npos;
    if (number) return true;
  }
  return false;
}

// Operands (revisions, paths) change the content of the output, not its format.
bool Fits(const ParserRow& row, const std::vector<std::string>& argv) {
  std::vector<std::string> head = Split(row.command, ' ');
  if (argv.size() < head.size() ||
      !std::equal(head.begin(), head.end(), argv.begin())) {
    return false;
  }
  std::vector<std::string> allowed = Split(row.allows, ' ');
  bool operands = !allowed.empty() && allowed.back() == "...";
  bool needs = *row.needs != '\0', met = !needs;
  bool only_operands = false;
  for (size_t i = head.size(); i < argv.size(); ++i) {
    const std::string& word = argv[i];
    if (word == "--") only_operands = true;
    if (only_operands || !word.starts_with("-")) {
      if (!operands) return false;
    } else if (needs && OneOf(row.needs, word)) {
      met = true;
    } else if (!Allows(allowed, word)) {
      return false;
    }
  }
  return met;
}

}  // namespace

std::string RemoteSummary(const Lines& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names)
    shown.push_back(QuotedUnlessPlain(name));
  return Counted(std::ssize(names), "remote") +
         (names.empty() ? "" : ": " + Join(shown, ", "));
}

// The first matching row decides, even if its parser finds nothing.
std::optional<ParsedOutput> ParseOutput(const std::vector<std::string>& argv,
                                        const std::string& output) {
  std::vector<std::string> words = argv;
  if (words.empty()) return std::nullopt;
  words[0] = words[0].substr(words[0].rfind('/') + 1);
  // Skip options of git itself that do not affect the format of the output.
  while (words[0] == "git" && words.size() > 2) {
    // A separate word with the directory follows.
    bool value = words[1] == "-C";
    if (!value && words[1] != "--no-pager") break;
    words.erase(words.begin() + 1, words.begin() + (value ? 3 : 2));
  }
  Lines lines = Split(output, '\n');
  // Drop the final newline, and blank lines that a pager or a prompt has left.
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (const ParserRow& row : kParsers) {
    if (Fits(row, words)) return row.parse(lines);
  }
  return std::nullopt;
}

// Returns an empty list for a pipe, whose output comes from another program,
// and for a line with variables, because they hide which program ran.
std::vector<std::string> WordsOfCommand(const std::string& line) {
  gate::ShellState state;
  std::vector<gate::SimpleCommand> commands;
  gate::ShellReader::Run keep = [&commands](gate::SimpleCommand* command) {
    commands.push_back(std::move(*command));
    return gate::Piped::Unknown();
  };
  gate::ShellReader reader(line, &state, &keep);
  reader.Read();
  if (reader.unfinished() || commands.size() != 1) return {};
  const gate::SimpleCommand& command = commands[0];
  if (command.end == '|' || command.end == '&' || !command.input.known ||
      !command.input.text.empty() || command.nested) {
    return {};
  }
  std::vector<std::string> words;
  for (const gate::Word& word : command.words) {
    if (!word.IsKnown()) return {};
    words.push_back(word.text);
  }
  return words;
}

}  // namespace glasstty
