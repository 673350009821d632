#include "gate/rules.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "support/check.h"
#include "support/pattern.h"

namespace glasstty::gate {
namespace {

bool Has(const char* const* words, std::string_view word) {
  while (*words != nullptr && *words != word) ++words;
  return *words != nullptr;
}

using WordSet = std::unordered_set<std::string_view>;

void AddAll(const char* const* words, WordSet* set) {
  for (; *words != nullptr; ++words) set->insert(*words);
}

// The tables as sets, because several are searched for each command of a text.
struct Index {
  struct List {
    const NamedList* list;
    WordSet words;
  };
  std::unordered_map<std::string_view, List> lists;
  WordSet ruled;  // the programs of all rules
  WordSet known;  // those, and the ones of all lists of programs
};

Index MakeIndex() {
  Index index;
  for (const Rule* rule = kRules; rule->name != nullptr; ++rule) {
    AddAll(rule->programs, &index.ruled);
  }
  index.known = index.ruled;
  for (const NamedList* list = kLists; list->name != nullptr; ++list) {
    Index::List& added = index.lists[list->name];
    added.list = list;
    AddAll(list->words, &added.words);
    if (list->are_programs) AddAll(list->words, &index.known);
  }
  return index;
}

// It is never freed.
const Index& TheIndex() {
  static const auto* index = new Index(MakeIndex());
  return *index;
}

const Index::List& FindList(std::string_view name) {
  auto found = TheIndex().lists.find(name);
  CHECK(found != TheIndex().lists.end());
  return found->second;
}

std::string_view FamilyOf(std::string_view program) {
  return program.substr(0, program.find('.', 1));
}

// Patterns are compiled at first use, found by their address, and never freed.
bool Matches(const char* source, std::string_view text) {
  static auto* compiled = new std::map<const char*, Pattern>();
  auto found = compiled->find(source);
  if (found == compiled->end()) {
    auto pattern = Pattern::Compile(source);
    CHECK(pattern.ok());
    found = compiled->emplace(source, *std::move(pattern)).first;
  }
  return found->second.Find(text).has_value();
}

// Patterns without a mark are matched against an unmarked line, because a
// subcommand such as "build" would be marked as a path depending on the
// directory.
bool Holds(const Rule& rule, std::string_view marked,
           const std::string& unmarked) {
  auto matches = [&](const char* pattern) {
    bool marks = std::string_view(pattern).find("\\x0") != std::string::npos;
    return Matches(pattern, marks ? marked : unmarked);
  };
  auto end = [](const char* const* patterns) {
    while (*patterns != nullptr) ++patterns;
    return patterns;
  };
  return std::all_of(rule.with, end(rule.with), matches) &&
         std::none_of(rule.unless, end(rule.unless), matches);
}

}  // namespace

const Rule* FindRule(std::string_view program, std::string_view line,
                     bool strict, bool whole) {
  program = FamilyOf(program);
  std::string unmarked(line);
  std::erase_if(unmarked, [](unsigned char c) { return c < ' '; });
  for (const Rule* rule = kRules; rule->name != nullptr; ++rule) {
    bool counts = (strict || !rule->routine) && (whole || rule->open) &&
                  (Has(rule->programs, program) || Has(rule->programs, "*"));
    if (counts && Holds(*rule, line, unmarked)) {
      return *rule->why == '\0' ? nullptr : rule;
    }
  }
  return nullptr;
}

const NamedList& ListOf(std::string_view name) { return *FindList(name).list; }

bool IsIn(std::string_view list, std::string_view word) {
  const Index::List& found = FindList(list);
  return found.words.contains(found.list->are_programs ? FamilyOf(word) : word);
}

bool IsKnownProgram(std::string_view program) {
  return TheIndex().known.contains(FamilyOf(program));
}

bool HasRules(std::string_view program) {
  return TheIndex().ruled.contains(FamilyOf(program));
}

}  // namespace glasstty::gate
