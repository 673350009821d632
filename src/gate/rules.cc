#include "gate/rules.h"

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

// Compiled at the first use, since most servers never need most patterns, and
// found by its address. Never freed, so that nothing runs at exit.
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

bool Holds(const Rule& rule, std::string_view line) {
  for (const char* const* with = rule.with; *with != nullptr; ++with) {
    if (!Matches(*with, line)) return false;
  }
  for (const char* const* unless = rule.unless; *unless != nullptr; ++unless) {
    if (Matches(*unless, line)) return false;
  }
  return true;
}

}  // namespace

const Rule* FindRule(std::string_view program, std::string_view line,
                     bool strict, bool whole) {
  program = FamilyOf(program);
  for (const Rule* rule = kRules; rule->name != nullptr; ++rule) {
    bool counts = (strict || !rule->routine) && (whole || rule->open);
    if (counts && Has(rule->programs, program) && Holds(*rule, line)) {
      return rule;
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
  for (const Rule* rule = kRules; rule->name != nullptr; ++rule) {
    if (Has(rule->programs, program)) return true;
  }
  return false;
}

}  // namespace glasstty::gate
