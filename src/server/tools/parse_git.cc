// Parses the output of git, command by command. Formats: git-log(1),
// git-status(1) "Short Format", git-branch(1), git-diff(1).
//
//   a1b2c3d (HEAD -> main, tag: v1) subject        log --oneline --decorate
//   commit a1b2... / Author: ... / Date: ...       log
//   ## main...origin/main [ahead 1, behind 2]      status -sb, its first line
//   R  old -> new                                  status -s: index, work tree
//   * main a1b2c3d [origin/main: gone] subject     branch -vv
//   origin<TAB>URL (fetch)                         remote -v
//   R100<TAB>old<TAB>new                           diff --name-status
//    a.txt | 3 ++-                                 diff --stat
//
// In a terminal, tabs have become blanks before the output arrives here. Only
// English words are recognized: git translates the long formats, and output in
// other languages is not parsed.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <utility>

#include "base/visible.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/parse_output.h"

namespace glasstty {
namespace {

// Abbreviated hashes have at least four digits (core.abbrev).
bool IsHash(const std::string& word) {
  return word.size() >= 4 &&
         word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Removes the blanks with which columns are padded.
std::string Trimmed(const std::string& text) {
  size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return std::string(TrimTrailingBlanks(std::string_view(text).substr(begin)));
}

// Returns the number after `word` in "[origin/main: ahead 2, behind 1]", or 0.
int64_t NumberBehind(const std::string& text, const std::string& word) {
  size_t at = text.find(word + " ");
  if (at == std::string::npos) return 0;
  return std::strtoll(text.c_str() + at + word.size() + 1, nullptr, 10);
}

// Removes "(HEAD -> main, tag: v1) " from the front and returns its refs.
Json TakeRefs(std::string* text) {
  Json refs = Json::array();
  size_t end = text->find(") ");
  if (!text->starts_with("(") || end == std::string::npos) {
    if (!text->starts_with("(") || !text->ends_with(")")) return refs;
    end = text->size() - 1;
  }
  for (const std::string& ref : Split(text->substr(1, end - 1), ',')) {
    refs.push_back(Trimmed(ref));
  }
  *text = Trimmed(text->substr(end + 1));
  return refs;
}

// Summarises the first commit, which usually is the newest and the one of
// interest.
ParsedOutput Commits(Json commits) {
  ParsedOutput parsed;
  parsed.summary = Counted(std::ssize(commits), "commit");
  if (!commits.empty()) {
    const Json& first = commits.front();
    parsed.summary += absl::StrFormat(
        ", the first: %s %s", first["hash"].get<std::string>().substr(0, 10),
        Quoted(first["subject"].get<std::string>()));
  }
  parsed.data["commits"] = std::move(commits);
  return parsed;
}

// Returns the word for a letter of the short format.
std::string StatusWord(char letter) {
  switch (letter) {
    case 'M':
      return "modified";
    case 'A':
      return "added";
    case 'D':
      return "deleted";
    case 'R':
      return "renamed";
    case 'C':
      return "copied";
    case 'T':
      return "type changed";
    case 'U':
      return "unmerged";
    default:
      return "";
  }
}

// Parses "## main...origin/main [ahead 1, behind 2]". A detached HEAD has no
// name, so the result has null instead of an invented name.
Json BranchOf(const std::string& text) {
  Json branch = Json::object();
  std::string rest = text;
  const std::string kNew = "No commits yet on ";
  if (rest.starts_with(kNew)) rest = rest.substr(kNew.size());
  size_t blank = rest.find(' ');
  std::string names = rest.substr(0, blank);
  if (rest == "HEAD (no branch)") {
    branch["name"] = nullptr;
    return branch;
  }
  size_t dots = names.find("...");
  branch["name"] = names.substr(0, dots);
  if (dots == std::string::npos) return branch;
  branch["upstream"] = names.substr(dots + 3);
  branch["ahead"] = NumberBehind(rest, "ahead");
  branch["behind"] = NumberBehind(rest, "behind");
  return branch;
}

bool IsMove(char letter) { return letter == 'R' || letter == 'C'; }

// Parses "path" or, if `is_moved`, "old -> new". git quotes a path that
// contains a blank.
Json PathEntry(const std::string& text, char letter, bool is_moved) {
  Json entry = Json::object();
  size_t end_of_old = text.starts_with('"') ? text.find("\" ") : 0;
  size_t arrow = is_moved ? text.find(" -> ", end_of_old) : std::string::npos;
  bool has_both = arrow != std::string::npos;
  entry["path"] = UnquoteGitPath(has_both ? text.substr(arrow + 4) : text);
  if (has_both && IsMove(letter)) {
    entry["from"] = UnquoteGitPath(text.substr(0, arrow));
  }
  std::string status = StatusWord(letter);
  if (!status.empty()) entry["status"] = std::move(status);
  return entry;
}

// The forms of the lines of `git branch`.
enum class BranchForm {
  kShort,  // without an option, or -v: "1a2b3c4 [ahead 1] subject"
  kFull,   // -vv: "1a2b3c4 (/worktree) [origin/main: ahead 1] subject"
};

std::string BranchName(const std::string& rest) {
  // A detached HEAD is shown as "(HEAD detached at 1a2b3c4)", which contains
  // blanks.
  size_t end = rest[0] == '(' ? rest.find(')') : rest.find(' ');
  if (rest[0] == '(' && end != std::string::npos) ++end;
  return rest.substr(0, end);
}

// Removes "[origin/main: ahead 1] " from the front of a subject and adds its
// facts to the branch. A subject may begin with a bracket, too, so the bracket
// must hold what git writes there: counts, or the name of a remote's branch or
// of one of the `names`.
void TakeTracking(BranchForm form, const std::set<std::string>& names,
                  std::string* rest, Json* branch) {
  size_t close = rest->find(']');
  if (!rest->starts_with("[") || close == std::string::npos) return;
  std::string counts = rest->substr(1, close - 1), upstream;
  if (form == BranchForm::kFull) {
    upstream = counts.substr(0, counts.find(": "));
    counts.erase(0, std::min(upstream.size() + 2, counts.size()));
  }
  bool is_count = counts.starts_with("ahead ") ||
                  counts.starts_with("behind ") || counts == "gone";
  bool is_branch =
      upstream.find(' ') == std::string::npos &&
      (upstream.find('/') != std::string::npos || names.contains(upstream));
  if (!is_count && !is_branch) return;
  if (!upstream.empty()) (*branch)["upstream"] = upstream;
  (*branch)["ahead"] = NumberBehind(counts, "ahead");
  (*branch)["behind"] = NumberBehind(counts, "behind");
  if (counts == "gone") (*branch)["gone"] = true;
  *rest = Trimmed(rest->substr(close + 1));
}

// Parses "* main  1a2b3c4 [origin/main: ahead 1] subject", with or without what
// follows the name.
std::optional<ParsedOutput> ParseBranches(const Lines& lines, BranchForm form) {
  ParsedOutput parsed;
  Json branches = Json::array();
  std::set<std::string> names;
  for (const std::string& line : lines) {
    if (line.size() < 3 || line[1] != ' ') return std::nullopt;
    names.insert(BranchName(line.substr(2)));
  }
  std::string current;
  for (const std::string& line : lines) {
    Json branch = Json::object();
    std::string rest = line.substr(2);
    std::string name = BranchName(rest);
    branch["name"] = name;
    branch["current"] = line[0] == '*';
    if (line[0] == '*') current = name;
    rest = Trimmed(rest.substr(name.size()));
    if (rest.starts_with("-> ")) branch["points_at"] = rest.substr(3);
    std::string hash = rest.substr(0, rest.find(' '));
    if (IsHash(hash)) {
      branch["hash"] = hash;
      rest = Trimmed(rest.substr(hash.size()));
      size_t close = rest.find(") ");
      if (line[0] == '+' && rest.starts_with("(") &&
          close != std::string::npos) {
        branch["worktree"] = rest.substr(1, close - 1);
        rest = Trimmed(rest.substr(close + 1));
      }
      TakeTracking(form, names, &rest, &branch);
      branch["subject"] = rest;
    }
    branches.push_back(std::move(branch));
  }
  parsed.summary = absl::StrFormat("%d branch%s", branches.size(),
                                   branches.size() == 1 ? "" : "es");
  if (!current.empty()) parsed.summary += ", on " + QuotedUnlessPlain(current);
  parsed.data["branches"] = std::move(branches);
  return parsed;
}

}  // namespace

// Decodes C escapes, and three octal digits for each byte that is not ASCII.
std::string UnquoteGitPath(const std::string& text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return text;
  std::string path;
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] != '\\') {
      path += text[i];
      continue;
    }
    char next = text[++i];
    if (next >= '0' && next <= '3') {
      path +=
          static_cast<char>(std::strtol(text.substr(i, 3).c_str(), nullptr, 8));
      i += 2;
      continue;
    }
    constexpr std::string_view kLetters = "abtnvfr";
    constexpr std::string_view kMeant = "\a\b\t\n\v\f\r";
    size_t letter = kLetters.find(next);
    path += letter == std::string_view::npos ? next : kMeant[letter];
  }
  return path;
}

// With --decorate or in a terminal, refs in brackets precede the subject; a
// subject that begins with a bracket looks the same.
std::optional<ParsedOutput> ParseGitOneline(const Lines& lines) {
  Json commits = Json::array();
  for (const std::string& line : lines) {
    size_t blank = std::min(line.find(' '), line.size());
    std::string hash = line.substr(0, blank);
    if (!IsHash(hash)) return std::nullopt;
    std::string rest = Trimmed(line.substr(blank));
    Json commit = {{"hash", hash}};
    Json refs = TakeRefs(&rest);
    if (!refs.empty()) commit["refs"] = std::move(refs);
    commit["subject"] = rest;
    commits.push_back(std::move(commit));
  }
  return Commits(std::move(commits));
}

// Parses header lines up to a blank one, then the message, indented by four.
std::optional<ParsedOutput> ParseGitLog(const Lines& lines) {
  Json commits = Json::array();
  for (const std::string& line : lines) {
    const std::string kCommit = "commit ";
    if (line.starts_with(kCommit)) {
      std::string hash = line.substr(kCommit.size());
      size_t blank = std::min(hash.find(' '), hash.size());
      std::string refs_text = Trimmed(hash.substr(blank));
      hash.resize(blank);
      if (!IsHash(hash)) return std::nullopt;
      Json commit = {{"hash", hash}};
      Json refs = TakeRefs(&refs_text);
      if (!refs.empty()) commit["refs"] = std::move(refs);
      commit["subject"] = "";
      commits.push_back(std::move(commit));
      continue;
    }
    if (commits.empty()) return std::nullopt;
    Json& commit = commits.back();
    size_t colon = line.find(": ");
    if (line.starts_with("    ")) {
      std::string text = line.substr(4);
      if (commit["subject"].get_ref<const std::string&>().empty()) {
        commit["subject"] = text;
      } else {
        // A long body is not copied for each of its lines.
        Json& body = commit["body"];
        if (!body.is_string()) body = "";
        auto& written = body.get_ref<std::string&>();
        if (!written.empty()) written += '\n';
        written += text;
      }
    } else if (colon != std::string::npos) {
      commit[AsciiLower(line.substr(0, colon))] =
          Trimmed(line.substr(colon + 1));
    } else if (!line.empty()) {
      return std::nullopt;
    }
  }
  return Commits(std::move(commits));
}

// Parses two letters, which are the states of the index and of the work tree,
// and a path. Ignored files ("!!") are left out.
std::optional<ParsedOutput> ParseGitStatus(const Lines& lines) {
  ParsedOutput parsed;
  Json staged = Json::array(), modified = Json::array();
  Json untracked = Json::array(), conflicts = Json::array();
  Json branch;
  for (const std::string& line : lines) {
    if (line.starts_with("## ")) {
      branch = BranchOf(line.substr(3));
      continue;
    }
    if (line.size() < 4 || line[2] != ' ') return std::nullopt;
    char index = line[0], tree = line[1];
    std::string path = line.substr(3);
    // git-status(1) lists these seven pairs for unmerged paths.
    bool conflict = index == 'U' || tree == 'U' ||
                    (index == tree && (index == 'A' || index == 'D'));
    if (conflict) {
      conflicts.push_back(UnquoteGitPath(path));
    } else if (index == '?') {
      untracked.push_back(UnquoteGitPath(path));
    } else if (index != '!') {
      bool is_moved = IsMove(index) || IsMove(tree);
      if (index != ' ') staged.push_back(PathEntry(path, index, is_moved));
      if (tree != ' ') modified.push_back(PathEntry(path, tree, is_moved));
    }
  }
  std::vector<std::string> parts;
  auto add = [&parts](const Json& list, const char* what) {
    if (!list.empty()) {
      parts.push_back(absl::StrFormat("%d %s", list.size(), what));
    }
  };
  add(staged, "staged");
  add(modified, "modified");
  add(untracked, "untracked");
  add(conflicts, "in conflict");
  if (branch.is_object()) {
    std::string name =
        branch["name"].is_string() ? branch["name"].get<std::string>() : "HEAD";
    parsed.summary = QuotedUnlessPlain(name);
    int64_t ahead = branch.value("ahead", 0),
            behind = branch.value("behind", 0);
    if (ahead > 0) parsed.summary += absl::StrFormat(" ahead %d", ahead);
    if (behind > 0) parsed.summary += absl::StrFormat(" behind %d", behind);
    parsed.summary += ": ";
    parsed.data["branch"] = std::move(branch);
  }
  parsed.summary += parts.empty() ? "clean" : Join(parts, ", ");
  parsed.data["staged"] = std::move(staged);
  parsed.data["modified"] = std::move(modified);
  parsed.data["untracked"] = std::move(untracked);
  parsed.data["conflicts"] = std::move(conflicts);
  return parsed;
}

std::optional<ParsedOutput> ParseGitBranches(const Lines& lines) {
  return ParseBranches(lines, BranchForm::kShort);
}

std::optional<ParsedOutput> ParseGitFullBranches(const Lines& lines) {
  return ParseBranches(lines, BranchForm::kFull);
}

// Parses "origin<TAB>URL (fetch)".
std::optional<ParsedOutput> ParseGitRemotes(const Lines& lines) {
  ParsedOutput parsed;
  Json remotes = Json::array();
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    // A terminal shows the tab as blanks.
    size_t end = line.find_first_of("\t ");
    size_t kind = line.rfind(" (");
    if (end == std::string::npos || kind == std::string::npos || kind <= end) {
      return std::nullopt;
    }
    std::string name = line.substr(0, end);
    size_t begin = line.find_first_not_of("\t ", end);
    // Each remote has two consecutive lines.
    if (names.empty() || names.back() != name) {
      names.push_back(name);
      remotes.push_back(Json{{"name", name}});
    }
    std::string key = line.substr(kind + 2, line.find(')', kind) - kind - 2);
    remotes.back()[key] = line.substr(begin, kind - begin);
  }
  parsed.summary = RemoteSummary(names);
  parsed.data["remotes"] = std::move(remotes);
  return parsed;
}

// Parses "M<TAB>path" and "R100<TAB>old<TAB>new".
std::optional<ParsedOutput> ParseGitNameStatus(const Lines& lines) {
  ParsedOutput parsed;
  Json files = Json::array();
  for (const std::string& line : lines) {
    size_t end = line.find_first_of("\t ");
    size_t path = line.find_first_not_of("\t ", end);
    std::string status = StatusWord(line.empty() ? ' ' : line[0]);
    if (path == std::string::npos || status.empty()) return std::nullopt;
    Json file = Json::object();
    std::string rest = line.substr(path);
    size_t tab = rest.find('\t');
    bool moved = status == "renamed" || status == "copied";
    // In a terminal the tab has become blanks, so names that contain blanks
    // cannot be separated reliably.
    if (moved && tab == std::string::npos) tab = rest.find("  ");
    if (moved && tab == std::string::npos) tab = rest.find(' ');
    if (moved && tab != std::string::npos) {
      size_t to = rest.find_first_not_of("\t ", tab);
      file["path"] = UnquoteGitPath(rest.substr(to));
      file["from"] = UnquoteGitPath(rest.substr(0, tab));
    } else {
      file["path"] = UnquoteGitPath(rest);
    }
    file["status"] = status;
    files.push_back(std::move(file));
  }
  parsed.summary = Counted(std::ssize(files), "file");
  parsed.data["files"] = std::move(files);
  return parsed;
}

// Parses " a.txt | 3 ++-" and " 1 file changed, 2 insertions(+), 1
// deletion(-)".
std::optional<ParsedOutput> ParseGitStat(const Lines& lines) {
  ParsedOutput parsed;
  Json files = Json::array();
  // If there is no difference, git prints nothing, not even a total.
  if (lines.empty()) {
    parsed.data = {{"changed", 0}, {"insertions", 0}, {"deletions", 0}};
    parsed.summary = "no changes";
    return parsed;
  }
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    // Use the last bar, because a name may contain one.
    size_t bar = lines[i].rfind(" | ");
    if (bar == std::string::npos) return std::nullopt;
    Json file = {{"path", UnquoteGitPath(Trimmed(lines[i].substr(0, bar)))}};
    std::string change = Trimmed(lines[i].substr(bar + 3));
    // The line says "Bin 1 -> 2 bytes".
    if (change.starts_with("Bin")) {
      file["binary"] = true;
    } else {
      file["lines"] = std::strtoll(change.c_str(), nullptr, 10);
    }
    files.push_back(std::move(file));
  }
  std::string total = Trimmed(lines.back());
  auto number_before = [&total](const char* word) -> int64_t {
    size_t at = total.find(word);
    if (at == std::string::npos) return 0;
    size_t begin = total.rfind(' ', at - 2);
    begin = begin == std::string::npos ? 0 : begin + 1;
    return std::strtoll(total.c_str() + begin, nullptr, 10);
  };
  int64_t changed = std::strtoll(total.c_str(), nullptr, 10);
  if (changed == 0 || total.find("changed") == std::string::npos) {
    return std::nullopt;
  }
  if (!files.empty()) parsed.data["files"] = std::move(files);
  parsed.data["changed"] = changed;
  parsed.data["insertions"] = number_before("insertion");
  parsed.data["deletions"] = number_before("deletion");
  // The summary is composed anew rather than copied, because it becomes part of
  // a reply's header, which must not contain unquoted text of programs.
  parsed.summary = Counted(changed, "file") + " changed";
  for (const auto& [key, sign] :
       {std::pair("insertion", "(+)"), std::pair("deletion", "(-)")}) {
    auto count = parsed.data[std::string(key) + "s"].get<int64_t>();
    if (total.find(key) == std::string::npos) continue;
    parsed.summary += ", " + Counted(count, key) + sign;
  }
  return parsed;
}

// Parses "2<TAB>1<TAB>path"; binary files have "-" instead of numbers.
std::optional<ParsedOutput> ParseGitNumstat(const Lines& lines) {
  ParsedOutput parsed;
  Json files = Json::array();
  int64_t insertions = 0, deletions = 0;
  for (const std::string& line : lines) {
    size_t first = line.find_first_of("\t ");
    size_t second = line.find_first_not_of("\t ", first);
    size_t third = line.find_first_of("\t ", second);
    size_t path = line.find_first_not_of("\t ", third);
    if (path == std::string::npos) return std::nullopt;
    Json file = {{"path", UnquoteGitPath(line.substr(path))}};
    if (line[0] == '-') {
      file["binary"] = true;
    } else {
      int64_t in = std::strtoll(line.c_str(), nullptr, 10);
      int64_t out = std::strtoll(line.c_str() + second, nullptr, 10);
      file["insertions"] = in;
      file["deletions"] = out;
      insertions += in;
      deletions += out;
    }
    files.push_back(std::move(file));
  }
  parsed.summary = absl::StrFormat(
      "%s, +%d -%d", Counted(std::ssize(files), "file"), insertions, deletions);
  parsed.data["files"] = std::move(files);
  return parsed;
}

}  // namespace glasstty
