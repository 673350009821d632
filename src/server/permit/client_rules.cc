#include "permit/client_rules.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "support/status.h"
#include "support/user_file.h"

namespace glasstty::permit {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFile = 4 << 20;

using Parse = absl::StatusOr<RuleSet> (*)(std::string_view text);

// Appends the rules of a file. Returns false if the file does not exist.
bool AddFile(const std::string& path, Parse parse, RuleSet* set) {
  auto text = ReadUserFile(path, kMostFile);
  if (absl::IsNotFound(text.status())) return false;
  auto rules =
      text.ok() ? parse(*text) : absl::StatusOr<RuleSet>(text.status());
  if (!rules.ok()) {
    set->unreadable.push_back(path);
    return true;
  }
  set->last_wins = rules->last_wins;
  set->otherwise = rules->otherwise;
  set->is_final |= rules->is_final;
  std::move(rules->rules.begin(), rules->rules.end(),
            std::back_inserter(set->rules));
  std::move(rules->allowed_tools.begin(), rules->allowed_tools.end(),
            std::back_inserter(set->allowed_tools));
  return true;
}

// Returns the files of a folder whose names end with `ending`, in alphabetical
// order. A folder that exists but cannot be listed may hold any rules, so it is
// added to `set->unreadable`.
std::vector<std::string> FilesIn(const std::string& folder,
                                 std::string_view ending, RuleSet* set) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::string path = at->path().string();
    if (path.ends_with(ending)) files.push_back(std::move(path));
  }
  bool is_there = error != std::errc::no_such_file_or_directory &&
                  error != std::errc::not_a_directory;
  if (error && is_there) set->unreadable.push_back(folder);
  std::sort(files.begin(), files.end());
  return files;
}

// Returns `directory` and its ancestors, up to the root of the repository.
// Outside of a repository, returns only `directory`, because other users may
// write into the folders above it.
std::vector<std::string> FoldersOf(const std::string& directory) {
  std::vector<std::string> folders;
  std::error_code error;
  for (fs::path at = directory; !at.empty(); at = at.parent_path()) {
    folders.push_back(at.string());
    if (fs::exists(at / ".git", error)) return folders;
    if (at == at.parent_path()) break;
  }
  return {directory};
}

RuleSet LoadClaude(const Places& places) {
  RuleSet set;
  std::string managed = places.etc + "/claude-code/managed-settings";
  AddFile(managed + ".json", ParseClaudeRules, &set);
  for (const std::string& file : FilesIn(managed + ".d", ".json", &set)) {
    AddFile(file, ParseClaudeRules, &set);
  }
  if (set.is_final) return set;
  std::string user =
      places.moved.empty() ? places.home + "/.claude" : places.moved;
  AddFile(user + "/settings.json", ParseClaudeRules, &set);
  for (const std::string& folder : FoldersOf(places.project)) {
    AddFile(folder + "/.claude/settings.json", ParseClaudeRules, &set);
    AddFile(folder + "/.claude/settings.local.json", ParseClaudeRules, &set);
  }
  return set;
}

// Codex reads a project's rules only if the user trusts the project, so those
// that allow something do not count here.
RuleSet LoadCodex(const Places& places) {
  RuleSet set;
  std::string user =
      places.moved.empty() ? places.home + "/.codex" : places.moved;
  for (const std::string& folder :
       {places.etc + "/codex/rules", user + "/rules"}) {
    for (const std::string& file : FilesIn(folder, ".rules", &set)) {
      AddFile(file, ParseCodexRules, &set);
    }
  }
  RuleSet project;
  for (const std::string& folder : FoldersOf(places.project)) {
    for (const std::string& file :
         FilesIn(folder + "/.codex/rules", ".rules", &set)) {
      AddFile(file, ParseCodexRules, &project);
    }
  }
  for (Rule& rule : project.rules) {
    if (rule.answer > Answer::kNone) set.rules.push_back(std::move(rule));
  }
  std::move(project.unreadable.begin(), project.unreadable.end(),
            std::back_inserter(set.unreadable));
  return set;
}

RuleSet LoadOpencode(const Places& places) {
  RuleSet set;
  set.last_wins = true;
  set.otherwise = Answer::kAllow;
  std::string config =
      places.config.empty() ? places.home + "/.config" : places.config;
  std::vector<std::string> folders = {config + "/opencode"};
  std::vector<std::string> files;
  for (const std::string& folder : FoldersOf(places.project)) {
    folders.insert(folders.begin() + 1, folder + "/.opencode");
    folders.insert(folders.begin() + 1, folder);
  }
  for (const std::string& folder : folders) {
    AddFile(folder + "/opencode.json", ParseOpencodeRules, &set);
    AddFile(folder + "/opencode.jsonc", ParseOpencodeRules, &set);
    bool is_first = &folder == &folders.front();
    if (is_first && !places.moved.empty()) {
      AddFile(places.moved, ParseOpencodeRules, &set);
    }
  }
  return set;
}

}  // namespace

RuleSet LoadRules(Client client, const Places& places) {
  switch (client) {
    case Client::kClaudeCode:
      return LoadClaude(places);
    case Client::kCodex:
      return LoadCodex(places);
    case Client::kOpencode:
      return LoadOpencode(places);
  }
  return {};
}

}  // namespace glasstty::permit
