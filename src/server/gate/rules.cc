#include "gate/rules.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_replace.h"
#include "support/check.h"
#include "support/pattern.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

constexpr char kText[] =
#include "gate/rules.txt"
    ;

struct List {
  bool are_programs = false;
  WordSet words;
};

// The contents of rules.txt.
struct Tables {
  std::unordered_map<std::string, List, WordHash, std::equal_to<>> lists;
  std::vector<Rule> rules;
  // The texts that replace names in patterns; first the marks of PathKind.
  std::map<std::string, std::string> lets = {
      {"{system}", "\\x02"}, {"{device}", "\\x03"}, {"{file}", "\\x04"},
      {"{here}", "\\x05"},   {"{keep}", "\\x06"},   {"{own}", "\\x07"}};

  Tables();
  void AddRule(const std::vector<std::string>& parts, Rule rule);
};

Tables::Tables() {
  Rule named;
  for (const std::string& line : Split(kText, '\n')) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> words = Split(TrimBlanks(line), ' ');
    std::vector<std::string> parts = Split(line, '"');
    if (words[0] == "rule") {
      named.name = words[1];
      named.why = Join({words.begin() + 2, words.end()}, " ");
    } else if (words[0] == "let") {
      lets["{" + words[1] + "}"] = absl::StrReplaceAll(parts[1], lets);
    } else if (words[0] == "on") {
      AddRule(parts, named);
    } else {
      List* list = &lists[words[1]];
      list->are_programs = words[0] == "programs";
      CHECK(list->are_programs || words[0] == "words" || words[0] == "paths");
      list->words.insert(words.begin() + 2, words.end());
    }
  }
  WordSet ruled, all;
  for (const Rule& rule : rules) ruled.merge(WordSet(rule.programs));
  all = ruled;
  for (const auto& [name, list] : lists) {
    if (list.are_programs) all.merge(WordSet(list.words));
  }
  lists["ruled"] = {true, std::move(ruled)};
  lists["program"] = {true, std::move(all)};
}

// A line is split at its quotes, so every second part is a pattern.
void Tables::AddRule(const std::vector<std::string>& parts, Rule rule) {
  std::vector<std::string>* patterns = &rule.with;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i % 2 == 1) {
      patterns->push_back(absl::StrReplaceAll(parts[i], lets));
      continue;
    }
    for (const std::string& word : Split(parts[i], ' ')) {
      if (word == "unless") {
        patterns = &rule.unless;
      } else if (word == "routine" || word == "open") {
        (word == "open" ? rule.open : rule.routine) = true;
      } else if (!word.empty() && word != "on") {
        rule.programs.insert(word);
      }
    }
  }
  rules.push_back(std::move(rule));
}

// The tables are never freed.
const Tables& TheTables() {
  static const auto* tables = new Tables;
  return *tables;
}

const List& FindList(std::string_view name) {
  auto found = TheTables().lists.find(name);
  CHECK(found != TheTables().lists.end());
  return found->second;
}

std::string_view FamilyOf(std::string_view program) {
  return program.substr(0, program.find('.', 1));
}

// Patterns are compiled at first use, and never freed.
bool Matches(const std::string& source, std::string_view text) {
  static auto* compiled = new std::map<std::string, Pattern>();
  auto found = compiled->find(source);
  if (found == compiled->end()) {
    auto pattern = Pattern::Compile(source);
    CHECK(pattern.ok());
    found = compiled->emplace(source, *std::move(pattern)).first;
  }
  return found->second.Find(text).has_value();
}

}  // namespace

// Patterns without a mark are matched against an unmarked line: a subcommand
// such as "tests" would have a mark in some directories, because it could be a
// path.
const Rule* FindRule(std::string_view program, std::string_view line,
                     bool strict, bool whole) {
  program = FamilyOf(program);
  std::string unmarked(line);
  std::erase_if(unmarked, [](unsigned char c) { return c < ' '; });
  auto matches = [&](const std::string& pattern) {
    bool marks = pattern.find("\\x0") != std::string::npos;
    return Matches(pattern, marks ? line : unmarked);
  };
  for (const Rule& rule : TheTables().rules) {
    bool counts =
        (strict || !rule.routine) && (whole || rule.open) &&
        (rule.programs.contains(program) || rule.programs.contains("*")) &&
        std::all_of(rule.with.begin(), rule.with.end(), matches) &&
        std::none_of(rule.unless.begin(), rule.unless.end(), matches);
    if (counts) return rule.why.empty() ? nullptr : &rule;
  }
  return nullptr;
}

const WordSet& WordsOf(std::string_view list) { return FindList(list).words; }

bool IsIn(std::string_view list, std::string_view word) {
  const List& found = FindList(list);
  return found.words.contains(found.are_programs ? FamilyOf(word) : word);
}

}  // namespace glasstty::gate
