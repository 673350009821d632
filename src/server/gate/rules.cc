#include "gate/rules.h"

#include <algorithm>
#include <map>

#include "support/check.h"
#include "support/pattern.h"

namespace glasstty::gate {
namespace {

bool Has(const char* const* words, std::string_view word) {
  while (*words != nullptr && *words != word) ++words;
  return *words != nullptr;
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

const NamedList& ListOf(std::string_view name) {
  const NamedList* list = kLists;
  while (list->name != name) {
    ++list;
    CHECK(list->name != nullptr);
  }
  return *list;
}

bool IsIn(std::string_view list, std::string_view word) {
  const NamedList& found = ListOf(list);
  return Has(found.words, found.are_programs ? FamilyOf(word) : word);
}

bool IsKnownProgram(std::string_view program) {
  program = FamilyOf(program);
  for (const NamedList* list = kLists; list->name != nullptr; ++list) {
    if (list->are_programs && Has(list->words, program)) return true;
  }
  return HasRules(program);
}

bool HasRules(std::string_view program) {
  program = FamilyOf(program);
  const Rule* rule = kRules;
  while (rule->name != nullptr && !Has(rule->programs, program)) ++rule;
  return rule->name != nullptr;
}

}  // namespace glasstty::gate
